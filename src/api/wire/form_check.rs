//! A form worked out for some answers, as it goes over the wire.

use chrono::NaiveDate;
use poem_openapi::Enum;
use serde::Serialize;

use super::Named;
use super::answers::{Multi, Values, answers};
use super::form::Form;
use super::published::{answer, request};
use crate::app::quotes::price::Described;
use crate::domain::answers::Answers;
use crate::domain::early_decisions;
use crate::domain::form::Scope;
use crate::domain::plates;
use crate::domain::summary::SummaryLine;

request! {
    /// A form to be worked out.
    pub struct FormRequest {
        values: Option<Values>,
        multi: Option<Multi>,
        product_identifier: Option<String>,
        /// Only this step's errors.
        step: Option<u32>,
        /// Whether the days of the cover stay as they are, as those of a renewal and of an offer that
        /// can still be bought: they are not held against today.
        keeps_term: Option<bool>,
    }
}

impl FormRequest {
    /// Answers, and which of them are checked: one step's, all, or all but the days of the cover.
    pub fn parts(self) -> (Answers, Scope) {
        let scope = match self.step {
            Some(step) => Scope::Step(step),
            None if self.keeps_term == Some(true) => Scope::Change,
            None => Scope::Complete,
        };
        (answers(self.values, self.multi), scope)
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

/// What underwriting will decide.
#[derive(Clone, Copy, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Refer,
    Decline,
}

answer! {
    /// What underwriting will refuse, whatever is answered next.
    pub struct EarlyDecision {
        /// The answer that decides it: a field, or `dataset.index.field`.
        path: String,
        outcome: Outcome,
        reason: String,
    }
}

impl From<early_decisions::EarlyDecision> for EarlyDecision {
    fn from(decision: early_decisions::EarlyDecision) -> Self {
        let early_decisions::EarlyDecision {
            path,
            refer,
            reason,
        } = decision;
        let outcome = if refer {
            Outcome::Refer
        } else {
            Outcome::Decline
        };
        Self {
            path,
            outcome,
            reason,
        }
    }
}

answer! {
    /// When a vehicle was first registered, as its mark tells.
    pub struct PlatePeriod {
        /// The mark, by the form's dotted path.
        path: String,
        /// The path of the date that it answers.
        fills: Option<String>,
        from: NaiveDate,
        until: NaiveDate,
        /// Whether the price or a limit differs within the period: then its month is asked for.
        matters: bool,
    }
}

impl From<plates::PlatePeriod> for PlatePeriod {
    fn from(period: plates::PlatePeriod) -> Self {
        let plates::PlatePeriod {
            path,
            fills,
            from,
            until,
            matters,
        } = period;
        Self {
            path,
            fills,
            from,
            until,
            matters,
        }
    }
}

answer! {
    /// A form worked out.
    pub struct FormAnswer {
        form: Form,
        summary: Vec<SummaryText>,
        /// How many instances each repeatable dataset has, by the name of its count.
        counts: Named<usize>,
        /// What underwriting will refuse of a new customer, at the answers that decide it.
        decisions: Vec<EarlyDecision>,
        /// What the marks of vehicles tell of their first registration.
        plates: Vec<PlatePeriod>,
    }
}

impl From<Described> for FormAnswer {
    fn from(described: Described) -> Self {
        let Described {
            errors: _,
            form,
            summary,
            counts,
            decisions,
            plates,
        } = described;
        Self {
            form: form.into(),
            summary: summary.into_iter().map(SummaryText::from).collect(),
            counts: Named(counts),
            plates: plates.into_iter().map(PlatePeriod::from).collect(),
            decisions: decisions.into_iter().map(EarlyDecision::from).collect(),
        }
    }
}

answer! {
    /// What the shop finds in some answers, without the answers: nothing of it says who somebody is.
    pub struct FormVerdict {
        /// What is wrong, by the form's dotted path, in the order of the form.
        errors: Named<Vec<String>>,
        /// What underwriting will refuse of a new customer, at the answers that decide it.
        decisions: Vec<EarlyDecision>,
        /// What the marks of vehicles tell of their first registration.
        plates: Vec<PlatePeriod>,
        /// The answers that the shop works out, by field: those that are only shown.
        derived: Values,
    }
}

impl From<Described> for FormVerdict {
    fn from(described: Described) -> Self {
        let Described {
            errors,
            form,
            summary: _,
            counts: _,
            decisions,
            plates,
        } = described;
        let datasets = form.datasets.into_iter().filter(|dataset| !dataset.multi);
        let shown = datasets
            .flat_map(|dataset| dataset.fields)
            .filter(|field| field.display_only && field.visible);
        Self {
            errors: Named(errors.0),
            plates: plates.into_iter().map(PlatePeriod::from).collect(),
            decisions: decisions.into_iter().map(EarlyDecision::from).collect(),
            derived: Values(shown.map(|field| (field.name, field.value)).collect()),
        }
    }
}
