//! What is counted against limits, where several shops serve one store.

use crate::store::tables::{self, LimitCount};
use crate::store::{StoreError, WriteTx};

/// Writes a count.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    key: [u8; 32],
    count: &LimitCount,
) -> Result<(), StoreError> {
    tables::LIMIT_COUNTS.put(tx, &key, count)
}

/// Forgets a count.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, key: [u8; 32]) {
    tables::LIMIT_COUNTS.delete(tx, &key);
}
