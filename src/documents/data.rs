//! What templates are given. Amounts and dates are ready to be read: `£42.50`,
//! `21 November 2026`. docs/OPERATING.md lists the same for whoever writes a template.

use chrono::{Datelike, NaiveDate};
use serde::Serialize;

pub use crate::domain::dates::in_words;

/// The shop, on every document.
#[derive(Clone, Debug, Serialize)]
pub struct Shop {
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
            text: in_words(date),
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
    pub shop: Shop,
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
pub struct Row {
    /// Its name.
    pub label: String,
    /// What it is.
    pub value: String,
}

impl Row {
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
pub struct Group {
    /// Its heading.
    pub title: String,
    /// What an instance is called, where it repeats.
    pub noun: String,
    /// Answers that are there once.
    pub rows: Vec<Row>,
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

/// The policy schedule.
#[derive(Clone, Debug, Serialize)]
pub struct Schedule {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// What was bought, in short lines.
    pub cover: Vec<String>,
    /// Policy number, first and last day, and when cover begins.
    pub period: Vec<Row>,
    /// What was answered.
    pub groups: Vec<Group>,
    /// How the price is made up.
    pub price: Sum,
    /// What was declared, and what is taken for granted.
    pub declared: Vec<Points>,
}

/// The demands and needs statement.
#[derive(Clone, Debug, Serialize)]
pub struct DemandsAndNeeds {
    /// Head and foot.
    pub head: Head,
    /// The customer.
    pub to: Addressee,
    /// What they need, a sentence each.
    pub needs: Vec<String>,
    /// What was chosen, in short lines.
    pub cover: Vec<String>,
}

/// The receipt.
#[derive(Clone, Debug, Serialize)]
pub struct Receipt {
    /// Head and foot.
    pub head: Head,
    /// Who paid.
    pub to: Addressee,
    /// When, what for, by which means.
    pub about: Vec<Row>,
    /// What was paid for.
    pub price: Sum,
    /// What was paid.
    pub paid: String,
}

/// What a change changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The answer's name.
    pub label: String,
    /// What it was; empty where there was none.
    pub before: String,
    /// What it is now; empty where there is none.
    pub after: String,
}

/// Which way money goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The customer has paid it.
    Paid,
    /// It goes back to the customer.
    Returned,
    /// There is none.
    Nothing,
}

/// The letter about a change.
#[derive(Clone, Debug, Serialize)]
pub struct Adjustment {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// The day from which it counts.
    pub effective: String,
    /// What changed.
    pub changes: Vec<Change>,
    /// A year's premium before.
    pub premium_before: String,
    /// A year's premium after.
    pub premium_after: String,
    /// How the amount comes about: `Charged for 280 of 365 days`.
    pub share: String,
    /// The amount, line by line, and what it comes to, without a sign.
    pub sum: Sum,
    /// Which way it went.
    pub direction: Direction,
}

/// The letter about cover that was ended.
#[derive(Clone, Debug, Serialize)]
pub struct Cancellation {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// The day on which cover ended.
    pub effective: String,
    /// Why, in the customer's choice of words from a list.
    pub reason: String,
    /// Whether it was undone before it began.
    pub not_taken_up: bool,
    /// The refund, line by line.
    pub refund: Sum,
    /// Whether any money goes back.
    pub refunded: bool,
}

/// The renewal notice.
#[derive(Clone, Debug, Serialize)]
pub struct Renewal {
    /// Head and foot.
    pub head: Head,
    /// The policyholder.
    pub to: Addressee,
    /// What the customer paid for this term, changes included, as a year's price.
    pub price_last_year: String,
    /// The price of the next term.
    pub price: String,
    /// What a new customer would pay today.
    pub price_new_customer: String,
    /// Why they differ; the lines lead from last year's price to this year's.
    pub differences: Vec<Amount>,
    /// First day of the next term.
    pub starts: String,
    /// Last day of this one.
    pub last_day: String,
    /// Whether it renews by itself.
    pub auto_renew: bool,
    /// When the card is charged, where it does.
    pub charge_on: Option<String>,
    /// What the next term covers, in short lines.
    pub cover: Vec<String>,
}

/// A mark beside a sentence of the information document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// A green tick: covered.
    Tick,
    /// A red cross: not covered.
    Cross,
    /// An orange exclamation: a limit.
    Warning,
    /// A blue tick: so it is.
    Place,
    /// A plain dot.
    Dot,
    /// None: an option that costs extra.
    Option,
}

/// A sentence of the information document.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The mark before it.
    pub mark: Mark,
    /// The sentence.
    pub text: String,
    /// What it is limited to, such as a level of cover.
    pub only: Option<String>,
}

/// One of the nine headings of the information document.
#[derive(Clone, Debug, Serialize)]
pub struct Heading {
    /// The heading, a question.
    pub title: String,
    /// Its answer.
    pub points: Vec<Point>,
}

/// The insurance product information document.
#[derive(Clone, Debug, Serialize)]
pub struct Ipid {
    /// Head and foot.
    pub head: Head,
    /// The nine headings in their order.
    pub headings: Vec<Heading>,
}

/// A word of the wording and what it means.
#[derive(Clone, Debug, Serialize)]
pub struct Term {
    /// The word.
    pub term: String,
    /// What it means.
    pub meaning: String,
}

/// A part of a section of the wording.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Part {
    /// A paragraph.
    Text {
        /// It.
        text: String,
    },
    /// A heading inside the section.
    Heading {
        /// It.
        text: String,
    },
    /// Points.
    List {
        /// They.
        items: Vec<String>,
    },
    /// Words and their meaning.
    Terms {
        /// They.
        terms: Vec<Term>,
    },
}

/// A section of the wording.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// What it says.
    pub parts: Vec<Part>,
}

/// The policy wording.
#[derive(Clone, Debug, Serialize)]
pub struct Wording {
    /// Head and foot.
    pub head: Head,
    /// Its sections.
    pub sections: Vec<Section>,
}
