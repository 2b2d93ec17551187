//! Checks answers against a product's form, normalises them, and describes the form for given
//! answers.

mod describe;
pub mod errors;
mod evaluation;
mod found;
mod scope;
mod trips;
mod value;

use chrono::NaiveDate;
use indexmap::IndexMap;
use serde_json::Map;

pub(crate) use describe::write_state;
pub use describe::{describe, state};
pub use scope::Scope;

use crate::domain::product::Product;
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::answers::Answers;
use found::{DatasetResult, Evaluation};

/// Checked answers.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The valid answers, normalised, in the form's order. Fields that a condition hides are left
    /// out. Defaults are filled in. A draft gets only the defaults of fields that are never shown.
    pub answers: Answers,
    /// Errors by the form's dotted path, in the form's order.
    pub errors: FieldErrors,
    /// Number of instances of each repeatable dataset with a count field, by that field.
    pub counts: IndexMap<String, usize>,
}

/// Returns the number of instances of each repeatable dataset in `answers`, by the dataset's count
/// field.
pub fn instance_counts<'a>(
    product: &'a Product,
    answers: &'a Answers,
) -> impl Iterator<Item = (&'a str, usize)> {
    product.compiled.datasets.iter().filter_map(|dataset| {
        let count_field = dataset.count_field.as_deref()?;
        Some((count_field, answers.multi.get(&dataset.name)?.len()))
    })
}

/// Checks answers. Ignores counts and other computed values in `answers`.
pub fn check(product: &Product, answers: &Answers, scope: Scope, today: NaiveDate) -> Checked {
    let evaluation = evaluation::run(product, answers, scope, today);
    let mut checked = Checked {
        answers: Answers::default(),
        errors: errors(product, &evaluation),
        counts: counts(product, &evaluation),
    };
    let datasets = &product.compiled.datasets;
    let single = datasets.iter().filter(|dataset| !dataset.multi);
    checked.answers.values = Map::with_capacity(single.map(|dataset| dataset.fields.len()).sum());
    for (dataset, block) in datasets.iter().zip(evaluation.blocks) {
        let names = || dataset.fields.iter().map(|field| &field.name);
        if dataset.multi {
            if scope == Scope::Rate && !dataset.rating {
                continue;
            }
            let rows = block.rows.into_iter().take(block.instances);
            let rows = rows.map(|row| {
                let cells = names().zip(row).filter(|(_, cell)| !cell.value.is_null());
                cells
                    .map(|(name, cell)| (name.clone(), cell.value))
                    .collect::<Map<_, _>>()
            });
            checked
                .answers
                .multi
                .insert(dataset.name.clone(), rows.collect());
        } else {
            for (name, cell) in names().zip(block.rows.into_iter().flatten()) {
                if !cell.value.is_null() {
                    checked.answers.values.insert(name.clone(), cell.value);
                }
            }
        }
    }
    checked
}

/// Checked answers that the price depends on.
pub struct CheckedForPrice {
    /// Errors, as in [`Checked`].
    pub errors: FieldErrors,
    evaluation: Evaluation,
}

/// Checks answers as [`check`] does with [`Scope::Rate`], for a price that is only shown. This is
/// faster, because the answers are not copied out of the evaluation.
pub fn check_for_price(product: &Product, answers: &Answers, today: NaiveDate) -> CheckedForPrice {
    let evaluation = evaluation::run(product, answers, Scope::Rate, today);
    CheckedForPrice {
        errors: errors(product, &evaluation),
        evaluation,
    }
}

impl CheckedForPrice {
    /// Returns the answers for rating.
    pub(crate) fn table(&self, product: &Product) -> AnswerTable<'_> {
        let datasets = &product.compiled.datasets;
        let mut table = AnswerTable::with_capacity(datasets.len());
        for (dataset, block) in datasets.iter().zip(&self.evaluation.blocks) {
            let counts = block.visible && dataset.rating;
            let rows = block
                .rows
                .iter()
                .take(if counts { block.instances } else { 0 });
            table.add(dataset, rows.len());
            for (row, cells) in rows.enumerate() {
                for (field, cell) in dataset.fields.iter().zip(cells) {
                    // A field that is always hidden has a value even if its rule fails.
                    let shows = || table.holds(field.visible_when.as_ref(), row);
                    let read = field.rating && !cell.value.is_null();
                    let read = read && (!field.force_hidden || shows());
                    table.push(read.then_some(&cell.value));
                }
            }
        }
        table
    }
}

fn errors(product: &Product, evaluation: &Evaluation) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for (dataset, block) in product.compiled.datasets.iter().zip(&evaluation.blocks) {
        if let Some(text) = &block.error {
            errors.add(dataset.name.clone(), text.clone());
        }
        for (index, row) in block.rows.iter().enumerate() {
            for (field, cell) in dataset.fields.iter().zip(row) {
                if let Some(text) = cell.error() {
                    let path = if dataset.multi {
                        format!("{}.{index}.{}", dataset.name, field.name)
                    } else {
                        field.name.clone()
                    };
                    errors.add(path, text.clone());
                }
            }
        }
    }
    errors
}

fn counts(product: &Product, evaluation: &Evaluation) -> IndexMap<String, usize> {
    let counted = |(dataset, block): (
        &crate::domain::product::compiled::CompiledDataset,
        &DatasetResult,
    )| { Some((dataset.count_field.clone()?, block.instances)) };
    let blocks = product.compiled.datasets.iter().zip(&evaluation.blocks);
    blocks.filter_map(counted).collect()
}
