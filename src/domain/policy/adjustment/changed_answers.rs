//! The rules on which answers an adjustment may change.

use serde_json::{Map, Value};

use crate::domain::product::Product;
use crate::domain::product::compiled::{CompiledDataset, CompiledField};
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::quote::answers::Answers;

/// The customer's message for a changed locked answer.
const LOCKED: &str = "This can't be changed while you hold the policy.";

/// Returns the answers in force, overwritten by the changed answers. A changed repeatable dataset
/// replaces the whole dataset.
#[must_use]
pub fn merge(in_force: &Answers, changed: Answers) -> Answers {
    let mut merged = in_force.clone();
    merged.values.extend(changed.values);
    merged.multi.extend(changed.multi);
    merged
}

/// Returns the names of the locked fields: `field`, or `dataset.field` in a repeatable dataset.
#[must_use]
pub fn locked_fields(product: &Product) -> Vec<String> {
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

fn fields(product: &Product) -> impl Iterator<Item = (&CompiledDataset, &CompiledField)> {
    let datasets = product.compiled.datasets.iter();
    datasets.flat_map(|dataset| dataset.fields.iter().map(move |field| (dataset, field)))
}

/// Returns an error for every locked answer that `requested` changes. `checked` is the form's
/// result for the requested answers with the locked answers in force. Outside repeatable datasets,
/// a requested answer that equals the answer in `checked` has no error. The question of such an
/// answer is no longer visible, or has the form's default.
#[must_use]
pub fn locked_errors(
    product: &Product,
    in_force: &Answers,
    requested: &Answers,
    checked: &Answers,
) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for (dataset, field) in fields(product).filter(|(_, field)| field.locked) {
        if !dataset.multi {
            let requested = answer(&requested.values, field);
            let current = answer(&in_force.values, field);
            if requested != current && requested != answer(&checked.values, field) {
                errors.add(field.name.clone(), LOCKED);
            }
            continue;
        }
        let rows = requested.rows(&dataset.name);
        let before = counterparts(dataset, in_force.rows(&dataset.name), rows);
        for (row, (now, before)) in rows.iter().zip(before).enumerate() {
            if before.is_some_and(|before| answer(before, field) != answer(now, field)) {
                errors.add(format!("{}.{row}.{}", dataset.name, field.name), LOCKED);
            }
        }
    }
    errors
}

/// A locked answer of an added instance. An adjustment checks such an answer like a new customer's,
/// because the answer can't be changed later.
pub struct Added<'a> {
    /// The repeatable dataset.
    pub dataset: &'a str,
    /// The instance's index, from 0.
    pub row: usize,
    pub field: &'a str,
}

/// Returns every locked answer of the instances that `requested` adds.
#[must_use]
pub fn added_answers<'a>(
    product: &'a Product,
    in_force: &Answers,
    requested: &Answers,
) -> Vec<Added<'a>> {
    let mut found = Vec::new();
    for dataset in product
        .compiled
        .datasets
        .iter()
        .filter(|dataset| dataset.multi)
    {
        let locked = dataset.fields.iter().filter(|field| field.locked);
        let rows = requested.rows(&dataset.name);
        let before = counterparts(dataset, in_force.rows(&dataset.name), rows);
        let new = before.iter().enumerate().filter(|(_, row)| row.is_none());
        let new: Vec<usize> = new.map(|(row, _)| row).collect();
        for field in locked {
            found.extend(new.iter().map(|row| Added {
                dataset: &dataset.name,
                row: *row,
                field: &field.name,
            }));
        }
    }
    found
}

/// Returns the counterpart in force of each requested instance, or `None` for an added instance.
/// The counterpart is the first unused instance with equal locked answers. If there is none, it is
/// the next instance in force without a counterpart.
fn counterparts<'a>(
    dataset: &CompiledDataset,
    in_force: &'a [Map<String, Value>],
    requested: &[Map<String, Value>],
) -> Vec<Option<&'a Map<String, Value>>> {
    let same = |one: &Map<String, Value>, other: &Map<String, Value>| {
        let mut locked = dataset.fields.iter().filter(|field| field.locked);
        locked.all(|field| answer(one, field) == answer(other, field))
    };
    let mut left: Vec<_> = in_force.iter().collect();
    let mut pairs = Vec::with_capacity(requested.len());
    for row in requested {
        let found = left.iter().position(|before| same(before, row));
        pairs.push(found.map(|index| left.remove(index)));
    }
    let mut left = left.into_iter();
    for pair in &mut pairs {
        *pair = pair.or_else(|| left.next());
    }
    pairs
}

/// Returns `requested` with the locked answers of `in_force`, in datasets that do not repeat.
#[must_use]
pub fn keep_locked(product: &Product, in_force: &Answers, mut requested: Answers) -> Answers {
    for (_, field) in fields(product).filter(|(dataset, field)| field.locked && !dataset.multi) {
        match in_force.values.get(&field.name) {
            Some(value) => requested.values.insert(field.name.clone(), value.clone()),
            None => requested.values.remove(&field.name),
        };
    }
    requested
}

/// Returns the stored answer of a field, or `None` if the answer is absent, null or an empty text.
pub(super) fn answer<'a>(
    values: &'a Map<String, Value>,
    field: &CompiledField,
) -> Option<&'a Value> {
    values
        .get(&field.name)
        .filter(|value| !matches!(value, Value::Null) && value.as_str() != Some(""))
}
