//! The data of a product's first page, beside its questions. The coverage map shows the area of each choice.
//! The start field is the first question.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::quote::answers::Values;
use crate::json_schema::{OptionValue, ResponseSchema};

/// The countries with an outline on the website's map, as ISO 3166 codes. A product file may use no
/// others, because the map can't show them.
pub const DRAWN: [&str; 44] = [
    "AD", "AL", "AT", "BA", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB",
    "GG", "GI", "GR", "HR", "HU", "IE", "IM", "IS", "IT", "JE", "LI", "LT", "LU", "LV", "MC", "ME",
    "MK", "MT", "NL", "NO", "PL", "PT", "RO", "RS", "SE", "SI", "SK", "SM",
];

/// The areas that the choices of a field cover.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverageMap {
    /// The field whose choices cover different areas.
    pub field: String,
    /// The countries with help for every choice, as ISO 3166 codes.
    #[serde(default)]
    pub countries: Vec<String>,
    /// Without `at_home`, no help comes within this number of miles from home.
    pub home_miles: i64,
    /// The number of miles that a vehicle is towed with every choice.
    pub tow_miles: i64,
    /// The area of each choice, in the order of the field's options.
    #[serde(default, rename(deserialize = "level"))]
    pub levels: Vec<Level>,
}

/// The area of one choice.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields, rename = "CoverageLevel")]
pub struct Level {
    #[schema(OptionValue)]
    pub value: Value,
    /// Whether help also comes to the customer's home.
    #[serde(default)]
    pub at_home: bool,
    /// Where a vehicle and its passengers are taken beyond the tow, and when. Left out if they are not taken
    /// further.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery: Option<String>,
    /// The countries abroad with help for this choice, as ISO 3166 codes, in the order of the file.
    #[serde(skip_deserializing)]
    pub abroad: Vec<String>,
    /// The field of the product file whose options are the countries abroad.
    #[serde(rename(deserialize = "abroad"), skip_serializing)]
    pub abroad_field: Option<String>,
    /// The help in the countries abroad. Left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abroad_help: Option<String>,
}

/// The first question of the first page, which asks for a registration.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct StartField {
    /// The field of the registration, as `dataset.field`.
    pub field: String,
    /// The heading above the question.
    pub label: String,
    /// The text of the button beside the question.
    pub button: String,
    /// The answers that follow from a registration. Prices assume these answers until the customer gives
    /// others.
    #[schema(Values)]
    pub answers: Map<String, Value>,
    /// The text of the link for a customer who gives no registration.
    pub other: String,
    /// The answers that follow from the link `other`.
    #[schema(Values)]
    pub other_answers: Map<String, Value>,
}
