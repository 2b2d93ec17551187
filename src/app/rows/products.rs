//! Product files. Where the documents of their versions are is in `contents`.

use crate::store::tables::{self, StoredProduct};
use crate::store::{StoreError, WriteTx};

/// Writes a product's file under its hash, and the hash under the product's version.
pub(in crate::app) fn insert(
    tx: &mut WriteTx<'_>,
    hash: &str,
    file: &StoredProduct,
) -> Result<(), StoreError> {
    let version = (file.identifier.clone(), file.version.clone());
    tables::PRODUCTS.put(tx, &hash.to_string(), file)?;
    tables::PRODUCT_VERSIONS.put(tx, &version, &hash.to_string())
}
