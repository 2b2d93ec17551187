//! Where the store is.

use std::path::PathBuf;

use serde::Deserialize;

use super::rules::{number_between, optional_text, or_empty, rules, size};
use super::source::ConfigError;
use crate::secret::Secret;

/// Where the store is: in a file of the data folder, or in a database.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    /// The database; none for the file. It may hold a password.
    #[serde(deserialize_with = "database_or_empty")]
    pub url: Option<Secret>,
    /// The password of the user that the address names.
    #[serde(deserialize_with = "optional_text")]
    pub password: Option<Secret>,
    /// A file that holds it.
    #[serde(deserialize_with = "optional_text")]
    pub password_file: Option<PathBuf>,
    /// Certificates to trust beside the usual authorities.
    #[serde(deserialize_with = "optional_text")]
    pub ca_file: Option<PathBuf>,
    /// Most connections that read at the same time.
    #[serde(deserialize_with = "number_between::<1, 1_000, _, _>")]
    pub connections: usize,
    /// Bytes of a file that a shop may hold in memory.
    #[serde(deserialize_with = "cache")]
    pub cache: usize,
}

rules! {
    database_or_empty: Option<Secret>,
        "empty, or the address of a database, such as postgres://layby@host:5432/layby",
        |value| or_empty(value, |text| is_database(text).then(|| Secret::from(text.to_owned())));
    cache: usize, "a size from 4 MiB, such as 128 MiB",
        |value| size(value).and_then(|size| size.try_into().ok()).filter(|size| *size >= 4 << 20);
}

/// Whether a text is the address of a database.
#[must_use]
pub fn is_database(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

impl StoreSettings {
    /// Refuses two passwords.
    pub(super) fn check_combinations(&self) -> Result<(), ConfigError> {
        if self.password.is_some() && self.password_file.is_some() {
            return Err(ConfigError::Conflict(
                "store.password and store.password_file must not both be given",
            ));
        }
        Ok(())
    }
}
