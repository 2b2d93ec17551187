//! What is counted against limits, where several shops serve one store.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// What is counted of somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitCount {
    /// The theoretical arrival time of the next.
    Rate(#[serde(with = "chrono::serde::ts_microseconds")] DateTime<Utc>),
    /// Tries, each of which may make the next one wait.
    Tries(Tries),
    /// Who had the payment page of an attempt made.
    Client {
        /// Their network.
        network: String,
        /// When.
        #[serde(with = "chrono::serde::ts_microseconds")]
        at: DateTime<Utc>,
    },
}

/// Tries that were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tries {
    /// How many.
    pub count: u32,
    /// When the last was made.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub last: DateTime<Utc>,
    /// Until when the next has to wait.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub until: DateTime<Utc>,
}
