//! The form as it stands for some answers.

use chrono::NaiveDate;
use serde::Serialize;
use serde_json::Value;

use super::Scope;
use super::pass::{self, Cell};
use crate::domain::answers::Answers;
use crate::domain::product::Product;
use crate::domain::product::shape::{Form, InstanceField};
use crate::domain::sheet::Sheet;

/// The form with visibility, values and errors worked out for some answers:
/// errors of one step, or of everything a complete quote needs.
pub fn describe(product: &Product, answers: &Answers, step: Option<u32>, today: NaiveDate) -> Form {
    let scope = step.map_or(Scope::Complete, Scope::Step);
    let pass = pass::run(product, answers, scope, today);
    let mut form = product.form_for(today);
    for (dataset, block) in form.datasets.iter_mut().zip(pass.blocks) {
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

fn instance(name: String, cell: Cell) -> InstanceField {
    InstanceField {
        name,
        visible: cell.visible,
        value: cell.typed.unwrap_or(cell.value),
        errors: cell.error.into_iter().collect(),
    }
}

/// A form in short, as a quote that is read carries it.
#[derive(Clone, Debug, Serialize)]
pub struct FormState<'a> {
    /// The product's identifier.
    pub product_identifier: &'a str,
    /// Its datasets.
    pub datasets: Vec<StateDataset<'a>>,
}

/// A dataset in short.
#[derive(Clone, Debug, Serialize)]
pub struct StateDataset<'a> {
    /// Its name.
    pub identifier: &'a str,
    /// Its heading.
    pub title: &'a str,
    /// Whether it shows.
    pub visible: bool,
    /// Its fields; of a repeatable one, the pattern of each instance.
    pub fields: Vec<FieldState<'a>>,
}

/// A field in short.
#[derive(Clone, Debug, Serialize)]
pub struct FieldState<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its answer or default, or null.
    pub value: &'a Value,
    /// Whether it shows.
    pub visible: bool,
    /// Shown, never asked.
    pub display_only: bool,
    /// Can't be changed once the cover is bought.
    pub locked: bool,
    /// What is wrong with it; stored answers have nothing wrong.
    pub errors: &'a [String],
    /// Whether the price depends on it.
    pub rateable: bool,
}

/// The form in short for normalised answers. It borrows all it says: a quote is read often.
pub fn state<'a>(product: &'a Product, answers: &'a Answers) -> FormState<'a> {
    state_on(
        product,
        answers,
        &Sheet::read(&product.plan, answers),
        false,
    )
}

/// The same for answers that are laid out already; `bought` locks what a policy's changes
/// can't touch.
pub(crate) fn state_on<'a>(
    product: &'a Product,
    answers: &'a Answers,
    sheet: &Sheet<'a>,
    bought: bool,
) -> FormState<'a> {
    let datasets = product.form.datasets.iter().zip(&product.plan.datasets);
    let datasets = datasets.map(|(dataset, plan)| {
        let visible = sheet.holds(plan.visible_when.as_ref(), 0);
        let fields = dataset.fields.iter().zip(&plan.fields);
        let fields = fields.map(|(field, plan)| {
            let given = answers.values.get(&field.name).filter(|_| !dataset.multi);
            let shows = sheet.holds(plan.visible_when.as_ref(), 0) && !plan.force_hidden;
            FieldState {
                value: given.unwrap_or(&field.default),
                name: &field.name,
                visible: visible && shows,
                display_only: field.display_only,
                locked: bought && plan.locked,
                errors: &[],
                rateable: field.rateable,
            }
        });
        StateDataset {
            fields: fields.collect(),
            identifier: &dataset.identifier,
            title: &dataset.title,
            visible,
        }
    });
    FormState {
        product_identifier: product.identifier(),
        datasets: datasets.collect(),
    }
}
