//! Counts unreadable rows, and logs each row with table and key, at most once a day per row.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::StoreError;
use crate::metrics;

/// Time after which a row that still can't be read is logged again.
const LOG_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
/// Most rows in memory. Until an entry is 24 hours old, the shop neither counts nor logs further rows.
const MAX_ROWS: usize = 10_000;

/// Tables whose keys are personal data. The log has the keys' SHA-256 instead.
const PERSONAL_KEYS: [&str; 6] = [
    "unclaimed_by_name",
    "quote_mails",
    "policy_by_registration",
    "policy_by_mailbox",
    "user_by_name",
    "refused_addresses",
];

/// Time of the last log entry, by the row's key with the table's number, or by a document's id.
static LOGGED: LazyLock<Mutex<HashMap<Vec<u8>, Instant>>> = LazyLock::new(Mutex::default);

/// Returns whether `key` must be logged now, and marks `key` as logged. Returns `false` if `key`, or
/// `MAX_ROWS` other keys, were logged in the last 24 hours.
pub fn is_first_today(key: &[u8]) -> bool {
    let now = Instant::now();
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    logged.retain(|_, logged_at| now.duration_since(*logged_at) < LOG_INTERVAL);
    if logged.contains_key(key) || logged.len() >= MAX_ROWS {
        return false;
    }
    logged.insert(key.to_vec(), now);
    true
}

/// Counts and logs the row at `key`, at most once a day. The key begins with the table's number.
pub(super) fn note(table: &'static str, key: &[u8], error: &StoreError) {
    if !is_first_today(key) {
        return;
    }
    metrics::row_unreadable(table);
    // A key may be an address or a registration.
    let key = if PERSONAL_KEYS.contains(&table) {
        HEXLOWER.encode(&Sha256::digest(key.get(1..).unwrap_or_default()))
    } else {
        HEXLOWER.encode(key.get(1..).unwrap_or_default())
    };
    tracing::error!(%error, table, key, "a row can't be read and is skipped");
}
