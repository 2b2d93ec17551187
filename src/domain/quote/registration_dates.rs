//! The dates of vehicles' first registrations, as far as registration marks show these dates. The
//! module also reports whether the price and the limits need a more exact date.

use chrono::NaiveDate;
use serde::Serialize;

use crate::domain::policy::term::Term;
use crate::domain::product::Product;
use crate::domain::product::compiled::FieldRef;
use crate::domain::product::tariff::{Figure, KeySource, Measure};
use crate::domain::quote::answers::Answers;
use crate::domain::time::dates::{add_months, full_years};
use crate::domain::uk::plate_age;
use crate::json_schema::ResponseSchema;

/// The period in which a vehicle was first registered, as its registration shows the period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
pub struct PlatePeriod {
    /// The form's dotted path of the registration.
    pub path: String,
    /// The form's dotted path of the date that the period answers. Null if the product asks for no date.
    pub fills: Option<String>,
    /// The first day of the period.
    pub from: NaiveDate,
    /// The last day of the period, or today if today is earlier.
    pub until: NaiveDate,
    /// Whether the price or an age limit differs within the period. The website then asks for the month.
    pub matters: bool,
}

/// Returns the period of each registration mark whose field has a look-up. Leaves out marks that
/// show no period.
#[must_use]
pub fn plate_periods(
    product: &Product,
    answers: &Answers,
    term: &Term,
    today: NaiveDate,
) -> Vec<PlatePeriod> {
    let mut found = Vec::new();
    for (d, dataset) in product.compiled.datasets.iter().enumerate() {
        for field in &dataset.fields {
            let Some(lookup) = &field.lookup else {
                continue;
            };
            let single = std::slice::from_ref(&answers.values);
            let rows = if dataset.multi {
                answers.rows(&dataset.name)
            } else {
                single
            };
            for (row, values) in rows.iter().enumerate() {
                let mark = values.get(&field.name).and_then(|value| value.as_str());
                let Some((from, until)) = mark
                    .filter(|_| field.kind.is_registration())
                    .and_then(plate_age::issue_dates)
                else {
                    continue;
                };
                let path = |name: &str| {
                    if dataset.multi {
                        format!("{}.{row}.{name}", dataset.name)
                    } else {
                        name.to_owned()
                    }
                };
                let until = until.min(today);
                let date = lookup
                    .first_registered
                    .map(|field| FieldRef::Cell { dataset: d, field });
                let differs = |date| {
                    affected_rates(product, date, from, term)
                        != affected_rates(product, date, until, term)
                };
                found.push(PlatePeriod {
                    path: path(&field.name),
                    fills: date
                        .and_then(|date| product.compiled.field(date))
                        .map(|field| path(&field.name)),
                    from,
                    until,
                    matters: date.is_some_and(differs),
                });
            }
        }
    }
    found
}

/// Returns what a date affects: each table's band for the vehicle's years, and whether the vehicle
/// exceeds each age limit.
fn affected_rates(product: &Product, field: FieldRef, date: NaiveDate, term: &Term) -> Vec<usize> {
    let years = full_years(date, term.inception);
    let tariff = &product.compiled.tariff;
    let keys = tariff.steps.iter().filter_map(|step| match &step.figure {
        Figure::Table(keys, _) => Some(keys),
        Figure::Fixed(_) => None,
    });
    let bands = keys.flatten().filter_map(|key| match &key.by {
        KeySource::Band(measure, starts) => match tariff.measures.get(*measure)? {
            Measure::Years(years_field) if *years_field == field => {
                Some(starts.iter().filter(|start| **start <= years).count())
            }
            _ => None,
        },
        _ => None,
    });
    let limits = product.compiled.underwriting.iter().filter_map(|rule| {
        let (age_field, months) = rule.older_than?;
        (age_field == field).then(|| usize::from(add_months(date, months) < term.inception))
    });
    bands.chain(limits).collect()
}
