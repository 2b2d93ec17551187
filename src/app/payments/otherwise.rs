//! Refunds that the gateway doesn't make and that the customer gets in another way: by bank transfer, or
//! because their bank has given them the money for a dispute that we lost.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::payments::ledger;
use crate::app::payments::of_policy::{disputes_of, refunds_of};
use crate::app::payments::surplus::note_surplus;
use crate::app::work::queue::enqueue;
use crate::app::{AppError, rows};
use crate::domain::ledger::Entry;
use crate::domain::money::Pence;
use crate::domain::payment::PaymentEvent;
use crate::domain::refund::{OtherWay, PaidOtherwise, Refund, SHOP};
use crate::store::tables::{PAYMENTS, Task};
use crate::store::{Read, WriteTx};

/// Writes down that an owed refund was got in another way, with its money.
pub(in crate::app) fn pay_otherwise(
    tx: &mut WriteTx<'_>,
    mut refund: Refund,
    otherwise: PaidOtherwise,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let entry = match otherwise.way {
        OtherWay::Transfer => Entry::paid_by_transfer(now, refund.id, refund.amount),
        OtherWay::AlreadyHad => Entry::had_already(now, refund.id, refund.amount),
    };
    refund.otherwise = Some(otherwise);
    refund.message = None;
    refund.updated = now;
    ledger::post(tx, refund.policy, &entry)?;
    put(tx, &refund, PaymentEvent::Refunded, now)
}

/// Counts what a customer's bank has given them for good, for disputes of `payment` that we lost, as had
/// of the refunds of the same payment that we owe, the oldest first, as far as whole refunds fit. Where
/// an appeal was won, what was counted is owed again.
pub(in crate::app) fn count_losses(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    payment: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let (mut refunds, lost) = of_payment(tx, policy, payment)?;
    let by_us = |refund: &Refund| refund.otherwise.as_ref().is_some_and(|own| own.by == SHOP);
    let counted = refunds.iter().filter(|refund| by_us(refund));
    let counted: Pence = counted.map(|refund| refund.amount).sum();
    let mut spare = (lost.by_disputes - counted).min(lost.spare);
    for refund in refunds.iter().rev().filter(|refund| by_us(refund)) {
        if spare < Pence::ZERO {
            spare += refund.amount;
            owe_again(tx, refund.clone(), now)?;
        }
    }
    refunds.retain(Refund::is_owed);
    for refund in refunds {
        if refund.amount <= spare {
            spare -= refund.amount;
            let otherwise = PaidOtherwise {
                way: OtherWay::AlreadyHad,
                by: SHOP.to_string(),
                why: "The customer's bank gave it to them for a dispute.".to_string(),
                at: now,
            };
            pay_otherwise(tx, refund, otherwise, now)?;
        }
    }
    Ok(())
}

/// What of a payment is lost and not counted as a refund that the customer had, pence.
pub(in crate::app) fn spare_loss(
    tx: &impl Read,
    policy: Uuid,
    payment: Uuid,
) -> Result<Pence, AppError> {
    Ok(of_payment(tx, policy, payment)?.1.spare)
}

/// What of a payment is lost in disputes and is in none of its refunds, pence.
pub(in crate::app) fn lost_beside_refunds(
    tx: &impl Read,
    policy: Uuid,
    payment: Uuid,
) -> Result<Pence, AppError> {
    let lost = of_payment(tx, policy, payment)?.1;
    Ok((lost.by_disputes - lost.had).max(Pence::ZERO))
}

/// What is lost of a payment, pence.
struct Lost {
    by_disputes: Pence,
    /// Refunds that the customer had already.
    had: Pence,
    /// Less what counts as refunds that the customer had already.
    spare: Pence,
}

/// The refunds of a payment, oldest first, and what of it is lost.
fn of_payment(
    tx: &impl Read,
    policy: Uuid,
    payment: Uuid,
) -> Result<(Vec<Refund>, Lost), AppError> {
    let mut refunds = refunds_of(tx, policy)?;
    refunds.retain(|refund| refund.payment == payment);
    refunds.sort_by_key(|refund| (refund.created, refund.id));
    let disputes = disputes_of(tx, policy)?.into_iter();
    let disputes = disputes.filter(|own| own.payment == payment);
    let by_disputes: Pence = disputes.map(|own| own.written_off).sum();
    let sum = |wanted: fn(&Refund) -> bool| -> Pence {
        let some = refunds.iter().filter(|refund| wanted(refund));
        some.map(|refund| refund.amount).sum()
    };
    let by_hand = sum(|refund| refund.by_hand && !refund.is_back_by_hand());
    let had = sum(|refund| refund.was_got(OtherWay::AlreadyHad));
    let spare = by_disputes + by_hand - had;
    let lost = Lost {
        by_disputes,
        had,
        spare,
    };
    Ok((refunds, lost))
}

fn owe_again(tx: &mut WriteTx<'_>, mut refund: Refund, now: DateTime<Utc>) -> Result<(), AppError> {
    refund.otherwise = None;
    refund.updated = now;
    let entry = Entry::had_already(now, refund.id, -refund.amount);
    ledger::post(tx, refund.policy, &entry)?;
    if refund.is_under_way() {
        enqueue(tx, Task::Refund { refund: refund.id }, now, refund.id)?;
    }
    put(tx, &refund, PaymentEvent::RefundFailed, now)
}

fn put(
    tx: &mut WriteTx<'_>,
    refund: &Refund,
    event: PaymentEvent,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    rows::refunds::put(tx, refund)?;
    let payment = PAYMENTS.get(tx, &refund.payment)?;
    let payment = payment.ok_or(AppError::NotFound)?;
    note_surplus(tx, refund, payment, event, now)
}
