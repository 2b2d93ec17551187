//! A customer's answers: single values, and lists such as vehicles.

use indexmap::IndexMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::json_schema::{self, Registry, Scalar, schema_of};

/// The `values` and `multi` of a serialised product.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answers {
    /// Answers by field name.
    #[serde(deserialize_with = "fields")]
    pub values: Map<String, Value>,
    /// Instances of each repeatable dataset, each by field name.
    pub multi: IndexMap<String, Vec<Map<String, Value>>>,
}

impl Answers {
    /// Returns the text of a field, or `None` if the answer is not a text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.values.get(field)?.as_str()
    }

    /// Returns the instances of a repeatable dataset, or an empty slice without an answer.
    pub fn rows(&self, dataset: &str) -> &[Map<String, Value>] {
        self.multi.get(dataset).map_or(&[], Vec::as_slice)
    }
}

/// Answers by the field's name.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Values(pub Map<String, Value>);

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        fields(from).map(Self)
    }
}

schema_of!(Values, "Values", |registry: &mut Registry| {
    json_schema::map_of::<Scalar>(registry, "Answers by the field's name.")
});

/// The instances of each repeatable dataset, each with its answers.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Multi(pub IndexMap<String, Vec<Map<String, Value>>>);

schema_of!(Multi, "Multi", |registry: &mut Registry| {
    let description = "The instances of each repeatable dataset, each with its answers.";
    json_schema::map_of::<Vec<Values>>(registry, description)
});

/// The capacity if the number of fields is unknown, and the highest initial capacity.
const USUAL_FIELDS: usize = 24;
const MOST_FIELDS: usize = 64;

/// Reads answers by field name into a map of sufficient capacity. Growing the map costs time, and
/// every quote and price reads answers.
pub(crate) fn fields<'de, D: Deserializer<'de>>(from: D) -> Result<Map<String, Value>, D::Error> {
    struct Fields;
    impl<'de> Visitor<'de> for Fields {
        type Value = Map<String, Value>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("answers by field name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let many = map.size_hint().unwrap_or(USUAL_FIELDS).min(MOST_FIELDS);
            let mut fields = Map::with_capacity(many);
            while let Some((name, value)) = map.next_entry()? {
                fields.insert(name, value);
            }
            Ok(fields)
        }
    }
    from.deserialize_map(Fields)
}
