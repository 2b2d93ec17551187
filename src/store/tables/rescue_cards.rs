//! What is kept of rescue cards: not the cards, which are on their devices, but what opens them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The rescue cards of one policy.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StoredRescueCards {
    /// A key for each device, the oldest first.
    pub keys: Vec<RescueCardKey>,
}

/// What a device shows to read its card again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RescueCardKey {
    /// Its hash, hexadecimal.
    pub hash: String,
    /// When the card was kept.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub made: DateTime<Utc>,
}
