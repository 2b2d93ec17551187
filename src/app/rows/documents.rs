//! Documents of policies and quotes. Where their pages are is in `contents`.

use chrono::{DateTime, Utc};

use super::contents::{self, Put};
use crate::domain::document::Document;
use crate::store::tables;
use crate::store::{StoreError, WriteTx};

/// Writes a document. It always belongs to the same policy, so its index row stays right.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, document: &Document) -> Result<(), StoreError> {
    tables::DOCUMENTS.put(tx, &document.id, document)?;
    tables::DOCUMENT_BY_POLICY.put(tx, &(document.policy, document.id), &())
}

/// Writes where the content of a document is and that it is made; false, and nothing is written, where
/// the content is to be put again.
pub(in crate::app) fn put_made(
    tx: &mut WriteTx<'_>,
    document: &Document,
    content: &Put,
    made: DateTime<Utc>,
) -> Result<bool, StoreError> {
    if !contents::put(tx, document.id, content)? {
        return Ok(false);
    }
    let made = Some(made);
    put(
        tx,
        &Document {
            made,
            ..document.clone()
        },
    )?;
    Ok(true)
}

/// Removes a document, and what is known of its content.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, document: &Document) -> Result<(), StoreError> {
    tables::DOCUMENTS.delete(tx, &document.id);
    tables::DOCUMENT_BY_POLICY.delete(tx, &(document.policy, document.id));
    contents::delete(tx, document.id)
}
