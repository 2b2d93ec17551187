//! Mailed links, by the hash of their secret.

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

/// Removes a link, where there is one.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, hash: [u8; 32]) -> Result<(), StoreError> {
    if let Some(link) = tables::LINKS.get(tx, &hash)? {
        tables::LINKS.delete(tx, &hash);
        tables::LINK_BY_USER.delete(tx, &(link.user, hash));
        tables::LINK_BY_END.delete(tx, &(link.expires, hash));
    }
    Ok(())
}
