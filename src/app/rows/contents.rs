//! Which documents have which contents of the object store. A content that no row names is removed
//! there, and never one that a row names or is about to: both are decided here, in transactions.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::domain::deterministic_id;
use crate::store::tables::{self, Content, Removal};
use crate::store::{Direction, Read, StoreError, WriteTx};

/// How long removing a content may take, with clocks of several shops that differ a little. Whoever put
/// the same content before this was over can't know whether it is still there.
pub(in crate::app) const REMOVING: TimeDelta = TimeDelta::minutes(2);

/// A content that was put into the object store, and when that was begun.
#[derive(Clone, Debug)]
pub(in crate::app) struct Put {
    /// The content.
    pub(in crate::app) content: Content,
    /// When it was begun to be put.
    pub(in crate::app) begun: DateTime<Utc>,
}

/// The key of a product's document: the hash of its files, and which document.
pub(in crate::app) type OfProduct = (String, String);

/// Writes where a document's content is. False, and nothing is
/// written, where the content may have been removed since it was put: it is to be put again.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    document: Uuid,
    put: &Put,
) -> Result<bool, StoreError> {
    if !take(tx, put)? {
        return Ok(false);
    }
    delete(tx, document)?;
    let content = &put.content;
    tables::DOCUMENT_CONTENTS.put(tx, &document, content)?;
    tables::DOCUMENT_BY_CONTENT.put(tx, &(content.sha256.clone(), document), &())?;
    Ok(true)
}

/// The same for a product's document.
pub(in crate::app) fn put_of_product(
    tx: &mut WriteTx<'_>,
    key: &OfProduct,
    put: &Put,
) -> Result<bool, StoreError> {
    if !take(tx, put)? {
        return Ok(false);
    }
    let id = id_of_product(key);
    if let Some(older) = tables::PRODUCT_CONTENTS.get(tx, key)? {
        tables::DOCUMENT_BY_CONTENT.delete(tx, &(older.sha256, id));
    }
    let content = &put.content;
    tables::PRODUCT_CONTENTS.put(tx, key, content)?;
    tables::DOCUMENT_BY_CONTENT.put(tx, &(content.sha256.clone(), id), &())?;
    Ok(true)
}

/// What stands for a product's document among those that have a content.
pub(in crate::app) fn id_of_product((hash, document): &OfProduct) -> Uuid {
    deterministic_id::of_parts(&[hash.as_bytes(), document.as_bytes()])
}

/// Removes what is known of a document's content. The content itself goes with the next
/// daily round, unless another row names it.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, document: Uuid) -> Result<(), StoreError> {
    if let Some(older) = tables::DOCUMENT_CONTENTS.get(tx, &document)? {
        tables::DOCUMENT_BY_CONTENT.delete(tx, &(older.sha256, document));
    }
    tables::DOCUMENT_CONTENTS.delete(tx, &document);
    Ok(())
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
    at: DateTime<Utc>,
) -> Result<bool, StoreError> {
    if is_named(tx, sha256)? {
        return Ok(false);
    }
    tables::REMOVED_CONTENTS.put(tx, &sha256.to_string(), &Removal { at })?;
    Ok(true)
}

/// Forgets a removal that was over before a moment; true where it is forgotten.
pub(in crate::app) fn forget_removal(
    tx: &mut WriteTx<'_>,
    sha256: &String,
    before: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let removal = tables::REMOVED_CONTENTS.get(tx, sha256)?;
    let is_over = removal.is_some_and(|removal| removal.at + REMOVING < before);
    if is_over {
        tables::REMOVED_CONTENTS.delete(tx, sha256);
    }
    Ok(is_over)
}

/// Whether a content that was put is there for sure: then no removal of it is remembered any more.
fn take(tx: &mut WriteTx<'_>, put: &Put) -> Result<bool, StoreError> {
    let sha256 = &put.content.sha256;
    let Some(removal) = tables::REMOVED_CONTENTS.get(tx, sha256)? else {
        return Ok(true);
    };
    if put.begun <= removal.at + REMOVING {
        return Ok(false);
    }
    tables::REMOVED_CONTENTS.delete(tx, sha256);
    Ok(true)
}
