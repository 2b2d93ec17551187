//! Describes a product's form for given answers.

use super::scope::Scope;
use crate::domain::product::Product;
use crate::domain::product::fields::{Form, InstanceField};
use crate::domain::product::form::evaluation;
use crate::domain::product::form::found::FieldResult;
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::answers::Answers;
use chrono::NaiveDate;

/// Returns the form with visibility, values and errors for the given answers. `scope` decides which
/// errors are reported.
pub fn describe(product: &Product, answers: &Answers, scope: Scope, today: NaiveDate) -> Form {
    let evaluation = evaluation::run(product, answers, scope, today);
    let mut form = product.form_for(today);
    for (dataset, block) in form.datasets.iter_mut().zip(evaluation.blocks) {
        dataset.visible = block.visible;
        if dataset.multi {
            for (field, visible) in dataset.fields.iter_mut().zip(block.pattern) {
                field.visible = visible;
            }
            let names: Vec<_> = dataset
                .fields
                .iter()
                .map(|field| field.name.clone())
                .collect();
            let rows = block.rows.into_iter().map(|row| {
                let cells = names.iter().zip(row);
                cells
                    .map(|(name, cell)| instance(name.clone(), cell))
                    .collect()
            });
            dataset.instances = Some(rows.collect());
            continue;
        }
        let row = block.rows.into_iter().next().unwrap_or_default();
        for (field, cell) in dataset.fields.iter_mut().zip(row) {
            let cell = instance(String::new(), cell);
            field.visible = cell.visible;
            field.value = cell.value;
            field.errors = cell.errors;
        }
    }
    form
}

fn instance(name: String, cell: FieldResult) -> InstanceField {
    let (typed, error) = cell.wrong.map_or((None, None), |w| (w.typed, w.error));
    InstanceField {
        name,
        visible: cell.visible,
        value: typed.unwrap_or(cell.value),
        errors: error.into_iter().collect(),
    }
}

/// Returns the abbreviated form with normalised answers as JSON, as in the response with a quote.
///
/// # Errors
/// Fails if an answer can't be written as JSON.
pub fn state(product: &Product, answers: &Answers) -> serde_json::Result<Vec<u8>> {
    let mut state = Vec::new();
    let table = AnswerTable::read(&product.compiled, answers);
    write_state(product, &table, false, &mut state)?;
    Ok(state)
}

/// Writes the abbreviated form with its answers as JSON. If `bought` is true, marks the fields that
/// can't change after the purchase.
///
/// # Errors
/// Fails if an answer can't be written as JSON.
pub(crate) fn write_state(
    product: &Product,
    table: &AnswerTable,
    bought: bool,
    out: &mut Vec<u8>,
) -> serde_json::Result<()> {
    let text = &product.form_json;
    out.extend_from_slice(text.head.as_bytes());
    let plans = product.compiled.datasets.iter().zip(&text.datasets);
    for (d, (dataset, text)) in plans.enumerate() {
        if d > 0 {
            out.push(b',');
        }
        let visible = table.holds(dataset.visible_when.as_ref(), 0);
        out.extend_from_slice(text.head.as_bytes());
        out.extend_from_slice(if visible { b"true" } else { b"false" });
        out.extend_from_slice(b",\"fields\":[");
        for (f, (field, text)) in dataset.fields.iter().zip(&text.fields).enumerate() {
            if f > 0 {
                out.push(b',');
            }
            out.extend_from_slice(text.head.as_bytes());
            // In a repeatable dataset these fields describe an empty instance, so they have no answer.
            let answer = table.value(d, f, 0).filter(|_| !dataset.multi);
            match answer {
                Some(answer) => serde_json::to_writer(&mut *out, answer)?,
                None => out.extend_from_slice(text.default.as_bytes()),
            }
            let shows = table.holds(field.visible_when.as_ref(), 0) && !field.force_hidden;
            let tail = text.tail(visible && shows, bought && field.locked);
            out.extend_from_slice(tail.as_bytes());
        }
        out.extend_from_slice(b"]}");
    }
    out.extend_from_slice(b"]}");
    Ok(())
}
