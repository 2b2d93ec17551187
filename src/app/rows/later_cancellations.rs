//! Cancellations that were asked for a later day.

use crate::domain::cancellation::LaterCancellation;
use crate::store::{StoreError, WriteTx, tables};

/// Writes a cancellation. It always belongs to the same policy, so its index row stays right.
pub(in crate::app) fn put(
    tx: &mut WriteTx<'_>,
    cancellation: &LaterCancellation,
) -> Result<(), StoreError> {
    tables::LATER_CANCELLATIONS.put(tx, &cancellation.id, cancellation)?;
    let key = (cancellation.policy, cancellation.id);
    tables::LATER_CANCELLATION_BY_POLICY.put(tx, &key, &())
}
