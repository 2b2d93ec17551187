//! The exclusions of a cover, as data. They are the most frequent reasons for refused claims, so the customer
//! reads them before payment.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::product::condition::Condition;
use crate::domain::quote::answers::Values;
use crate::json_schema::ResponseSchema;

/// An exclusion of a cover.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverExclusion {
    /// The exclusion's name, by which the customer's answer is stored.
    pub id: String,
    /// The exclusion, in one line.
    pub title: String,
    /// The consequence, in one or two sentences.
    pub text: String,
    /// The advice on the policy's page.
    pub instead: String,
    /// The title of the section of the wording that has the exclusion.
    pub section: String,
    /// The condition under which the exclusion applies. Left out if the exclusion always applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// Answers that avoid the exclusion. The website offers the first entry whose condition holds.
    #[serde(default, rename(deserialize = "fix"))]
    pub fixes: Vec<ExclusionFix>,
}

/// Answers that avoid an exclusion.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct ExclusionFix {
    /// The condition under which the answers are offered. Left out if they are always offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// The answers, such as another level of cover.
    #[schema(Values)]
    pub answers: Map<String, Value>,
    /// The text of the button, such as "Change to National".
    pub button: String,
    /// What the cover does with these answers.
    pub text: String,
}
