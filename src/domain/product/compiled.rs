//! A product's form compiled for checking and rating: the names of fields in conditions and limits
//! have become positions.

use std::collections::HashMap;

use chrono::NaiveDate;
use serde_json::{Map, Value};

use super::fields::FieldKind;
use crate::domain::product::condition::{Condition, Literal, Scalar};
use crate::domain::time::dates;

/// The field that an answer belongs to, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldRef {
    /// A field of a dataset; of the instance at hand when the dataset repeats.
    Cell {
        /// Index of the dataset in the form.
        dataset: usize,
        /// Index of the field in the dataset.
        field: usize,
    },
    /// How many instances a repeatable dataset has.
    Count(usize),
}

/// A condition whose fields are positions.
pub type Rule = Condition<FieldRef>;

/// A dataset, compiled.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct CompiledDataset {
    /// Its name in `multi` and in paths.
    pub name: String,
    pub multi: bool,
    pub min: usize,
    pub max: usize,
    /// Name of the count of instances, which is worked out and never asked.
    pub count_field: Option<String>,
    /// What several instances are called in a sentence.
    pub plural: String,
    pub visible_when: Option<Rule>,
    pub fields: Vec<CompiledField>,
    /// The instance a price assumes while there is none.
    pub assume: Option<Map<String, Value>>,
    /// Whether rating reads any of it.
    pub rating: bool,
}

/// A field, compiled.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct CompiledField {
    pub name: String,
    /// How it is read.
    pub kind: FieldKind,
    pub visible_when: Option<Rule>,
    pub required: bool,
    /// When an answer is needed that otherwise isn't.
    pub required_when: Option<Rule>,
    /// The fields of the same dataset that are answered by what is looked up by this one.
    pub lookup: Option<CompiledLookup>,
    pub force_hidden: bool,
    /// Whether the price depends on it.
    pub rateable: bool,
    /// Whether rating reads it, itself or through a condition.
    pub rating: bool,
    /// Whether underwriting reads it.
    pub underwriting: bool,
    /// Asked when the quote is accepted, not when it is saved.
    pub at_accept: bool,
    /// No two instances may have the same answer.
    pub unique: bool,
    /// Can't be changed once bought.
    pub locked: bool,
    /// Worked out, never asked.
    pub computed: Option<CompiledDateLimit>,
    /// What it starts with.
    pub default: Option<StartValue>,
    /// What a price assumes while it isn't answered; the first that holds.
    pub price_default: Vec<(Option<Rule>, StartValue)>,
    pub options: CompiledOptions,
    pub bounds: Bounds,
    pub min_date: Option<CompiledDateLimit>,
    pub max_date: Option<CompiledDateLimit>,
    /// What the customer is told when the answer is missing.
    pub missing: String,
}

/// The fields, by their place in the dataset, that a look-up answers.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct CompiledLookup {
    pub make: Option<usize>,
    pub model: Option<usize>,
    pub colour: Option<usize>,
    pub fuel: Option<usize>,
    pub first_registered: Option<usize>,
}

/// Limits of texts (characters) and numbers.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Bounds {
    pub min_length: usize,
    pub max_length: usize,
    pub min: Option<i64>,
    pub max: Option<i64>,
}

/// An answer that stands in for a missing one.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum StartValue {
    Value(Value),
    /// A date that moves with today or another answer.
    Date(CompiledDateLimit),
}

impl StartValue {
    /// The value it gives today.
    pub fn value<'a>(&self, today: NaiveDate, look: &impl Fn(&FieldRef) -> Scalar<'a>) -> Value {
        match self {
            Self::Value(value) => value.clone(),
            Self::Date(limit) => limit
                .date(today, look)
                .map_or(Value::Null, |date| Value::String(dates::form_date(date))),
        }
    }
}

/// A date some time from another.
#[derive(Clone, Copy, Debug)]
pub struct CompiledDateLimit {
    /// The date field it counts from; today when there is none.
    pub from: Option<FieldRef>,
    /// Months after it, before it when negative.
    pub months: i32,
    /// Days after that.
    pub days: i64,
}

impl CompiledDateLimit {
    /// The date, once the one it counts from is known.
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

    /// The date when it counts from this one.
    pub fn after(&self, from: NaiveDate) -> NaiveDate {
        dates::add_days(dates::add_months(from, self.months), self.days)
    }
}

/// The options of a field, with an index of those whose value is a text.
#[derive(Clone, Debug, std::default::Default)]
pub struct CompiledOptions {
    /// Values in the order shown.
    pub values: Vec<Literal>,
    /// What a summary says for each.
    pub texts: Vec<String>,
    /// When each can be chosen.
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

    /// Index of the option that an answer chooses.
    pub fn find(&self, answer: Scalar<'_>) -> Option<usize> {
        match answer {
            Scalar::Text(text) => self.by_text.get(text).copied(),
            Scalar::Missing => None,
            other => self.values.iter().position(|value| value.scalar() == other),
        }
    }
}
