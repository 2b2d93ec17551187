//! Counts against limits that several nodes share.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// What a limit stores about one client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitCount {
    /// GCRA: the theoretical arrival time of the next request.
    Rate(#[serde(with = "chrono::serde::ts_microseconds")] DateTime<Utc>),
    /// Tries. Each try may delay the next try.
    Tries(Tries),
    /// The times of the last hour's actions, oldest first, in microseconds since 1970.
    Times(Vec<i64>),
    /// The client that opened the payment page of an attempt.
    Client {
        /// The client's network.
        network: String,
        /// Time of the opening.
        #[serde(with = "chrono::serde::ts_microseconds")]
        at: DateTime<Utc>,
    },
}

/// Counted tries of one client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tries {
    /// Number of tries.
    pub count: u32,
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub last: DateTime<Utc>,
    /// Time before which no further try is allowed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub until: DateTime<Utc>,
}
