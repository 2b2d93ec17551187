//! The JSON schema of the cover check's request.

use serde::Deserialize;

use crate::json_schema::RequestSchema;

/// The cover to find: a registration or a policy number, and the policyholder's postcode.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct CoverRequest {
    pub(in crate::api) registration: Option<String>,
    pub(in crate::api) reference: Option<String>,
    pub(in crate::api) postcode: String,
}
