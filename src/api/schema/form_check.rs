//! JSON schemas of an evaluated form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answers::answers;
use crate::app::quotes::price::Described;
use crate::domain::product::form::Scope;
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::quote::answers::{Answers, Multi, Values};
use crate::domain::quote::early_underwriting::EarlyDecision;
use crate::domain::quote::registration_dates::PlatePeriod;
use crate::json_schema::{RequestSchema, ResponseSchema};

/// Answers with which a form is evaluated.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct FormRequest {
    values: Option<Values>,
    multi: Option<Multi>,
    /// Ignored. The path names the product.
    product_identifier: Option<String>,
    /// The number of the step whose errors are returned. The default is all steps.
    step: Option<u32>,
    /// True if the days of the cover stay, as in a renewal and in a quote that can be bought. The locked
    /// answers, such as the first day of cover, are then not checked. `step` overrides `keeps_term`.
    keeps_term: Option<bool>,
}

impl FormRequest {
    /// Returns the answers and the scope of the check. The scope is one step, all visible fields, or all
    /// visible fields without the locked answers.
    pub fn parts(self) -> (Answers, Scope) {
        let scope = match self.step {
            Some(step) => Scope::Step(step),
            None if self.keeps_term == Some(true) => Scope::Change,
            None => Scope::Complete,
        };
        (answers(self.values, self.multi), scope)
    }
}

/// The results of a check of answers, without the customer's answers. The results identify nobody.
#[derive(Serialize, ResponseSchema)]
pub struct FormVerdict {
    /// The errors by the form's dotted path, in the order of the form.
    #[schema(BTreeMap<String, Vec<String>>)]
    errors: FieldErrors,
    /// The decisions of underwriting against a new customer that no later answer changes.
    decisions: Vec<EarlyDecision>,
    /// The period of each vehicle's first registration, as the registration shows the period.
    plates: Vec<PlatePeriod>,
    /// The values of the visible fields that are only shown, by field name. The shop computes these values.
    #[schema(Values)]
    derived: Map<String, Value>,
}

impl From<Described> for FormVerdict {
    fn from(described: Described) -> Self {
        let datasets = described.form.datasets.into_iter();
        let visible = datasets
            .filter(|dataset| !dataset.multi)
            .flat_map(|dataset| dataset.fields)
            .filter(|field| field.display_only && field.visible);
        Self {
            errors: described.errors,
            decisions: described.decisions,
            plates: described.plates,
            derived: visible.map(|field| (field.name, field.value)).collect(),
        }
    }
}
