//! Documents of policies and quotes, and their pages.

use chrono::{DateTime, Utc};

use crate::domain::document::Document;
use crate::store::tables::{self, Pages};
use crate::store::{StoreError, WriteTx};

/// Writes a document. It always belongs to the same policy, so its index row stays right.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, document: &Document) -> Result<(), StoreError> {
    tables::DOCUMENTS.put(tx, &document.id, document)?;
    tables::DOCUMENT_BY_POLICY.put(tx, &(document.policy, document.id), &())
}

/// Writes the pages of a document and that it is made.
pub(in crate::app) fn put_made(
    tx: &mut WriteTx<'_>,
    document: &Document,
    pages: &Pages,
    made: DateTime<Utc>,
) -> Result<(), StoreError> {
    tables::DOCUMENT_PAGES.put(tx, &document.id, pages)?;
    let made = Some(made);
    put(
        tx,
        &Document {
            made,
            ..document.clone()
        },
    )
}

/// Removes a document and its pages.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, document: &Document) {
    tables::DOCUMENTS.delete(tx, &document.id);
    tables::DOCUMENT_BY_POLICY.delete(tx, &(document.policy, document.id));
    tables::DOCUMENT_PAGES.delete(tx, &document.id);
}
