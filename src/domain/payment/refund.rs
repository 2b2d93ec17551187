//! Refunds of card payments: by the gateway, or by hand.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::deterministic_id;
use crate::domain::money::Pence;
use crate::domain::transition::Transition;

/// The customer's text for a refund that the gateway or the bank refused.
pub const REFUSED: &str =
    "The refund to your card could not be made. We will contact you to pay it another way.";

/// The customer's text for a refund that the bank returned after it was made.
pub const CAME_BACK: &str =
    "Your refund came back to us from your bank. We will contact you to pay it another way.";

/// The customer's text for a refund whose answer was lost.
pub const UNCONFIRMED: &str =
    "We asked for your refund and could not confirm it yet. We will check it and contact you.";

/// The number of days in which a gateway should make a refund. A person should check a slower
/// refund.
pub const SLOW_DAYS: i64 = 14;

/// The number of days in which a gateway reports a dispute. Stripe repeats a webhook for three days.
const DISPUTE_REPORT_DAYS: i64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RefundStatus {
    /// The gateway has not been asked for the refund, or has not finished it.
    Pending,
    /// The gateway has made the refund.
    Paid,
    /// The gateway refuses the refund; we still owe the money.
    Refused,
    /// The customer's bank returned the refund, which can happen for a month after it was made. We
    /// still owe the money.
    Failed,
    /// The gateway's answer was lost, and the gateway can't report the refund's result.
    Unconfirmed,
}

impl RefundStatus {
    pub const ALL: [Self; 5] = [
        Self::Pending,
        Self::Paid,
        Self::Refused,
        Self::Failed,
        Self::Unconfirmed,
    ];

    /// Returns whether a person must check or pay the refund, because the gateway will not complete
    /// it.
    #[must_use]
    pub const fn needs_a_person(self) -> bool {
        matches!(self, Self::Refused | Self::Failed | Self::Unconfirmed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundEvent {
    /// The gateway has made the refund.
    Done,
    /// The gateway refuses the refund.
    Refused,
    /// The customer's bank returned the refund. This event is final, even if the event of the
    /// success arrives later.
    Failed,
    /// The gateway's answer was lost, and the gateway can't report the result.
    Unconfirmed,
    /// A person found that the gateway did not make an unconfirmed refund. The shop requests the
    /// refund again.
    NotMade,
}

impl RefundEvent {
    pub const ALL: [Self; 5] = [
        Self::Done,
        Self::Refused,
        Self::Failed,
        Self::Unconfirmed,
        Self::NotMade,
    ];
}

/// Returns the transition of a refund in `status` on `event`. A late success after a refusal
/// counts, because the gateway has made the refund.
#[must_use]
pub const fn apply(status: RefundStatus, event: RefundEvent) -> Transition<RefundStatus> {
    use RefundEvent as E;
    use RefundStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (S::Pending | S::Refused | S::Unconfirmed, E::Done) => Applied(S::Paid),
        (S::Paid, E::Done) => AlreadyApplied,
        (S::Failed, E::Done) => Refused("The refund came back from the bank."),

        (S::Pending | S::Unconfirmed, E::Refused) => Applied(S::Refused),
        (S::Refused | S::Failed, E::Refused) => AlreadyApplied,
        (S::Paid, E::Refused) => Refused("The money has been given back."),

        (S::Pending | S::Paid | S::Refused | S::Unconfirmed, E::Failed) => Applied(S::Failed),
        (S::Failed, E::Failed) => AlreadyApplied,

        (S::Pending, E::Unconfirmed) => Applied(S::Unconfirmed),
        (_, E::Unconfirmed) => AlreadyApplied,

        (S::Unconfirmed, E::NotMade) => Applied(S::Pending),
        (S::Pending, E::NotMade) => AlreadyApplied,
        (S::Paid | S::Refused | S::Failed, E::NotMade) => {
            Refused("The gateway has answered about the refund.")
        }
    }
}

/// The refund of one card payment, or of a part of it, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    /// Our reference at the gateway; see [`Refund::refund_id`]. A refund by hand at the gateway has
    /// [`Refund::gateway_refund_id`]. A part of a refund has the id from [`Refund::split_off`].
    pub id: Uuid,
    /// The policy, or the quote that did not become a policy.
    pub policy: Uuid,
    pub payment: Uuid,
    /// The cause: an adjustment, a cancellation, or the payment itself if it bought nothing. For a
    /// refund by hand at the gateway, the refund's own id.
    pub cause_id: Uuid,
    /// The amount, in pence.
    pub amount: Pence,
    pub status: RefundStatus,
    /// The message that the customer reads.
    pub message: Option<String>,
    /// When the refund was created.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// When the refund was last changed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub updated: DateTime<Utc>,
    /// The gateway's reference of the refund, or `None` before the gateway has returned one.
    pub reference: Option<String>,
    /// When the gateway was asked for the refund. The time is stored before each call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested: Option<RefundCalls>,
    /// Whether somebody made the refund at the gateway by hand. Such a refund was not owed.
    pub is_from_gateway: bool,
    /// Whether the gateway made the refund after the backup from which the store was restored. Nobody knows its
    /// cause.
    pub is_after_backup: bool,
    /// The manual refund, if the customer received the money without the gateway.
    pub manual: Option<ManualRefund>,
    /// What a person found at the gateway about the unconfirmed refund.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lookup: Option<RefundLookup>,
}

/// When the gateway was asked for a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundCalls {
    /// The first call.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub first: DateTime<Utc>,
    /// The last call. It equals `first` after one call.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub last: DateTime<Utc>,
}

/// How a customer received a refund that the gateway did not make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManualRefund {
    pub method: RefundMethod,
    /// Who recorded the manual refund: a person, or [`SHOP`].
    pub by: String,
    /// The explanation, such as the bank transfer.
    pub why: String,
    /// When the manual refund was recorded.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

/// What a person found at the gateway about an unconfirmed refund.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundLookup {
    pub finding: RefundFinding,
    /// Who looked the refund up.
    pub by: String,
    /// The explanation, such as the gateway's reference.
    pub why: String,
    /// When the finding was recorded.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

/// Whether the gateway made an unconfirmed refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RefundFinding {
    Made,
    NotMade,
}

/// The name in `by` if the shop, and no person, recorded a manual refund or the end of an
/// unresolved payment.
pub const SHOP: &str = "layby";

/// The method of a manual refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RefundMethod {
    /// By bank transfer.
    Transfer,
    /// The customer received the amount already: by a dispute that we lost, by a reversal of the
    /// payment, or by a refund that somebody made at the gateway.
    AlreadyRefunded,
}

/// The route of a refund to the customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundRoute {
    /// To the card of the payment.
    Card,
    /// The refund waits until the open dispute of the payment has a result.
    Dispute,
    /// The customer received the amount already, from the bank or by another refund.
    #[serde(rename = "already_refunded")]
    AlreadyHad,
    /// By bank transfer.
    Transfer,
    /// The card can't be refunded. We owe the money.
    Owed,
}

/// The part of a refund on one route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefundPart {
    pub route: RefundRoute,
    /// The amount, in pence.
    pub amount: Pence,
}

impl Refund {
    /// Returns the id of the refund of `payment` for `cause_id`. The id is computed, so that a job
    /// that runs twice finds the first refund.
    #[must_use]
    pub fn refund_id(cause_id: Uuid, payment: Uuid) -> Uuid {
        let hash = Sha256::new()
            .chain_update(cause_id.as_bytes())
            .chain_update(payment.as_bytes())
            .finalize();
        deterministic_id::id_from_hash(hash.into())
    }

    /// Returns the id of a refund that somebody made at the gateway by hand. The id is computed
    /// from the gateway's reference, so that a repeated message finds the stored refund.
    #[must_use]
    pub fn gateway_refund_id(provider: &str, reference: &str) -> Uuid {
        deterministic_id::id_from_parts(&[
            b"refund by hand",
            provider.as_bytes(),
            reference.as_bytes(),
        ])
    }

    /// Moves `amount` from this refund into a new refund for the same cause. Returns the new refund.
    /// `number` is the number of refunds of the payment, so that each part has its own id.
    #[must_use]
    pub fn split_off(&mut self, amount: Pence, number: usize) -> Self {
        self.amount -= amount;
        let number = number.to_be_bytes();
        let id =
            deterministic_id::id_from_parts(&[b"part of a refund", self.id.as_bytes(), &number]);
        Self {
            id,
            amount,
            reference: None,
            requested: None,
            ..self.clone()
        }
    }

    /// Returns whether we owe the refund: neither the gateway nor a manual refund has paid it. A
    /// refund that somebody made at the gateway by hand is never owed.
    #[must_use]
    pub fn is_owed(&self) -> bool {
        !self.is_from_gateway && self.status != RefundStatus::Paid && self.manual.is_none()
    }

    /// Returns whether the shop still expects the gateway to make the refund.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.status == RefundStatus::Pending && self.manual.is_none()
    }

    /// Returns whether the refund has been under way for [`SLOW_DAYS`] or longer.
    #[must_use]
    pub fn is_slow(&self, now: DateTime<Utc>) -> bool {
        self.is_under_way() && self.created + Duration::days(SLOW_DAYS) <= now
    }

    /// Returns whether the gateway may still report the dispute because of which it refuses the refund.
    #[must_use]
    pub fn may_be_disputed(&self, now: DateTime<Utc>) -> bool {
        now < self.created + Duration::days(DISPUTE_REPORT_DAYS)
    }

    /// Returns whether we owe the refund and the gateway will not complete it.
    #[must_use]
    pub fn needs_a_person(&self) -> bool {
        self.is_owed() && self.status.needs_a_person()
    }

    /// Returns whether the gateway made the refund in addition to a manual refund.
    #[must_use]
    pub fn is_paid_twice(&self) -> bool {
        self.status == RefundStatus::Paid && self.manual.is_some()
    }

    /// Returns whether the gateway may have made the refund before it was closed in another way.
    #[must_use]
    pub fn may_be_duplicate(&self) -> bool {
        let was_requested = self.status == RefundStatus::Pending && self.requested.is_some();
        was_requested && self.manual.is_some()
    }

    /// Returns whether the shop closed the refund although the gateway may have made it, and no person has looked.
    #[must_use]
    pub fn is_closed_unconfirmed(&self) -> bool {
        let is_by_shop = self.manual.as_ref().is_some_and(|own| own.by == SHOP);
        is_by_shop && self.status == RefundStatus::Unconfirmed && self.lookup.is_none()
    }

    /// Returns whether the customer received the refund by the method `way`.
    #[must_use]
    pub fn was_received(&self, way: RefundMethod) -> bool {
        let manual = self.manual.as_ref();
        manual.is_some_and(|manual| manual.method == way)
    }

    /// Returns whether a person must find the cause of a refund that was made after a backup.
    #[must_use]
    pub fn needs_cause(&self) -> bool {
        self.is_after_backup && self.status == RefundStatus::Paid && self.lookup.is_none()
    }

    /// Returns the refund's route. `is_disputed` tells whether a dispute of the payment is open.
    #[must_use]
    pub fn route(&self, is_disputed: bool) -> RefundRoute {
        match (&self.manual, self.status) {
            (Some(manual), _) => match manual.method {
                RefundMethod::Transfer => RefundRoute::Transfer,
                RefundMethod::AlreadyRefunded => RefundRoute::AlreadyHad,
            },
            (None, RefundStatus::Refused | RefundStatus::Failed) => RefundRoute::Owed,
            (None, RefundStatus::Pending) if is_disputed => RefundRoute::Dispute,
            (None, RefundStatus::Pending | RefundStatus::Paid | RefundStatus::Unconfirmed) => {
                RefundRoute::Card
            }
        }
    }

    /// Returns what we owe for the refund, in pence. It is negative if the customer received the
    /// refund twice.
    #[must_use]
    pub fn amount_due(&self) -> Pence {
        if self.is_owed() {
            self.amount
        } else if self.is_paid_twice() {
            -self.amount
        } else {
            Pence::ZERO
        }
    }

    /// Returns whether the refund is of a payment that bought nothing.
    #[must_use]
    pub fn is_unapplied(&self) -> bool {
        self.cause_id == self.payment
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RefundStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    #[test]
    fn every_status_answers_every_event() {
        let table = [
            (S::Pending, "PRFU="),
            (S::Paid, "=-F=-"),
            (S::Refused, "P=F=-"),
            (S::Failed, "-===-"),
            (S::Unconfirmed, "PRF=p"),
        ];
        for (status, expected) in table {
            let row: String = RefundEvent::ALL
                .iter()
                .map(|event| match apply(status, *event) {
                    Applied(S::Paid) => 'P',
                    Applied(S::Refused) => 'R',
                    Applied(S::Failed) => 'F',
                    Applied(S::Pending) => 'p',
                    Applied(S::Unconfirmed) => 'U',
                    AlreadyApplied => '=',
                    Refused(_) => '-',
                })
                .collect();
            assert_eq!(row, expected, "{status:?}");
        }
        assert_eq!(table.len(), S::ALL.len());
    }

    #[test]
    fn the_id_is_the_same_again_and_another_for_each_payment_and_reason() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert_eq!(Refund::refund_id(one, other), Refund::refund_id(one, other));
        assert_ne!(Refund::refund_id(one, other), Refund::refund_id(other, one));
        assert_ne!(Refund::refund_id(one, one), Refund::refund_id(one, other));
    }
}
