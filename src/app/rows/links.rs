//! Mailed links, by the hash of their secret.

use chrono::{DateTime, Utc};

use crate::domain::account::Link;
use crate::store::{StoreError, WriteTx, tables};

/// Writes a new link; it never changes.
pub(in crate::app) fn insert(
    tx: &mut WriteTx<'_>,
    hash: [u8; 32],
    link: &Link,
) -> Result<(), StoreError> {
    tables::LINKS.put(tx, &hash, link)?;
    tables::LINK_BY_USER.put(tx, &(link.user, hash), &())?;
    tables::LINK_BY_END.put(tx, &(link.expires, hash), &())
}

/// Removes a link that has ended, by its index row. That row is removed also where it belongs to no
/// link: no code here leaves such a row, and the removal of what has ended would meet it for ever.
pub(in crate::app) fn delete_ended(
    tx: &mut WriteTx<'_>,
    key: &(DateTime<Utc>, [u8; 32]),
) -> Result<(), StoreError> {
    delete(tx, key.1)?;
    tables::LINK_BY_END.delete(tx, key);
    Ok(())
}

/// Removes a link, where there is one.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, hash: [u8; 32]) -> Result<(), StoreError> {
    if let Some(link) = tables::LINKS.get_readable(tx, &hash)? {
        tables::LINKS.delete(tx, &hash);
        tables::LINK_BY_USER.delete(tx, &(link.user, hash));
        tables::LINK_BY_END.delete(tx, &(link.expires, hash));
    }
    Ok(())
}
