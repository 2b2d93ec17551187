//! Errors of answers, by field.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Errors by the form's dotted path (`vehicles.0.vehicle_registration`). A check of a form adds
/// them in the order of the form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldErrors(pub IndexMap<String, Vec<String>>);

impl FieldErrors {
    /// Adds an error text for the customer at a path.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.entry(path.into()).or_default().push(text.into());
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the first error text at a path, or `None` if there is no error.
    pub fn first(&self, path: &str) -> Option<&str> {
        self.0.get(path)?.first().map(String::as_str)
    }
}
