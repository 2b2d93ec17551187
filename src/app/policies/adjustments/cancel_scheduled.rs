//! Giving up an adjustment: it never comes, and what was paid for it goes back.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::payments::refunds::unrefunded;
use crate::domain::policy::Policy;
use crate::domain::policy::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentKind, AdjustmentStatus,
};
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables;

/// Drops the change that is agreed for a later day of a policy which ends before it, and pays back
/// what was paid for it. The caller puts the policy. Answers the change's id.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn drop_coming(
    tx: &mut WriteTx<'_>,
    policy: &mut Policy,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>, AppError> {
    let Some(coming) = policy.coming_change else {
        return Ok(None);
    };
    let adjustment = tables::ADJUSTMENTS.get(tx, &coming.id)?;
    let adjustment = adjustment.ok_or(AppError::NotFound)?;
    give_up(tx, policy, adjustment, AdjustmentEvent::PolicyEnds, now)?;
    Ok(Some(coming.id))
}

/// Gives up a change that is not in force, and pays back what was paid for it. The caller puts the
/// policy.
///
/// # Errors
/// When the store fails.
pub(super) fn give_up(
    tx: &mut WriteTx<'_>,
    policy: &mut Policy,
    mut adjustment: Adjustment,
    event: AdjustmentEvent,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Transition::Applied(status) = adjustment::apply(adjustment.status, event) else {
        return Ok(());
    };
    let was_paid = adjustment.status == AdjustmentStatus::Agreed
        && adjustment.kind() == AdjustmentKind::Increase;
    adjustment.status = status;
    adjustment.given_up = Some(now);
    policy
        .coming_change
        .take_if(|coming| coming.id == adjustment.id);
    if was_paid {
        unrefunded::refund_adjustment(tx, policy.uuid, adjustment.id, now)?;
    }
    Ok(tables::ADJUSTMENTS.put(tx, &adjustment.id, &adjustment)?)
}
