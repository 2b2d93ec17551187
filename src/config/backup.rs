//! Settings of the daily backup.

use std::path::PathBuf;

use chrono::NaiveTime;
use serde::Deserialize;

use super::rules::{number_between, optional_text, rules};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupSettings {
    /// Folder of the backups; `None` for no daily backup.
    #[serde(deserialize_with = "optional_text")]
    pub folder: Option<PathBuf>,
    /// London time of the daily backup.
    #[serde(deserialize_with = "time_of_day")]
    pub at: NaiveTime,
    /// Number of daily backups that stay in the folder.
    #[serde(deserialize_with = "number_between::<1, 3650, _, _>")]
    pub keep: usize,
}

rules! {
    time_of_day: NaiveTime, "a time of day, such as 03:30",
        |value| NaiveTime::parse_from_str(value.as_str()?, "%H:%M").ok();
}
