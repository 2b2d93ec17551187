//! Which documents have which contents of the object store. A content that no row names is removed
//! there, and never one that a row names or is about to: both are decided here, in transactions.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::domain::document::Document;
use crate::store::tables::{self, Content, Removal};
use crate::store::{Direction, Read, StoreError, WriteTx};

/// How long removing a content may take, with clocks of several shops that differ a little. Whoever put
/// the same content before this was over can't know whether it is still there.
pub(in crate::app) const REMOVAL_TIME: TimeDelta = TimeDelta::minutes(2);

/// A content that was put into the object store, and when that was begun.
#[derive(Clone, Debug)]
pub(in crate::app) struct Put {
    /// The content.
    pub(in crate::app) content: Content,
    /// When it was begun to be put.
    pub(in crate::app) started: DateTime<Utc>,
}

/// The key of a product's document: the hash of its files, and which document.
pub(in crate::app) type OfProduct = (String, String);

/// Writes where the content of a document is and that it is made. False, and nothing is written,
/// where the content may have been removed since it was put: it is to be put again.
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

/// Writes where the content of a product's document is; as [`put_made`].
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

/// Removes a document, and what is known of its content. The content itself goes with the next
/// daily round, unless another row names it.
///
/// # Errors
/// When a row can't be read: without it nobody would know whose the content was.
pub(in crate::app) fn delete_document(tx: &mut WriteTx<'_>, id: &Uuid) -> Result<(), StoreError> {
    tables::DOCUMENTS.get(tx, id)?;
    tables::DOCUMENT_CONTENTS.get(tx, id)?;
    tables::DOCUMENTS.delete(tx, id)?;
    tables::DOCUMENT_CONTENTS.delete(tx, id)
}

/// Whether a row names a content.
pub(in crate::app) fn is_named(tx: &impl Read, sha256: &str) -> Result<bool, StoreError> {
    let by = sha256.to_string();
    let one = tables::DOCUMENT_BY_CONTENT.list(tx, &by, Direction::Forward, 1)?;
    Ok(!one.is_empty())
}

/// Writes down that a content is being removed; false, and nothing is written, where a row names it.
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

/// Forgets a removal that was over before a moment; true where it is forgotten.
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

/// Whether a content that was put is there for sure: then no removal of it is remembered any more.
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
