//! A price and its lines, shared by rating, quotes, changes and cancellations.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::money::Pence;
use crate::json_schema::ResponseSchema;

/// One line of a price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "PriceLine")]
pub struct Line {
    /// Name of the line.
    pub code: String,
    /// The text for the customer.
    pub label: String,
    /// The amount in pounds. A negative amount lowers the price.
    pub amount: Pence,
    /// The reason for the amount, such as free by a campaign. Left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The period of a price: a year of cover, or single trips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "Period", rename_all = "lowercase")]
pub enum Per {
    /// A year of cover.
    Year,
    /// Single trips.
    Trip,
}

/// The basis of a price: the whole term, or one day of a trip without dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename = "PriceBasis", rename_all = "snake_case")]
pub enum Basis {
    /// One day of a single trip whose days aren't known yet.
    Day,
    /// The whole term.
    Term,
}

/// A price and its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// The lines, with the tax as the last line. Their sum is exactly `taxed`.
    pub lines: Vec<Line>,
    /// Charges beside the premium.
    pub charges: Vec<Line>,
    /// The premium before tax.
    pub net: Pence,
    /// Insurance premium tax.
    pub tax: Pence,
    /// The premium with tax.
    pub taxed: Pence,
    /// What the customer pays: the premium with tax, and the charges.
    pub total: Pence,
    /// Currency of the amounts.
    pub currency: String,
    /// Whether the price is for a year or for trips.
    pub per: Per,
    /// First day of cover.
    pub inception: NaiveDate,
    /// Last day of cover.
    pub expiry: NaiveDate,
}

impl Price {
    /// Returns the total with its basis: "£48.16 a year".
    #[must_use]
    pub fn format_total(&self, basis: Basis) -> String {
        in_words(self.total, self.per, basis)
    }

    /// Returns this price with `charges` instead of its own charges, and with the new total.
    #[must_use]
    pub fn charging(self, charges: &[Line]) -> Self {
        Self {
            total: self.taxed + charges.iter().map(|line| line.amount).sum(),
            charges: charges.to_vec(),
            ..self
        }
    }
}

/// Returns a price with its basis: "£48.16 a year".
#[must_use]
pub fn in_words(total: Pence, per: Per, basis: Basis) -> String {
    match (basis, per) {
        (Basis::Day, _) => format!("from {total} a day"),
        (Basis::Term, Per::Year) => format!("{total} a year"),
        (Basis::Term, Per::Trip) => format!("{total} for the whole trip"),
    }
}
