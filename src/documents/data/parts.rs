//! What the documents of policies and of products share.

use chrono::{Datelike, NaiveDate};
use serde::Serialize;

pub use crate::domain::time::dates::format_long;

/// The shop, on every document.
#[derive(Clone, Debug, Serialize)]
pub struct ShopDetails {
    /// Its name.
    pub brand: String,
    /// Who to call.
    pub phone: String,
    /// Who to call after a breakdown or a loss, at any hour.
    pub assistance_phone: String,
    /// Who to write to.
    pub email: String,
    /// When the phone is answered.
    pub hours: String,
    /// Its website's address.
    pub website: String,
    /// Its postal address, line by line.
    pub address: Vec<String>,
    /// Regulatory sentences, a paragraph each.
    pub regulatory: Vec<String>,
    /// How to complain, and the ombudsman.
    pub complaints: String,
}

/// Who to call when the cover is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HelpLine {
    /// The number.
    pub phone: String,
    /// When it is answered: `At any hour`; none where we can't say.
    pub answered: Option<String>,
}

/// A date, in words and in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Date {
    /// `21 November 2026`.
    pub text: String,
    /// Year.
    pub year: i32,
    /// Month, from 1.
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

/// What stands at the head and the foot of a document.
#[derive(Clone, Debug, Serialize)]
pub struct Head {
    /// The shop.
    pub shop: ShopDetails,
    /// Who to call when the cover is needed.
    pub help: HelpLine,
    /// The document's title.
    pub title: String,
    /// The product's title.
    pub product: String,
    /// Version of the product's file.
    pub version: String,
    /// The policy's or quote's number; none where it is about a product.
    pub reference: Option<String>,
    /// The day it speaks of: of the sale, of the change, of the product's version.
    pub date: Date,
    /// Whether it is a sample and no contract.
    pub sample: bool,
}

/// Who it goes to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Addressee {
    /// Their name; empty when it isn't known.
    pub name: String,
    /// Their postal address, line by line.
    pub lines: Vec<String>,
}

/// A name and what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableRow {
    /// Its name.
    pub label: String,
    /// What it is.
    pub value: String,
}

impl TableRow {
    /// A row.
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
    /// What for.
    pub label: String,
    /// How much, such as `-£4.20`.
    pub amount: String,
    /// Why, where it needs saying.
    pub note: Option<String>,
}

/// Lines of money and what they come to.
#[derive(Clone, Debug, Serialize)]
pub struct Sum {
    /// The lines, in order.
    pub lines: Vec<Amount>,
    /// What they come to.
    pub total: String,
}

/// A group of answers.
#[derive(Clone, Debug, Serialize)]
pub struct GroupTable {
    /// Its heading.
    pub title: String,
    /// What an instance is called, where it repeats.
    pub noun: String,
    /// Answers that are there once.
    pub rows: Vec<TableRow>,
    /// Headings of the table of vehicles and the like; empty where the group doesn't repeat.
    pub columns: Vec<String>,
    /// The table's rows.
    pub records: Vec<Vec<String>>,
}

/// A heading with sentences.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Points {
    /// The heading.
    pub title: String,
    /// A sentence before them; may be empty.
    pub intro: String,
    /// The sentences.
    pub points: Vec<String>,
}
