//! Product files, and the pages of the documents of their versions.

use crate::store::tables::{self, Pages, StoredProduct};
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

/// Writes the pages of a document of the product whose files have `hash`.
pub(in crate::app) fn put_pages(
    tx: &mut WriteTx<'_>,
    hash: &str,
    document: &str,
    pages: &Pages,
) -> Result<(), StoreError> {
    let key = (hash.to_string(), document.to_string());
    tables::PRODUCT_PAGES.put(tx, &key, pages)
}
