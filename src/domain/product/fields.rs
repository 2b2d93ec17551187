//! Defines a product's form: its datasets, their fields and the options of each field. The module
//! `file` reads these types from a product file and completes them. The website receives them as
//! JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::field_lookup::Lookup;
use crate::domain::product::condition::{Condition, Literal};
use crate::domain::product::field_kind::FieldKind;
use crate::json_schema::{OptionValue, ResponseSchema, Scalar, from_object};

/// A product's questions: datasets in the order of the questions.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct Form {
    pub product_identifier: String,
    pub product_id: u32,
    pub datasets: Vec<Dataset>,
}

/// A group of questions that belong together, possibly repeatable.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Dataset {
    /// Number of the dataset within the product.
    pub id: u32,
    /// The dataset's name in `multi` and in paths.
    pub identifier: String,
    pub title: String,
    /// A sentence under the heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the dataset repeats, as for vehicles, persons or trips.
    #[serde(default)]
    pub multi: bool,
    /// Fewest instances.
    #[serde(default)]
    pub min: usize,
    /// Most instances.
    #[serde(default)]
    pub max: usize,
    /// The name of the count of instances, which the shop computes. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count_field: Option<String>,
    /// The name of one instance in a sentence. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noun: Option<String>,
    /// The name of several instances in a sentence. Always present for a repeatable dataset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plural: Option<String>,
    /// A sentence where another instance is offered, such as its lower price. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub another_note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
    /// A few words for the subject of a price while there is no instance. Left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumed: Option<String>,
    /// Statements that the customer declares.
    #[serde(default)]
    pub statements: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible_when: Option<Condition>,
    #[serde(skip_deserializing)]
    pub visible: bool,
    /// The fields. In a repeatable dataset, each instance has these fields.
    #[serde(default, rename(deserialize = "field"))]
    pub fields: Vec<Field>,
    /// The fields of each instance, in the answer of `POST /api/v1/form/{id}`. Left out of every other
    /// answer, and for a dataset that does not repeat.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub instances: Option<Vec<Vec<InstanceField>>>,
    /// The instance that a price assumes if the dataset has no instance.
    #[serde(skip_serializing)]
    pub assume: Option<Map<String, Value>>,
    /// The instances from which demonstration data is made.
    #[serde(default, skip_serializing)]
    pub samples: Vec<Map<String, Value>>,
}

/// The questions before an instance is removed or cleared.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirm {
    /// The question before one of several instances is removed.
    pub remove: String,
    /// The question before the only instance is cleared.
    pub clear: String,
}

/// A field's state in one instance of a repeatable dataset.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "FieldState")]
pub struct InstanceField {
    pub name: String,
    #[schema(Scalar)]
    pub value: Value,
    pub visible: bool,
    pub errors: Vec<String>,
}

/// The part of a row that a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "FieldWidth", rename_all = "snake_case")]
pub enum Width {
    Full,
    Half,
    Third,
}

/// A question.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The field's name in answers.
    pub name: String,
    /// The label in the form.
    pub label: String,
    /// A short name of the answer, for summaries, documents and letters. Left out if the label serves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noun: Option<String>,
    pub kind: FieldKind,
    /// The answer, or null.
    #[serde(skip_deserializing)]
    #[schema(Scalar)]
    pub value: Value,
    /// The answer that the field starts with, or null.
    #[serde(skip_deserializing)]
    #[schema(Scalar)]
    pub default: Value,
    /// The default of a date, as a number of days from today. Left out for every other default.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub default_from: Option<DateLimit>,
    #[serde(skip_deserializing)]
    pub visible: bool,
    /// Whether the field is shown and never asked.
    #[serde(default)]
    pub display_only: bool,
    /// Whether the answer can't change after the purchase. The published form always has false, and the form
    /// of a policy has the real value.
    #[serde(default)]
    pub locked: bool,
    /// Whether the field is never shown or asked, and keeps its default.
    #[serde(default)]
    pub force_hidden: bool,
    /// Whether an answer is needed.
    #[serde(default)]
    pub required: bool,
    /// The condition under which an answer is needed although `required` is false. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required_when: Option<Condition>,
    /// Whether the website hides the field while it has no answer. Left out if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub folded: bool,
    /// The heading of this question and the next ones, up to a question with another `group`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The fields that a look-up by the answer fills. Left out if there is no look-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lookup: Option<Lookup>,
    /// Whether the price depends on the answer.
    #[serde(default)]
    pub rateable: bool,
    /// The errors of the answer.
    #[serde(skip_deserializing)]
    pub errors: Vec<String>,
    /// A hint shown with the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Why the question is asked. Left out if there is no reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    #[serde(default)]
    pub options: Vec<FieldOption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible_when: Option<Condition>,
    #[serde(skip_deserializing)]
    pub validation: Validation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<Width>,
    /// The browser's autocomplete token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autocomplete: Option<String>,

    /// The default answer, as the file gives it. The website receives neither this field nor the
    /// following fields.
    #[serde(rename(deserialize = "default"), skip_serializing)]
    pub start: Option<Start>,
    /// The answers that a price assumes for a missing answer. The first answer whose condition
    /// holds applies.
    #[serde(default, skip_serializing)]
    pub price_default: Vec<PriceDefault>,
    /// The date from which the field's date is computed. Such a field is never asked.
    #[serde(skip_serializing)]
    pub value_from: Option<DateLimit>,
    #[serde(skip_serializing)]
    pub min_date: Option<DateLimit>,
    #[serde(skip_serializing)]
    pub max_date: Option<DateLimit>,
    #[serde(skip_serializing)]
    pub min_length: Option<usize>,
    #[serde(skip_serializing)]
    pub max_length: Option<usize>,
    #[serde(skip_serializing)]
    pub min: Option<i64>,
    #[serde(skip_serializing)]
    pub max: Option<i64>,
    /// Whether the field is asked when the quote is accepted, and not when the quote is saved.
    #[serde(default, skip_serializing)]
    pub asked_at_accept: bool,
    /// Whether all instances must have different answers.
    #[serde(default, skip_serializing)]
    pub unique: bool,
    /// The error text for a missing answer.
    #[serde(skip_serializing)]
    pub missing: Option<String>,
    /// The number of days from the start of the cover in which an extra covers nothing.
    #[serde(skip_serializing)]
    pub waiting_days: Option<i64>,
}

/// One choice of a field.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldOption {
    /// A number or a word.
    #[schema(OptionValue)]
    pub value: Value,
    /// The text in the form.
    pub label: String,
    /// The text in a summary. The default is the label.
    #[serde(default)]
    pub text: String,
    /// A sentence about the option. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What the option covers. Left out if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<String>,
    /// What the option does not cover. Left out if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
    /// The name of a picture. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible_when: Option<Condition>,
}

impl FieldOption {
    /// Returns an option of a number and a label. The label is the summary text too.
    pub fn new(value: i64, label: &str) -> Self {
        Self {
            value: value.into(),
            label: label.to_owned(),
            text: label.to_owned(),
            description: None,
            includes: Vec::new(),
            excludes: Vec::new(),
            icon: None,
            visible_when: None,
        }
    }
}

/// The limits of an answer.
#[derive(Clone, Debug, Default, Serialize, ResponseSchema)]
pub struct Validation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_date: Option<DateLimit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_date: Option<DateLimit>,
}

/// A date: a number of days from today, or from another field's date.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct DateLimit {
    /// `today`, or the name of a date field.
    pub from: String,
    #[serde(default, skip_serializing)]
    pub years: i64,
    #[serde(default, skip_serializing)]
    pub months: i64,
    /// The number of days after the date `from`. A negative number means days before it. The server converts
    /// years and months into days, counted from the day of the request.
    #[serde(default)]
    pub days: i64,
}

/// A default answer of a field: a fixed answer or a relative date.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "must be an answer, or a date such as { from = \"today\", days = 1 }"
)]
pub enum Start {
    Date(#[serde(deserialize_with = "from_object")] DateLimit),
    Answer(Literal),
}

/// The answer that a price assumes for an unanswered field, with its condition.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceDefault {
    pub when: Option<Condition>,
    pub value: Start,
}

impl DateLimit {
    /// Returns the number of months, years included.
    pub fn all_months(&self) -> i64 {
        self.years.saturating_mul(12).saturating_add(self.months)
    }

    /// Returns whether the date counts from today.
    pub fn is_from_today(&self) -> bool {
        self.from == "today"
    }
}
