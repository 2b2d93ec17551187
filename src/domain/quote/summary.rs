//! The lines of the cover summary, and the demands and needs.

use serde::{Deserialize, Serialize};

use crate::domain::product::compiled::FieldRef;
use crate::domain::product::condition::{Scalar, number_json};
use crate::domain::product::rules::{CompiledLine, Piece, TextTemplate};
use crate::domain::product::{CompiledProduct, Product};
use crate::domain::quote::answer_table::AnswerTable;
use crate::domain::quote::answers::Answers;
use crate::json_schema::ResponseSchema;

/// A line of the cover summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "SummaryText")]
pub struct SummaryLine {
    /// Name of the line.
    pub code: String,
    /// The text.
    pub text: String,
}

/// Returns the summary of normalised answers.
pub fn summary(product: &Product, answers: &Answers) -> Vec<SummaryLine> {
    summarise_table(product, &AnswerTable::read(&product.compiled, answers))
}

/// Returns the summary of a table's answers.
pub(crate) fn summarise_table(product: &Product, table: &AnswerTable) -> Vec<SummaryLine> {
    lines(&product.compiled, &product.compiled.summary, table)
}

/// Returns the summary of normalised answers for a letter. Another person may have typed the mail
/// address, so lines with free text are left out. The other lines consist of fixed texts, counts,
/// chosen options, and registration marks, whose format was checked.
pub fn for_letter(product: &Product, answers: &Answers) -> Vec<String> {
    let compiled = &product.compiled;
    let table = AnswerTable::read(compiled, answers);
    let is_free = |piece: &Piece| match piece {
        Piece::Text(_) | Piece::Answer(FieldRef::Count(_)) => false,
        Piece::Answer(field_ref) => compiled
            .field(*field_ref)
            .is_none_or(|field| !field.kind.has_options() && !field.kind.is_registration()),
    };
    let safe = |line: &&CompiledLine| !line.text.pieces.iter().any(is_free);
    let safe: Vec<_> = compiled.summary.iter().filter(safe).cloned().collect();
    let lines = lines(compiled, &safe, &table);
    lines.into_iter().map(|line| line.text).collect()
}

/// Returns the lines of the summary that lists of policies and quotes show.
pub fn for_lists(product: &Product, answers: &Answers) -> Vec<String> {
    let compiled = &product.compiled;
    let table = AnswerTable::read(compiled, answers);
    let shown = compiled.summary.iter().filter(|line| line.in_lists);
    let shown: Vec<_> = shown.cloned().collect();
    let lines = lines(compiled, &shown, &table);
    lines.into_iter().map(|line| line.text).collect()
}

/// Returns the sentences of the demands-and-needs statement for normalised answers.
pub fn needs(product: &Product, answers: &Answers) -> Vec<String> {
    let table = AnswerTable::read(&product.compiled, answers);
    let lines = lines(&product.compiled, &product.compiled.needs, &table);
    lines.into_iter().map(|line| line.text).collect()
}

fn lines(
    compiled: &CompiledProduct,
    lines: &[CompiledLine],
    table: &AnswerTable,
) -> Vec<SummaryLine> {
    let visible = lines
        .iter()
        .filter(|line| table.holds(line.when.as_ref(), 0));
    let line = |line: &CompiledLine| {
        let text = fill(compiled, table, &line.text)?;
        Some(SummaryLine {
            code: line.code.clone(),
            text: if line.upper {
                text.to_uppercase()
            } else {
                text
            },
        })
    };
    visible.filter_map(line).collect()
}

/// Returns the text with its answers. Returns `None` if the text has placeholders, and the answers
/// of all placeholders are missing.
pub(crate) fn fill(
    compiled: &CompiledProduct,
    table: &AnswerTable,
    template: &TextTemplate,
) -> Option<String> {
    let mut text = String::new();
    let (mut is_asked, mut found) = (false, false);
    for piece in &template.pieces {
        match piece {
            Piece::Text(fixed) => text.push_str(fixed),
            Piece::Answer(field_ref) => {
                let answer = answer(compiled, table, *field_ref);
                is_asked = true;
                found |= !answer.is_empty();
                text.push_str(&answer);
            }
        }
    }
    (found || !is_asked).then_some(text)
}

fn answer(compiled: &CompiledProduct, table: &AnswerTable, field_ref: FieldRef) -> String {
    let rows = match field_ref {
        FieldRef::Cell { dataset, .. } => table.rows(dataset),
        FieldRef::Count(_) => 1,
    };
    let texts = (0..rows).map(|row| text(compiled, field_ref, table.answer(field_ref, row)));
    let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
    texts.join(", ")
}

/// Returns the chosen option's text, or the answer itself. A missing answer gives an empty text.
pub(crate) fn text(compiled: &CompiledProduct, field_ref: FieldRef, answer: Scalar) -> String {
    let options = compiled.field(field_ref).map(|field| &field.options);
    let chosen = options.and_then(|options| options.texts.get(options.find(answer)?));
    if let Some(text) = chosen {
        return text.clone();
    }
    match answer {
        Scalar::Missing => String::new(),
        Scalar::Number(number) => number_json(number).to_string(),
        Scalar::Bool(flag) => flag.to_string(),
        Scalar::Text(text) => text.to_owned(),
    }
}
