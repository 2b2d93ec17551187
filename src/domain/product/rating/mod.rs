//! Calculates a price from a product's tariff.

mod engine;
pub mod monthly;

use chrono::NaiveDate;

pub use monthly::{Monthly, monthly, monthly_plan};

use crate::domain::money::price::{Line, Per, Price};
use crate::domain::policy::term;
use crate::domain::product::Product;
use crate::domain::product::compiled::FieldRef;
use crate::domain::product::form::CheckedForPrice;
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::campaign::Campaign;

/// Returns the price of normalised answers, or errors for the answers that are missing.
///
/// Each step of the tariff whose amount is not zero adds a line to the premium or to the charges.
/// The tax is the last line of the premium. Amounts are whole pence. Half a penny rounds away from
/// zero, in deductions as in additions.
pub fn price(
    product: &Product,
    answers: &Answers,
    today: NaiveDate,
    campaign: &Campaign,
) -> Result<Price, FieldErrors> {
    let table = AnswerTable::for_rating(&product.compiled, answers);
    price_of(product, &table, today, campaign)
}

/// Returns the price as [`price`] does, from the result of
/// [`check_for_price`](super::form::check_for_price).
pub fn price_checked(
    product: &Product,
    checked: &CheckedForPrice,
    today: NaiveDate,
    campaign: &Campaign,
) -> Result<Price, FieldErrors> {
    price_of(product, &checked.table(product), today, campaign)
}

fn price_of(
    product: &Product,
    table: &AnswerTable<'_>,
    today: NaiveDate,
    campaign: &Campaign,
) -> Result<Price, FieldErrors> {
    let compiled = &product.compiled;
    let mut errors = FieldErrors::default();
    for field_ref in &compiled.tariff.needs {
        if table.answer(*field_ref, 0).is_missing() {
            add_missing(product, *field_ref, 0, &mut errors);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let term = term::term_for(product, table, today);
    let mut engine = engine::Engine::new(compiled, table, term.inception, campaign);
    for step in &compiled.tariff.steps {
        if let Err((field_ref, row)) = engine.step(step) {
            add_missing(product, field_ref, row, &mut errors);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let net = engine.net();
    let (mut lines, charges) = engine.into_lines();
    let tax = compiled.tariff.tax.on(net);
    lines.push(Line {
        code: "tax".into(),
        label: compiled.tariff.tax_label.clone(),
        amount: tax,
        note: None,
    });
    let taxed = net + tax;
    Ok(Price {
        total: taxed + charges.iter().map(|line| line.amount).sum(),
        lines,
        charges,
        net,
        tax,
        taxed,
        currency: product.info().currency.clone(),
        per: if term.single_trip {
            Per::Trip
        } else {
            Per::Year
        },
        inception: term.inception,
        expiry: term.expiry,
    })
}

/// Adds the error for a missing answer that the price needs, at the answer's path. Adds at most one
/// error for each path.
fn add_missing(product: &Product, field_ref: FieldRef, row: usize, errors: &mut FieldErrors) {
    let FieldRef::Cell { dataset, .. } = field_ref else {
        return;
    };
    let dataset = product.compiled.datasets.get(dataset);
    if let Some((dataset, field)) = dataset.zip(product.compiled.field(field_ref)) {
        let path = if dataset.multi {
            format!("{}.{row}.{}", dataset.name, field.name)
        } else {
            field.name.clone()
        };
        if errors.first(&path).is_none() {
            errors.add(path, field.missing.clone());
        }
    }
}
