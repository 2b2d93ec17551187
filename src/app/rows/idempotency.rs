//! First answers to calls that carried an `Idempotency-Key`.

use chrono::{DateTime, Utc};

use crate::store::tables::{self, Answered};
use crate::store::{Direction, StoreError, WriteTx};

/// Writes an answer under the hash of its call. A key that is used again after its day has an
/// older answer, which this one replaces.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    call: [u8; 32],
    answer: &Answered,
) -> Result<(), StoreError> {
    if let Some(older) = tables::ANSWERED.get(tx, &call)? {
        tables::ANSWERED_BY_TIME.delete(tx, &(older.at, call));
    }
    tables::ANSWERED.put(tx, &call, answer)?;
    tables::ANSWERED_BY_TIME.put(tx, &(answer.at, call), &())
}

/// Removes up to `limit` answers that were given at `until` or before; true when there may be
/// more of them.
pub(in crate::app) fn delete_until(
    tx: &mut WriteTx<'_>,
    until: DateTime<Utc>,
    limit: usize,
) -> Result<bool, StoreError> {
    let mut old = tables::ANSWERED_BY_TIME.list_readable(tx, &(), Direction::Forward, limit)?;
    old.retain(|((at, _), ())| *at <= until);
    for (key, ()) in &old {
        tables::ANSWERED_BY_TIME.delete(tx, key);
        tables::ANSWERED.delete(tx, &key.1);
    }
    Ok(old.len() == limit)
}
