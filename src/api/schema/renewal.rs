//! JSON schemas of renewals.

use serde::{Deserialize, Serialize};

use crate::json_schema::{RequestSchema, ResponseSchema};

/// Whether the policy renews automatically.
#[derive(Serialize, ResponseSchema)]
pub struct AutoRenew {
    pub(in crate::api) auto_renew: bool,
}

/// Whether a policy is to renew automatically.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct AutoRenewRequest {
    pub(in crate::api) auto_renew: bool,
    /// How the renewal of a policy that is paid monthly is paid: `monthly`, or `annual` for at once. Without
    /// this, nothing changes.
    #[serde(default)]
    pub(in crate::api) payment_frequency: Option<String>,
}
