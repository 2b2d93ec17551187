//! The balance of one payment: the amounts taken, refunded, lost and owed.

use super::Payment;
use crate::domain::money::Pence;
use crate::domain::payment::dispute::Dispute;
use crate::domain::payment::refund::{Refund, RefundMethod, RefundStatus};

/// The balance of one payment, in pence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PaymentBalance {
    /// What the gateway took.
    pub taken: Pence,
    /// What was refunded: by the gateway, by hand at the gateway, or by bank transfer.
    pub given_back: Pence,
    /// What was taken permanently, by lost disputes or by a reversal.
    pub lost: Pence,
    /// Refunds that are owed and not made.
    pub owed_back: Pence,
    /// The part of `lost` that counts as owed refunds.
    pub refunded_loss: Pence,
    /// The part of `lost` and of refunds by hand that counts as no owed refund.
    pub spare: Pence,
    /// Whether a dispute of the payment is open. An inquiry does not count.
    pub is_disputed: bool,
    /// Whether a dispute is lost (see [`Dispute::is_lost`]), or the gateway took the money back.
    pub has_lost: bool,
    /// Whether the gateway made a refund whose cause nobody knows, see [`Refund::needs_cause`].
    pub has_unexplained_refund: bool,
}

impl PaymentBalance {
    /// Returns the balance of `payment`. Other payments' `refunds` and `disputes` are ignored.
    #[must_use]
    pub fn new(payment: &Payment, refunds: &[Refund], disputes: &[Dispute]) -> Self {
        let refunds = || refunds.iter().filter(|own| own.payment == payment.id);
        let disputes = || disputes.iter().filter(|own| own.payment == payment.id);
        let sum = |is_wanted: fn(&Refund) -> bool| -> Pence {
            let matching = refunds().filter(|refund| is_wanted(refund));
            matching.map(|refund| refund.amount).sum()
        };
        let made = sum(|refund| refund.status == RefundStatus::Paid);
        let transferred = sum(|refund| refund.was_received(RefundMethod::Transfer));
        let by_hand = sum(|refund| refund.is_from_gateway && refund.status == RefundStatus::Paid);
        let refunded_before = sum(|refund| refund.was_received(RefundMethod::AlreadyRefunded));
        let disputed: Pence = disputes().map(|dispute| dispute.written_off).sum();
        let lost = disputed + payment.reversed.unwrap_or_default();
        Self {
            taken: taken(payment, sum(Refund::is_unapplied)),
            given_back: made + transferred,
            lost,
            owed_back: sum(Refund::is_owed),
            refunded_loss: refunded_before.min(lost),
            spare: lost + by_hand - refunded_before,
            is_disputed: disputes().any(Dispute::is_undecided),
            has_lost: disputes().any(Dispute::is_lost) || payment.reversed.is_some(),
            has_unexplained_refund: refunds().any(Refund::needs_cause),
        }
    }

    /// Returns what can be refunded for a new reason, in pence.
    #[must_use]
    pub fn refundable(&self) -> Pence {
        (self.room() - self.owed_back).max(Pence::ZERO)
    }

    /// Returns what no refund covers, in pence: money that we still have, and losses that count
    /// as no refund.
    #[must_use]
    pub fn unrefunded(&self) -> Pence {
        let refunded = self.given_back + self.owed_back + self.refunded_loss;
        (self.taken - refunded).max(Pence::ZERO)
    }

    /// Returns what disputes and a reversal took permanently, less the part that counts as refunds, in
    /// pence.
    #[must_use]
    pub fn unrefunded_loss(&self) -> Pence {
        self.lost - self.refunded_loss
    }

    /// Returns the most that may still be refunded, owed refunds included, in pence. It is negative
    /// if too much was refunded.
    #[must_use]
    pub fn room(&self) -> Pence {
        self.taken - self.given_back - self.lost
    }
}

/// Returns what the gateway took. Returns zero if the payment failed or its outcome is unknown.
/// `unapplied` is the refund of a payment that bought nothing. If `unapplied` is not zero, it is the
/// amount that the gateway took. This amount may differ from the accepted amount.
fn taken(payment: &Payment, unapplied: Pence) -> Pence {
    match payment.status.took_money() {
        Some(true) if unapplied > Pence::ZERO => unapplied,
        Some(true) => payment.amount,
        Some(false) | None => Pence::ZERO,
    }
}
