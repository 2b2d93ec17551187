//! Rows that name the blobs of documents. The daily round removes a blob that no row names. The
//! transactions in this file ensure that a blob with a row is not removed.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::domain::document::Document;
use crate::store::tables::{self, Content, Removal};
use crate::store::{Direction, Read, StoreError, WriteTx};

/// The longest time that the removal of a blob takes, including differences between the clocks of
/// several servers. A blob that is put again within this time may be removed.
pub(in crate::app) const REMOVAL_TIME: TimeDelta = TimeDelta::minutes(2);

/// A blob that was put into the blob store, and the start of that upload.
#[derive(Clone, Debug)]
pub(in crate::app) struct Put {
    /// The blob's hash, size and source.
    pub(in crate::app) content: Content,
    /// Start of the upload.
    pub(in crate::app) started: DateTime<Utc>,
}

/// Key of a product's document: the hash of the product's files, and the name of the document.
pub(in crate::app) type OfProduct = (String, String);

/// Stores the row that names a document's blob, and marks the document as made. Returns false and
/// writes nothing if the blob may have been removed since its upload. The caller must then put the
/// blob again.
pub(in crate::app) fn put_made(
    tx: &mut WriteTx<'_>,
    document: &Document,
    put: &Put,
    made: DateTime<Utc>,
) -> Result<bool, StoreError> {
    if !confirm_put(tx, put)? {
        return Ok(false);
    }
    tables::DOCUMENT_CONTENTS.put(tx, &document.id, &put.content)?;
    let document = Document {
        made: Some(made),
        ..document.clone()
    };
    tables::DOCUMENTS.put(tx, &document.id, &document)?;
    Ok(true)
}

/// Stores the row that names the blob of a product's document. Returns false and writes nothing if
/// the blob may have been removed since its upload.
pub(in crate::app) fn put_of_product(
    tx: &mut WriteTx<'_>,
    key: &OfProduct,
    put: &Put,
) -> Result<bool, StoreError> {
    if !confirm_put(tx, put)? {
        return Ok(false);
    }
    tables::PRODUCT_CONTENTS.put(tx, key, &put.content)?;
    Ok(true)
}

/// Deletes a document and the row of its blob. A later daily round deletes the blob itself, unless
/// another row names the blob.
///
/// # Errors
/// Fails if a row can't be read: the row is the only link between document and blob.
pub(in crate::app) fn delete_document(tx: &mut WriteTx<'_>, id: &Uuid) -> Result<(), StoreError> {
    tables::DOCUMENTS.get(tx, id)?;
    tables::DOCUMENT_CONTENTS.get(tx, id)?;
    tables::DOCUMENTS.delete(tx, id)?;
    tables::DOCUMENT_CONTENTS.delete(tx, id)
}

/// Returns whether a row names a blob.
pub(in crate::app) fn is_named(tx: &impl Read, sha256: &str) -> Result<bool, StoreError> {
    let by = sha256.to_string();
    let one = tables::DOCUMENT_BY_CONTENT.list(tx, &by, Direction::Forward, 1)?;
    Ok(!one.is_empty())
}

/// Stores that a blob is being removed. Returns false and writes nothing if a row names the blob.
pub(in crate::app) fn begin_removal(
    tx: &mut WriteTx<'_>,
    sha256: &str,
    time: DateTime<Utc>,
) -> Result<bool, StoreError> {
    if is_named(tx, sha256)? {
        return Ok(false);
    }
    tables::REMOVED_CONTENTS.put(tx, &sha256.to_string(), &Removal { at: time })?;
    Ok(true)
}

/// Deletes the row of a blob's removal if the removal was over at `before`. Returns whether the row
/// was deleted.
pub(in crate::app) fn forget_removal(
    tx: &mut WriteTx<'_>,
    sha256: &String,
    before: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let removal = tables::REMOVED_CONTENTS.get(tx, sha256)?;
    let is_over = removal.is_some_and(|removal| removal.at + REMOVAL_TIME < before);
    if is_over {
        tables::REMOVED_CONTENTS.delete(tx, sha256)?;
    }
    Ok(is_over)
}

/// Returns whether no removal can have deleted a blob after its upload began. If so, deletes the
/// row of an earlier removal.
fn confirm_put(tx: &mut WriteTx<'_>, put: &Put) -> Result<bool, StoreError> {
    let sha256 = &put.content.sha256;
    let Some(removal) = tables::REMOVED_CONTENTS.get(tx, sha256)? else {
        return Ok(true);
    };
    if put.started <= removal.at + REMOVAL_TIME {
        return Ok(false);
    }
    tables::REMOVED_CONTENTS.delete(tx, sha256)?;
    Ok(true)
}
