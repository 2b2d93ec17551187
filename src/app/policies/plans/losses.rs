//! Makes the instalments of a plan due again whose payment a bank or a gateway took back.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::payments::refunds::unrefunded::refund_to_cards;
use crate::app::payments::{balance_of, ledger};
use crate::domain::deterministic_id::id_from_parts;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::Payment;
use crate::domain::policy::plan::PlanStatus;
use crate::domain::time::dates::london_date;
use crate::store::WriteTx;
use crate::store::tables::{self, PLANS};

/// Applies what is lost of a payment to the plan that it paid for. `cause_id` is the dispute or the payment. After
/// a won appeal, refunds what the customer paid again meanwhile. Returns whether all that is lost is due again.
pub(in crate::app) fn apply_loss(
    tx: &mut WriteTx<'_>,
    payment: Uuid,
    cause_id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let payment = tables::PAYMENTS.get(tx, &payment)?;
    let Some(payment) = payment.filter(Payment::is_applied) else {
        return Ok(false);
    };
    let policy = payment.quote;
    let Some(mut plan) = PLANS.get(tx, &policy)? else {
        return Ok(false);
    };
    let numbers = payment.purpose.instalments();
    let lost = balance_of(tx, payment.id)?.unrefunded_loss();
    let change = plan.record_loss(payment.id, &numbers, lost, london_date(now));
    PLANS.put(tx, &policy, &plan)?;
    if change.due_again != Pence::ZERO {
        let entry = Entry::due_again(now, cause_id, change.due_again);
        ledger::post(tx, policy, &entry)?;
    }
    if change.paid_twice > Pence::ZERO {
        let cause_id = paid_twice_cause(cause_id, lost);
        let entry = Entry::plan_refund(now, cause_id, change.paid_twice);
        ledger::post(tx, policy, &entry)?;
        refund_to_cards(tx, policy, cause_id, change.paid_twice, now)?;
    }
    Ok(plan.status != PlanStatus::Ended && plan.lost_of(payment.id) == lost)
}

/// Returns the cause of the refund of what is paid twice, after a dispute that leaves `lost`. A dispute can return
/// its money in parts.
pub(in crate::app) fn paid_twice_cause(cause_id: Uuid, lost: Pence) -> Uuid {
    id_from_parts(&[b"paid twice", cause_id.as_bytes(), &lost.0.to_be_bytes()])
}
