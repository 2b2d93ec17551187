//! Agrees to an adjustment. The adjustment then takes effect at once or on its effective day.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::ledger;
use crate::app::policies::adjustments::apply::apply_adjustment;
use crate::app::policies::plans::{announce_new_plan, plan_after};
use crate::app::policies::queue_letter;
use crate::app::policies::renewals::queue_requote;
use crate::app::{AppError, Caller, access, documents};
use crate::domain::document::DocumentKind;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::policy::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentKind, AdjustmentStatus,
};
use crate::domain::policy::{Policy, ScheduledEvent};
use crate::domain::quote::{Quote, QuoteStatus};
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::store::tables::{self, PolicyNotification};
use crate::store::{Read, WriteTx};

/// Returns the status of an adjustment at `now`. A pending adjustment is superseded if the policy
/// has ended, or has a newer revision or another scheduled change. The adjustment is also
/// superseded if a scheduled cancellation ends the policy on or before the effective day.
pub(in crate::app) fn status_at(
    quote: &Quote,
    policy: &Policy,
    adjustment: &Adjustment,
    now: DateTime<Utc>,
) -> AdjustmentStatus {
    let over = policy.expiry < london_date(now);
    let live = quote.status == QuoteStatus::Live && !over;
    let other = policy.scheduled_change;
    let other_first = other.is_some_and(|other| other.id != adjustment.id);
    let ends_first = policy
        .scheduled_end
        .is_some_and(|end| end.on <= adjustment.effective);
    let may_follow = live && !other_first && !ends_first;
    adjustment.status_at(now, may_follow.then_some(policy.revision))
}

/// Returns the revision that a pending adjustment changes, and the amount due in pence.
///
/// # Errors
/// As [`access::owned_policy`]. [`AppError::NotFound`] for an adjustment of another policy. A
/// conflict if the adjustment is not pending, or if nothing is due.
pub(in crate::app) fn due(
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(u32, Pence), AppError> {
    let (quote, policy) = access::owned_policy(tx, caller, uuid, now)?;
    let change = tables::ADJUSTMENTS.get(tx, &id)?;
    let change = change
        .filter(|change| change.policy == uuid)
        .ok_or(AppError::NotFound)?;
    let status = status_at(&quote, &policy, &change, now);
    match adjustment::apply(status, AdjustmentEvent::Accepted) {
        Transition::Applied(_)
            if change.kind() == AdjustmentKind::Increase
                && plan_after(tx, uuid, change.spread_terms(), london_date(now))?.is_none() =>
        {
            Ok((change.base, change.figures.amount))
        }
        Transition::Applied(_) => {
            let why = "Nothing is due for this change.";
            Err(AppError::conflict("wrong_change_kind", why))
        }
        Transition::AlreadyApplied => {
            let why = "This change is agreed and paid for.";
            Err(AppError::conflict("duplicate_change", why))
        }
        Transition::Refused(why) => Err(AppError::conflict("invalid_state", why)),
    }
}

/// Agrees to an adjustment that `payment` paid for, and orders the receipt. Returns false and writes
/// nothing if the adjustment is agreed already or can no longer be agreed.
pub(in crate::app) fn agree_paid(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    payment: Uuid,
    registrations: &[String],
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let Some(change) = tables::ADJUSTMENTS.get(tx, &id)? else {
        return Ok(false);
    };
    let quote = tables::QUOTES.get(tx, &change.policy)?;
    let Some((quote, policy)) = quote.zip(tables::POLICIES.get(tx, &change.policy)?) else {
        return Ok(false);
    };
    let status = status_at(&quote, &policy, &change, now);
    let event = AdjustmentEvent::Paid;
    if !matches!(adjustment::apply(status, event), Transition::Applied(_)) {
        return Ok(false);
    }
    let (uuid, in_force) = (policy.uuid, policy.revision);
    let agreed = agree(tx, (quote, policy), change, event, registrations, now)?;
    let revision = agreed.revision.unwrap_or(in_force);
    let kind = DocumentKind::Receipt;
    documents::order(tx, uuid, kind, revision, Some(payment), now)?;
    Ok(true)
}

/// Agrees to an adjustment, unless the adjustment is agreed already. Applies the adjustment at once
/// if its effective day is the first possible day or earlier. Schedules a later adjustment: the
/// ledger then holds the payment until the effective day.
///
/// # Errors
/// A conflict if the adjustment can no longer be agreed.
pub(in crate::app) fn agree(
    tx: &mut WriteTx<'_>,
    (quote, mut policy): (Quote, Policy),
    mut adjustment: Adjustment,
    event: AdjustmentEvent,
    registrations: &[String],
    now: DateTime<Utc>,
) -> Result<Adjustment, AppError> {
    match adjustment::apply(status_at(&quote, &policy, &adjustment, now), event) {
        Transition::Applied(status) => adjustment.status = status,
        Transition::AlreadyApplied => return Ok(adjustment),
        Transition::Refused(why) => return Err(AppError::conflict("invalid_state", why)),
    }
    adjustment.agreed = Some(now);
    if event == AdjustmentEvent::Accepted {
        let today = london_date(now);
        if let Some((plan, spread)) = plan_after(tx, policy.uuid, adjustment.spread_terms(), today)?
        {
            tables::PLANS.put(tx, &policy.uuid, &plan)?;
            adjustment.spread = Some(spread);
        } else if adjustment.kind() == AdjustmentKind::Increase {
            let why = "This change is agreed as soon as it is paid for.";
            return Err(AppError::conflict("payment_due", why));
        }
    }
    let is_new_plan = event == AdjustmentEvent::Accepted && adjustment.spread.is_some();
    let (uuid, in_force) = (policy.uuid, policy.revision);
    if adjustment.effective <= policy.first_change_day(london_date(now)) {
        let applied = apply_adjustment(tx, (quote, policy), adjustment, registrations, now)?;
        if is_new_plan {
            let revision = applied.revision.unwrap_or(in_force);
            announce_new_plan(tx, uuid, revision, applied.id, now)?;
        }
        return Ok(applied);
    }
    if is_new_plan {
        announce_new_plan(tx, uuid, in_force, adjustment.id, now)?;
    }
    policy.scheduled_change = Some(ScheduledEvent {
        id: adjustment.id,
        on: adjustment.effective,
    });
    if adjustment.kind() == AdjustmentKind::Increase && adjustment.spread.is_none() {
        let entry = Entry::hold_payment(now, adjustment.id, adjustment.figures.amount);
        ledger::post(tx, policy.uuid, &entry)?;
    }
    tables::ADJUSTMENTS.put(tx, &adjustment.id, &adjustment)?;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    queue_requote(tx, &policy, adjustment.id, now)?;
    let news = PolicyNotification::ChangeAgreed {
        adjustment: adjustment.id,
    };
    queue_letter(tx, policy.uuid, news, now)?;
    Ok(adjustment)
}
