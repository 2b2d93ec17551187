//! Lists the refunds that need a person.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::accounting::unresolved::row::{UnresolvedRow, number};
use crate::app::payments::{balance_of, refunds_of};
use crate::domain::money::Pence;
use crate::domain::payment::refund::{Refund, RefundMethod, RefundStatus};
use crate::store::Read;
use crate::store::tables::PAYMENTS;

/// Returns a row for a refund that needs a person. Returns `None` for any other refund.
pub(super) fn refund_row(
    tx: &impl Read,
    refund: &Refund,
    now: DateTime<Utc>,
) -> Result<Option<UnresolvedRow>, AppError> {
    let payment = PAYMENTS.get(tx, &refund.payment)?;
    let gateway = payment.map(|payment| payment.provider).unwrap_or_default();
    let by_transfer = "First look at the gateway: if somebody refunded the payment there by hand, don't pay that \
                       again. Ask the customer for a bank account, pay it by bank transfer, and write that down \
                       with `layby resolve`.";
    let (facts, to_do) = if refund.needs_cause() {
        (
            "The gateway made it after the backup from which the shop was restored. The store lacks its cause, such as \
             a cancellation or a change. layby requests no other refund of the payment meanwhile.",
            "Ask the customer what was cancelled or changed, and do that again. layby then refuses the refund for it: \
             write that one down with `layby resolve --method already-refunded`. Then write this one down with `layby \
             resolve --method followed-up`."
                .to_string(),
        )
    } else if is_perhaps_paid_twice(tx, refund)? {
        (
            "It was made at the gateway by hand, and layby learned of it after a bank transfer for the same payment or \
             after all of the payment was given back. The customer may have the money twice.",
            "Compare it with the transfer. If the customer has the money twice, ask for one of the two. Then write that \
             down with `layby resolve --method followed-up`."
                .to_string(),
        )
    } else if refund.is_paid_twice() {
        (
            "It was paid in another way, and then the gateway made it too: the customer has it twice.",
            "Ask the customer for one of the two.".to_string(),
        )
    } else if refund.is_closed_unconfirmed() {
        (
            "The gateway was asked for the refund, and its answer was lost. Then the customer had the money by a lost \
             dispute, by a reversal or by hand. They have it twice if the gateway made the refund too.",
            "Look for it at the gateway. Write down whether it was made, with `layby resolve --method refund-made` or \
             `--method refund-not-made`."
                .to_string(),
        )
    } else if refund.is_slow(now) {
        if balance_of(tx, refund.payment)?.is_disputed {
            // The list has a row for the dispute. No person is needed for the refund until the bank
            // decides.
            return Ok(None);
        }
        (
            "The gateway has not said whether the refund is made. It is still asked.",
            format!(
                "Look for it in the gateway's own list. If it can't be made there: {by_transfer}"
            ),
        )
    } else if refund.needs_a_person() {
        let balance = balance_of(tx, refund.payment)?;
        let (lost, room) = (balance.spare, balance.room().max(Pence::ZERO));
        let already = if refund.amount <= lost {
            format!(
                " But {lost} of the same payment went back to the customer by a dispute that we lost, or \
                 by hand at the gateway: if that was this refund, write it down with `layby resolve \
                 --method already-refunded`."
            )
        } else if room < refund.amount {
            format!(" Only {room} is left of its payment: pay no more than that.")
        } else {
            String::new()
        };
        (
            match refund.status {
                RefundStatus::Failed => {
                    "The refund came back from the customer's bank. We still owe the money, and the \
                     customer was told so."
                }
                RefundStatus::Unconfirmed => {
                    "The gateway was asked for the refund, and its answer was lost. The customer was told \
                     that we check it."
                }
                _ if room < refund.amount => {
                    "Less than the refund is left of its payment, so it was not made. The customer was \
                     told that we still owe it."
                }
                _ => {
                    "The gateway refuses the refund. We still owe the money, and the customer was told \
                     so."
                }
            },
            match refund.status {
                RefundStatus::Unconfirmed => format!(
                    "Look for it at the gateway. If it was made, write that down with `layby resolve \
                     --method refund-made`. If it was not, `--method refund-not-made` requests it again. \
                     Or: {by_transfer}{already}"
                ),
                _ => format!("{by_transfer}{already}"),
            },
        )
    } else {
        return Ok(None);
    };
    Ok(Some(UnresolvedRow {
        what: "refund".to_string(),
        id: Some(refund.id),
        policy: number(tx, refund.policy)?,
        gateway,
        reference: refund.reference.clone(),
        amount: refund.amount,
        since: refund.updated,
        facts: facts.to_string(),
        to_do,
    }))
}

/// Returns whether a refund by hand at the gateway may repeat a bank transfer, or exceeds its payment.
fn is_perhaps_paid_twice(tx: &impl Read, refund: &Refund) -> Result<bool, AppError> {
    let is_made = refund.is_from_gateway && refund.status == RefundStatus::Paid;
    if !is_made || refund.lookup.is_some() {
        return Ok(false);
    }
    let is_earlier_transfer = |other: &Refund| {
        let is_same = other.payment == refund.payment && other.was_received(RefundMethod::Transfer);
        let manual = other.manual.as_ref();
        is_same && manual.is_some_and(|manual| manual.at < refund.created)
    };
    let has_transfer = refunds_of(tx, refund.policy)?
        .iter()
        .any(is_earlier_transfer);
    Ok(has_transfer || balance_of(tx, refund.payment)?.room() < Pence::ZERO)
}
