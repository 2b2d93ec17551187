//! Refunds: money that goes back to the card it came from.

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::deterministic_id;
use crate::domain::money::Pence;
use crate::domain::transition::Transition;

/// What a customer reads of a refund that was not made, whether the gateway or the bank refused it.
pub const REFUSED: &str =
    "The refund to your card could not be made. We will contact you to pay it another way.";

/// What a customer reads whose refund came back after it was made.
pub const CAME_BACK: &str =
    "Your refund came back to us from your bank. We will contact you to pay it another way.";

/// Days within which a gateway should have made a refund; after that a person should look at it.
pub const SLOW_DAYS: i64 = 14;

/// Where a refund stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RefundStatus {
    /// Not asked of the gateway yet, or not finished there.
    Pending,
    /// The gateway has given the money back.
    Paid,
    /// The gateway refuses; we still owe the money.
    Refused,
    /// The customer's bank sent it back, which it may do for a month after the gateway gave it; we
    /// still owe the money.
    Failed,
}

impl RefundStatus {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Pending, Self::Paid, Self::Refused, Self::Failed];

    /// Whether we owe the money and the gateway won't give it back.
    #[must_use]
    pub const fn needs_a_person(self) -> bool {
        matches!(self, Self::Refused | Self::Failed)
    }
}

/// What is learned of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundEvent {
    /// The gateway has given it back.
    Done,
    /// The gateway won't give it back.
    Refused,
    /// It came back from the customer's bank. This is the last word, whenever it is heard: the news
    /// that it was made may come later.
    Failed,
}

impl RefundEvent {
    /// Every event.
    pub const ALL: [Self; 3] = [Self::Done, Self::Refused, Self::Failed];
}

/// What becomes of a refund in `status` when `event` is learned. Late success after a
/// refusal counts, because the gateway has given the money.
#[must_use]
pub const fn apply(status: RefundStatus, event: RefundEvent) -> Transition<RefundStatus> {
    use RefundEvent as E;
    use RefundStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (S::Pending | S::Refused, E::Done) => Applied(S::Paid),
        (S::Paid, E::Done) => AlreadyApplied,
        (S::Failed, E::Done) => Refused("The refund came back from the bank."),

        (S::Pending, E::Refused) => Applied(S::Refused),
        (S::Refused | S::Failed, E::Refused) => AlreadyApplied,
        (S::Paid, E::Refused) => Refused("The money has been given back."),

        (S::Pending | S::Paid | S::Refused, E::Failed) => Applied(S::Failed),
        (S::Failed, E::Failed) => AlreadyApplied,
    }
}

/// The refund of one card payment, or of a part of it, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    /// Our reference at the gateway; see [`Refund::refund_id`].
    pub id: Uuid,
    /// The policy, or the quote that didn't become one.
    pub policy: Uuid,
    /// Payment it goes back to.
    pub payment: Uuid,
    /// The id of why: an adjustment, a cancellation, or the payment itself when it bought nothing.
    pub cause_id: Uuid,
    /// How much, pence.
    pub amount: Pence,
    /// Where it stands.
    pub status: RefundStatus,
    /// What the customer is told.
    pub message: Option<String>,
    /// First written.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// Last changed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub updated: DateTime<Utc>,
    /// The gateway's name of it, where it has said one.
    pub reference: Option<String>,
    /// Whether somebody made it at the gateway by hand. Nothing was owed for it.
    pub is_from_gateway: bool,
    /// How the customer got the money in another way, where the gateway didn't give it.
    pub manual: Option<ManualRefund>,
}

/// How a customer got the money of a refund that the gateway didn't make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManualRefund {
    /// In which way.
    pub method: RefundMethod,
    /// Who says so: a person, or [`SHOP`].
    pub by: String,
    /// Why, and by which transfer.
    pub why: String,
    /// When it was written down.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

/// Who says so where the shop found it out by itself.
pub const SHOP: &str = "layby";

/// In which way a customer got the money of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RefundMethod {
    /// By bank transfer.
    Transfer,
    /// They had it already: by a dispute that we lost, or by a refund that somebody made at the gateway by
    /// hand.
    AlreadyRefunded,
}

/// How a customer gets the money of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundRoute {
    /// To the card that paid.
    Card,
    /// It waits: a bank decides a dispute of the payment.
    Dispute,
    /// They had it already, through their bank or by another refund.
    #[serde(rename = "already_refunded")]
    AlreadyHad,
    /// By bank transfer.
    Transfer,
    /// The card can't be refunded. We owe the money.
    Owed,
}

/// What comes back in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefundPart {
    /// In which way.
    pub route: RefundRoute,
    /// Pence.
    pub amount: Pence,
}

impl Refund {
    /// The id of what goes back to `payment` because of `about`. It is computed,
    /// so that a job which runs twice finds the same refund.
    #[must_use]
    pub fn refund_id(cause_id: Uuid, payment: Uuid) -> Uuid {
        let hash = Sha256::new()
            .chain_update(cause_id.as_bytes())
            .chain_update(payment.as_bytes())
            .finalize();
        deterministic_id::id_from_hash(hash.into())
    }

    /// The id of a refund that somebody made at the gateway by hand. It is computed from the gateway's
    /// name of it, so that news that comes twice finds the same refund.
    #[must_use]
    pub fn gateway_refund_id(provider: &str, reference: &str) -> Uuid {
        deterministic_id::id_from_parts(&[
            b"refund by hand",
            provider.as_bytes(),
            reference.as_bytes(),
        ])
    }

    /// Takes `amount` out of it, as a refund of its own for the same reason. `number` is how many refunds its
    /// payment has, so that each part has another id.
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
            ..self.clone()
        }
    }

    /// Whether we owe it: neither the gateway gave it, nor anybody else.
    #[must_use]
    pub fn is_owed(&self) -> bool {
        !self.is_from_gateway && self.status != RefundStatus::Paid && self.manual.is_none()
    }

    /// Whether the gateway is still to be asked for it.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.status == RefundStatus::Pending && self.manual.is_none()
    }

    /// Whether the gateway has not made it for [`SLOW_DAYS`].
    #[must_use]
    pub fn is_slow(&self, now: DateTime<Utc>) -> bool {
        self.is_under_way() && self.created + Duration::days(SLOW_DAYS) <= now
    }

    /// Whether we owe it and the gateway won't give it.
    #[must_use]
    pub fn needs_a_person(&self) -> bool {
        self.is_owed() && self.status.needs_a_person()
    }

    /// Whether the gateway gave it after somebody else had.
    #[must_use]
    pub fn is_paid_twice(&self) -> bool {
        self.status == RefundStatus::Paid && self.manual.is_some()
    }

    /// Whether the customer got it in this way.
    #[must_use]
    pub fn was_received(&self, way: RefundMethod) -> bool {
        let otherwise = self.manual.as_ref();
        otherwise.is_some_and(|otherwise| otherwise.method == way)
    }

    /// How the customer gets it. `is_disputed` says whether a bank decides a dispute of its payment now.
    #[must_use]
    pub fn route(&self, is_disputed: bool) -> RefundRoute {
        match (&self.manual, self.status) {
            (Some(otherwise), _) => match otherwise.method {
                RefundMethod::Transfer => RefundRoute::Transfer,
                RefundMethod::AlreadyRefunded => RefundRoute::AlreadyHad,
            },
            (None, RefundStatus::Refused | RefundStatus::Failed) => RefundRoute::Owed,
            (None, RefundStatus::Pending) if is_disputed => RefundRoute::Dispute,
            (None, RefundStatus::Pending | RefundStatus::Paid) => RefundRoute::Card,
        }
    }

    /// What we owe for it, pence; below zero where the customer got it twice.
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

    /// Whether it gives back a payment that bought nothing.
    #[must_use]
    pub fn is_surplus(&self) -> bool {
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
            (S::Pending, "PRF"),
            (S::Paid, "=-F"),
            (S::Refused, "P=F"),
            (S::Failed, "-=="),
        ];
        for (status, expected) in table {
            let row: String = RefundEvent::ALL
                .iter()
                .map(|event| match apply(status, *event) {
                    Applied(S::Paid) => 'P',
                    Applied(S::Refused) => 'R',
                    Applied(S::Failed) => 'F',
                    Applied(S::Pending) => 'p',
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
