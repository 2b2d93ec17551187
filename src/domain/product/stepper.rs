//! The steps of a product's form, as the website receives them.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::json_schema::ResponseSchema;

/// The stepper that leads through a form. `form`: the steps have the numbers 1, 2, 3 and so on. `generic`:
/// the steps have the numbers 10, 20, 30 and so on.
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

/// The steps that replace the default steps for some answers to `field`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct ActivatedBy {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(default)]
    #[schema(BTreeMap<String, ActivatedSteps>)]
    pub values: IndexMap<String, ActivatedSteps>,
}

/// The steps for one answer.
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
    /// The number of the step. In the stepper `form`: 1, 2, 3 and so on. In the stepper `generic`: 10, 20, 30
    /// and so on.
    pub number: u32,
    pub title: String,
    pub icon: String,
    #[serde(default)]
    pub datasets: Vec<String>,
    /// Fields that the step does not check. A field of a repeatable dataset is `dataset.field`.
    #[serde(default)]
    pub skip: Vec<String>,
}
