//! Log-ins, by the hash of their token.

use chrono::{DateTime, Utc};

use crate::domain::account::Session;
use crate::store::{StoreError, WriteTx, tables};

/// Writes a new log-in; it never changes.
pub(in crate::app) fn insert(
    tx: &mut WriteTx<'_>,
    hash: [u8; 32],
    session: &Session,
) -> Result<(), StoreError> {
    tables::SESSIONS.put(tx, &hash, session)?;
    tables::SESSION_BY_END.put(tx, &(session.expires, hash), &())?;
    tables::SESSION_BY_USER.put(tx, &(session.user, hash), &())
}

/// Removes a log-in that has ended, by its index row. That row is removed also where it belongs to no
/// log-in: no code here leaves such a row, and the removal of what has ended would meet it for ever.
pub(in crate::app) fn delete_ended(
    tx: &mut WriteTx<'_>,
    key: &(DateTime<Utc>, [u8; 32]),
) -> Result<(), StoreError> {
    delete(tx, key.1)?;
    tables::SESSION_BY_END.delete(tx, key);
    Ok(())
}

/// Removes a log-in, where there is one.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, hash: [u8; 32]) -> Result<(), StoreError> {
    if let Some(session) = tables::SESSIONS.get_readable(tx, &hash)? {
        tables::SESSIONS.delete(tx, &hash);
        tables::SESSION_BY_USER.delete(tx, &(session.user, hash));
        tables::SESSION_BY_END.delete(tx, &(session.expires, hash));
    }
    Ok(())
}
