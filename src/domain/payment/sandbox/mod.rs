//! The sandbox gateway's side of a payment: what its test cards do. It stands in for a
//! bank, so that a shop can be tried without one.

mod card;

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use card::{CardForm, TEST_CARDS, TestCard};

use crate::domain::money::Pence;

/// A payment as the sandbox gateway knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxPayment {
    /// The shop's id for it.
    pub payment: Uuid,
    /// Amount, pence.
    pub amount: Pence,
    /// What it is for.
    pub description: String,
    /// Where the customer goes when the page is left.
    pub return_url: String,
    /// Its state.
    pub state: SandboxState,
    /// The card that was entered.
    pub card: Option<TestCard>,
    /// When it was registered; its page is served for a day.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// What was asked back of it.
    pub refunds: Vec<SandboxRefund>,
}

/// A refund as the sandbox gateway knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxRefund {
    /// The shop's id for it.
    pub id: Uuid,
    /// Amount, pence.
    pub amount: Pence,
    /// Its state; see [`SandboxPayment::refund`].
    pub state: SandboxRefundState,
    /// When a slow one is done.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub due: DateTime<Utc>,
}

/// The state of a sandbox refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxRefundState {
    /// Under way.
    Pending,
    /// Given back.
    Done,
    /// The bank said no.
    Refused,
}

/// The state of a sandbox payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxState {
    /// Waits for a card.
    Open,
    /// Waits for the challenge.
    Challenge,
    /// Paid.
    Paid,
    /// The bank said no.
    Declined,
    /// The bank said there is not enough money.
    NoFunds,
    /// The customer failed the challenge.
    ChallengeFailed,
    /// Closed by the shop before it was paid.
    Closed,
    /// Paid, and all of it given back.
    Refunded,
}

/// How long a slow refund takes, seconds.
const SLOW_REFUND: i64 = 30;

/// How long after a payment it is disputed, seconds.
const DISPUTE_DELAY: i64 = 60;

/// What a callback to the shop is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxEvent {
    /// The payment's state.
    State,
    /// The cardholder disputes the payment, and the money is gone.
    Disputed,
}

/// The callbacks that follow a change, and after how many seconds.
pub type EventSchedule = &'static [(i64, SandboxEvent)];

const NOW: EventSchedule = &[(0, SandboxEvent::State)];

impl SandboxPayment {
    /// A payment that waits for a card.
    #[must_use]
    pub fn new(payment: Uuid, amount: Pence, created: DateTime<Utc>) -> Self {
        Self {
            payment,
            amount,
            description: String::new(),
            return_url: String::new(),
            state: SandboxState::Open,
            card: None,
            created,
            refunds: Vec::new(),
        }
    }

    /// Plays `card`. A card on a payment that isn't open changes nothing.
    pub fn play(&mut self, card: TestCard) -> EventSchedule {
        use SandboxEvent::{Disputed, State};
        if self.state != SandboxState::Open {
            return &[];
        }
        self.card = Some(card);
        let (state, events): (_, EventSchedule) = match card {
            TestCard::Pays
            | TestCard::SlowRefund
            | TestCard::RefundRefused
            | TestCard::DeclinedLater => (SandboxState::Paid, NOW),
            TestCard::Declined => (SandboxState::Declined, NOW),
            TestCard::NoFunds => (SandboxState::NoFunds, NOW),
            TestCard::Challenge => (SandboxState::Challenge, &[]),
            TestCard::Late => (SandboxState::Paid, &[(5, State)]),
            TestCard::Silent => (SandboxState::Paid, &[]),
            TestCard::Twice => (SandboxState::Paid, &[(0, State), (0, State)]),
            TestCard::Disputed => (SandboxState::Paid, &[(0, State), (DISPUTE_DELAY, Disputed)]),
        };
        self.state = state;
        events
    }

    /// Answers the challenge.
    pub fn answer_challenge(&mut self, passed: bool) -> EventSchedule {
        if self.state != SandboxState::Challenge {
            return &[];
        }
        self.state = if passed {
            SandboxState::Paid
        } else {
            SandboxState::ChallengeFailed
        };
        NOW
    }

    /// Closes the page for good, unless it was answered.
    pub fn close(&mut self) -> EventSchedule {
        if matches!(self.state, SandboxState::Open | SandboxState::Challenge) {
            self.state = SandboxState::Closed;
        }
        &[]
    }

    /// Charges `card`, which an earlier payment stored: nobody is there to answer a
    /// challenge. A payment that was charged before changes nothing.
    pub fn charge(&mut self, card: Option<TestCard>) -> EventSchedule {
        if self.state != SandboxState::Open {
            return &[];
        }
        let events = self.play(match card {
            Some(TestCard::Challenge) => TestCard::Pays,
            Some(TestCard::DeclinedLater) | None => TestCard::Declined,
            Some(card) => card,
        });
        self.card = card;
        events
    }

    /// Gives `amount` back under the shop's `id` for it. Returns the refund's state at `now`.
    /// Asked again for the same id, it gives nothing more; in all it never gives back more
    /// than was paid.
    pub fn refund(&mut self, id: Uuid, amount: Pence, now: DateTime<Utc>) -> SandboxRefundState {
        use SandboxRefundState::{Done, Pending, Refused};
        if !self.refunds.iter().any(|refund| refund.id == id) {
            let is_refused = self.card == Some(TestCard::RefundRefused)
                || amount <= Pence::ZERO
                || amount > self.refundable();
            let (state, due) = match self.card {
                _ if is_refused => (Refused, now),
                Some(TestCard::SlowRefund) => (Pending, now + Duration::seconds(SLOW_REFUND)),
                _ => (Done, now),
            };
            let refund = SandboxRefund {
                id,
                amount,
                state,
                due,
            };
            self.refunds.push(refund);
        }
        for slow in &mut self.refunds {
            if slow.state == Pending && slow.due <= now {
                slow.state = Done;
            }
        }
        if self.state == SandboxState::Paid && self.sum(|state| state == Done) == self.amount {
            self.state = SandboxState::Refunded;
        }
        self.refund_state(id).unwrap_or(Refused)
    }

    /// The state of a refund by the shop's id for it.
    #[must_use]
    pub fn refund_state(&self, id: Uuid) -> Option<SandboxRefundState> {
        let found = self.refunds.iter().find(|refund| refund.id == id);
        found.map(|refund| refund.state)
    }

    /// What was paid and isn't given back or about to be.
    fn refundable(&self) -> Pence {
        match self.state {
            SandboxState::Paid => {
                self.amount - self.sum(|state| state != SandboxRefundState::Refused)
            }
            _ => Pence::ZERO,
        }
    }

    fn sum(&self, counts: impl Fn(SandboxRefundState) -> bool) -> Pence {
        let refunds = self.refunds.iter().filter(|refund| counts(refund.state));
        refunds.map(|refund| refund.amount).sum()
    }
}

/// When a payment's page is no longer served: a day after it was made.
#[must_use]
pub fn page_closes(created: DateTime<Utc>) -> DateTime<Utc> {
    created + Duration::hours(24)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paid_with(card: TestCard) -> SandboxPayment {
        let id = Uuid::from_u128(1);
        let mut payment = SandboxPayment::new(id, Pence(1000), DateTime::UNIX_EPOCH);
        payment.play(card);
        payment
    }

    #[test]
    fn refunds_are_partial_and_never_more_than_was_paid() {
        use SandboxRefundState::{Done, Refused};
        let (now, id) = (DateTime::UNIX_EPOCH, Uuid::from_u128);
        let mut payment = paid_with(TestCard::Pays);
        assert_eq!(payment.refund(id(1), Pence(0), now), Refused);
        assert_eq!(payment.refund(id(2), Pence(600), now), Done);
        assert_eq!(payment.refund(id(2), Pence(600), now), Done);
        assert_eq!(payment.refund(id(3), Pence(401), now), Refused);
        assert_eq!(payment.state, SandboxState::Paid);
        assert_eq!(payment.refund(id(4), Pence(400), now), Done);
        assert_eq!(payment.state, SandboxState::Refunded);
        assert_eq!(payment.refund(id(5), Pence(1), now), Refused);
        assert_eq!(payment.refund(id(4), Pence(400), now), Done);
    }

    #[test]
    fn a_slow_refund_counts_from_the_start_and_is_done_after_half_a_minute() {
        use SandboxRefundState::{Done, Pending, Refused};
        let (now, id) = (DateTime::UNIX_EPOCH, Uuid::from_u128);
        let mut payment = paid_with(TestCard::SlowRefund);
        assert_eq!(payment.refund(id(1), Pence(1000), now), Pending);
        assert_eq!(payment.refund(id(2), Pence(1), now), Refused);
        let nearly = now + Duration::seconds(29);
        assert_eq!(payment.refund(id(1), Pence(1000), nearly), Pending);
        let later = now + Duration::seconds(30);
        assert_eq!(payment.refund(id(1), Pence(1000), later), Done);
    }

    #[test]
    fn a_stored_card_plays_its_outcome_without_anybody_there() {
        for (card, state) in [
            (Some(TestCard::Pays), SandboxState::Paid),
            (Some(TestCard::Challenge), SandboxState::Paid),
            (Some(TestCard::DeclinedLater), SandboxState::Declined),
            (None, SandboxState::Declined),
        ] {
            let mut payment = paid_with(TestCard::Pays);
            payment.state = SandboxState::Open;
            payment.charge(card);
            assert_eq!(payment.state, state, "{card:?}");
            assert_eq!(payment.charge(Some(TestCard::NoFunds)), &[]);
            assert_eq!(payment.state, state);
        }
    }
}
