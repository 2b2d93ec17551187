//! Refunds: money that goes back to the card it came from.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::deterministic_id;
use super::moment;
use super::money::Pence;
use super::transition::Transition;

/// What a customer reads whose bank refused a refund.
pub const REFUSED: &str =
    "Your bank refused the refund. We will contact you to pay it another way.";

/// What a customer reads whose refund came back after it was made.
pub const CAME_BACK: &str =
    "Your refund came back to us from your bank. We will contact you to pay it another way.";

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
    /// Our reference at the gateway; see [`Refund::id_of`].
    pub id: Uuid,
    /// The policy, or the quote that didn't become one.
    pub policy: Uuid,
    /// Payment it goes back to.
    pub payment: Uuid,
    /// The id of why: an adjustment, a cancellation, or the payment itself when it bought nothing.
    pub about: Uuid,
    /// How much, pence.
    pub amount: Pence,
    /// Where it stands.
    pub status: RefundStatus,
    /// What the customer is told.
    pub message: Option<String>,
    /// First written.
    #[serde(with = "moment")]
    pub created: DateTime<Utc>,
    /// Last changed.
    #[serde(with = "moment")]
    pub updated: DateTime<Utc>,
}

impl Refund {
    /// The id of what goes back to `payment` because of `about`. It is computed,
    /// so that a job which runs twice finds the same refund.
    #[must_use]
    pub fn id_of(about: Uuid, payment: Uuid) -> Uuid {
        let hash = Sha256::new()
            .chain_update(about.as_bytes())
            .chain_update(payment.as_bytes())
            .finalize();
        deterministic_id::of_hash(hash.into())
    }

    /// Whether it gives back a payment that bought nothing.
    #[must_use]
    pub fn is_surplus(&self) -> bool {
        self.about == self.payment
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
        assert_eq!(Refund::id_of(one, other), Refund::id_of(one, other));
        assert_ne!(Refund::id_of(one, other), Refund::id_of(other, one));
        assert_ne!(Refund::id_of(one, one), Refund::id_of(one, other));
    }
}
