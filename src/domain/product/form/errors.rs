//! What is wrong with which answer.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Errors by the form's dotted path (`vehicles.0.vehicle_registration`), in
/// the order of the form, so that the first entry is the first to show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldErrors(pub IndexMap<String, Vec<String>>);

impl FieldErrors {
    /// Adds a text for the customer at a path.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.entry(path.into()).or_default().push(text.into());
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first text at a path.
    pub fn first(&self, path: &str) -> Option<&str> {
        self.0.get(path)?.first().map(String::as_str)
    }
}
