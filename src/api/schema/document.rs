//! JSON schemas of document requests.

use indexmap::IndexMap;
use poem_openapi::registry::MetaSchema;
use serde::{Deserialize, Serialize};

use crate::config::ExternalDocument;
use crate::json_schema::{RequestSchema, ResponseSchema, schema_of};

/// Documents at other addresses.
#[derive(Serialize, ResponseSchema)]
pub struct ExternalDocuments {
    pub(in crate::api) external: Vec<ExternalDocument>,
}

/// Documents to check.
#[derive(Deserialize, RequestSchema)]
#[serde(remote = "Self")]
pub struct Check {
    /// The identifiers of at most 100 documents.
    pub(in crate::api) docs: Vec<String>,
}

/// Whether each document can be fetched, in the order of the request.
#[derive(Serialize)]
#[serde(transparent)]
pub struct ReadyDocuments(pub IndexMap<String, bool>);

schema_of!(inline ReadyDocuments, "map_boolean", MetaSchema {
    additional_properties: Some(Box::new(bool::schema_ref())),
    ..MetaSchema::new("object")
});
