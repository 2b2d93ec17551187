//! Rows in batches, in the order of their keys.

use std::ops::ControlFlow;

use crate::store::engine::{Direction, Read};
use crate::store::error::StoreError;

/// Rows after which a batch is full.
const BATCH_ROWS: usize = 1000;
/// Bytes of values after which a batch is full. A slow database writes such a batch within one time-out.
pub(super) const BATCH_BYTES: usize = 256 << 10;
/// Bounds before and after the keys of all tables.
pub(super) const ALL: (&[u8], &[u8]) = (&[], &[u8::MAX]);

/// A key and its value, as they are stored.
pub type KeyValue = (Vec<u8>, Vec<u8>);

/// Returns the first rows of a range, up to a full batch, and whether the range has no more rows.
pub(super) fn next_batch(
    tx: &impl Read,
    from: &[u8],
    to: &[u8],
) -> Result<(Vec<KeyValue>, bool), StoreError> {
    let (mut rows, mut bytes, mut is_last) = (Vec::new(), 0, true);
    tx.scan(from, to, Direction::Forward, &mut |key, row| {
        if rows.len() >= BATCH_ROWS || bytes >= BATCH_BYTES {
            is_last = false;
            return ControlFlow::Break(());
        }
        bytes += row.len();
        rows.push((key.to_vec(), row.to_vec()));
        ControlFlow::Continue(())
    })?;
    Ok((rows, is_last))
}

/// Returns the smallest key that sorts after `key`.
pub(super) fn key_after(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}
