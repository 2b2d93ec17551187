//! The lines that say what was chosen, and the demands and needs.

use serde::{Deserialize, Serialize};

use super::answers::Answers;
use super::condition::{Scalar, number_json};
use super::product::compiled::FieldRef;
use super::product::rules::{CompiledLine, Piece, Template};
use super::product::{CompiledProduct, Product};
use crate::domain::answer_table::AnswerTable;

/// A line of the cover summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryLine {
    /// Name of the line.
    pub code: String,
    /// What it says.
    pub text: String,
}

/// The summary of normalised answers.
pub fn summary(product: &Product, answers: &Answers) -> Vec<SummaryLine> {
    summary_on(product, &AnswerTable::read(&product.compiled, answers))
}

/// The summary of answers that are laid out already.
pub(crate) fn summary_on(product: &Product, sheet: &AnswerTable) -> Vec<SummaryLine> {
    lines(&product.compiled, &product.compiled.summary, sheet)
}

/// The demands-and-needs statement of normalised answers, a sentence each.
pub fn needs(product: &Product, answers: &Answers) -> Vec<String> {
    let sheet = AnswerTable::read(&product.compiled, answers);
    let lines = lines(&product.compiled, &product.compiled.needs, &sheet);
    lines.into_iter().map(|line| line.text).collect()
}

fn lines(
    compiled: &CompiledProduct,
    lines: &[CompiledLine],
    sheet: &AnswerTable,
) -> Vec<SummaryLine> {
    let shown = lines
        .iter()
        .filter(|line| sheet.holds(line.when.as_ref(), 0));
    let line = |line: &CompiledLine| {
        let text = fill(compiled, sheet, &line.text)?;
        Some(SummaryLine {
            code: line.code.clone(),
            text: if line.upper {
                text.to_uppercase()
            } else {
                text
            },
        })
    };
    shown.filter_map(line).collect()
}

/// The text with its answers; `None` when it has some to fill in and all are
/// missing.
pub(crate) fn fill(
    compiled: &CompiledProduct,
    sheet: &AnswerTable,
    template: &Template,
) -> Option<String> {
    let mut text = String::new();
    let (mut asked, mut found) = (false, false);
    for piece in &template.pieces {
        match piece {
            Piece::Text(fixed) => text.push_str(fixed),
            Piece::Answer(place) => {
                let answer = answer(compiled, sheet, *place);
                asked = true;
                found |= !answer.is_empty();
                text.push_str(&answer);
            }
        }
    }
    (found || !asked).then_some(text)
}

fn answer(compiled: &CompiledProduct, sheet: &AnswerTable, place: FieldRef) -> String {
    let rows = match place {
        FieldRef::Cell { dataset, .. } => sheet.rows(dataset),
        FieldRef::Count(_) => 1,
    };
    let texts = (0..rows).map(|row| text(compiled, place, sheet.at(place, row)));
    let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
    texts.join(", ")
}

/// The chosen option's text, or the answer itself.
pub(crate) fn text(compiled: &CompiledProduct, place: FieldRef, answer: Scalar) -> String {
    let options = compiled.field(place).map(|field| &field.options);
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
