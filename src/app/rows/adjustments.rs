//! Adjustments of policies.

use crate::domain::adjustment::Adjustment;
use crate::store::{StoreError, WriteTx, tables};

/// Writes an adjustment. It always belongs to the same policy, so its index row stays right.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, adjustment: &Adjustment) -> Result<(), StoreError> {
    tables::ADJUSTMENTS.put(tx, &adjustment.id, adjustment)?;
    tables::ADJUSTMENT_BY_POLICY.put(tx, &(adjustment.policy, adjustment.id), &())
}
