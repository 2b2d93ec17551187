//! Documents, as clients ask for them.

use serde::{Deserialize, Serialize};

use crate::config::ExternalDocument;
use crate::schema::{RequestSchema, ResponseSchema};

/// Documents that live elsewhere.
#[derive(Serialize, ResponseSchema)]
pub struct ExternalDocuments {
    pub(in crate::api) external: Vec<ExternalDocument>,
}

/// Which documents to look for.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct Check {
    /// At most 100 identifiers.
    pub(in crate::api) docs: Vec<String>,
}
