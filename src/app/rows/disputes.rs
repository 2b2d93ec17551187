//! Disputes.

use crate::domain::dispute::Dispute;
use crate::store::{StoreError, WriteTx, tables};

/// Writes a dispute. It always belongs to the same policy, so its index row stays right.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, dispute: &Dispute) -> Result<(), StoreError> {
    tables::DISPUTES.put(tx, &dispute.id, dispute)?;
    tables::DISPUTE_BY_POLICY.put(tx, &(dispute.policy, dispute.id), &())
}
