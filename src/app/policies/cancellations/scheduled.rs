//! A cancellation for a later day: it is written down, and done when its day has come.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::policies::adjustments::cancel_scheduled;
use crate::app::policies::cancellations::CancellationRequest;
use crate::app::policies::cancellations::end::{Termination, check_basis, end};
use crate::app::policies::cancellations::refund_basis::{CancellationDate, RefundBasis};
use crate::app::policies::queue_letter;
use crate::app::policies::renewals::{queue_requote, send_renewal_notice};
use crate::app::{AppError, Caller, access};
use crate::domain::policy::cancellation::{
    self, ScheduledCancellation, ScheduledCancellationEvent, ScheduledStatus,
};
use crate::domain::policy::{Policy, ScheduledEvent};
use crate::domain::quote::{Quote, QuoteEvent, QuoteStatus};
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, PolicyNotification};

/// Writes down that a policy is to be cancelled on a later day, which was checked. A change that is
/// agreed for that day or a later one never comes, and is paid back now.
///
/// # Errors
/// A conflict when the policy has changed since `basis` was read.
pub(super) fn ask(
    tx: &mut WriteTx<'_>,
    (quote, mut policy): (Quote, Policy),
    basis: &RefundBasis,
    request: CancellationRequest,
    (id, now): (Uuid, DateTime<Utc>),
) -> Result<(), AppError> {
    if quote.status != QuoteStatus::Live {
        let why = "This policy has ended.";
        return Err(AppError::conflict("already_ended", why));
    }
    check_basis(&policy, basis)?;
    if policy.scheduled_end.is_some() {
        let why = "Your policy is to end on a later day already. Withdraw that cancellation first.";
        return Err(AppError::conflict("already_pending", why));
    }
    let end = CancellationDate {
        day: request.effective,
        is_immediate: false,
    };
    let refund = basis.refund(tx, end)?;
    let dropped = if basis.cancels_scheduled_change(end) {
        cancel_scheduled(tx, &mut policy, now)?
    } else {
        None
    };
    let scheduled = ScheduledCancellation {
        id,
        policy: policy.uuid,
        status: ScheduledStatus::Pending,
        reason: request.reason,
        note: request.note,
        effective: request.effective,
        created: now,
        refund,
        dropped,
        ended_at: None,
    };
    policy.scheduled_end = Some(ScheduledEvent {
        id,
        on: scheduled.effective,
    });
    tables::SCHEDULED_CANCELLATIONS.put_new(tx, &scheduled.id, &scheduled)?;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    if dropped.is_some() {
        queue_requote(tx, &policy, id, now)?;
    }
    let news = PolicyNotification::CancellationAgreed { cancellation: id };
    queue_letter(tx, policy.uuid, news, now)
}

/// Takes back a cancellation whose day has not begun, unless that is done already. The policy goes
/// on as before, and so does its renewal.
///
/// # Errors
/// A conflict when its day has begun, or the policy has ended.
pub(super) fn withdraw(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let scheduled = tables::SCHEDULED_CANCELLATIONS.get(tx, &id)?;
    let mut scheduled = scheduled.ok_or(AppError::NotFound)?;
    let (_, mut policy) = access::owned_policy(tx, caller, scheduled.policy, now)?;
    match cancellation::apply(scheduled.status, ScheduledCancellationEvent::Withdrawn) {
        Transition::Applied(_) if scheduled.effective <= london_date(now) => {
            let why = "The day of this cancellation has begun, so it can't be withdrawn any more.";
            return Err(AppError::conflict("invalid_state", why));
        }
        Transition::Applied(status) => scheduled.status = status,
        Transition::AlreadyApplied => return Ok(()),
        Transition::Refused(why) => return Err(AppError::conflict("invalid_state", why)),
    }
    scheduled.ended_at = Some(now);
    policy.scheduled_end.take_if(|end| end.id == id);
    tables::SCHEDULED_CANCELLATIONS.put(tx, &scheduled.id, &scheduled)?;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    let news = PolicyNotification::CancellationWithdrawn { cancellation: id };
    queue_letter(tx, policy.uuid, news, now)?;
    send_renewal_notice(tx, &policy, now)
}

/// A cancellation whose day has come, and what its refund is worked out from.
#[derive(Clone)]
pub(in crate::app) struct DueCancellation {
    pub(in crate::app) scheduled: ScheduledCancellation,
    pub(in crate::app) basis: RefundBasis,
}

/// Cancels a policy whose day has come; nothing happens where it has changed since that was read.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn apply_scheduled(
    tx: &mut WriteTx<'_>,
    (quote, policy): (Quote, Policy),
    DueCancellation { scheduled, basis }: DueCancellation,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let due = policy
        .scheduled_end
        .is_some_and(|end| end.id == scheduled.id);
    if !due || check_basis(&policy, &basis).is_err() {
        return Ok(());
    }
    let ending = Termination {
        event: QuoteEvent::Cancelled,
        id: scheduled.id,
        reason: Some(scheduled.reason),
        note: scheduled.note,
        effective: scheduled.effective,
        is_immediate: false,
        requested: scheduled.created,
        dropped: scheduled.dropped,
    };
    end(tx, (quote, policy), basis, ending, now)
}
