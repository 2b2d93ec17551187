//! What a cover would not do, as the website reads it.

use super::answers::Values;
use super::form::Condition;
use crate::domain::product::gaps;
use crate::schema::ResponseSchema;
use serde::Serialize;

/// Something that the cover would not do.
#[derive(Serialize, ResponseSchema)]
pub struct Gap {
    /// Under this name the customer's answer is kept.
    id: String,
    title: String,
    /// What happens then.
    text: String,
    /// What to do instead.
    instead: String,
    /// The section of the wording that decides it.
    section: String,
    /// When the cover has this gap; always where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<Condition>,
    /// Other answers that close it: the first whose condition holds.
    cures: Vec<Cure>,
}

/// Answers that close a gap, such as another level.
#[derive(Serialize, ResponseSchema)]
pub struct Cure {
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<Condition>,
    answers: Values,
    /// What the button says.
    button: String,
    /// What the cover does then.
    text: String,
}

/// Something that the cover of a policy does not do, and what to do instead.
#[derive(Serialize, ResponseSchema)]
pub struct OpenGap {
    id: String,
    title: String,
    text: String,
    instead: String,
    section: String,
    /// Whether its customer said that it matters; null where it wasn't answered.
    matters: Option<bool>,
}

impl OpenGap {
    /// The gap with the customer's answer.
    pub(in crate::api) fn of(gap: &gaps::Gap, matters: Option<bool>) -> Self {
        Self {
            id: gap.id.clone(),
            title: gap.title.clone(),
            text: gap.text.clone(),
            instead: gap.instead.clone(),
            section: gap.section.clone(),
            matters,
        }
    }
}

impl From<gaps::Cure> for Cure {
    fn from(cure: gaps::Cure) -> Self {
        let gaps::Cure {
            when,
            answers,
            button,
            text,
        } = cure;
        Self {
            when: when.map(Condition::from),
            answers: Values(answers),
            button,
            text,
        }
    }
}

impl From<gaps::Gap> for Gap {
    fn from(gap: gaps::Gap) -> Self {
        let gaps::Gap {
            id,
            title,
            text,
            instead,
            section,
            when,
            cures,
        } = gap;
        Self {
            id,
            title,
            text,
            instead,
            section,
            when: when.map(Condition::from),
            cures: cures.into_iter().map(Cure::from).collect(),
        }
    }
}
