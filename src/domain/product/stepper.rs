//! The steps that lead through a product's form, as the website gets them.

use indexmap::IndexMap;

/// Which stepper leads through a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepperKind {
    /// Steps 1, 2, 3.
    #[default]
    Form,
    /// Steps 10, 20, 30.
    Generic,
}

impl StepperKind {
    /// Every stepper by its name in a product file.
    pub const ALL: [(&'static str, Self); 2] = [("form", Self::Form), ("generic", Self::Generic)];
}

/// The steps that lead through a form.
#[derive(Clone, Debug)]
pub struct StepperData {
    /// Title of the stepper.
    pub title: String,
    /// Context whose steps are used unless another is asked for.
    pub default: String,
    /// Steps by context.
    pub product_steps: IndexMap<String, StepGroup>,
    /// Other steps for other answers.
    pub activated_by: ActivatedBy,
}

/// Steps that an answer brings in.
#[derive(Clone, Debug, Default)]
pub struct ActivatedBy {
    /// The field that decides.
    pub field: Option<String>,
    /// Steppers by the field's value.
    pub values: IndexMap<String, ActivatedSteps>,
}

/// The stepper for one value of the deciding field.
#[derive(Clone, Debug)]
pub struct ActivatedSteps {
    /// Title of the stepper.
    pub title: String,
    /// Steps by context.
    pub product_steps: IndexMap<String, StepGroup>,
}

/// Steps in order.
#[derive(Clone, Debug)]
pub struct StepGroup {
    /// Title of the group.
    pub title: Option<String>,
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// 1, 2, 3 in a form stepper; 10, 20, 30 in a generic one.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// A picture's name.
    pub icon: String,
    /// Datasets it shows.
    pub datasets: Vec<String>,
    /// Fields its validation leaves out; `dataset.field` in repeatable datasets.
    pub skip: Vec<String>,
}
