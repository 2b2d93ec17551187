//! A cancellation for a later day: it is written down, and done when its day has come.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::policies::adjustments::drop_coming;
use crate::app::policies::cancellations::CancellationRequest;
use crate::app::policies::cancellations::end::{Ending, check_basis, end};
use crate::app::policies::cancellations::refund_basis::{EndOn, RefundBasis};
use crate::app::policies::queue_letter;
use crate::app::policies::renewals::{queue_requote, tell_renewal};
use crate::app::{AppError, Caller, access};
use crate::domain::policy::cancellation::{self, LaterCancellation, LaterEvent, LaterStatus};
use crate::domain::policy::{Coming, Policy};
use crate::domain::quote::{Quote, QuoteEvent, QuoteStatus};
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, PolicyNews};

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
    if policy.coming_end.is_some() {
        let why = "Your policy is to end on a later day already. Withdraw that cancellation first.";
        return Err(AppError::conflict("already_pending", why));
    }
    let end = EndOn {
        day: request.effective,
        at_once: false,
    };
    let refund = basis.refund(tx, end)?;
    let dropped = if basis.drops_coming(end) {
        drop_coming(tx, &mut policy, now)?
    } else {
        None
    };
    let later = LaterCancellation {
        id,
        policy: policy.uuid,
        status: LaterStatus::Pending,
        reason: request.reason,
        note: request.note,
        effective: request.effective,
        created: now,
        refund,
        dropped,
        given_up: None,
    };
    policy.coming_end = Some(Coming {
        id,
        on: later.effective,
    });
    tables::LATER_CANCELLATIONS.put_new(tx, &later.id, &later)?;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    if dropped.is_some() {
        queue_requote(tx, &policy, id, now)?;
    }
    let news = PolicyNews::CancellationAgreed { cancellation: id };
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
    let later = tables::LATER_CANCELLATIONS.get(tx, &id)?;
    let mut later = later.ok_or(AppError::NotFound)?;
    let (_, mut policy) = access::owned_policy(tx, caller, later.policy, now)?;
    match cancellation::apply(later.status, LaterEvent::Withdrawn) {
        Transition::Applied(_) if later.effective <= london_date(now) => {
            let why = "The day of this cancellation has begun, so it can't be withdrawn any more.";
            return Err(AppError::conflict("not_pending", why));
        }
        Transition::Applied(status) => later.status = status,
        Transition::AlreadyApplied => return Ok(()),
        Transition::Refused(why) => return Err(AppError::conflict("not_pending", why)),
    }
    later.given_up = Some(now);
    policy.coming_end.take_if(|end| end.id == id);
    tables::LATER_CANCELLATIONS.put(tx, &later.id, &later)?;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    let news = PolicyNews::CancellationWithdrawn { cancellation: id };
    queue_letter(tx, policy.uuid, news, now)?;
    tell_renewal(tx, &policy, now)
}

/// A cancellation whose day has come, and what its refund is worked out from.
#[derive(Clone)]
pub(in crate::app) struct LaterEnd {
    pub(in crate::app) later: LaterCancellation,
    pub(in crate::app) basis: RefundBasis,
}

/// Cancels a policy whose day has come; nothing happens where it has changed since that was read.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn carry_out(
    tx: &mut WriteTx<'_>,
    (quote, policy): (Quote, Policy),
    LaterEnd { later, basis }: LaterEnd,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let due = policy.coming_end.is_some_and(|end| end.id == later.id);
    if !due || check_basis(&policy, &basis).is_err() {
        return Ok(());
    }
    let ending = Ending {
        event: QuoteEvent::Cancelled,
        id: later.id,
        reason: Some(later.reason),
        note: later.note,
        effective: later.effective,
        at_once: false,
        asked: later.created,
        dropped: later.dropped,
    };
    end(tx, (quote, policy), basis, ending, now)
}
