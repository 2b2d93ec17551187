//! Answers as a customer reads them: each question with its formatted answer.

use crate::domain::product::Product;
use crate::domain::product::compiled::{CompiledDataset, CompiledField, FieldRef};
use crate::domain::product::condition::Scalar;
use crate::domain::product::field_kind::FieldKind;
use crate::domain::product::fields::{Dataset, Field};
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::policyholder;
use crate::domain::quote::summary::text;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerGroup {
    /// The heading.
    pub title: String,
    /// The name of an instance, if the dataset repeats.
    pub noun: String,
    /// Questions and answers, if the dataset does not repeat.
    pub rows: Vec<(String, String)>,
    /// The questions, if the dataset repeats. Questions that no instance answers are left out.
    pub columns: Vec<String>,
    /// The answers of each instance, in the order of the columns.
    pub records: Vec<Vec<String>>,
}

/// Fields that the groups leave out. Documents show the addressee and the declarations in parts of
/// their own.
const SHOWN_ELSEWHERE: [&str; 8] = [
    policyholder::TITLE,
    policyholder::FIRST_NAME,
    policyholder::MIDDLE_NAME,
    policyholder::LAST_NAME,
    policyholder::ADDRESS,
    policyholder::POSTCODE,
    policyholder::TERMS,
    policyholder::MARKETING,
];

/// Returns the groups of visible answers, without questions that have no answer. Outside repeatable
/// datasets an unticked checkbox counts as no answer. The addressee and the declarations are left
/// out too, because documents show them in parts of their own.
#[must_use]
pub fn groups(product: &Product, answers: &Answers) -> Vec<AnswerGroup> {
    let table = AnswerTable::read(&product.compiled, answers);
    let datasets = product.form.datasets.iter().zip(&product.compiled.datasets);
    let groups = datasets.enumerate().map(|(number, (dataset, compiled))| {
        let reader = Reader {
            product,
            table: &table,
            number,
        };
        reader.group(dataset, compiled)
    });
    groups
        .filter(|group| !group.rows.is_empty() || !group.records.is_empty())
        .collect()
}

struct Reader<'a> {
    product: &'a Product,
    table: &'a AnswerTable<'a>,
    number: usize,
}

impl Reader<'_> {
    fn group(&self, dataset: &Dataset, compiled: &CompiledDataset) -> AnswerGroup {
        let fields = dataset.fields.iter().zip(&compiled.fields).enumerate();
        let mut group = AnswerGroup {
            title: dataset.title.clone(),
            noun: dataset.noun.clone().unwrap_or_default(),
            rows: Vec::new(),
            columns: Vec::new(),
            records: Vec::new(),
        };
        let rows = self.table.rows(self.number);
        if !compiled.multi {
            let listed = fields.filter(|(_, (field, compiled))| {
                let elsewhere =
                    SHOWN_ELSEWHERE.contains(&field.name.as_str()) || compiled.at_accept;
                rows > 0 && !elsewhere && !compiled.force_hidden
            });
            let row = |(field_ref, (field, _)): (usize, (&Field, &CompiledField))| {
                let answer = self.answer(field_ref, 0, field.kind);
                let left_out =
                    answer.is_empty() || (field.kind == FieldKind::Checkbox && answer == "No");
                (!left_out).then(|| (question(field), answer))
            };
            group.rows = listed.filter_map(row).collect();
            return group;
        }
        let mut records = vec![Vec::new(); rows];
        for (field_ref, (field, compiled)) in fields {
            if compiled.force_hidden {
                continue;
            }
            let answers = (0..rows).map(|row| self.answer(field_ref, row, field.kind));
            let answers: Vec<String> = answers.collect();
            if answers.iter().all(String::is_empty) {
                continue;
            }
            group.columns.push(question(field));
            for (record, answer) in records.iter_mut().zip(answers) {
                record.push(answer);
            }
        }
        if !group.columns.is_empty() {
            group.records = records;
        }
        group
    }

    fn answer(&self, field: usize, row: usize, kind: FieldKind) -> String {
        let field_ref = FieldRef::Cell {
            dataset: self.number,
            field,
        };
        format_by_kind(
            self.product,
            field_ref,
            kind,
            self.table.answer(field_ref, row),
        )
    }
}

/// Returns a formatted answer, by its field's kind.
pub(in crate::domain) fn format_by_kind(
    product: &Product,
    field_ref: FieldRef,
    kind: FieldKind,
    answer: Scalar<'_>,
) -> String {
    let formatted = kind.format(answer);
    formatted.unwrap_or_else(|| text(&product.compiled, field_ref, answer))
}

/// Returns a field's short name, or its question without "(optional)", which matters only in the form.
pub(in crate::domain) fn question(field: &Field) -> String {
    let label = field.noun.as_ref().unwrap_or(&field.label);
    label.trim_end_matches(" (optional)").to_owned()
}
