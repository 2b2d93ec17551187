//! Secrets made for this store.

use crate::store::{StoreError, WriteTx, tables};

/// Writes a secret under its name.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    name: &str,
    secret: &String,
) -> Result<(), StoreError> {
    tables::SECRETS.put(tx, &name.to_string(), secret)
}
