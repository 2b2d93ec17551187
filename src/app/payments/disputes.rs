//! Disputes: applies each gateway report once, and posts the moved money to the ledger.

use chrono::{DateTime, Utc};
use tokio::sync::Notify;

use crate::app::AppError;
use crate::app::payments::ledger;
use crate::app::payments::refunds::manual_refund::count_losses;
use crate::app::policies::{plans, queue_letter};
use crate::clock::Clock;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::dispute::{Dispute, DisputeNews};
use crate::store::tables::{DISPUTES, PAYMENTS, PolicyNotification};
use crate::store::{Store, WriteTx};

/// Applies a gateway's report of a dispute and posts its money to the ledger, in one transaction.
/// Reports may arrive in any order and repeatedly. Returns whether the report changed the dispute.
///
/// # Errors
/// [`AppError::NotFound`] if the payment is unknown, or was made at another gateway. The same error
/// if the dispute was first reported for another payment.
pub async fn apply_dispute_news(
    store: &Store,
    clock: &Clock,
    work_added: &Notify,
    news: DisputeNews,
) -> Result<bool, AppError> {
    let now = clock.now();
    let change = store
        .write(move |tx| write_dispute_news(tx, &news, now))
        .await?;
    if let Some(dispute) = &change {
        work_added.notify_one();
        tracing::warn!(
            dispute = %dispute.id, payment = %dispute.payment, gateway = dispute.provider,
            status = ?dispute.status, amount = %dispute.amount, taken = %dispute.amount_taken(),
            "a customer's bank disputes a payment"
        );
    }
    Ok(change.is_some())
}

/// Applies a report of a dispute, as [`apply_dispute_news`] does, in the caller's transaction. Returns the
/// dispute if the report changed it.
///
/// # Errors
/// As [`apply_dispute_news`].
pub(in crate::app) fn write_dispute_news(
    tx: &mut WriteTx<'_>,
    news: &DisputeNews,
    now: DateTime<Utc>,
) -> Result<Option<Dispute>, AppError> {
    let payment = PAYMENTS.get(tx, &news.payment)?;
    let payment = payment.filter(|payment| payment.provider == news.provider);
    let payment = payment.ok_or(AppError::NotFound)?;
    let id = Dispute::dispute_id(&news.provider, &news.reference);
    let existing = DISPUTES.get(tx, &id)?;
    let mut dispute = match &existing {
        // A dispute keeps the payment of its first report.
        Some(existing) if existing.payment != payment.id => {
            return Err(AppError::NotFound);
        }
        Some(existing) => existing.clone(),
        None => Dispute::begin(news, payment.quote, now),
    };
    let change = dispute.apply_event(news);
    if existing.as_ref() == Some(&dispute) {
        return Ok(None);
    }
    dispute.updated = now;
    DISPUTES.put(tx, &dispute.id, &dispute)?;
    for amount in change.moved {
        let entry = Entry::disputed(now, &dispute.provider, id, amount);
        ledger::post(tx, dispute.policy, &entry)?;
    }
    if change.written_off != Pence::ZERO {
        let entry = Entry::write_off(now, id, change.written_off);
        ledger::post(tx, dispute.policy, &entry)?;
        count_losses(tx, dispute.policy, dispute.payment, now)?;
        plans::apply_loss(tx, dispute.payment, id, now)?;
    }
    queue_dispute_letters(tx, existing.as_ref(), &dispute, now)?;
    Ok(Some(dispute))
}

/// Queues a letter when the first money moves for a dispute, and a letter about each new result. If
/// one report brings both, queues only the letter about the result. A dispute that moved no money
/// queues no letter.
fn queue_dispute_letters(
    tx: &mut WriteTx<'_>,
    before: Option<&Dispute>,
    dispute: &Dispute,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let was_told = before.is_some_and(Dispute::has_moved);
    let was_decided = before.filter(|before| before.is_decided());
    let was_decided = was_decided.map(|before| before.status);
    if dispute.is_decided() && was_decided != Some(dispute.status) {
        let news = PolicyNotification::DisputeDecided {
            dispute: dispute.id,
        };
        queue_letter(tx, dispute.policy, news, now)?;
    } else if dispute.has_moved() && !was_told {
        let news = PolicyNotification::Disputed {
            dispute: dispute.id,
        };
        queue_letter(tx, dispute.policy, news, now)?;
    }
    Ok(())
}
