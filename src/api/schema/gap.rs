//! The JSON schema of a policy's exclusions.

use serde::Serialize;

use crate::domain::product::exclusions::CoverExclusion;
use crate::json_schema::ResponseSchema;

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
    /// Combines the exclusion with the customer's answer.
    pub(in crate::api) fn new(gap: &CoverExclusion, matters: Option<bool>) -> Self {
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
