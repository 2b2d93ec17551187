//! Stored data of rescue cards. The cards are on the customers' devices. The store has only the hashes of
//! the cards' keys.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The rescue cards of one policy.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StoredRescueCards {
    /// A key for each device, oldest first.
    pub keys: Vec<RescueCardKey>,
}

/// The key by which a device reads its card again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RescueCardKey {
    /// SHA-256 of the key, in hexadecimal.
    pub hash: String,
    /// When the shop made the key.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub made: DateTime<Utc>,
}
