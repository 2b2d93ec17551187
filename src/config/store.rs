//! Settings of the store.

use std::path::PathBuf;

use serde::Deserialize;

use super::rules::{number_between, optional_text, or_empty, rules, size};
use super::source::Mistakes;
use crate::secret::Secret;

/// Settings of the store, which is a file in the data folder or a database.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    /// Address of the database, which may contain a password. If `None`, the store is a file.
    #[serde(deserialize_with = "database_or_empty")]
    pub url: Option<Secret>,
    /// Password of the user in the address.
    #[serde(deserialize_with = "optional_text")]
    pub password: Option<Secret>,
    /// File that contains the password.
    #[serde(deserialize_with = "optional_text")]
    pub password_file: Option<PathBuf>,
    /// File of certificates to trust beside the usual authorities.
    #[serde(deserialize_with = "optional_text")]
    pub ca_file: Option<PathBuf>,
    /// Maximum number of connections that read from the database at the same time.
    #[serde(deserialize_with = "number_between::<1, 1_000, _, _>")]
    pub connections: usize,
    /// Maximum number of bytes of the store's file that the shop caches in memory.
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

/// Returns whether a text is the address of a database.
#[must_use]
pub fn is_database(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

impl StoreSettings {
    /// Rejects settings with both `password` and `password_file`.
    pub(super) fn check_combinations(&self, mistakes: &mut Mistakes) {
        mistakes.refuse_if(
            self.password.is_some() && self.password_file.is_some(),
            "store.password and store.password_file must not both be given",
        );
    }
}
