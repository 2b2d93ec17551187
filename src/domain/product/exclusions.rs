//! The exclusions of a cover, as data. They are the most frequent reasons for refused claims, so the customer
//! reads them before payment.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::product::condition::Condition;
use crate::domain::quote::answers::Values;
use crate::json_schema::ResponseSchema;

/// Something that the cover would not do.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverExclusion {
    /// Its name. The customer's answer is stored under it.
    pub id: String,
    /// The exclusion, in a line.
    pub title: String,
    /// The consequence, in one or two sentences.
    pub text: String,
    /// The advice on the policy's page.
    pub instead: String,
    /// The section of the wording that decides it.
    pub section: String,
    /// The condition of the exclusion. Absent: always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// Other answers without the exclusion. The first one whose condition holds is offered.
    #[serde(default, rename(deserialize = "fix"))]
    pub fixes: Vec<ExclusionFix>,
}

/// Answers that close an exclusion.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct ExclusionFix {
    /// The condition of the offer. Absent: always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// The answers, such as another level of cover.
    #[schema(Values)]
    pub answers: Map<String, Value>,
    /// The text of the button, such as "Change to National".
    pub button: String,
    /// What the cover does then.
    pub text: String,
}
