//! The rest of a product compiled: its texts, its terms and its underwriting.

use serde::{Deserialize, Serialize};

use super::compiled::{FieldRef, Rule};
use crate::domain::money::Pence;
use crate::json_schema::ResponseSchema;

/// Life-cycle terms of a product.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// Days a quote stays good.
    pub quote_valid_days: i64,
    /// Length of the cooling-off period, days: a cancellation in it returns everything.
    pub cooling_off_days: i64,
    /// What is kept when a policy is cancelled later than that.
    #[serde(default)]
    pub cancellation_fee: Pence,
    /// Days before expiry on which a renewal quote is made.
    pub renewal_lead_days: i64,
    /// Hours from purchase until new annual cover begins at the earliest.
    pub cover_delay_hours: i64,
    /// Most days from the first day of a single trip to the last, both
    /// counted; zero where the product has no single trips.
    #[serde(default)]
    pub single_trip_max_days: i64,
}

/// Where the dates of a term come from.
#[derive(Clone, Debug)]
pub struct TermFields {
    /// The field with the first day of annual cover.
    pub start: FieldRef,
    /// Single trips, where the product has them.
    pub single: Option<SingleTripFields>,
}

/// Where the dates of single trips come from.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct SingleTripFields {
    /// When the cover is for single trips.
    pub when: Rule,
    pub dataset: usize,
    pub start: FieldRef,
    pub end: FieldRef,
}

/// What underwriting decides against a customer: a person looks at it, or it is declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum RuleOutcome {
    Refer,
    Decline,
}

/// An underwriting rule.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct UnderwritingRule {
    pub outcome: RuleOutcome,
    /// The reason for the customer, with `{phone}` to fill in.
    pub reason: String,
    /// Asked of each instance of this dataset.
    pub each: Option<usize>,
    /// It is asked of new business only: whoever holds the cover keeps it.
    pub new_business_only: bool,
    pub when: Option<Rule>,
    /// It applies to what is older than so many months at inception.
    pub older_than: Option<(FieldRef, i32)>,
}

/// Paying by instalments.
#[derive(Clone, Copy, Debug)]
pub struct InstalmentTerms {
    pub instalments: i64,
    /// Deposit, in hundredths of a percent of the price.
    pub deposit: i64,
    /// The line on which the file asks for a charge. The catalogue sells no such version; the store may
    /// have one of before.
    pub charge_line: Option<usize>,
    /// Smallest price that can be paid so.
    pub minimum: Pence,
}

/// A text with answers filled in.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct TextTemplate {
    pub pieces: Vec<Piece>,
}

/// A piece of a text.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Piece {
    Text(String),
    /// The answer of a field; of each instance, joined, when its dataset repeats.
    Answer(FieldRef),
}

impl TextTemplate {
    /// The text, when nothing is to be filled in.
    pub fn fixed(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }
}

/// A line of the summary or a demands-and-needs sentence.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct CompiledLine {
    pub code: String,
    pub text: TextTemplate,
    pub upper: bool,
    pub when: Option<Rule>,
}
