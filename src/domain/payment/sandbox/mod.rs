//! The payments of the sandbox gateway, and the behaviour of its test cards. The sandbox replaces a
//! bank, so that an operator can try the shop without one.

mod card;

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use card::{CardForm, TEST_CARDS, TestCard};

use crate::domain::money::Pence;

/// A payment at the sandbox gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxPayment {
    /// The shop's id of the payment.
    pub payment: Uuid,
    /// The amount, in pence.
    pub amount: Pence,
    /// What the payment is for.
    pub description: String,
    /// The address to which the page sends the customer after the payment.
    pub return_url: String,
    pub state: SandboxState,
    /// The entered card.
    pub card: Option<TestCard>,
    /// When the payment was registered. The payment's page is served for 24 hours from then.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// The refunds that the shop requested.
    pub refunds: Vec<SandboxRefund>,
}

/// A refund at the sandbox gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxRefund {
    /// The shop's id of the refund.
    pub id: Uuid,
    /// The amount, in pence.
    pub amount: Pence,
    /// The state; see [`SandboxPayment::refund`].
    pub state: SandboxRefundState,
    /// When a pending refund is done.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub due: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxRefundState {
    /// The refund is in progress.
    Pending,
    /// Refunded.
    Done,
    /// The bank refused the refund.
    Refused,
}

/// The state of a sandbox payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxState {
    /// The payment waits for a card.
    Open,
    /// The payment waits for the challenge.
    Challenge,
    Paid,
    /// The bank declined the payment.
    Declined,
    /// The card has insufficient funds.
    NoFunds,
    /// The customer failed the challenge.
    ChallengeFailed,
    /// The page was closed before the payment.
    Closed,
    /// The payment was refunded in full.
    Refunded,
}

/// Seconds until a slow refund is done.
const SLOW_REFUND: i64 = 30;

/// Seconds after a payment until it is disputed.
const DISPUTE_DELAY: i64 = 60;

/// The subject of a callback to the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxEvent {
    /// The payment's state.
    State,
    /// The cardholder disputes the payment, and the bank has taken the money.
    Disputed,
}

/// The callbacks that follow a change, each with its delay in seconds.
pub type EventSchedule = &'static [(i64, SandboxEvent)];

const NOW: EventSchedule = &[(0, SandboxEvent::State)];

impl SandboxPayment {
    /// Returns a payment that waits for a card.
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

    /// Pays with `card`, and returns the callbacks. Changes nothing if the payment is not open.
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

    /// Stores the result of the challenge, and returns the callbacks. Changes nothing if the
    /// payment waits for no challenge.
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

    /// Closes the page, unless the payment has a result. Returns no callbacks.
    pub fn close(&mut self) -> EventSchedule {
        if matches!(self.state, SandboxState::Open | SandboxState::Challenge) {
            self.state = SandboxState::Closed;
        }
        &[]
    }

    /// Charges the stored `card` of an earlier payment, and returns the callbacks. A charge without
    /// a card is declined. No customer is present, so a card with a challenge pays without one.
    /// Changes nothing if the payment is not open.
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

    /// Refunds `amount` under the shop's id `id`, and returns the refund's state at `now`. A
    /// repeated request with this id refunds nothing more. All refunds together never exceed the
    /// payment.
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

    /// Returns the state of a refund by the shop's id, or `None` if there is no such refund.
    #[must_use]
    pub fn refund_state(&self, id: Uuid) -> Option<SandboxRefundState> {
        let found = self.refunds.iter().find(|refund| refund.id == id);
        found.map(|refund| refund.state)
    }

    /// Returns what was paid, less completed and pending refunds. Returns zero for a payment that
    /// is not paid or is refunded in full.
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

/// Returns when a payment's page is no longer served: 24 hours after the payment was created.
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
        let half_minute_later = now + Duration::seconds(30);
        assert_eq!(payment.refund(id(1), Pence(1000), half_minute_later), Done);
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
