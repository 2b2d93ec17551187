//! Stores a cancellation for a later day, and applies the cancellation after its day has begun.

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
use crate::store::tables::{self, PolicyNotification};
use crate::store::{Direction, WriteTx};

/// Stores a cancellation for a later day. The caller has checked the day. Cancels a change that was
/// agreed for this day or a later day, and refunds the change's payment now.
///
/// # Errors
/// A conflict if the policy has ended or changed since `basis` was read, or has a pending
/// cancellation.
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
        is_later: true,
    };
    let refund = basis.refund(tx, end)?;
    let dropped = if basis.cancels_scheduled_change(end) {
        cancel_scheduled(tx, &mut policy, true, now)?
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
        notice: None,
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

/// Withdraws a cancellation before its day. Does nothing if the cancellation is withdrawn already.
/// Queues the renewal letter again, because the policy can be renewed again.
///
/// # Errors
/// A conflict if the cancellation's day has begun, if the policy has ended, or if the shop ends it.
pub(super) fn withdraw(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let scheduled = tables::SCHEDULED_CANCELLATIONS.get(tx, &id)?;
    let scheduled = scheduled.ok_or(AppError::NotFound)?;
    let (_, policy) = access::owned_policy(tx, caller, scheduled.policy, now)?;
    if scheduled.notice.is_some() {
        let why = "We have ended this cover. Please call us if you think that is wrong.";
        return Err(AppError::conflict("invalid_state", why));
    }
    take_back(tx, policy, scheduled, now)
}

/// Withdraws a cancellation, as [`withdraw`], also the shop's notice.
pub(super) fn take_back(
    tx: &mut WriteTx<'_>,
    policy: Policy,
    scheduled: ScheduledCancellation,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    match cancellation::apply(scheduled.status, ScheduledCancellationEvent::Withdrawn) {
        Transition::Applied(_) if scheduled.effective <= london_date(now) => {
            let why = "The day of this cancellation has begun, so it can't be withdrawn any more.";
            Err(AppError::conflict("invalid_state", why))
        }
        Transition::Applied(_) => {
            let (id, uuid) = (scheduled.id, policy.uuid);
            let policy = store_withdrawal(tx, policy, scheduled, now)?;
            let news = PolicyNotification::CancellationWithdrawn { cancellation: id };
            queue_letter(tx, uuid, news, now)?;
            send_renewal_notice(tx, &policy, now)
        }
        Transition::AlreadyApplied => Ok(()),
        Transition::Refused(why) => Err(AppError::conflict("invalid_state", why)),
    }
}

/// Stores a cancellation as withdrawn. Returns the policy, which goes on.
fn store_withdrawal(
    tx: &mut WriteTx<'_>,
    mut policy: Policy,
    mut scheduled: ScheduledCancellation,
    now: DateTime<Utc>,
) -> Result<Policy, AppError> {
    scheduled.status = ScheduledStatus::Withdrawn;
    scheduled.ended_at = Some(now);
    policy.scheduled_end.take_if(|end| end.id == scheduled.id);
    if scheduled.notice.is_some() {
        policy.scheduled_end = restore_request(tx, &scheduled, now)?;
    }
    tables::SCHEDULED_CANCELLATIONS.put(tx, &scheduled.id, &scheduled)?;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    Ok(policy)
}

/// Restores the customer's own cancellation that the shop's `notice` replaced, if its day has not come. Returns
/// its day.
fn restore_request(
    tx: &mut WriteTx<'_>,
    notice: &ScheduledCancellation,
    now: DateTime<Utc>,
) -> Result<Option<ScheduledEvent>, AppError> {
    let index = &tables::SCHEDULED_CANCELLATION_BY_POLICY;
    for ((_, id), ()) in index.list(tx, &notice.policy, Direction::Backward, usize::MAX)? {
        let own = tables::SCHEDULED_CANCELLATIONS.get(tx, &id)?;
        let is_replaced = |own: &ScheduledCancellation| {
            own.status == ScheduledStatus::Overtaken && own.ended_at == Some(notice.created)
        };
        if let Some(mut own) = own.filter(is_replaced)
            && london_date(now) < own.effective
        {
            (own.status, own.ended_at) = (ScheduledStatus::Pending, None);
            let on = own.effective;
            tables::SCHEDULED_CANCELLATIONS.put(tx, &id, &own)?;
            return Ok(Some(ScheduledEvent { id, on }));
        }
    }
    Ok(None)
}

/// A cancellation whose day has begun, and the basis of its refund.
#[derive(Clone)]
pub(in crate::app) struct DueCancellation {
    pub(in crate::app) scheduled: ScheduledCancellation,
    pub(in crate::app) basis: RefundBasis,
}

/// Cancels a policy by a scheduled cancellation whose day has begun. Does nothing if the policy has
/// changed since the cancellation was read.
///
/// # Errors
/// If the store fails.
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
    let notice = scheduled.notice.as_ref();
    if notice.is_some_and(|notice| !notice.is_sent) {
        tracing::warn!(policy = %policy.uuid, "the letter about the end of cover was not sent: cover goes on");
        let policy = store_withdrawal(tx, policy, scheduled, now)?;
        return send_renewal_notice(tx, &policy, now);
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
