//! A product's form, compiled for checking and rating. Conditions and limits refer to fields by position
//! instead of by name.

use std::collections::HashMap;

use chrono::NaiveDate;
use serde_json::{Map, Value};

use super::field_kind::FieldKind;
use crate::domain::product::condition::{Condition, Literal, Scalar};
use crate::domain::time::dates;

/// Identifies a field, or the count of a dataset, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldRef {
    /// A field of a dataset. In a repeatable dataset it is the field of the current instance.
    Cell {
        /// Index of the dataset in the form.
        dataset: usize,
        /// Index of the field in the dataset.
        field: usize,
    },
    /// The number of instances of a repeatable dataset.
    Count(usize),
}

/// A condition that refers to fields by position.
pub type Rule = Condition<FieldRef>;

#[derive(Clone, Debug)]
pub struct CompiledDataset {
    /// Name in `multi` and in paths.
    pub name: String,
    pub multi: bool,
    pub min: usize,
    pub max: usize,
    /// Name of the count of instances, which is computed and never asked.
    pub count_field: Option<String>,
    /// Plural noun for the instances, used in sentences.
    pub plural: String,
    pub visible_when: Option<Rule>,
    pub fields: Vec<CompiledField>,
    /// The instance that a price assumes while the dataset has none.
    pub assume: Option<Map<String, Value>>,
    /// Whether rating reads a field of the dataset or its count.
    pub rating: bool,
}

#[derive(Clone, Debug)]
pub struct CompiledField {
    pub name: String,
    /// How the answer is read.
    pub kind: FieldKind,
    pub visible_when: Option<Rule>,
    pub required: bool,
    /// Makes an optional answer required while the rule holds.
    pub required_when: Option<Rule>,
    /// The fields of the same dataset that a look-up by this field answers.
    pub lookup: Option<CompiledLookup>,
    pub force_hidden: bool,
    /// Whether the price depends on it.
    pub rateable: bool,
    /// Whether rating reads the field, directly or through a condition.
    pub rating: bool,
    /// Whether underwriting reads the field.
    pub underwriting: bool,
    /// Asked when the customer accepts the quote, not when the quote is saved.
    pub at_accept: bool,
    /// No two instances may have the same answer.
    pub unique: bool,
    /// The answer can't change after the purchase.
    pub locked: bool,
    /// The date is computed and never asked.
    pub computed: Option<CompiledDateLimit>,
    /// The default answer.
    pub default: Option<StartValue>,
    /// The answers that a price assumes for a missing answer. The first whose rule holds applies.
    pub price_default: Vec<(Option<Rule>, StartValue)>,
    pub options: CompiledOptions,
    pub bounds: Bounds,
    pub min_date: Option<CompiledDateLimit>,
    pub max_date: Option<CompiledDateLimit>,
    /// Error text for a missing answer.
    pub missing: String,
}

/// The fields that a look-up answers, as indexes in the dataset.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompiledLookup {
    pub make: Option<usize>,
    pub model: Option<usize>,
    pub colour: Option<usize>,
    pub fuel: Option<usize>,
    pub first_registered: Option<usize>,
}

/// Limits of texts (characters) and numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    pub min_length: usize,
    pub max_length: usize,
    pub min: Option<i64>,
    pub max: Option<i64>,
}

/// A default answer of a field.
#[derive(Clone, Debug)]
pub enum StartValue {
    Value(Value),
    /// A date relative to today or to another answer.
    Date(CompiledDateLimit),
}

impl StartValue {
    /// Returns the value for `today`. A date is null while its base field has no date.
    pub fn value<'a>(&self, today: NaiveDate, look: &impl Fn(&FieldRef) -> Scalar<'a>) -> Value {
        match self {
            Self::Value(value) => value.clone(),
            Self::Date(limit) => limit
                .date(today, look)
                .map_or(Value::Null, |date| Value::String(dates::form_date(date))),
        }
    }
}

/// A date relative to another date.
#[derive(Clone, Copy, Debug)]
pub struct CompiledDateLimit {
    /// The date field to count from; `None` is today.
    pub from: Option<FieldRef>,
    /// Months to add; negative numbers go back.
    pub months: i32,
    /// Days to add after the months.
    pub days: i64,
}

impl CompiledDateLimit {
    /// Returns the date, or `None` while the base field has no date.
    pub fn date<'a>(
        &self,
        today: NaiveDate,
        look: &impl Fn(&FieldRef) -> Scalar<'a>,
    ) -> Option<NaiveDate> {
        let from = match &self.from {
            None => today,
            Some(field_ref) => match look(field_ref) {
                Scalar::Text(text) => dates::parse_form_date(text)?,
                _ => return None,
            },
        };
        Some(self.after(from))
    }

    /// Returns the date relative to `from`.
    pub fn after(&self, from: NaiveDate) -> NaiveDate {
        dates::add_days(dates::add_months(from, self.months), self.days)
    }
}

/// The options of a field, with an index of the text values.
#[derive(Clone, Debug, std::default::Default)]
pub struct CompiledOptions {
    /// Values in display order.
    pub values: Vec<Literal>,
    /// Summary text of each option.
    pub texts: Vec<String>,
    /// Condition under which each option can be chosen.
    pub rules: Vec<Option<Rule>>,
    by_text: HashMap<String, usize>,
}

impl CompiledOptions {
    /// Adds an option.
    pub fn push(&mut self, value: Literal, text: String, rule: Option<Rule>) {
        if let Literal::Text(name) = &value {
            self.by_text.insert(name.clone(), self.values.len());
        }
        self.values.push(value);
        self.texts.push(text);
        self.rules.push(rule);
    }

    /// Returns the index of the option that an answer chooses.
    pub fn find(&self, answer: Scalar<'_>) -> Option<usize> {
        match answer {
            Scalar::Text(text) => self.by_text.get(text).copied(),
            Scalar::Missing => None,
            other => self.values.iter().position(|value| value.scalar() == other),
        }
    }
}
