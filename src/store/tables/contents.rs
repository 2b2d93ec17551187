//! Where the pages of documents are: their contents are in the object store.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A document's content in the object store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// SHA-256 of the bytes, in hexadecimal; they are found by it.
    pub sha256: String,
    /// How many bytes.
    pub size: u64,
    /// SHA-256 of the template, the layout it shares with others and the data, in hexadecimal.
    pub made_of: String,
}

/// A content that no row named is being removed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Removal {
    /// Since when.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}
