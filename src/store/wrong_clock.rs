//! A clock that the store's newest write contradicts.

use chrono::{DateTime, Utc};

/// Format of times for the operator.
const SECONDS: &str = "%Y-%m-%d %H:%M:%S UTC";

/// A clock that the store's newest write contradicts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this machine's clock says {}, and the store was last written at {}: set the clock, or run `layby \
     resume --clock` if the clock is right", .now.format(SECONDS), .newest.format(SECONDS)
)]
pub struct WrongClock {
    /// The clock's time.
    pub now: DateTime<Utc>,
    /// The newest stored time of a write.
    pub newest: DateTime<Utc>,
}
