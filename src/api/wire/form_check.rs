//! A form worked out for some answers, as it goes over the wire.

use super::Named;
use super::answers::{Multi, Values, answers};
use super::form::Form;
use super::published::{answer, request};
use crate::app::quotes::price::Described;
use crate::domain::answers::Answers;
use crate::domain::summary::SummaryLine;

request! {
    /// A form to be worked out.
    pub struct FormRequest {
        values: Option<Values>,
        multi: Option<Multi>,
        product_identifier: Option<String>,
        /// Only this step's errors.
        step: Option<u32>,
    }
}

impl FormRequest {
    /// Answers and step.
    pub fn parts(self) -> (Answers, Option<u32>) {
        (answers(self.values, self.multi), self.step)
    }
}

answer! {
    /// A line of the summary card.
    pub struct SummaryText {
        code: String,
        text: String,
    }
}

impl From<SummaryLine> for SummaryText {
    fn from(line: SummaryLine) -> Self {
        let SummaryLine { code, text } = line;
        Self { code, text }
    }
}

answer! {
    /// A form worked out.
    pub struct FormAnswer {
        form: Form,
        summary: Vec<SummaryText>,
        /// How many instances each repeatable dataset has, by the name of its count.
        counts: Named<usize>,
    }
}

impl From<Described> for FormAnswer {
    fn from(described: Described) -> Self {
        let Described {
            form,
            summary,
            counts,
        } = described;
        Self {
            form: form.into(),
            summary: summary.into_iter().map(SummaryText::from).collect(),
            counts: Named(counts),
        }
    }
}
