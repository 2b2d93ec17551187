//! Compiled parts of a product: texts, terms and underwriting rules.

use serde::{Deserialize, Serialize};

use super::compiled::{FieldRef, Rule};
use crate::domain::money::Pence;
use crate::json_schema::ResponseSchema;

/// Life-cycle terms of a product.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// Days that a quote stays valid.
    pub quote_valid_days: i64,
    /// Length of the cooling-off period, in days.
    pub cooling_off_days: i64,
    /// Fee of a cancellation after the cooling-off period.
    #[serde(default)]
    pub cancellation_fee: Pence,
    /// Number of days between the renewal quote and the policy's last day.
    pub renewal_lead_days: i64,
    /// Hours between the purchase and the earliest start of new annual cover.
    pub cover_delay_hours: i64,
    /// Maximum days from the first day of the earliest single trip to the last day of the latest.
    /// Both days are included. Zero if the product has no single trips.
    #[serde(default)]
    pub single_trip_max_days: i64,
}

/// The sources of a term's dates.
#[derive(Clone, Debug)]
pub struct TermFields {
    /// Field with the first day of annual cover.
    pub start: FieldRef,
    /// Fields of single trips, if the product has them.
    pub single: Option<SingleTripFields>,
}

/// The sources of a single trip's dates.
#[derive(Clone, Debug)]
pub struct SingleTripFields {
    /// Condition that holds if the cover is for single trips.
    pub when: Rule,
    pub dataset: usize,
    pub start: FieldRef,
    pub end: FieldRef,
}

/// A decision of underwriting against a customer. `refer`: a person decides. `decline`: the shop sells no
/// cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleOutcome {
    Refer,
    Decline,
}

#[derive(Clone, Debug)]
pub struct UnderwritingRule {
    pub outcome: RuleOutcome,
    /// Reason for the customer, with the placeholder `{phone}`.
    pub reason: String,
    /// Dataset whose instances the rule checks, one by one.
    pub each: Option<usize>,
    /// Whether the rule applies to new business only. A policyholder keeps existing cover.
    pub new_business_only: bool,
    pub when: Option<Rule>,
    /// A date field and a number of months. The rule applies if the date is more than this many
    /// months before inception.
    pub older_than: Option<(FieldRef, i32)>,
}

/// The terms of monthly payment.
#[derive(Clone, Copy, Debug)]
pub struct MonthlyTerms {
    /// The number of payments, the first at purchase included.
    pub payments: i32,
    /// Line of `payments` in the product file.
    pub payments_line: usize,
    /// The smallest price that can be paid monthly.
    pub minimum: Pence,
}

/// A text with placeholders for answers.
#[derive(Clone, Debug, Default)]
pub struct TextTemplate {
    pub pieces: Vec<Piece>,
}

/// A part of a text template.
#[derive(Clone, Debug)]
pub enum Piece {
    Text(String),
    /// The answer of a field. For a repeatable dataset, the joined answers of all instances.
    Answer(FieldRef),
}

impl TextTemplate {
    /// Returns the text if the template has no placeholders.
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
pub struct CompiledLine {
    pub code: String,
    pub text: TextTemplate,
    pub upper: bool,
    /// Whether lists of policies and quotes show the line.
    pub in_lists: bool,
    pub when: Option<Rule>,
}
