//! The parts that documents of policies and of products share.

use chrono::{Datelike, NaiveDate};
use serde::Serialize;

pub use crate::domain::time::dates::format_long;

/// The shop, on every document.
#[derive(Clone, Debug, Serialize)]
pub struct ShopDetails {
    /// The shop's name.
    pub brand: String,
    pub phone: String,
    /// The phone number after a breakdown or a loss, at any hour.
    pub assistance_phone: String,
    pub email: String,
    /// When the phone is answered.
    pub hours: String,
    /// The website's address.
    pub website: String,
    /// The postal address, line by line.
    pub address: Vec<String>,
    /// Regulatory sentences, a paragraph each.
    pub regulatory: Vec<String>,
    /// How to complain, and the ombudsman.
    pub complaints: String,
}

/// The phone number for help under the cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HelpLine {
    pub phone: String,
    /// When the phone is answered, such as `At any hour`. `None` if the hours are unknown.
    pub answered: Option<String>,
}

/// A date, in words and in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Date {
    /// `21 November 2026`.
    pub text: String,
    pub year: i32,
    pub month: u32,
    /// Day of the month.
    pub day: u32,
}

impl From<NaiveDate> for Date {
    fn from(date: NaiveDate) -> Self {
        Self {
            text: format_long(date),
            year: date.year(),
            month: date.month(),
            day: date.day(),
        }
    }
}

/// The head and foot of a document.
#[derive(Clone, Debug, Serialize)]
pub struct Head {
    pub shop: ShopDetails,
    /// The phone number for help under the cover.
    pub help: HelpLine,
    /// The document's title.
    pub title: String,
    /// The product's title.
    pub product: String,
    /// Version of the product's file.
    pub version: String,
    /// The policy's or quote's number. `None` for a document of a product.
    pub reference: Option<String>,
    /// The date of the document, such as the day of the sale or of the change.
    pub date: Date,
    /// Whether the document is a sample and no contract.
    pub sample: bool,
}

/// The addressee of a document.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Addressee {
    /// The name, or an empty text if it is unknown.
    pub name: String,
    /// The postal address, line by line.
    pub lines: Vec<String>,
}

/// A label with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableRow {
    pub label: String,
    pub value: String,
}

impl TableRow {
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
        }
    }
}

/// A line of money.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// The purpose.
    pub label: String,
    /// The amount, such as `-£4.20`.
    pub amount: String,
    /// An explanation, if the line needs one.
    pub note: Option<String>,
}

/// Lines of money and their total.
#[derive(Clone, Debug, Serialize)]
pub struct Sum {
    pub lines: Vec<Amount>,
    pub total: String,
}

/// A group of answers.
#[derive(Clone, Debug, Serialize)]
pub struct GroupTable {
    /// The heading.
    pub title: String,
    /// The name of one instance, if the group repeats.
    pub noun: String,
    /// Answers outside the table.
    pub rows: Vec<TableRow>,
    /// Headings of the table of instances, such as vehicles. Empty if the group does not repeat.
    pub columns: Vec<String>,
    /// The table's rows.
    pub records: Vec<Vec<String>>,
}

/// A heading with sentences.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Points {
    /// The heading.
    pub title: String,
    /// A sentence before `points`, or an empty text.
    pub intro: String,
    pub points: Vec<String>,
}
