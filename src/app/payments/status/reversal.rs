//! Applies a reversal: the gateway took a payment back, without a dispute.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::payments::refunds::manual_refund::count_losses;
use crate::app::payments::{balance_of, ledger};
use crate::app::policies::{plans, queue_letter};
use crate::domain::money::Pence;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::{
    Failure, FailureClass, Payment, PaymentStatus, Unresolved, UnresolvedReason,
};
use crate::store::tables::PolicyNotification;
use crate::store::{WriteTx, tables};

pub(super) fn mark_unresolved(payment: &mut Payment, reason: UnresolvedReason) {
    payment.message = Some(reason.message().to_string());
    payment.unresolved = Some(Unresolved {
        reason,
        resolution: None,
    });
}

/// Applies a reversal. A payment that was never confirmed fails. For a confirmed payment, posts the rest of
/// the payment as a loss. Closes owed refunds of the payment up to this loss. Makes the instalments that it paid
/// due again. If it bought something else, marks the payment for a person, who must check the unpaid cover.
pub(super) fn reverse(
    tx: &mut WriteTx<'_>,
    payment: &mut Payment,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if payment.status != PaymentStatus::Reversed {
        // A late report of success then buys nothing.
        payment.reversed = Some(Pence::ZERO);
        payment.failure = Some(Failure {
            class: FailureClass::Unknown,
            is_final: true,
        });
        payment.message = Some("The payment was taken back before it was complete.".to_string());
        return Ok(());
    }
    let (id, policy) = (payment.id, payment.quote);
    let amount = balance_of(tx, id)?.room().max(Pence::ZERO);
    payment.reversed = Some(amount);
    let entry = Entry::reversed(now, &payment.provider, id, amount);
    ledger::post(tx, policy, &entry)?;
    payment.message = None;
    tables::PAYMENTS.put(tx, &id, payment)?;
    count_losses(tx, policy, id, now)?;
    let is_due_again = plans::apply_loss(tx, id, id, now)?;
    if payment.is_applied() && amount > Pence::ZERO {
        if !is_due_again {
            mark_unresolved(payment, UnresolvedReason::Reversed);
            tables::PAYMENTS.put(tx, &id, payment)?;
        }
        let news = PolicyNotification::PaymentReversed { payment: id };
        queue_letter(tx, policy, news, now)?;
    }
    Ok(())
}
