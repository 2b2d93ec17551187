//! Applies an adjustment once. One transaction changes all its rows.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::app::payments::ledger;
use crate::app::payments::refunds::unrefunded;
use crate::app::policies::queue_letter;
use crate::app::policies::renewals::queue_requote;
use crate::app::{AppError, documents};
use crate::domain::document::DocumentKind;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::policy::Policy;
use crate::domain::policy::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentFigures, AdjustmentKind,
};
use crate::domain::policy::renewal::{self, RenewalEvent};
use crate::domain::quote::lookup::StoredLookup;
use crate::domain::quote::policyholder;
use crate::domain::quote::{Quote, Revision};
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, PolicyNotification};

/// Applies an agreed adjustment: writes the next revision, the registrations, the ledger entry and
/// any refund. Also orders the documents and queues the letter.
///
/// # Errors
/// A conflict if the adjustment is not agreed.
pub(in crate::app) fn apply_adjustment(
    tx: &mut WriteTx<'_>,
    (mut quote, mut policy): (Quote, Policy),
    mut adjustment: Adjustment,
    registrations: &[String],
    now: DateTime<Utc>,
) -> Result<Adjustment, AppError> {
    match adjustment::apply(adjustment.status, AdjustmentEvent::DayCame) {
        Transition::Applied(status) => adjustment.status = status,
        Transition::AlreadyApplied => return Ok(adjustment),
        Transition::Refused(why) => return Err(AppError::conflict("invalid_state", why)),
    }
    let id = adjustment.id;
    let number = quote.current.number + 1;
    let next = Revision {
        number,
        at: now,
        answers: Arc::new(adjustment.answers.clone()),
        price: Some(adjustment.price.clone()),
        path: None,
        lookups: lookups_for_revision(&adjustment, &quote.current, registrations),
        ..quote.current.clone()
    };
    let older = std::mem::replace(&mut quote.current, next);
    // A revision that was saved after the sale was never sold. Product and dates come from the
    // revision that was sold.
    if older.number != policy.revision
        && let Some(sold) = tables::REVISIONS.get(tx, &(quote.uuid, policy.revision))?
    {
        quote.current.product_hash = sold.product_hash;
        quote.current.inception = sold.inception;
        quote.current.expiry = sold.expiry;
    }
    tables::REVISIONS.put(tx, &(quote.uuid, older.number), &older)?;
    quote.note_version();
    quote.updated = now;
    quote.holder_name = policyholder::name(&adjustment.answers);
    policy.revision = number;
    adjustment.applied = Some(now);
    adjustment.revision = Some(number);
    policy.registrations = registrations.to_vec();
    let waited = policy
        .scheduled_change
        .take_if(|scheduled| scheduled.id == id);
    move_money(tx, &adjustment, waited.is_some(), now)?;
    let has_answers = policy
        .renewal
        .quoted()
        .and_then(|quoted| quoted.scheduled_change)
        == Some(id);
    if has_answers {
        // The renewal quote already has the adjustment's answers.
        let caught_up = RenewalEvent::Requoted {
            follows: number,
            scheduled_change: None,
        };
        if let Transition::Applied(renewal) = renewal::apply(policy.renewal, caught_up) {
            policy.renewal = renewal;
        }
    } else {
        queue_requote(tx, &policy, id, now)?;
    }
    for (kind, change_id) in [
        (DocumentKind::Adjustment, Some(id)),
        (DocumentKind::Schedule, None),
        (DocumentKind::DemandsAndNeeds, None),
    ] {
        documents::order(tx, policy.uuid, kind, number, change_id, now)?;
    }
    tables::ADJUSTMENTS.put(tx, &adjustment.id, &adjustment)?;
    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
    tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    let news = PolicyNotification::Changed { adjustment: id };
    queue_letter(tx, policy.uuid, news, now)?;
    Ok(adjustment)
}

/// Posts the amount of an adjustment to the ledger, and refunds a decrease. The ledger held the
/// payment of an increase that `waited` for its effective day.
fn move_money(
    tx: &mut WriteTx<'_>,
    adjustment: &Adjustment,
    waited: bool,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let AdjustmentFigures { amount, tax, .. } = adjustment.figures;
    let (policy, id) = (adjustment.policy, adjustment.id);
    let entry = match adjustment.kind() {
        AdjustmentKind::Keep => return Ok(()),
        AdjustmentKind::Increase if adjustment.spread.is_some() => {
            Entry::increase(now, id, amount, tax)
        }
        AdjustmentKind::Decrease if let Some(spread) = &adjustment.spread => {
            let refunds = unrefunded::refund_to_cards(tx, policy, id, spread.refund, now)?;
            let back: Pence = refunds.iter().map(|refund| refund.amount).sum();
            let left = -spread.plan_difference(amount);
            let tax = (left + back).fraction(-tax.0, -amount.0);
            Entry::plan_decrease(now, id, left, back, tax)
        }
        AdjustmentKind::Increase if waited => Entry::earn_held(now, id, amount, tax),
        AdjustmentKind::Increase => Entry::increase(now, id, amount, tax),
        AdjustmentKind::Decrease => {
            let refunds = unrefunded::refund_to_cards(tx, policy, id, -amount, now)?;
            let back: Pence = refunds.iter().map(|refund| refund.amount).sum();
            let tax = back.fraction(-tax.0, -amount.0);
            Entry::decrease(now, id, back, tax)
        }
    };
    ledger::post(tx, policy, &entry)
}

/// Returns the look-ups of the next revision: the adjustment's look-ups, then earlier look-ups of
/// the other `registrations`. Old rows of adjustments contain no look-ups.
fn lookups_for_revision(
    adjustment: &Adjustment,
    before: &Revision,
    registrations: &[String],
) -> Vec<StoredLookup> {
    let mut lookups = adjustment.lookups.clone();
    for other in before.lookups_for(registrations) {
        let mark = &other.looked_up.vehicle.registration;
        if lookups
            .iter()
            .all(|one| one.looked_up.vehicle.registration != *mark)
        {
            lookups.push(other);
        }
    }
    lookups
}
