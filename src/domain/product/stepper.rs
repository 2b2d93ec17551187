//! The steps that lead through a product's form, as the website gets them.

use indexmap::IndexMap;
use serde::Deserialize;

/// Which stepper leads through a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepperKind {
    /// Steps 1, 2, 3.
    #[default]
    Form,
    /// Steps 10, 20, 30.
    Generic,
}

/// The steps that lead through a form.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepperData {
    /// Title of the stepper.
    pub title: String,
    /// Context whose steps are used unless another is asked for.
    pub default: String,
    /// Steps by context.
    #[serde(rename(deserialize = "steps"))]
    pub product_steps: IndexMap<String, StepGroup>,
    /// Other steps for other answers.
    #[serde(default)]
    pub activated_by: ActivatedBy,
}

/// Steps that an answer brings in.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActivatedBy {
    /// The field that decides.
    pub field: Option<String>,
    /// Steppers by the field's value.
    #[serde(default)]
    pub values: IndexMap<String, ActivatedSteps>,
}

/// The stepper for one value of the deciding field.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActivatedSteps {
    /// Title of the stepper.
    pub title: String,
    /// Steps by context.
    #[serde(rename(deserialize = "steps"))]
    pub product_steps: IndexMap<String, StepGroup>,
}

/// Steps in order.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepGroup {
    /// Title of the group.
    pub title: Option<String>,
    /// The steps.
    #[serde(default, rename(deserialize = "step"))]
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// 1, 2, 3 in a form stepper; 10, 20, 30 in a generic one.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// A picture's name.
    pub icon: String,
    /// Datasets it shows.
    #[serde(default)]
    pub datasets: Vec<String>,
    /// Fields its validation leaves out; `dataset.field` in repeatable datasets.
    #[serde(default)]
    pub skip: Vec<String>,
}
