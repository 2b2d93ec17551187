//! Refunds.

use crate::domain::refund::Refund;
use crate::store::{StoreError, WriteTx, tables};

/// Writes a refund. It always belongs to the same policy, so its index row stays right.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, refund: &Refund) -> Result<(), StoreError> {
    tables::REFUNDS.put(tx, &refund.id, refund)?;
    tables::REFUND_BY_POLICY.put(tx, &(refund.policy, refund.id), &())
}
