//! Refunds: which card payments the money goes back to, and the job that asks the gateway until a
//! refund has ended.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::disputes::disputes_of;
use crate::app::payments::{attempts, ledger};
use crate::app::policies::queue_letter;
use crate::app::work::queue::enqueue;
use crate::app::{App, AppError, rows};
use crate::domain::dispute::Dispute;
use crate::domain::ledger::Entry;
use crate::domain::money::Pence;
use crate::domain::payment::{self, Payment, PaymentEvent, PaymentStatus};
use crate::domain::refund::{self, CAME_BACK, REFUSED, Refund, RefundEvent, RefundStatus};
use crate::domain::transition::Transition;
use crate::integrations::gateway::{GatewayRefundStatus, RefundOrder};
use crate::store::tables::{PAYMENTS, PolicyNews, REFUND_BY_POLICY, REFUNDS, Task};
use crate::store::{Direction, Read, WriteTx};

/// How far what comes back for one reason is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundProgress {
    /// Nothing comes back, or nothing is on its way yet.
    None,
    /// It is on its way.
    Pending,
    /// All of it is refunded.
    Paid,
    /// The bank refused a part of it, or sent it back.
    Refused,
}

/// What comes back because of one thing, and how far that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoneyBack {
    /// Pence.
    pub amount: Pence,
    /// How far it is.
    pub progress: RefundProgress,
}

/// What comes back to a policy's cards because of `about`.
///
/// # Errors
/// When the store fails.
pub fn money_back(tx: &impl Read, policy: Uuid, about: Uuid) -> Result<MoneyBack, AppError> {
    let refunds = refunds_about(tx, policy, about)?;
    let any = |status| refunds.iter().any(|refund| refund.status == status);
    Ok(MoneyBack {
        amount: refunds.iter().map(|refund| refund.amount).sum(),
        progress: if refunds.is_empty() {
            RefundProgress::None
        } else if any(RefundStatus::Refused) || any(RefundStatus::Failed) {
            RefundProgress::Refused
        } else if any(RefundStatus::Pending) {
            RefundProgress::Pending
        } else {
            RefundProgress::Paid
        },
    })
}

/// Refunds `amount` of what was received for a policy to the cards it came from, the newest payment
/// first, because of `about`. Where less is in hand, it refunds that. Called again for the same
/// `about`, it answers the refunds that are there. The caller wakes the job runner.
///
/// # Errors
/// When the store fails.
pub fn refund_to_cards(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    about: Uuid,
    amount: Pence,
    now: DateTime<Utc>,
) -> Result<Vec<Refund>, AppError> {
    let mut made = refunds_about(tx, policy, about)?;
    if !made.is_empty() {
        return Ok(made);
    }
    let mut rest = amount;
    for (payment, left) in in_hand_by_payment(tx, policy)?.into_iter().rev() {
        let part = rest.min(left);
        if part > Pence::ZERO {
            rest -= part;
            made.push(store_refund(tx, &payment, about, part, now)?);
        }
    }
    Ok(made)
}

/// What is left in hand of what was paid for an adjustment, pence.
///
/// # Errors
/// When the store fails.
pub fn in_hand_for(tx: &impl Read, policy: Uuid, adjustment: Uuid) -> Result<Pence, AppError> {
    let paid = paid_for(tx, policy, adjustment)?;
    Ok(paid.into_iter().map(|(_, left)| left).sum())
}

/// Refunds all that was paid for an adjustment that never comes, to the card it came from. Called
/// again, it does nothing.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn refund_adjustment(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    adjustment: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    for (payment, left) in paid_for(tx, policy, adjustment)? {
        if left > Pence::ZERO {
            store_refund(tx, &payment, adjustment, left, now)?;
        }
    }
    Ok(())
}

/// The payment that bought an adjustment, with what is left of it.
fn paid_for(
    tx: &impl Read,
    policy: Uuid,
    adjustment: Uuid,
) -> Result<Vec<(Payment, Pence)>, AppError> {
    let mut paid = in_hand_by_payment(tx, policy)?;
    paid.retain(|(payment, _)| payment.bought && payment.adjustment == Some(adjustment));
    Ok(paid)
}

/// Refunds all of a payment that bought nothing; `taken` is what its gateway took.
pub(in crate::app) fn refund_surplus(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    taken: Pence,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    ledger::post(tx, payment.quote, &Entry::surplus(now, payment.id, taken))?;
    let news = PolicyNews::Surplus {
        payment: payment.id,
    };
    queue_letter(tx, payment.quote, news, now)?;
    store_refund(tx, payment, payment.id, taken, now).map(|_| ())
}

/// What was received for a policy less all its refunds, pending and refused ones too, and less what
/// gateways took for disputes: what could be refunded now, pence. A refused refund is still owed to
/// the customer.
///
/// # Errors
/// When the store fails.
pub fn in_hand(tx: &impl Read, policy: Uuid) -> Result<Pence, AppError> {
    let payments = in_hand_by_payment(tx, policy)?;
    Ok(payments.into_iter().map(|(_, left)| left).sum())
}

/// What the gateway took for a payment that was made, pence. It may be another amount than was
/// accepted; then it bought nothing, and is what goes back.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn taken_of(tx: &impl Read, payment: &Payment) -> Result<Pence, AppError> {
    let surplus = REFUNDS.get(tx, &Refund::id_of(payment.id, payment.id))?;
    Ok(surplus.map_or(payment.amount, |refund| refund.amount))
}

/// The refunds of a policy because of `about`.
///
/// # Errors
/// When the store fails.
pub fn refunds_about(tx: &impl Read, policy: Uuid, about: Uuid) -> Result<Vec<Refund>, AppError> {
    let mut found = refunds_of(tx, policy)?;
    found.retain(|refund| refund.about == about);
    Ok(found)
}

pub(in crate::app) fn refunds_of(tx: &impl Read, policy: Uuid) -> Result<Vec<Refund>, AppError> {
    let mut found = Vec::new();
    for ((_, id), ()) in REFUND_BY_POLICY.list(tx, &policy, Direction::Forward, usize::MAX)? {
        found.extend(REFUNDS.get(tx, &id)?);
    }
    Ok(found)
}

/// The payments that bought something, oldest first, with what is left of each.
fn in_hand_by_payment(tx: &impl Read, policy: Uuid) -> Result<Vec<(Payment, Pence)>, AppError> {
    let refunds = refunds_of(tx, policy)?;
    let disputes = disputes_of(tx, policy)?;
    let mut payments = attempts(tx, policy)?;
    payments.retain(|payment| payment.status == PaymentStatus::Paid);
    let left = |payment: Payment| {
        let own = refunds.iter().filter(|refund| refund.payment == payment.id);
        let back: Pence = own.map(|refund| refund.amount).sum();
        let own = disputes.iter().filter(|own| own.payment == payment.id);
        let taken: Pence = own.map(Dispute::taken).sum();
        let left = (payment.amount - back - taken).max(Pence::ZERO);
        (payment, left)
    };
    Ok(payments.into_iter().map(left).collect())
}

/// Stores a refund with the job that asks the gateway for it.
fn store_refund(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    about: Uuid,
    amount: Pence,
    now: DateTime<Utc>,
) -> Result<Refund, AppError> {
    let refund = Refund {
        id: Refund::id_of(about, payment.id),
        policy: payment.quote,
        payment: payment.id,
        about,
        amount,
        status: RefundStatus::Pending,
        message: None,
        created: now,
        updated: now,
        reference: None,
        by_hand: false,
        otherwise: None,
    };
    rows::refunds::put(tx, &refund)?;
    enqueue(tx, Task::Refund { refund: refund.id }, now, refund.id)?;
    Ok(refund)
}

impl App {
    /// Asks the gateway for a refund and stores how it ended; true once it has ended.
    pub(in crate::app) async fn refund(&self, id: Uuid) -> Result<bool, AppError> {
        let (refund, payment) = self
            .store
            .read(|tx| {
                let refund = REFUNDS.get(tx, &id)?.ok_or(AppError::NotFound)?;
                let payment = PAYMENTS.get(tx, &refund.payment)?;
                Ok::<_, AppError>((refund, payment.ok_or(AppError::NotFound)?))
            })
            .await?;
        if refund.status != RefundStatus::Pending {
            return Ok(true);
        }
        let Some(gateway) = self.gateway_of(&payment) else {
            return Ok(false);
        };
        let order = RefundOrder {
            payment: &payment,
            refund: id,
            amount: refund.amount,
            since: refund.created,
        };
        // It may have been made before a stop, or by a call whose answer was lost.
        let report = match gateway.find_refund(order).await? {
            Some(found) => found,
            None => gateway.refund(order).await?,
        };
        let status_at_gateway = report.status;
        let event = match &status_at_gateway {
            GatewayRefundStatus::Pending => return Ok(false),
            GatewayRefundStatus::Done => RefundEvent::Done,
            GatewayRefundStatus::Refused { .. } => RefundEvent::Refused,
        };
        let now = self.clock.now();
        let news = self
            .store
            .write(move |tx| record_refund_outcome(tx, id, event, now))
            .await?;
        match status_at_gateway {
            GatewayRefundStatus::Refused { message } if news => {
                tracing::error!(
                    refund = %id, payment = %payment.id, amount = %refund.amount, message,
                    "a refund was refused: it has to be paid another way"
                );
            }
            _ => tracing::info!(refund = %id, ?event, "a refund has ended"),
        }
        Ok(true)
    }
}

impl App {
    /// Takes in what a gateway tells by itself of a refund of `payment`. A refund that it says is not
    /// made is so for good: the news that it was made may come later.
    ///
    /// # Errors
    /// [`AppError::NotFound`] when there is no such refund of this payment.
    pub(in crate::app) async fn refund_told(
        &self,
        refund: Uuid,
        payment: &Payment,
        status: &GatewayRefundStatus,
    ) -> Result<(), AppError> {
        let known = self.store.read(|tx| REFUNDS.get(tx, &refund)).await?;
        if known.is_none_or(|known| known.payment != payment.id) {
            return Err(AppError::NotFound);
        }
        match status {
            GatewayRefundStatus::Pending => Ok(()),
            GatewayRefundStatus::Refused { message } => {
                tracing::warn!(%refund, message, "the gateway says that a refund is not made");
                self.refund_failed(refund).await.map(|_| ())
            }
            GatewayRefundStatus::Done => {
                let now = self.clock.now();
                let event = RefundEvent::Done;
                self.store
                    .write(move |tx| record_refund_outcome(tx, refund, event, now))
                    .await
                    .map(|_| ())
            }
        }
    }

    /// Takes in the gateway's word that a refund came back from the customer's bank, which may come for
    /// a month after it was made: it is owed again, in the same write. True when it is news.
    ///
    /// # Errors
    /// [`AppError::NotFound`] when there is no such refund.
    pub async fn refund_failed(&self, refund: Uuid) -> Result<bool, AppError> {
        let now = self.clock.now();
        let event = RefundEvent::Failed;
        let is_news = self
            .store
            .write(move |tx| record_refund_outcome(tx, refund, event, now))
            .await?;
        if is_news {
            tracing::error!(
                %refund,
                "a refund came back from the customer's bank: it has to be paid another way"
            );
            self.work_added.notify_one();
        }
        Ok(is_news)
    }
}

/// Stores how a refund ended, with its ledger entry; false when that was stored before.
fn record_refund_outcome(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    event: RefundEvent,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let mut refund = REFUNDS.get(tx, &id)?.ok_or(AppError::NotFound)?;
    let before = refund.status;
    let Transition::Applied(status) = refund::apply(before, event) else {
        return Ok(false);
    };
    let payment = PAYMENTS.get(tx, &refund.payment)?;
    let mut payment = payment.ok_or(AppError::NotFound)?;
    refund.status = status;
    refund.updated = now;
    refund.message = match event {
        RefundEvent::Done => None,
        RefundEvent::Failed if before == RefundStatus::Paid => Some(CAME_BACK.to_string()),
        RefundEvent::Refused | RefundEvent::Failed => Some(REFUSED.to_string()),
    };
    rows::refunds::put(tx, &refund)?;
    let (provider, amount) = (&payment.provider, refund.amount);
    if event == RefundEvent::Done {
        let entry = Entry::refund(now, provider, id, amount);
        ledger::post(tx, refund.policy, &entry)?;
    } else if before == RefundStatus::Paid {
        let entry = Entry::refund_failed(now, provider, id, amount);
        ledger::post(tx, refund.policy, &entry)?;
    }
    if status.needs_a_person() && !before.needs_a_person() {
        let news = PolicyNews::RefundOwed { refund: id };
        queue_letter(tx, refund.policy, news, now)?;
    }
    if refund.is_surplus() {
        let given = match event {
            RefundEvent::Done => PaymentEvent::Refunded,
            RefundEvent::Refused | RefundEvent::Failed => PaymentEvent::RefundFailed,
        };
        if let Transition::Applied(status) = payment::apply(payment.status, given) {
            payment.status = status;
        }
        if refund.message.is_some() {
            payment.message.clone_from(&refund.message);
        }
        payment.updated = now;
        rows::payments::put(tx, &payment)?;
    }
    Ok(true)
}
