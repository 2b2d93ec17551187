//! Ends a policy early, once. One transaction changes all its rows.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::payments::ledger;
use crate::app::payments::refunds::unrefunded;
use crate::app::policies::adjustments::cancel_scheduled;
use crate::app::policies::cancellations::refund_basis::{CancellationDate, RefundBasis};
use crate::app::policies::queue_letter;
use crate::app::{AppError, documents};
use crate::domain::document::DocumentKind;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::policy::Policy;
use crate::domain::policy::cancellation::{
    self, Cancellation, ReturnPremium, ScheduledCancellationEvent, is_shop_reason,
};
use crate::domain::policy::plan::PlanEvent;
use crate::domain::policy::renewal::{self, RenewalEvent};
use crate::domain::quote::{self, Quote, QuoteEvent};
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, PolicyNotification};

#[derive(Clone, Debug)]
pub(super) struct Termination {
    pub(super) event: QuoteEvent,
    pub(super) id: Uuid,
    pub(super) reason: Option<u32>,
    pub(super) note: Option<String>,
    /// First day without cover.
    pub(super) effective: NaiveDate,
    /// Whether cover ends during the day `effective`.
    pub(super) is_immediate: bool,
    /// When the customer requested the end.
    pub(super) requested: DateTime<Utc>,
    /// The agreed change that was cancelled when the customer made the request.
    pub(super) dropped: Option<Uuid>,
}

/// Ends a policy and makes the refund. Also cancels the scheduled change, ends another scheduled
/// cancellation, withdraws the renewal quote and switches off automatic renewal.
///
/// # Errors
/// A conflict if the policy has ended, or has changed since `basis` was read.
pub(super) fn end(
    tx: &mut WriteTx<'_>,
    (mut quote, mut policy): (Quote, Policy),
    mut basis: RefundBasis,
    ending: Termination,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    match quote::apply(quote.status, ending.event) {
        Transition::Applied(status) => quote.status = status,
        Transition::AlreadyApplied => {
            let why = "This policy has been cancelled already.";
            return Err(AppError::conflict("already_ended", why));
        }
        Transition::Refused(why) => {
            return Err(AppError::conflict("already_ended", why));
        }
    }
    check_basis(&policy, &basis)?;
    let dropped = cancel_scheduled(tx, &mut policy, false, now)?;
    basis.scheduled = None;
    if let Some(scheduled) = policy.scheduled_end.take() {
        let event = if scheduled.id == ending.id {
            ScheduledCancellationEvent::DayCame
        } else {
            ScheduledCancellationEvent::PolicyEnds
        };
        update_scheduled(tx, scheduled.id, event, now)?;
    }
    let refund = basis.refund(
        tx,
        CancellationDate {
            day: ending.effective,
            is_immediate: ending.is_immediate,
            is_later: false,
        },
    )?;
    let cancellation = Cancellation {
        id: ending.id,
        reason: ending.reason,
        note: ending.note,
        effective: ending.effective,
        created: ending.requested,
        refund,
        dropped: dropped.or(ending.dropped),
    };
    refund_cancellation(tx, policy.uuid, &cancellation, now)?;
    if let Some(mut plan) = tables::PLANS.get(tx, &policy.uuid)? {
        let _ = plan.apply(PlanEvent::PolicyEnded);
        tables::PLANS.put(tx, &policy.uuid, &plan)?;
    }
    policy.auto_renew = false;
    if let Transition::Applied(dropped) = renewal::apply(policy.renewal, RenewalEvent::PolicyEnded)
    {
        policy.renewal = dropped;
    }
    withdraw_renewal(tx, policy.renewal.quote(), now)?;
    if let Some(before) = quote.renews {
        stop_renewing(tx, before)?;
    }
    policy.cancellation = Some(cancellation);
    let (uuid, revision) = (policy.uuid, policy.revision);
    let kind = DocumentKind::Cancellation;
    documents::order(tx, uuid, kind, revision, Some(ending.id), now)?;
    quote.updated = now;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    let news = match ending.event {
        QuoteEvent::NotTakenUp => PolicyNotification::NotTakenUp,
        _ if ending.reason.is_some_and(is_shop_reason) => PolicyNotification::CancelledByShop,
        _ => PolicyNotification::Cancelled,
    };
    queue_letter(tx, uuid, news, now)
}

/// Checks that a policy has not changed since the basis of its refund was read.
///
/// # Errors
/// A conflict if the revision or the scheduled change has changed.
pub(super) fn check_basis(policy: &Policy, basis: &RefundBasis) -> Result<(), AppError> {
    let current = &basis.policy;
    if (policy.revision, policy.scheduled_change) == (current.revision, current.scheduled_change) {
        return Ok(());
    }
    let why = "Your policy has just changed. Please look at the refund again.";
    Err(AppError::conflict("stale_revision", why))
}

/// Updates the status of a scheduled cancellation when the policy ends.
///
/// # Errors
/// If the store fails.
pub(super) fn update_scheduled(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    event: ScheduledCancellationEvent,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let scheduled = tables::SCHEDULED_CANCELLATIONS.get(tx, &id)?;
    let mut scheduled = scheduled.ok_or(AppError::NotFound)?;
    if let Transition::Applied(status) = cancellation::apply(scheduled.status, event) {
        scheduled.status = status;
        scheduled.ended_at = (event != ScheduledCancellationEvent::DayCame).then_some(now);
        tables::SCHEDULED_CANCELLATIONS.put(tx, &scheduled.id, &scheduled)?;
    }
    Ok(())
}

fn refund_cancellation(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    cancellation: &Cancellation,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let ReturnPremium {
        amount,
        premium,
        tax,
        fee,
        charges,
        plan,
        ..
    } = cancellation.refund;
    if premium + charges == Pence::ZERO {
        return Ok(());
    }
    unrefunded::refund_to_cards(tx, policy, cancellation.id, amount, now)?;
    let id = cancellation.id;
    let entry = match plan {
        Some(rest) => Entry::plan_cancellation(now, id, (premium, tax), (fee, charges), rest),
        None => Entry::cancellation(now, id, premium, tax, fee, charges),
    };
    ledger::post(tx, policy, &entry)
}

/// Switches off automatic renewal of the previous policy `before`. The customer ended the renewal, so
/// the shop must not charge the stored card for a renewal again.
fn stop_renewing(tx: &mut WriteTx<'_>, before: Uuid) -> Result<(), AppError> {
    if let Some(mut before) = tables::POLICIES.get(tx, &before)?
        && before.auto_renew
    {
        before.auto_renew = false;
        tables::POLICIES.put(tx, &before.uuid, &before)?;
    }
    Ok(())
}

/// Withdraws the renewal quote of a cancelled policy, unless the quote was bought.
fn withdraw_renewal(
    tx: &mut WriteTx<'_>,
    renewal: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let renewal = renewal
        .map(|renewal| tables::QUOTES.get(tx, &renewal))
        .transpose()?;
    let Some(mut renewal) = renewal
        .flatten()
        .filter(|renewal| !renewal.status.is_policy())
    else {
        return Ok(());
    };
    if let Transition::Applied(status) = quote::apply(renewal.status, QuoteEvent::NotTakenUp) {
        renewal.status = status;
        renewal.updated = now;
        tables::QUOTES.put(tx, &renewal.uuid, &renewal)?;
    }
    Ok(())
}
