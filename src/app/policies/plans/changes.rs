//! Spreads the price of a change over the payments of a plan.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::policies::plans::payments::require_no_open_charge;
use crate::app::policies::queue_letter;
use crate::app::{AppError, documents};
use crate::domain::document::DocumentKind;
use crate::domain::money::Pence;
use crate::domain::policy::adjustment::{Adjustment, SpreadChange};
use crate::domain::policy::plan::{ChangeError, PaymentPlan};
use crate::store::tables::{self, PolicyNotification};
use crate::store::{Read, WriteTx};

/// Refuses a change while payments of the policy's plan are due.
///
/// # Errors
/// A conflict that names the amount.
pub(in crate::app) fn require_nothing_due(
    tx: &impl Read,
    policy: Uuid,
    today: NaiveDate,
) -> Result<(), AppError> {
    let plan = tables::PLANS.get(tx, &policy)?;
    let due = plan.map_or(Pence::ZERO, |plan| plan.due(today));
    if due > Pence::ZERO {
        return Err(payment_due(due));
    }
    Ok(())
}

/// Returns the plan of a policy after a change by `amount` from the day `effective` on. Returns `None` if the
/// policy has no plan, if the change costs nothing, or if its amount must be paid at once.
///
/// # Errors
/// A conflict if payments are due, or the policy has ended.
pub(in crate::app) fn plan_after(
    tx: &impl Read,
    policy: Uuid,
    (amount, effective): (Pence, NaiveDate),
    today: NaiveDate,
) -> Result<Option<(PaymentPlan, SpreadChange)>, AppError> {
    let plan = tables::PLANS.get(tx, &policy)?;
    let Some(mut plan) = plan.filter(|_| amount != Pence::ZERO) else {
        return Ok(None);
    };
    let before = plan.amounts();
    match plan.change_price(amount, effective, today) {
        Ok(refund) => Ok(Some((plan, SpreadChange { before, refund }))),
        Err(ChangeError::NoneLeft) => Ok(None),
        Err(ChangeError::Due(due)) => Err(payment_due(due)),
        Err(ChangeError::Ended) => {
            let why = "This policy has ended.";
            Err(AppError::conflict("already_ended", why))
        }
    }
}

/// Undoes a change that was spread over the plan of its policy. Returns what the customer has paid of it, which
/// is refunded.
///
/// # Errors
/// A conflict while a charge has no outcome, or if no payment is left for a decrease that is undone.
pub(in crate::app) fn undo_spread(
    tx: &mut WriteTx<'_>,
    change: &Adjustment,
    spread: &SpreadChange,
    today: NaiveDate,
) -> Result<Pence, AppError> {
    let policy = change.policy;
    let Some(mut plan) = tables::PLANS.get(tx, &policy)? else {
        return Ok(Pence::ZERO);
    };
    require_no_open_charge(tx, policy, &plan)?;
    let difference = spread.plan_difference(change.figures.amount);
    match plan.undo_change(&spread.before, difference, change.effective, today) {
        Ok(excess) => {
            tables::PLANS.put(tx, &policy, &plan)?;
            Ok(excess)
        }
        Err(ChangeError::Ended) => Ok(Pence::ZERO),
        Err(ChangeError::Due(_) | ChangeError::NoneLeft) => {
            let why = "All your payments are made, so this change can't be taken back any more. Please call us.";
            Err(AppError::conflict("invalid_state", why))
        }
    }
}

/// Orders the document of a plan whose payments changed, and queues the letter. `change` identifies the event.
pub(in crate::app) fn announce_new_plan(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    revision: u32,
    change: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let kind = DocumentKind::Plan;
    documents::order(tx, policy, kind, revision, Some(change), now)?;
    queue_letter(tx, policy, PolicyNotification::PlanChanged, now)
}

fn payment_due(due: Pence) -> AppError {
    AppError::conflict(
        "payment_due",
        format!("{due} of your monthly payments is due. Please pay that first."),
    )
}
