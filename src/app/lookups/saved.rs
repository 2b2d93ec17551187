//! The look-ups of a save. Only the shop's own copy of a look-up is trusted.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::{Map, Value};

use crate::app::AppError;
use crate::app::products::ProductRegistry;
use crate::app::quotes::Submission;
use crate::domain::product::Product;
use crate::domain::product::compiled::{CompiledDataset, CompiledField, CompiledLookup};
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::lookup::{LookupAnswer, LookupRef, StoredLookup, Vehicle};
use crate::domain::time::dates;
use crate::domain::uk::registration::normalise;
use crate::store::{Store, tables};

/// Maximum number of look-ups in a save.
const MAX_LOOKUPS: usize = 50;

/// Runs [`load_lookups`] for a save of a quote. Takes the look-ups out of `submission`.
///
/// # Errors
/// The errors of [`load_lookups`], and an error for an unknown product.
pub(in crate::app) async fn load_lookups_of_quote(
    store: &Store,
    products: &ProductRegistry,
    submission: &mut Submission,
    now: DateTime<Utc>,
) -> Result<Vec<StoredLookup>, AppError> {
    let named = std::mem::take(&mut submission.lookups);
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let today = dates::london_date(now);
    let product = &products.find(&submission.product, today)?.product;
    load_lookups(store, product, &mut submission.answers, named, now).await
}

/// Compares the look-ups of a save with the shop's own copies. If the customer confirmed a look-up, fills
/// missing answers from the copy. Returns the look-ups to store.
///
/// # Errors
/// [`AppError::Invalid`] at `lookups` for more than [`MAX_LOOKUPS`]. [`AppError::Invalid`] at `lookups.N` for
/// an unknown or expired look-up, another registration, a path without a look-up, or a repeated path.
/// [`AppError::Invalid`] at a date that contradicts a confirmed look-up.
pub(in crate::app) async fn load_lookups(
    store: &Store,
    product: &Product,
    answers: &mut Answers,
    named: Vec<LookupRef>,
    now: DateTime<Utc>,
) -> Result<Vec<StoredLookup>, AppError> {
    if named.is_empty() {
        return Ok(Vec::new());
    }
    if named.len() > MAX_LOOKUPS {
        let text = format!("Name at most {MAX_LOOKUPS} look-ups.");
        return Err(AppError::field("lookups", text));
    }
    let ids: Vec<_> = named.iter().map(|lookup| lookup.id).collect();
    let copies = store
        .read(|tx| {
            let copies = ids.iter().map(|id| tables::LOOKUPS.get(tx, id));
            copies.collect::<Result<Vec<_>, _>>()
        })
        .await?;
    let (mut errors, mut lookups) = (FieldErrors::default(), Vec::new());
    let mut paths = HashSet::new();
    for (index, (lookup, copy)) in named.into_iter().zip(copies).enumerate() {
        let refuse = |text: &str| (format!("lookups.{index}"), text.to_owned());
        if !paths.insert(lookup.path.clone()) {
            let (path, text) = refuse("Another look-up is named for this registration.");
            errors.add(path, text);
            continue;
        }
        let taken = match copy.filter(|copy| !copy.is_over(now)) {
            None => Err(refuse(
                "We don't have this look-up any more. Look the vehicle up again, or type its details.",
            )),
            Some(looked_up) => {
                let fitted = check_matches(product, answers, &lookup, &looked_up.vehicle);
                fitted
                    .map(|()| StoredLookup {
                        id: lookup.id,
                        looked_up,
                        confirmed: lookup.answer == LookupAnswer::Yes,
                    })
                    .map_err(|misfit| match misfit {
                        LookupMismatch::NoField => refuse("This is no registration that is looked up."),
                        LookupMismatch::Another => refuse(
                            "This look-up is about another registration. Look the vehicle up again.",
                        ),
                        LookupMismatch::Date(path, text) => (path, text),
                    })
            }
        };
        match taken {
            Ok(taken) => lookups.push(taken),
            Err((path, text)) => errors.add(path, text),
        }
    }
    if errors.is_empty() {
        Ok(lookups)
    } else {
        Err(AppError::Invalid(errors))
    }
}

/// Returns the look-ups of the next revision: `named`, and the look-ups of `before` for other vehicles.
/// `named` are the look-ups of the save, and `before` the look-ups of the previous revision. A look-up of
/// `before` loses its confirmation if a date in the answers contradicts the look-up.
pub(in crate::app) fn reuse_lookups(
    product: &Product,
    answers: &Answers,
    named: Vec<StoredLookup>,
    before: Vec<StoredLookup>,
) -> Vec<StoredLookup> {
    let mark = |lookup: &StoredLookup| lookup.looked_up.vehicle.registration.clone();
    let named_marks: Vec<_> = named.iter().map(mark).collect();
    let mut lookups = named;
    let others = before.into_iter();
    lookups.extend(
        others
            .filter(|one| !named_marks.contains(&mark(one)))
            .map(|one| StoredLookup {
                confirmed: one.confirmed && matches_dates(product, answers, &one.looked_up.vehicle),
                ..one
            }),
    );
    lookups
}

/// Returns whether no date of the answers contradicts the vehicle's look-up.
fn matches_dates(product: &Product, answers: &Answers, vehicle: &Vehicle) -> bool {
    product.compiled.datasets.iter().all(|dataset| {
        let single = std::slice::from_ref(&answers.values);
        let rows = if dataset.multi {
            answers.rows(&dataset.name)
        } else {
            single
        };
        let looked_up = dataset.fields.iter();
        let mut looked_up = looked_up.filter_map(|field| {
            Some((&field.name, field.lookup?)).filter(|_| field.kind.is_registration())
        });
        looked_up.all(|(name, fills)| {
            rows.iter().all(|row| {
                let mark = row.get(name).and_then(Value::as_str).and_then(normalise);
                mark != normalise(&vehicle.registration)
                    || conflicting_date(row, dataset, fills, vehicle).is_none()
            })
        })
    })
}

/// Returns the name of the date field that contradicts the look-up, and the look-up's date. A typed date
/// agrees from the look-up's date until less than one month later. Returns `None` if the date agrees, or if
/// one of the dates is missing or unreadable.
fn conflicting_date<'a>(
    row: &Map<String, Value>,
    dataset: &'a CompiledDataset,
    fills: CompiledLookup,
    vehicle: &Vehicle,
) -> Option<(&'a str, NaiveDate)> {
    let field = dataset.fields.get(fills.first_registered?)?;
    let first = vehicle.first_registered?;
    let typed = row.get(&field.name).and_then(Value::as_str)?;
    let typed = dates::parse_form_date(typed.trim())?;
    let agrees = first <= typed && typed < dates::add_months(first, 1);
    (!agrees).then_some((field.name.as_str(), first))
}

/// Why a look-up does not match the answers.
enum LookupMismatch {
    /// The look-up's path names no registration field with a look-up.
    NoField,
    /// The look-up has another registration.
    Another,
    /// A date contradicts the look-up: the date's path, and the text for the customer.
    Date(String, String),
}

fn check_matches(
    product: &Product,
    answers: &mut Answers,
    lookup: &LookupRef,
    vehicle: &Vehicle,
) -> Result<(), LookupMismatch> {
    let (dataset, field, prefix) =
        field_of(product, &lookup.path).ok_or(LookupMismatch::NoField)?;
    let fills = field.lookup.ok_or(LookupMismatch::NoField)?;
    let row = row_of(answers, dataset, &prefix).ok_or(LookupMismatch::NoField)?;
    let typed = row.get(&field.name).and_then(Value::as_str);
    if typed.and_then(normalise) != normalise(&vehicle.registration) {
        return Err(LookupMismatch::Another);
    }
    if lookup.answer == LookupAnswer::No {
        return Ok(());
    }
    if let Some((name, first)) = conflicting_date(row, dataset, fills, vehicle) {
        let month = first.format("%B %Y");
        let text = format!("The records say {month}. Check the date: which of the two is right?");
        return Err(LookupMismatch::Date(format!("{prefix}{name}"), text));
    }
    fill(row, dataset, fills, vehicle);
    Ok(())
}

/// Fills missing answers of `row` from the look-up.
fn fill(
    row: &mut Map<String, Value>,
    dataset: &CompiledDataset,
    fills: CompiledLookup,
    vehicle: &Vehicle,
) {
    let first = vehicle.first_registered.map(dates::form_date);
    for (index, text) in [
        (fills.make, &vehicle.make),
        (fills.model, &vehicle.model),
        (fills.colour, &vehicle.colour),
        (fills.fuel, &vehicle.fuel),
        (fills.first_registered, &first),
    ] {
        let (Some(field), Some(text)) = (index.and_then(|index| dataset.fields.get(index)), text)
        else {
            continue;
        };
        let blank = |value: &Value| match value {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            _ => false,
        };
        if row.get(&field.name).is_none_or(blank) {
            let value = text.chars().take(max_length(field)).collect::<String>();
            row.insert(field.name.clone(), Value::String(value));
        }
    }
}

/// Returns the maximum length of a filled answer, in characters: at least 10, the length of a date.
fn max_length(field: &CompiledField) -> usize {
    field.bounds.max_length.max(10)
}

/// Returns the dataset and the registration field at a path, and the path before the field's name.
fn field_of<'a>(
    product: &'a Product,
    path: &str,
) -> Option<(&'a CompiledDataset, &'a CompiledField, String)> {
    let mut datasets = product.compiled.datasets.iter();
    let parts: Vec<_> = path.split('.').collect();
    let (dataset, name, prefix) = match parts.as_slice() {
        [name] => {
            let has = |dataset: &&CompiledDataset| {
                !dataset.multi && dataset.fields.iter().any(|field| field.name == *name)
            };
            (datasets.find(has)?, *name, String::new())
        }
        [dataset, row, name] => {
            let named = datasets.find(|candidate| candidate.multi && candidate.name == *dataset)?;
            (named, *name, format!("{dataset}.{row}."))
        }
        _ => return None,
    };
    let mut fields = dataset.fields.iter();
    let field = fields.find(|field| field.name == name && field.kind.is_registration())?;
    Some((dataset, field, prefix))
}

fn row_of<'a>(
    answers: &'a mut Answers,
    dataset: &CompiledDataset,
    prefix: &str,
) -> Option<&'a mut Map<String, Value>> {
    if !dataset.multi {
        return Some(&mut answers.values);
    }
    let row: usize = prefix.split('.').nth(1)?.parse().ok()?;
    answers.multi.get_mut(&dataset.name)?.get_mut(row)
}
