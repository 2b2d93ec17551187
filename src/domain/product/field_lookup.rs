//! The fields that a look-up answers. A product file defines them, and the website receives them.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::json_schema::ResponseSchema;

/// The fields that a look-up by a field's answer fills.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "FieldLookup", from = "IndexMap<String, String>")]
pub struct Lookup {
    pub fills: LookupFills,
    pub notes: LookupNotes,
}

/// The names of the fields that a look-up fills. The fields are in the dataset of the look-up's field.
#[derive(Clone, Debug, Default, Serialize, ResponseSchema)]
pub struct LookupFills {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub make: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuel: Option<String>,
    /// The date field for the first registration. The look-up fills in the first day of the month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_registered: Option<String>,
    /// The address field for the lines and the town.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
}

/// The texts for the customer about a vehicle that was looked up.
#[derive(Clone, Debug, Default, Serialize, ResponseSchema)]
pub struct LookupNotes {
    /// The text for a vehicle whose MOT has expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mot: Option<String>,
    /// The text for a vehicle that is not taxed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax: Option<String>,
}

impl From<IndexMap<String, String>> for Lookup {
    /// Reads `lookup = { make = "vehicle_make", ... }` of a file. The check of the file rejects other keys.
    fn from(mut keys: IndexMap<String, String>) -> Self {
        let mut take = |key: &str| keys.shift_remove(key);
        Self {
            fills: LookupFills {
                make: take("make"),
                model: take("model"),
                colour: take("colour"),
                fuel: take("fuel"),
                first_registered: take("first_registered"),
                lines: take("lines"),
            },
            notes: LookupNotes {
                mot: take("mot_note"),
                tax: take("tax_note"),
            },
        }
    }
}
