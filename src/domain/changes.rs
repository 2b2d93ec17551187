//! New answers for a policy beside those in force: what a change may touch, and what it says.

use serde_json::{Map, Value};

use super::adjustment::Change;
use super::answers::Answers;
use super::condition::Scalar;
use super::errors::FieldErrors;
use super::product::Product;
use super::product::plan::{DatasetPlan, FieldPlan, Place};
use super::product::shape::Dataset;
use super::readable;

/// What a customer is told at an answer that can't be changed.
const LOCKED: &str = "This can't be changed while you hold the policy.";

/// The answers in force with the changed ones over them; a repeatable dataset is changed as a
/// whole.
#[must_use]
pub fn merge(in_force: &Answers, changed: Answers) -> Answers {
    let mut merged = in_force.clone();
    merged.values.extend(changed.values);
    merged.multi.extend(changed.multi);
    merged
}

/// The answers that no change may touch: `field`, or `dataset.field` of a repeatable dataset.
#[must_use]
pub fn locked(product: &Product) -> Vec<String> {
    let mut names = Vec::new();
    for (dataset, field) in fields(product).filter(|(_, field)| field.locked) {
        names.push(if dataset.multi {
            format!("{}.{}", dataset.name, field.name)
        } else {
            field.name.clone()
        });
    }
    names
}

fn fields(product: &Product) -> impl Iterator<Item = (&DatasetPlan, &FieldPlan)> {
    let datasets = product.plan.datasets.iter();
    datasets.flat_map(|dataset| dataset.fields.iter().map(move |field| (dataset, field)))
}

/// Errors at every locked answer that `wanted` changes.
#[must_use]
pub fn refused(product: &Product, in_force: &Answers, wanted: &Answers) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for (dataset, field) in fields(product).filter(|(_, field)| field.locked) {
        if !dataset.multi {
            if answer(&in_force.values, field) != answer(&wanted.values, field) {
                errors.add(field.name.clone(), LOCKED);
            }
            continue;
        }
        let kept = in_force.rows(&dataset.name).iter();
        for (row, (kept, now)) in kept.zip(wanted.rows(&dataset.name)).enumerate() {
            if answer(kept, field) != answer(now, field) {
                errors.add(format!("{}.{row}.{}", dataset.name, field.name), LOCKED);
            }
        }
    }
    errors
}

/// `wanted` with every locked answer as it is in `kept`.
#[must_use]
pub fn keep_locked(product: &Product, kept: &Answers, mut wanted: Answers) -> Answers {
    for (_, field) in fields(product).filter(|(dataset, field)| field.locked && !dataset.multi) {
        match kept.values.get(&field.name) {
            Some(value) => wanted.values.insert(field.name.clone(), value.clone()),
            None => wanted.values.remove(&field.name),
        };
    }
    wanted
}

/// Every answer that differs, in the order of the form and in the customer's words.
#[must_use]
pub fn differences(product: &Product, before: &Answers, after: &Answers) -> Vec<Change> {
    let mut changes = Vec::new();
    for (d, (plan, shape)) in product
        .plan
        .datasets
        .iter()
        .zip(&product.form.datasets)
        .enumerate()
    {
        let rows = |answers: &Answers| match plan.multi {
            true => answers.rows(&plan.name).to_vec(),
            false => vec![answers.values.clone()],
        };
        let (old, new) = (rows(before), rows(after));
        for row in 0..old.len().max(new.len()) {
            for (f, (field, shown)) in plan.fields.iter().zip(&shape.fields).enumerate() {
                let of = |rows: &[Map<String, Value>]| {
                    rows.get(row).and_then(|row| answer(row, field).cloned())
                };
                let (old, new) = (of(&old), of(&new));
                if old == new || field.at_accept {
                    continue;
                }
                let place = Place::Cell {
                    dataset: d,
                    field: f,
                };
                let words = |value: Option<Value>| {
                    let value = value.unwrap_or_default();
                    readable::said(product, place, shown.kind, Scalar::of(&value))
                };
                let question = readable::question(shown);
                let (path, label) = if plan.multi {
                    let path = format!("{}.{row}.{}", plan.name, field.name);
                    (path, format!("{} {}: {question}", instance(shape), row + 1))
                } else {
                    (field.name.clone(), question)
                };
                changes.push(Change {
                    path,
                    label,
                    before: words(old),
                    after: words(new),
                });
            }
        }
    }
    changes
}

/// What one of several is called: "Vehicle", or its heading where it has no name.
fn instance(dataset: &Dataset) -> String {
    let Some(noun) = &dataset.noun else {
        return dataset.title.clone();
    };
    let mut letters = noun.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// An answer as stored; no answer and an empty one are the same.
fn answer<'a>(values: &'a Map<String, Value>, field: &FieldPlan) -> Option<&'a Value> {
    values
        .get(&field.name)
        .filter(|value| !matches!(value, Value::Null) && value.as_str() != Some(""))
}
