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
    /// Its name, under which the customer's answer is kept.
    pub id: String,
    /// What isn't covered, in a line.
    pub title: String,
    /// What happens then, in a sentence or two.
    pub text: String,
    /// What to do instead, as the policy's page says it.
    pub instead: String,
    /// The section of the wording that decides it.
    pub section: String,
    /// When the cover has this exclusion; always where it doesn't say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// Other answers that close it. The first whose condition holds is offered.
    #[serde(default, rename(deserialize = "fix"))]
    pub fixes: Vec<ExclusionFix>,
}

/// Answers that close an exclusion.
#[derive(Clone, Debug, Serialize, Deserialize, ResponseSchema)]
#[serde(deny_unknown_fields)]
pub struct ExclusionFix {
    /// When it is offered; always where it doesn't say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// The answers, such as another level of cover.
    #[schema(Values)]
    pub answers: Map<String, Value>,
    /// What the button says, such as "Change to National".
    pub button: String,
    /// What the cover does then.
    pub text: String,
}
