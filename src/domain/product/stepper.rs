//! The steps of a product's form, as the website receives them.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::json_schema::ResponseSchema;

/// Which stepper leads through a form: steps 1, 2, 3 or steps 10, 20, 30.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ResponseSchema)]
#[serde(rename = "Stepper", rename_all = "snake_case")]
pub enum StepperKind {
    #[default]
    Form,
    Generic,
}

/// The steps that lead through a form.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct StepperData {
    pub title: String,
    /// The context whose steps are used by default.
    pub default: String,
    #[serde(rename(deserialize = "steps"))]
    #[schema(BTreeMap<String, StepGroup>)]
    pub product_steps: IndexMap<String, StepGroup>,
    /// Other steps for other answers.
    #[serde(default, rename(serialize = "activatedBy"))]
    pub activated_by: ActivatedBy,
}

/// Steps that an answer brings in.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct ActivatedBy {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(default)]
    #[schema(BTreeMap<String, ActivatedSteps>)]
    pub values: IndexMap<String, ActivatedSteps>,
}

/// The stepper for one value of the deciding field.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct ActivatedSteps {
    pub title: String,
    #[serde(rename(deserialize = "steps"))]
    #[schema(BTreeMap<String, StepGroup>)]
    pub product_steps: IndexMap<String, StepGroup>,
}

/// Steps in order.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct StepGroup {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, rename(deserialize = "step"))]
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// 1, 2, 3 in a form stepper; 10, 20, 30 in a generic one.
    pub number: u32,
    pub title: String,
    pub icon: String,
    #[serde(default)]
    pub datasets: Vec<String>,
    /// Fields its validation leaves out; `dataset.field` in repeatable datasets.
    #[serde(default)]
    pub skip: Vec<String>,
}
