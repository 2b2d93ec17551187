//! JSON schemas of a quote's form with its answers. These types only describe the JSON. For speed,
//! `domain::product::form::write_state` writes the JSON (see
//! [`crate::api::schema::raw_json::RawJson`]).

use serde::Serialize;
use serde_json::Value;

use crate::json_schema::{ResponseSchema, Scalar};

/// A field with its answer.
#[derive(Serialize, ResponseSchema)]
pub struct AnsweredField {
    name: String,
    #[schema(Scalar)]
    value: Value,
    visible: bool,
    display_only: bool,
    locked: bool,
    errors: Vec<String>,
    rateable: bool,
}

/// A dataset with its answers.
#[derive(Serialize, ResponseSchema)]
pub struct AnsweredDataset {
    identifier: String,
    title: String,
    visible: bool,
    fields: Vec<AnsweredField>,
}

/// A form with its answers.
#[derive(Serialize, ResponseSchema)]
pub struct AnsweredForm {
    product_identifier: String,
    datasets: Vec<AnsweredDataset>,
}
