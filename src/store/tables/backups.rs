//! Backups of the store, and a shop that was restored from one.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// What the store knows of its backups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupState {
    /// First start of a shop on the store.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub since: DateTime<Utc>,
    /// Start of the newest backup. In a copy, this is the moment of its rows.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub started: Option<DateTime<Utc>>,
    /// The newest backup that was read again and was the same.
    pub newest: Option<GoodBackup>,
}

/// A backup that was read again and was the same as the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoodBackup {
    /// Start of the backup. The copy has the rows of this moment.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub moment: DateTime<Utc>,
    pub rows: u64,
    /// Size of the file.
    pub bytes: u64,
}

/// A shop that was restored from a backup, and that sells nothing until `layby resume`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldShop {
    /// Moment of the backup's rows.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub copied: DateTime<Utc>,
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub restored: DateTime<Utc>,
}
