//! The JSON schema of a policy's exclusions.

use serde::Serialize;

use crate::domain::product::exclusions::CoverExclusion;
use crate::json_schema::ResponseSchema;

/// An exclusion of a policy's cover, and advice for it.
#[derive(Serialize, ResponseSchema)]
pub struct OpenExclusion {
    id: String,
    title: String,
    text: String,
    instead: String,
    section: String,
    /// Whether the customer said that the exclusion matters. Null if the customer did not answer.
    matters: Option<bool>,
}

impl OpenExclusion {
    /// Combines the exclusion with the customer's answer.
    pub(in crate::api) fn new(exclusion: &CoverExclusion, matters: Option<bool>) -> Self {
        Self {
            id: exclusion.id.clone(),
            title: exclusion.title.clone(),
            text: exclusion.text.clone(),
            instead: exclusion.instead.clone(),
            section: exclusion.section.clone(),
            matters,
        }
    }
}
