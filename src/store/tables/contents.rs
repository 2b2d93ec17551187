//! Where the bytes of documents are in the blob store.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A document's blob.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// SHA-256 of the bytes, in hexadecimal. It is the blob's name.
    pub sha256: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 of template, shared layout and data, in hexadecimal.
    pub made_of: String,
}

/// The removal of a blob that no row uses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Removal {
    /// Start of the removal.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}
