//! What a customer answered: single values, and lists of vehicles and the like.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The `values` and `multi` of a serialised product (API.md).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answers {
    /// Answers by field name.
    pub values: Map<String, Value>,
    /// Instances of each repeatable dataset, each by field name.
    pub multi: IndexMap<String, Vec<Map<String, Value>>>,
}

impl Answers {
    /// The text answered at a field, when it is a text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.values.get(field)?.as_str()
    }

    /// The instances of a repeatable dataset; none when it isn't answered.
    pub fn rows(&self, dataset: &str) -> &[Map<String, Value>] {
        self.multi.get(dataset).map_or(&[], Vec::as_slice)
    }
}
