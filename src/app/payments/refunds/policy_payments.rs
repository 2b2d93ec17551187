//! Reads the refunds and the disputes of a policy's payments.

use uuid::Uuid;

use crate::app::AppError;
use crate::domain::payment::dispute::Dispute;
use crate::domain::payment::refund::Refund;
use crate::store::Read;
use crate::store::tables::{DISPUTE_BY_POLICY, DISPUTES, REFUND_BY_POLICY, REFUNDS};

/// Returns the refunds of a policy's payments.
pub(in crate::app) fn refunds_of(tx: &impl Read, policy: Uuid) -> Result<Vec<Refund>, AppError> {
    let found = REFUND_BY_POLICY.follow(tx, &policy, &REFUNDS)?;
    Ok(found.into_iter().map(|(_, refund)| refund).collect())
}

/// Returns the disputes of a policy's payments.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn disputes_of(tx: &impl Read, policy: Uuid) -> Result<Vec<Dispute>, AppError> {
    let found = DISPUTE_BY_POLICY.follow(tx, &policy, &DISPUTES)?;
    Ok(found.into_iter().map(|(_, dispute)| dispute).collect())
}
