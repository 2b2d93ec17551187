//! What a setting's value can be.

use std::collections::BTreeMap;

use toml::de::DeValue;

use super::sources::{ConfigError, Giver};

/// A value of one of the types that settings have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
    Switch(bool),
    List(Vec<String>),
    /// Sections that are given any number of times, with two brackets: `[[partners]]`.
    Records(Vec<Record>),
}

/// One of the sections that are given any number of times.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    /// What messages call it, such as `partners[0]`.
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) fields: BTreeMap<String, Value>,
}

impl Record {
    pub(super) fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field)
    }

    /// That nothing else stands in it.
    pub(super) fn has_nothing_but(&self, known: &[&str]) -> Result<(), ConfigError> {
        let odd = self
            .fields
            .keys()
            .find(|key| !known.contains(&key.as_str()));
        odd.map_or(Ok(()), |key| {
            Err(ConfigError::Unknown {
                key: format!("{}.{key}", self.name),
                by: Giver::File(self.file.clone(), self.line),
            })
        })
    }

    pub(super) fn invalid(&self, field: &str, wanted: &str) -> ConfigError {
        ConfigError::Invalid {
            key: format!("{}.{field}", self.name),
            wanted: wanted.to_owned(),
            by: Giver::File(self.file.clone(), self.line),
        }
    }
}

impl Value {
    pub(super) fn of_toml(value: &DeValue<'_>) -> Option<Self> {
        Some(match value {
            DeValue::String(text) => Self::Text(text.to_string()),
            DeValue::Boolean(switch) => Self::Switch(*switch),
            DeValue::Integer(number) => {
                Self::Number(i64::from_str_radix(number.as_str(), number.radix()).ok()?)
            }
            DeValue::Array(items) => Self::List(
                items
                    .iter()
                    .map(|item| item.get_ref().as_str().map(str::to_owned))
                    .collect::<Option<_>>()?,
            ),
            _ => return None,
        })
    }

    /// Reads the text of a variable or a flag as the type that `self`, the default, has.
    pub(super) fn of_text(&self, text: &str) -> Option<Self> {
        Some(match self {
            Self::Text(_) => Self::Text(text.to_owned()),
            Self::Number(_) => Self::Number(text.trim().parse().ok()?),
            Self::Switch(_) => Self::Switch(text.trim().parse().ok()?),
            Self::Records(_) => return None,
            Self::List(_) if text.trim_start().starts_with('[') => {
                Self::of_toml(DeValue::parse(text.trim()).ok()?.get_ref())?
            }
            Self::List(_) => Self::List(
                text.split(',')
                    .map(str::trim)
                    .filter(|item| !item.is_empty())
                    .map(str::to_owned)
                    .collect(),
            ),
        })
    }

    pub(super) fn same_type(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    pub(super) fn wanted(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Number(_) => "a whole number",
            Self::Switch(_) => "true or false",
            Self::List(_) => "a list of texts",
            Self::Records(_) => "given in a settings file, as sections with two brackets",
        }
    }
}
