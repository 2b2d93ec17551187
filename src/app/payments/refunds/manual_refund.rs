//! Records that a customer received an owed refund by another way than the shop's request to the
//! gateway.
//!
//! The shop transferred the money, or the customer had the money already. In the second case, the
//! payment was taken back, or a person made a refund at the gateway.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::enqueue;
use crate::app::payments::balance_of;
use crate::app::payments::ledger;
use crate::app::payments::refunds::policy_payments::refunds_of;
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::refund::{ManualRefund, Refund, RefundMethod, SHOP};
use crate::store::WriteTx;
use crate::store::tables::{self, Task};

/// Records that the customer received an owed refund by another method. Posts the ledger entry.
pub(in crate::app) fn record_manual_refund(
    tx: &mut WriteTx<'_>,
    mut refund: Refund,
    manual: ManualRefund,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let entry = match manual.method {
        RefundMethod::Transfer => Entry::paid_by_transfer(now, refund.id, refund.amount),
        RefundMethod::AlreadyRefunded => Entry::had_already(now, refund.id, refund.amount),
    };
    refund.manual = Some(manual);
    refund.message = None;
    refund.updated = now;
    ledger::post(tx, refund.policy, &entry)?;
    Ok(tables::REFUNDS.put(tx, &refund.id, &refund)?)
}

/// Records that the customer received `amount` of an owed refund by another method. We still owe
/// the rest of the refund.
pub(in crate::app) fn record_partial_manual_refund(
    tx: &mut WriteTx<'_>,
    refund: &mut Refund,
    amount: Pence,
    manual: ManualRefund,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let mut siblings = refunds_of(tx, refund.policy)?;
    siblings.retain(|own| own.payment == refund.payment);
    let part = refund.split_off(amount, siblings.len());
    tables::REFUNDS.put(tx, &refund.id, refund)?;
    record_manual_refund(tx, part, manual, now)
}

/// Closes owed refunds of `payment` up to the money that a bank or the gateway took permanently.
/// Starts with the oldest refund. If we win an appeal, we owe the newest of the closed refunds
/// again.
pub(in crate::app) fn count_losses(
    tx: &mut WriteTx<'_>,
    policy: Uuid,
    payment: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let balance = balance_of(tx, payment)?;
    let mut refunds = refunds_of(tx, policy)?;
    refunds.retain(|refund| refund.payment == payment);
    refunds.sort_by_key(|refund| (refund.created, refund.id));
    let by_us = |refund: &Refund| refund.manual.as_ref().is_some_and(|own| own.by == SHOP);
    let counted = refunds.iter().filter(|refund| by_us(refund));
    let counted: Pence = counted.map(|refund| refund.amount).sum();
    let mut spare = (balance.lost - counted).min(balance.spare);
    for refund in refunds.iter_mut().rev().filter(|refund| by_us(refund)) {
        if spare < Pence::ZERO {
            spare += refund.amount;
            reopen_refund(tx, refund, now)?;
        }
    }
    for mut refund in refunds.into_iter().filter(Refund::is_owed) {
        let manual = || ManualRefund {
            method: RefundMethod::AlreadyRefunded,
            by: SHOP.to_string(),
            why: "The money went back to the customer's card without a refund.".to_string(),
            at: now,
        };
        if spare <= Pence::ZERO {
            break;
        }
        if refund.amount <= spare {
            spare -= refund.amount;
            record_manual_refund(tx, refund, manual(), now)?;
        } else {
            record_partial_manual_refund(tx, &mut refund, spare, manual(), now)?;
            spare = Pence::ZERO;
        }
    }
    Ok(())
}

fn reopen_refund(
    tx: &mut WriteTx<'_>,
    refund: &mut Refund,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    refund.manual = None;
    refund.updated = now;
    let entry = Entry::had_already(now, refund.id, -refund.amount);
    ledger::post(tx, refund.policy, &entry)?;
    if refund.is_under_way() {
        enqueue(tx, Task::Refund { refund: refund.id }, now, refund.id)?;
    }
    Ok(tables::REFUNDS.put(tx, &refund.id, refund)?)
}
