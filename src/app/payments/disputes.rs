//! Disputes: what gateways tell of them is stored, with the money that they take and give back, once.

use chrono::{DateTime, Utc};

use crate::app::payments::ledger;
use crate::app::payments::refunds::manual_refund::count_losses;
use crate::app::policies::queue_letter;
use crate::app::{App, AppError};
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::dispute::{Dispute, DisputeNews};
use crate::store::WriteTx;
use crate::store::tables::{self, DISPUTES, PAYMENTS, PolicyNews};

impl App {
    /// Takes in what a gateway says of a dispute, with its money in the ledger, in one write. The news
    /// may come in any order and any number of times; true when it said something new.
    ///
    /// # Errors
    /// [`AppError::NotFound`] when the payment isn't ours, or was made at another gateway.
    pub async fn dispute_moved(&self, news: DisputeNews) -> Result<bool, AppError> {
        let now = self.clock.now();
        let told = self
            .store
            .write(move |tx| {
                let payment = PAYMENTS.get(tx, &news.payment)?;
                let payment = payment.filter(|payment| payment.provider == news.provider);
                let payment = payment.ok_or(AppError::NotFound)?;
                let id = Dispute::id_of(&news.provider, &news.reference);
                let known = DISPUTES.get(tx, &id)?;
                let mut dispute = match &known {
                    // A dispute stays with the payment that it was first told of.
                    Some(known) if known.payment != payment.id => return Err(AppError::NotFound),
                    Some(known) => known.clone(),
                    None => Dispute::begin(&news, payment.quote, now),
                };
                let change = dispute.hear(&news);
                if known.as_ref() == Some(&dispute) {
                    return Ok(None);
                }
                dispute.updated = now;
                tables::DISPUTES.put(tx, &dispute.id, &dispute)?;
                for amount in change.moved {
                    let entry = Entry::disputed(now, &dispute.provider, id, amount);
                    ledger::post(tx, dispute.policy, &entry)?;
                }
                if change.written_off != Pence::ZERO {
                    let entry = Entry::written_off(now, id, change.written_off);
                    ledger::post(tx, dispute.policy, &entry)?;
                    count_losses(tx, dispute.policy, dispute.payment, now)?;
                }
                tell_customer(tx, known.as_ref(), &dispute, now)?;
                Ok::<_, AppError>(Some(dispute))
            })
            .await?;
        if let Some(dispute) = &told {
            self.work_added.notify_one();
            tracing::warn!(
                dispute = %dispute.id, payment = %dispute.payment, gateway = dispute.provider,
                status = ?dispute.status, amount = %dispute.amount, taken = %dispute.taken(),
                "a customer's bank disputes a payment"
            );
        }
        Ok(told.is_some())
    }
}

/// Queues a letter when a bank takes a payment back, and one when it has decided. Of a question that
/// moves no money the customer hears nothing.
fn tell_customer(
    tx: &mut WriteTx<'_>,
    before: Option<&Dispute>,
    dispute: &Dispute,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let was_told = before.is_some_and(Dispute::has_moved);
    let was_decided = before.filter(|before| before.is_decided());
    let was_decided = was_decided.map(|before| before.status);
    if dispute.is_decided() && was_decided != Some(dispute.status) {
        let news = PolicyNews::DisputeDecided {
            dispute: dispute.id,
        };
        queue_letter(tx, dispute.policy, news, now)?;
    } else if dispute.has_moved() && !was_told {
        let news = PolicyNews::Disputed {
            dispute: dispute.id,
        };
        queue_letter(tx, dispute.policy, news, now)?;
    }
    Ok(())
}
