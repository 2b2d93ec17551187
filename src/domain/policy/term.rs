//! The first and the last day of cover, from the answers.

use chrono::NaiveDate;
use serde_json::{Map, Value};

use crate::domain::money::price::{Basis, Per, Price};
use crate::domain::policy::DayRange;
use crate::domain::product::Product;
use crate::domain::product::compiled::FieldRef;
use crate::domain::product::condition::Scalar;
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::answers::Answers;
use crate::domain::time::dates::{TERM_DAYS, add_days, parse_form_date};

/// A term of cover, in London days, the first and the last included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// First day.
    pub inception: NaiveDate,
    /// Last day.
    pub expiry: NaiveDate,
    /// Whether the term covers single trips instead of a year.
    pub single_trip: bool,
}

/// Returns the term of normalised answers.
///
/// Annual cover runs from its start to 364 days later (specification, part 9). Single trips run
/// from the earliest first day to the latest last day. Without an answer, the start is the first
/// day on which cover can begin.
pub fn term(product: &Product, answers: &Answers, today: NaiveDate) -> Term {
    term_for(
        product,
        &AnswerTable::for_rating(&product.compiled, answers),
        today,
    )
}

pub(crate) fn term_for(product: &Product, table: &AnswerTable, today: NaiveDate) -> Term {
    let compiled = &product.compiled.term;
    let first = add_days(today, product.info().min_bind_days);
    if let Some(single) = &compiled.single
        && table.holds(Some(&single.when), 0)
    {
        let rows = 0..table.rows(single.dataset);
        let starts = rows
            .clone()
            .filter_map(|row| date(table, single.start, row));
        let inception = starts.min().unwrap_or(first);
        let ends = rows.filter_map(|row| date(table, single.end, row));
        let expiry = ends.max().map_or(inception, |end| end.max(inception));
        return Term {
            inception,
            expiry,
            single_trip: true,
        };
    }
    let inception = date(table, compiled.start, 0).unwrap_or(first);
    Term {
        inception,
        expiry: add_days(inception, TERM_DAYS),
        single_trip: false,
    }
}

/// Returns the number of single trips in normalised answers, or 0 for annual cover.
#[must_use]
pub fn trips(product: &Product, answers: &Answers) -> usize {
    let single = product.compiled.term.single.as_ref();
    let dataset = single.and_then(|single| product.compiled.datasets.get(single.dataset));
    let table = AnswerTable::for_rating(&product.compiled, answers);
    match (single, dataset) {
        (Some(single), Some(dataset)) if table.holds(Some(&single.when), 0) => {
            answers.rows(&dataset.name).len()
        }
        _ => 0,
    }
}

/// Returns the days of each single trip in normalised answers. Leaves out a trip without valid
/// days. The list is empty for annual cover.
#[must_use]
pub fn trip_days(product: &Product, answers: &Answers) -> Vec<DayRange> {
    let Some(single) = &product.compiled.term.single else {
        return Vec::new();
    };
    let table = AnswerTable::for_rating(&product.compiled, answers);
    if !table.holds(Some(&single.when), 0) {
        return Vec::new();
    }
    let days = |row| {
        DayRange::new(
            date(&table, single.start, row)?,
            date(&table, single.end, row)?,
        )
    };
    (0..table.rows(single.dataset)).filter_map(days).collect()
}

/// Returns the name of the dataset of single trips if no trip has both its days answered. Returns
/// `None` if a trip has both, or the product has no single trips.
#[must_use]
pub fn trips_without_days<'a>(product: &'a Product, answers: &Answers) -> Option<&'a str> {
    let compiled = &product.compiled;
    let single = compiled.term.single.as_ref()?;
    let name = |field_ref| Some(compiled.field(field_ref)?.name.as_str());
    let dataset = compiled.datasets.get(single.dataset)?;
    let (start, end) = (name(single.start)?, name(single.end)?);
    let answered = |row: &Map<String, Value>, name: &str| {
        row.get(name)
            .is_some_and(|value| !Scalar::from_json(value).is_missing())
    };
    let mut rows = answers.rows(&dataset.name).iter();
    let is_complete = rows.any(|row| answered(row, start) && answered(row, end));
    (!is_complete).then_some(dataset.name.as_str())
}

/// Returns the basis of a price. The basis is a day if the price is for trips and no trip has both
/// its days answered. In all other cases, the basis is the whole term.
#[must_use]
pub fn price_basis(product: &Product, answers: &Answers, price: &Price) -> Basis {
    let daily = price.per == Per::Trip && trips_without_days(product, answers).is_some();
    if daily { Basis::Day } else { Basis::Term }
}

/// Returns the date answered at a field of an instance, or `None` if there is no valid date.
pub(crate) fn date(table: &AnswerTable, field_ref: FieldRef, row: usize) -> Option<NaiveDate> {
    match table.answer(field_ref, row) {
        Scalar::Text(text) => parse_form_date(text),
        _ => None,
    }
}

/// Returns the name of the field with the start of annual cover.
#[must_use]
pub fn start_field(product: &Product) -> Option<&str> {
    let field = product.compiled.field(product.compiled.term.start)?;
    Some(&field.name)
}
