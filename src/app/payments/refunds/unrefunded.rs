//! Refunds: the amounts that can still be refunded, and the refunds for each cause.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::enqueue;
use crate::app::payments::refunds::manual_refund::count_losses;
use crate::app::payments::refunds::policy_payments::refunds_of;
use crate::app::payments::{balance_of, balances_of, ledger};
use crate::app::policies::queue_letter;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::balance::PaymentBalance;
use crate::domain::payment::refund::{Refund, RefundPart, RefundRoute, RefundStatus};
use crate::domain::payment::{Payment, PaymentSource, Purpose};
use crate::json_schema::ResponseSchema;
use crate::store::tables::{PolicyNotification, Task};
use crate::store::{Read, WriteTx, tables};

/// The status of a refund. `none`: no refund is ordered. `pending`: the gateway has not made the whole refund
/// yet. `disputed`: a part waits for a bank's decision about a dispute. `paid`: the whole refund is made, or
/// was closed by hand. `refused`: a part was refused, or the customer's bank returned it. `unconfirmed`: the
/// gateway was asked for a part, and its answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename = "RefundState", rename_all = "snake_case")]
pub enum RefundProgress {
    /// No refund is ordered.
    None,
    /// The gateway has not made the whole refund yet.
    Pending,
    /// A part of the refund waits until a bank has decided a dispute.
    Disputed,
    /// The whole refund is made, or was closed by hand.
    Paid,
    /// A part of the refund was refused, or the customer's bank returned it.
    Refused,
    /// The gateway's answer about a part of the refund was lost.
    Unconfirmed,
}

/// The refunds for one cause, and their progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefundSummary {
    /// The sum of the refunds, pence.
    pub amount: Pence,
    pub progress: RefundProgress,
}

/// Returns the sum of a policy's refunds for `cause_id`, and their progress.
///
/// # Errors
/// When the store fails.
pub fn refund_summary(
    tx: &impl Read,
    policy: Uuid,
    cause_id: Uuid,
) -> Result<RefundSummary, AppError> {
    let refunds = refunds_about(tx, policy, cause_id)?;
    let parts = refund_parts(tx, policy, cause_id)?;
    let is_refused =
        |refund: &Refund| refund.needs_a_person() && refund.status != RefundStatus::Unconfirmed;
    let waits = |part: &RefundPart| part.route == RefundRoute::Dispute;
    Ok(RefundSummary {
        amount: refunds.iter().map(|refund| refund.amount).sum(),
        progress: if refunds.is_empty() {
            RefundProgress::None
        } else if refunds.iter().any(is_refused) {
            RefundProgress::Refused
        } else if refunds.iter().any(Refund::needs_a_person) {
            RefundProgress::Unconfirmed
        } else if parts.iter().any(waits) {
            RefundProgress::Disputed
        } else if refunds.iter().any(Refund::is_under_way) {
            RefundProgress::Pending
        } else {
            RefundProgress::Paid
        },
    })
}

/// Refunds `amount` of a policy's payments to their cards, the newest payment first. Refunds less if less of
/// the payments can still be refunded. A repeated call for the same `cause_id` returns the existing refunds.
/// The caller must wake the job runner.
///
/// # Errors
/// When the store fails.
pub fn refund_to_cards(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    cause_id: Uuid,
    amount: Pence,
    now: DateTime<Utc>,
) -> Result<Vec<Refund>, AppError> {
    let made = refunds_about(tx, policy, cause_id)?;
    if !made.is_empty() {
        return Ok(made);
    }
    split(tx, policy, amount)?
        .into_iter()
        .map(|(payment, _, part)| store_refund(tx, &payment, cause_id, part, now))
        .collect()
}

/// Returns the sums of the refunds for `cause_id`, by route.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn refund_parts(
    tx: &impl Read,
    policy: Uuid,
    cause_id: Uuid,
) -> Result<Vec<RefundPart>, AppError> {
    let mut parts = Vec::new();
    for refund in refunds_about(tx, policy, cause_id)? {
        let balance = balance_of(tx, refund.payment)?;
        add_part(&mut parts, refund.route(balance.is_disputed), refund.amount);
    }
    Ok(parts)
}

/// Returns the parts into which [`refund_to_cards`] would split `amount` now.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn expected_parts(
    tx: &impl Read,
    policy: Uuid,
    amount: Pence,
) -> Result<Vec<RefundPart>, AppError> {
    let mut parts = Vec::new();
    for (payment, balance, part) in split(tx, policy, amount)? {
        let route = match payment.by {
            PaymentSource::Transfer => RefundRoute::Owed,
            _ if balance.is_disputed => RefundRoute::Dispute,
            _ => RefundRoute::Card,
        };
        add_part(&mut parts, route, part);
    }
    Ok(parts)
}

fn add_part(parts: &mut Vec<RefundPart>, route: RefundRoute, amount: Pence) {
    match parts.iter_mut().find(|part| part.route == route) {
        Some(part) => part.amount += amount,
        None => parts.push(RefundPart { route, amount }),
    }
}

/// Splits `amount` over the payments, the newest payment first. The sum of the parts is less than
/// `amount` if less of the payments can still be refunded.
fn split(
    tx: &impl Read,
    policy: Uuid,
    amount: Pence,
) -> Result<Vec<(Payment, PaymentBalance, Pence)>, AppError> {
    let mut rest = amount;
    let payments = policy_payments(tx, policy)?.into_iter().rev();
    let parts = payments.map(|(payment, balance)| {
        let part = rest.min(balance.refundable());
        rest -= part;
        (payment, balance, part)
    });
    Ok(parts.filter(|(.., part)| *part > Pence::ZERO).collect())
}

/// Returns the amount paid for an adjustment, less all refunds, dispute losses and reversals,
/// pence. Deducts refunds that are owed and not made, too.
///
/// # Errors
/// When the store fails.
pub fn net_paid_for_adjustment(
    tx: &impl Read,
    policy: Uuid,
    adjustment: Uuid,
) -> Result<Pence, AppError> {
    let paid = paid_for(tx, policy, adjustment)?.into_iter();
    Ok(paid.map(|(_, balance)| balance.refundable()).sum())
}

/// Returns the part of the amount paid for an adjustment that no refund covers, pence. Includes
/// money that a bank holds for a dispute, and losses that count as no refund.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn unrefunded_for_adjustment(
    tx: &impl Read,
    policy: Uuid,
    adjustment: Uuid,
) -> Result<Pence, AppError> {
    let paid = paid_for(tx, policy, adjustment)?.into_iter();
    Ok(paid.map(|(_, balance)| balance.unrefunded()).sum())
}

/// Returns what a bank or the gateway took permanently of an adjustment's payment, less the part
/// that counts as refunds, pence.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn loss_for(
    tx: &impl Read,
    policy: Uuid,
    adjustment: Uuid,
) -> Result<Pence, AppError> {
    let paid = paid_for(tx, policy, adjustment)?.into_iter();
    Ok(paid.map(|(_, balance)| balance.unrefunded_loss()).sum())
}

/// Refunds the payment for an adjustment that never takes effect, less the refunds that exist. The
/// refund includes money that a bank holds for a dispute: we owe this money unless we lose. Money
/// that a bank or the gateway took permanently replaces an equal part of the refund. A repeated call
/// does nothing.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn refund_adjustment(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    adjustment: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    for (payment, balance) in paid_for(tx, policy, adjustment)? {
        let amount = balance.unrefunded();
        if amount > Pence::ZERO {
            store_refund(tx, &payment, adjustment, amount, now)?;
            count_losses(tx, policy, payment.id, now)?;
        }
    }
    Ok(())
}

/// Returns the payments that bought an adjustment, with their balances.
fn paid_for(
    tx: &impl Read,
    policy: Uuid,
    adjustment: Uuid,
) -> Result<Vec<(Payment, PaymentBalance)>, AppError> {
    let mut own = policy_payments(tx, policy)?;
    own.retain(|(payment, _)| payment.purpose == Purpose::Change(adjustment));
    Ok(own)
}

/// Refunds all of a payment that bought nothing, and queues a letter. `taken` is the amount that the
/// gateway took.
pub(in crate::app) fn refund_whole_payment(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    taken: Pence,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    ledger::post(tx, payment.quote, &Entry::unapplied(now, payment.id, taken))?;
    let news = PolicyNotification::UnappliedPayment {
        payment: payment.id,
    };
    queue_letter(tx, payment.quote, news, now)?;
    store_refund(tx, payment, payment.id, taken, now).map(|_| ())
}

/// Returns a policy's payments, less all refunds, dispute losses and reversals, pence. Deducts
/// pending and refused refunds too: we still owe a refused refund. Does not deduct money under an
/// undecided dispute, because a refund of this money waits for the decision.
///
/// # Errors
/// When the store fails.
pub fn net_paid(tx: &impl Read, policy: Uuid) -> Result<Pence, AppError> {
    let paid = policy_payments(tx, policy)?.into_iter();
    Ok(paid.map(|(_, balance)| balance.refundable()).sum())
}

/// Returns what banks or gateways took permanently of a policy's payments, less the part that
/// counts as refunds, pence.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn loss(tx: &impl Read, policy: Uuid) -> Result<Pence, AppError> {
    let paid = policy_payments(tx, policy)?.into_iter();
    Ok(paid.map(|(_, balance)| balance.unrefunded_loss()).sum())
}

/// Returns the refunds of a policy for `cause_id`.
///
/// # Errors
/// When the store fails.
pub fn refunds_about(
    tx: &impl Read,
    policy: Uuid,
    cause_id: Uuid,
) -> Result<Vec<Refund>, AppError> {
    let mut found = refunds_of(tx, policy)?;
    found.retain(|refund| refund.cause_id == cause_id);
    Ok(found)
}

/// Returns the payments that bought a policy and its changes, with their balances, oldest first.
///
/// # Errors
/// When the store fails.
pub(in crate::app) fn policy_payments(
    tx: &impl Read,
    policy: Uuid,
) -> Result<Vec<(Payment, PaymentBalance)>, AppError> {
    let mut payments = balances_of(tx, policy)?;
    payments.retain(|(payment, _)| payment.is_applied());
    Ok(payments)
}

/// Stores a refund with the job that sends it to the gateway.
fn store_refund(
    tx: &mut WriteTx<'_>,
    payment: &Payment,
    cause_id: Uuid,
    amount: Pence,
    now: DateTime<Utc>,
) -> Result<Refund, AppError> {
    let refund = Refund {
        id: Refund::refund_id(cause_id, payment.id),
        policy: payment.quote,
        payment: payment.id,
        cause_id,
        amount,
        status: RefundStatus::Pending,
        message: None,
        created: now,
        updated: now,
        reference: None,
        requested: None,
        is_from_gateway: false,
        is_after_backup: false,
        manual: None,
        lookup: None,
    };
    tables::REFUNDS.put_new(tx, &refund.id, &refund)?;
    enqueue(tx, Task::Refund { refund: refund.id }, now, refund.id)?;
    Ok(refund)
}
