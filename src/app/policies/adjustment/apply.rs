//! Applying an adjustment: all rows that change with it, in one transaction, once.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::{ledger, refunds};
use crate::app::policies::queue_letter;
use crate::app::{AppError, Caller, access, documents, rows};
use crate::domain::adjustment::{
    self, Adjustment, AdjustmentEvent, AdjustmentFigures, AdjustmentKind, AdjustmentStatus,
};
use crate::domain::document::DocumentKind;
use crate::domain::ledger::Entry;
use crate::domain::money::Pence;
use crate::domain::policy::Policy;
use crate::domain::policyholder;
use crate::domain::quote::{Quote, Revision};
use crate::domain::transition::Transition;
use crate::store::WriteTx;
use crate::store::tables::{self, PolicyNews, Task};

/// The status of an adjustment at `now`.
pub(in crate::app) fn status_at(
    quote: &Quote,
    policy: &Policy,
    adjustment: &Adjustment,
    now: DateTime<Utc>,
) -> AdjustmentStatus {
    let live = quote.status == crate::domain::quote::QuoteStatus::Live;
    let over = policy.expiry < crate::domain::dates::london_date(now);
    adjustment.status_at(now, (live && !over).then_some(policy.revision))
}

/// What is due for a pending change: the revision it changes, and pence.
///
/// # Errors
/// As [`App::pending_adjustment`].
pub(in crate::app) fn due(
    tx: &WriteTx<'_>,
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
        Transition::Applied(_) if change.kind() == AdjustmentKind::Increase => {
            Ok((change.base, change.figures.amount))
        }
        Transition::Applied(_) => {
            let why = "Nothing is due for this change.";
            Err(AppError::conflict("other_kind", why))
        }
        Transition::AlreadyApplied => {
            let why = "This change is paid for and made.";
            Err(AppError::conflict("already_made", why))
        }
        Transition::Refused(why) => Err(AppError::conflict("not_pending", why)),
    }
}

/// Applies an adjustment that `payment` paid for; false when it can't be applied any more, and
/// nothing was written.
pub(in crate::app) fn apply_paid(
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
    if !matches!(
        adjustment::apply(status, AdjustmentEvent::Settled),
        Transition::Applied(_)
    ) {
        return Ok(false);
    }
    let uuid = policy.uuid;
    let context = (quote, policy);
    let made = apply(
        tx,
        context,
        change,
        AdjustmentEvent::Settled,
        registrations,
        now,
    )?;
    if let Some(revision) = made.revision {
        let kind = DocumentKind::Receipt;
        documents::order(tx, uuid, kind, revision, Some(payment), now)?;
    }
    Ok(true)
}

/// Applies an adjustment, unless it is applied already: the next revision, the registrations, the
/// ledger, the refund, the documents and the letter, in one transaction.
///
/// # Errors
/// A conflict when it can't be made any more.
pub(in crate::app) fn apply(
    tx: &mut WriteTx<'_>,
    (mut quote, mut policy): (Quote, Policy),
    mut adjustment: Adjustment,
    event: AdjustmentEvent,
    registrations: &[String],
    now: DateTime<Utc>,
) -> Result<Adjustment, AppError> {
    match adjustment::apply(status_at(&quote, &policy, &adjustment, now), event) {
        Transition::Applied(_) => adjustment.status = AdjustmentStatus::Applied,
        Transition::AlreadyApplied => return Ok(adjustment),
        Transition::Refused(why) => return Err(AppError::conflict("not_pending", why)),
    }
    let number = quote.current.number + 1;
    let next = Revision {
        number,
        at: now,
        answers: adjustment.answers.clone(),
        price: Some(adjustment.price.clone()),
        ..quote.current.clone()
    };
    let older = std::mem::replace(&mut quote.current, next);
    // A revision that was saved after the sale was never sold: product and dates come from the one
    // that was.
    if older.number != policy.revision
        && let Some(sold) = tables::REVISIONS.get(tx, &(quote.uuid, policy.revision))?
    {
        quote.current.product_hash = sold.product_hash;
        quote.current.inception = sold.inception;
        quote.current.expiry = sold.expiry;
    }
    rows::quotes::keep_revision(tx, quote.uuid, &older)?;
    quote.note_version();
    quote.updated = now;
    quote.holder_name = policyholder::name(&adjustment.answers);
    policy.revision = number;
    adjustment.agreed = Some(now);
    adjustment.applied = Some(now);
    adjustment.revision = Some(number);
    policy.registrations = registrations.to_vec();
    move_money(tx, &adjustment, now)?;
    if policy.renewal.quote().is_some() {
        let task = Task::Renew {
            policy: policy.uuid,
        };
        crate::app::work::queue::enqueue(tx, task, now, adjustment.id)?;
    }
    for (kind, about) in [
        (DocumentKind::Adjustment, Some(adjustment.id)),
        (DocumentKind::Schedule, None),
        (DocumentKind::DemandsAndNeeds, None),
    ] {
        documents::order(tx, policy.uuid, kind, number, about, now)?;
    }
    rows::adjustments::put(tx, &adjustment)?;
    rows::policies::put(tx, &policy)?;
    rows::quotes::put(tx, &quote)?;
    let adjustment_id = adjustment.id;
    queue_letter(
        tx,
        policy.uuid,
        PolicyNews::Changed {
            adjustment: adjustment_id,
        },
        now,
    )?;
    Ok(adjustment)
}

fn move_money(
    tx: &mut WriteTx<'_>,
    adjustment: &Adjustment,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let AdjustmentFigures { amount, tax, .. } = adjustment.figures;
    match adjustment.kind() {
        AdjustmentKind::Keep => Ok(()),
        AdjustmentKind::Increase => {
            let entry = Entry::increase(now, adjustment.id, amount, tax);
            ledger::post(tx, adjustment.policy, &entry)
        }
        AdjustmentKind::Decrease => {
            let given =
                refunds::refund_to_cards(tx, adjustment.policy, adjustment.id, -amount, now)?;
            let back: Pence = given.iter().map(|refund| refund.amount).sum();
            let tax = back.share(-tax.0, -amount.0);
            let entry = Entry::decrease(now, adjustment.id, back, tax);
            ledger::post(tx, adjustment.policy, &entry)
        }
    }
}
