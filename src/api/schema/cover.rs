//! The JSON schema of the cover check's request.

use serde::Deserialize;

use crate::json_schema::RequestSchema;

/// The cover to find, by a registration or a policy number. A request with both or neither gets a 422.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct CoverRequest {
    pub(in crate::api) registration: Option<String>,
    /// The policy number.
    pub(in crate::api) reference: Option<String>,
    /// The policyholder's postcode.
    pub(in crate::api) postcode: String,
}
