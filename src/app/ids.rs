//! Ids of new rows.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Returns a new id. Ids sort by their millisecond of creation.
pub(in crate::app) fn new_id(now: DateTime<Utc>) -> Uuid {
    let seconds = now.timestamp().try_into().unwrap_or_default();
    let timestamp =
        uuid::Timestamp::from_unix(uuid::NoContext, seconds, now.timestamp_subsec_nanos());
    Uuid::new_v7(timestamp)
}
