//! The refunds and the disputes of a policy's payments.

use uuid::Uuid;

use crate::app::AppError;
use crate::domain::dispute::Dispute;
use crate::domain::refund::Refund;
use crate::store::tables::{DISPUTE_BY_POLICY, DISPUTES, REFUND_BY_POLICY, REFUNDS};
use crate::store::{Direction, Read};

/// The refunds of a policy's payments.
pub(in crate::app) fn refunds_of(tx: &impl Read, policy: Uuid) -> Result<Vec<Refund>, AppError> {
    let mut found = Vec::new();
    for ((_, id), ()) in REFUND_BY_POLICY.list(tx, &policy, Direction::Forward, usize::MAX)? {
        found.extend(REFUNDS.get(tx, &id)?);
    }
    Ok(found)
}

/// The disputes of a policy's payments.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn disputes_of(tx: &impl Read, policy: Uuid) -> Result<Vec<Dispute>, AppError> {
    let mut found = Vec::new();
    for ((_, id), ()) in DISPUTE_BY_POLICY.list(tx, &policy, Direction::Forward, usize::MAX)? {
        found.extend(DISPUTES.get(tx, &id)?);
    }
    Ok(found)
}
