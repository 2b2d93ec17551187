//! Refunds: what is owed back, and which card payments it goes back to.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::of_policy::refunds_of;
use crate::app::payments::otherwise::{count_losses, lost_beside_refunds};
use crate::app::payments::{attempts, ledger};
use crate::app::policies::queue_letter;
use crate::app::work::queue::enqueue;
use crate::app::{AppError, rows};
use crate::domain::ledger::Entry;
use crate::domain::money::Pence;
use crate::domain::payment::{Payment, PaymentStatus};
use crate::domain::refund::{Refund, RefundStatus};
use crate::store::tables::{PolicyNews, REFUNDS, Task};
use crate::store::{Read, WriteTx};

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
    Ok(MoneyBack {
        amount: refunds.iter().map(|refund| refund.amount).sum(),
        progress: if refunds.is_empty() {
            RefundProgress::None
        } else if refunds.iter().any(Refund::needs_a_person) {
            RefundProgress::Refused
        } else if refunds.iter().any(Refund::is_under_way) {
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

/// What was paid for an adjustment and has not gone back, pence: also what a bank has taken for a
/// dispute, which is given back once that is decided for us.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn held_for(
    tx: &impl Read,
    policy: Uuid,
    adjustment: Uuid,
) -> Result<Pence, AppError> {
    let paid = not_refunded(tx, policy)?.into_iter();
    let own = paid.filter(|(payment, _)| is_paid_for(payment, adjustment));
    Ok(own.map(|(_, left)| left).sum())
}

/// Refunds all that was paid for an adjustment that never comes, to the card it came from, also what a
/// bank has taken for a dispute: it is owed unless the dispute is lost. Called again, it does nothing.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn refund_adjustment(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    adjustment: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    for (payment, left) in not_refunded(tx, policy)? {
        if is_paid_for(&payment, adjustment) && left > Pence::ZERO {
            store_refund(tx, &payment, adjustment, left, now)?;
            count_losses(tx, policy, payment.id, now)?;
        }
    }
    Ok(())
}

fn is_paid_for(payment: &Payment, adjustment: Uuid) -> bool {
    payment.bought && payment.adjustment == Some(adjustment)
}

/// The payment that bought an adjustment, with what is left of it.
fn paid_for(
    tx: &impl Read,
    policy: Uuid,
    adjustment: Uuid,
) -> Result<Vec<(Payment, Pence)>, AppError> {
    let mut paid = in_hand_by_payment(tx, policy)?;
    paid.retain(|(payment, _)| is_paid_for(payment, adjustment));
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
/// was lost in disputes, pence. A refused refund is still owed to the customer. What a bank has taken
/// for a dispute counts until it is decided: its refund waits for that.
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

/// The payments that bought something, oldest first, with what is left of each.
fn in_hand_by_payment(tx: &impl Read, policy: Uuid) -> Result<Vec<(Payment, Pence)>, AppError> {
    let mut payments = not_refunded(tx, policy)?;
    for (payment, left) in &mut payments {
        let lost = lost_beside_refunds(tx, policy, payment.id)?;
        *left = (*left - lost).max(Pence::ZERO);
    }
    Ok(payments)
}

/// The payments that bought something, oldest first, with what of each has not gone back and is not to.
fn not_refunded(tx: &impl Read, policy: Uuid) -> Result<Vec<(Payment, Pence)>, AppError> {
    let refunds = refunds_of(tx, policy)?;
    let mut payments = attempts(tx, policy)?;
    payments.retain(|payment| payment.status == PaymentStatus::Paid);
    let left = |payment: Payment| {
        let own = refunds.iter().filter(|refund| refund.payment == payment.id);
        let back: Pence = own.map(Refund::taken).sum();
        let left = (payment.amount - back).max(Pence::ZERO);
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
