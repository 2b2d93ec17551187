//! A product's form, compiled for checking and rating. Conditions and limits refer to fields by position
//! instead of by name.

use std::collections::HashMap;

use chrono::NaiveDate;
use serde_json::{Map, Value};

use super::field_kind::FieldKind;
use crate::domain::product::condition::{Condition, Literal, Scalar};
use crate::domain::time::dates;

/// A field, or the count of a dataset, by position.
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
    /// The instance that a price assumes if the dataset has no instance.
    pub assume: Option<Map<String, Value>>,
    /// Whether rating reads a field of the dataset or its count.
    pub rating: bool,
}

#[derive(Clone, Debug)]
pub struct CompiledField {
    pub name: String,
    pub kind: FieldKind,
    pub visible_when: Option<Rule>,
    pub required: bool,
    /// The rule that makes an optional answer required.
    pub required_when: Option<Rule>,
    /// The fields of the dataset that a look-up by this field fills.
    pub lookup: Option<CompiledLookup>,
    pub force_hidden: bool,
    /// Whether the price depends on the field.
    pub rateable: bool,
    /// Whether rating reads the field, directly or through another field's condition, default or
    /// limit.
    pub rating: bool,
    /// Whether underwriting reads the field.
    pub underwriting: bool,
    /// Whether the field is asked when the customer accepts the quote, and not when the quote is
    /// saved.
    pub at_accept: bool,
    /// Whether all instances must have different answers.
    pub unique: bool,
    /// Whether the answer can't change after the purchase.
    pub locked: bool,
    /// The rule of a date that is computed and never asked.
    pub computed: Option<CompiledDateLimit>,
    pub default: Option<StartValue>,
    /// The answers that a price assumes for a missing answer. The first answer whose rule holds
    /// applies.
    pub price_default: Vec<(Option<Rule>, StartValue)>,
    pub options: CompiledOptions,
    pub bounds: Bounds,
    pub min_date: Option<CompiledDateLimit>,
    pub max_date: Option<CompiledDateLimit>,
    /// Error text for a missing answer.
    pub missing: String,
}

/// The fields that a look-up fills, as indexes in the dataset.
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
    /// Returns the value for `today`. A date is null if its base field has no date.
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
    /// Months to add. A negative number is subtracted.
    pub months: i32,
    /// Days to add after the months. A negative number is subtracted.
    pub days: i64,
}

impl CompiledDateLimit {
    /// Returns the date, or `None` if the base field has no date.
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

    /// Returns `from` plus the months and the days.
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
    pub fn push(&mut self, value: Literal, text: String, rule: Option<Rule>) {
        if let Literal::Text(name) = &value {
            self.by_text.insert(name.clone(), self.values.len());
        }
        self.values.push(value);
        self.texts.push(text);
        self.rules.push(rule);
    }

    /// Returns the index of the option that an answer chooses, or `None` if there is none.
    pub fn find(&self, answer: Scalar<'_>) -> Option<usize> {
        match answer {
            Scalar::Text(text) => self.by_text.get(text).copied(),
            Scalar::Missing => None,
            other => self.values.iter().position(|value| value.scalar() == other),
        }
    }
}
