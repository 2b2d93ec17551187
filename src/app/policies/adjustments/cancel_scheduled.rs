//! Cancels an adjustment before the adjustment takes effect, and refunds its payment.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::payments::ledger;
use crate::app::payments::refunds::unrefunded;
use crate::app::policies::plans::{announce_new_plan, undo_spread};
use crate::domain::deterministic_id::id_from_parts;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::policy::Policy;
use crate::domain::policy::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentKind, AdjustmentStatus,
};
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables;

/// Cancels the scheduled change of a policy that ends before the change, and refunds the change's
/// payment. Returns the id of the change, or `None` if no change is scheduled. `goes_on`: the policy ends on a
/// later day, and the payments of its plan until then are those without the change. The caller stores the
/// policy.
///
/// # Errors
/// If the store fails. If the policy goes on, also a conflict while a charge has no outcome.
pub(in crate::app) fn cancel_scheduled(
    tx: &mut WriteTx<'_>,
    policy: &mut Policy,
    goes_on: bool,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>, AppError> {
    let Some(scheduled) = policy.scheduled_change else {
        return Ok(None);
    };
    let adjustment = tables::ADJUSTMENTS.get(tx, &scheduled.id)?;
    let adjustment = adjustment.ok_or(AppError::NotFound)?;
    if goes_on {
        undo_agreed_spread(tx, policy, &adjustment, now)?;
    }
    end_adjustment(tx, policy, adjustment, AdjustmentEvent::PolicyEnds, now)?;
    Ok(Some(scheduled.id))
}

/// Restores the payments of the plan of a policy that goes on without an agreed change. Refunds what the customer
/// has paid of the change.
///
/// # Errors
/// If the store fails. A conflict while a charge has no outcome, or if no payment is left.
pub(super) fn undo_agreed_spread(
    tx: &mut WriteTx<'_>,
    policy: &Policy,
    adjustment: &Adjustment,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let spread = adjustment.spread.as_ref();
    let Some(spread) = spread.filter(|_| adjustment.status == AdjustmentStatus::Agreed) else {
        return Ok(());
    };
    let excess = undo_spread(tx, adjustment, spread, london_date(now))?;
    let refunds = unrefunded::refund_to_cards(tx, policy.uuid, adjustment.id, excess, now)?;
    let back: Pence = refunds.iter().map(|refund| refund.amount).sum();
    if back > Pence::ZERO {
        let entry = Entry::plan_refund(now, adjustment.id, back);
        ledger::post(tx, policy.uuid, &entry)?;
    }
    let withdrawal = id_from_parts(&[adjustment.id.as_bytes(), b"withdrawal"]);
    announce_new_plan(tx, policy.uuid, policy.revision, withdrawal, now)
}

/// Ends an adjustment that is not in force, and refunds its payment. Does nothing if `event` does not
/// apply to the adjustment. The caller stores the policy, and restores the payments of its plan.
///
/// # Errors
/// If the store fails.
pub(super) fn end_adjustment(
    tx: &mut WriteTx<'_>,
    policy: &mut Policy,
    mut adjustment: Adjustment,
    event: AdjustmentEvent,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Transition::Applied(status) = adjustment::apply(adjustment.status, event) else {
        return Ok(());
    };
    let was_agreed = adjustment.status == AdjustmentStatus::Agreed;
    let was_paid =
        was_agreed && adjustment.spread.is_none() && adjustment.kind() == AdjustmentKind::Increase;
    adjustment.status = status;
    adjustment.ended_at = Some(now);
    policy
        .scheduled_change
        .take_if(|scheduled| scheduled.id == adjustment.id);
    if was_paid {
        unrefunded::refund_adjustment(tx, policy.uuid, adjustment.id, now)?;
    }
    Ok(tables::ADJUSTMENTS.put(tx, &adjustment.id, &adjustment)?)
}
