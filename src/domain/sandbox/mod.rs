//! The sandbox gateway's side of a payment: what its test cards do. It stands in for a
//! bank, so that a shop can be tried without one.

mod card;

use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use card::{CardForm, TEST_CARDS, TestCard};

use super::moment;
use super::money::Pence;

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
    /// Where it stands.
    pub state: SandboxState,
    /// The card that was entered.
    pub card: Option<TestCard>,
    /// When it was registered; its page is served for a day.
    #[serde(with = "moment")]
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
    /// Where it stands; see [`SandboxPayment::refund`].
    pub state: SandboxRefundState,
    /// When a slow one is done.
    #[serde(with = "moment")]
    pub due: DateTime<Utc>,
}

/// Where a sandbox refund stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxRefundState {
    /// Under way.
    Pending,
    /// Given back.
    Done,
    /// The bank said no.
    Refused,
    /// Given back, and come back since: the card's account is closed.
    Failed,
}

/// Where a sandbox payment stands.
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

/// How long a refund that fails later stands, milliseconds.
const REFUND_STANDS: i64 = 60_000;

/// How long after a payment it is disputed, milliseconds.
const UNDISPUTED: i64 = 60_000;

/// What the shop is told of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Where it stands.
    State,
    /// That a refund has failed after it was made.
    RefundFailed,
    /// That the cardholder disputes it, and the money is gone.
    Disputed,
}

/// How long after `now` the shop is told what, in milliseconds.
pub type Callbacks = &'static [(i64, Told)];

const AT_ONCE: Callbacks = &[(0, Told::State)];

impl SandboxPayment {
    /// Plays `card`, and says when the shop hears of it. A card on a payment that isn't
    /// open changes nothing.
    pub fn play(&mut self, card: TestCard) -> Callbacks {
        if self.state != SandboxState::Open {
            return &[];
        }
        self.card = Some(card);
        let (state, callbacks): (_, Callbacks) = match card {
            TestCard::Pays
            | TestCard::SlowRefund
            | TestCard::RefundRefused
            | TestCard::RefundFailsLater
            | TestCard::DeclinedLater => (SandboxState::Paid, AT_ONCE),
            TestCard::Declined => (SandboxState::Declined, AT_ONCE),
            TestCard::NoFunds => (SandboxState::NoFunds, AT_ONCE),
            TestCard::Challenge => (SandboxState::Challenge, &[]),
            TestCard::Late => (SandboxState::Paid, &[(5000, Told::State)]),
            TestCard::Silent => (SandboxState::Paid, &[]),
            TestCard::Twice => (SandboxState::Paid, &[(0, Told::State), (0, Told::State)]),
            TestCard::Disputed => (
                SandboxState::Paid,
                &[(0, Told::State), (UNDISPUTED, Told::Disputed)],
            ),
        };
        self.state = state;
        callbacks
    }

    /// Answers the challenge.
    pub fn answer_challenge(&mut self, passed: bool) -> Callbacks {
        if self.state != SandboxState::Challenge {
            return &[];
        }
        self.state = if passed {
            SandboxState::Paid
        } else {
            SandboxState::ChallengeFailed
        };
        AT_ONCE
    }

    /// Closes the page for good, unless it was answered.
    pub fn close(&mut self) {
        if matches!(self.state, SandboxState::Open | SandboxState::Challenge) {
            self.state = SandboxState::Closed;
        }
    }

    /// Charges `card`, which an earlier payment stored: nobody is there to answer a
    /// challenge. A payment that was charged before changes nothing.
    pub fn charge(&mut self, card: Option<TestCard>) -> Callbacks {
        if self.state != SandboxState::Open {
            return &[];
        }
        match card {
            Some(TestCard::Challenge) => {
                self.card = card;
                self.state = SandboxState::Paid;
                AT_ONCE
            }
            Some(card) if card != TestCard::DeclinedLater => self.play(card),
            _ => {
                self.card = card;
                self.state = SandboxState::Declined;
                AT_ONCE
            }
        }
    }

    /// Gives `amount` back under the shop's `id` for it, and says how that stands at `now`.
    /// Asked again for the same id, it gives nothing more; in all it never gives back more
    /// than was paid.
    pub fn refund(&mut self, id: Uuid, amount: Pence, now: DateTime<Utc>) -> SandboxRefundState {
        let left = self.left();
        if !self.refunds.iter().any(|known| known.id == id) {
            let slow = self.card == Some(TestCard::SlowRefund);
            let refused = self.card == Some(TestCard::RefundRefused);
            let state = if refused || amount <= Pence::ZERO || amount > left {
                SandboxRefundState::Refused
            } else if slow {
                SandboxRefundState::Pending
            } else {
                SandboxRefundState::Done
            };
            self.refunds.push(SandboxRefund {
                id,
                amount,
                state,
                due: match self.card {
                    Some(TestCard::SlowRefund) => now + Duration::seconds(SLOW_REFUND),
                    Some(TestCard::RefundFailsLater) => now + Duration::milliseconds(REFUND_STANDS),
                    _ => now,
                },
            });
        }
        self.settle_refunds(now);
        let asked = self.refunds.iter().find(|known| known.id == id);
        asked.map_or(SandboxRefundState::Refused, |known| known.state)
    }

    /// As [`SandboxPayment::refund`], and says when the shop hears of it.
    pub fn give_back(&mut self, id: Uuid, amount: Pence, now: DateTime<Utc>) -> Callbacks {
        let known = self.refunds.iter().any(|known| known.id == id);
        let state = self.refund(id, amount, now);
        let fails = self.card == Some(TestCard::RefundFailsLater);
        if fails && !known && state == SandboxRefundState::Done {
            &[(REFUND_STANDS, Told::RefundFailed)]
        } else {
            &[]
        }
    }

    /// The refund that failed last after it was made.
    #[must_use]
    pub fn failed_refund(&self) -> Option<Uuid> {
        let failed = |known: &&SandboxRefund| known.state == SandboxRefundState::Failed;
        let failed = self.refunds.iter().filter(failed);
        failed.max_by_key(|known| known.due).map(|known| known.id)
    }

    /// Has slow refunds done, and those fail that do so later, whose time has come.
    pub fn settle_refunds(&mut self, now: DateTime<Utc>) {
        let fails = self.card == Some(TestCard::RefundFailsLater);
        for known in self.refunds.iter_mut().filter(|known| known.due <= now) {
            match known.state {
                SandboxRefundState::Pending => known.state = SandboxRefundState::Done,
                SandboxRefundState::Done if fails => known.state = SandboxRefundState::Failed,
                _ => {}
            }
        }
        let done = |known: &&SandboxRefund| known.state == SandboxRefundState::Done;
        let given: Pence = self
            .refunds
            .iter()
            .filter(done)
            .map(|known| known.amount)
            .sum();
        if matches!(self.state, SandboxState::Paid | SandboxState::Refunded) {
            self.state = if given == self.amount {
                SandboxState::Refunded
            } else {
                SandboxState::Paid
            };
        }
    }

    /// What was paid and isn't given back or about to be.
    fn left(&self) -> Pence {
        if self.state != SandboxState::Paid {
            return Pence::ZERO;
        }
        let moved = |known: &&SandboxRefund| {
            !matches!(
                known.state,
                SandboxRefundState::Refused | SandboxRefundState::Failed
            )
        };
        let back: Pence = self
            .refunds
            .iter()
            .filter(moved)
            .map(|known| known.amount)
            .sum();
        self.amount - back
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
        let mut payment = SandboxPayment {
            payment: Uuid::from_u128(1),
            amount: Pence(1000),
            description: String::new(),
            return_url: String::new(),
            state: SandboxState::Open,
            card: None,
            created: DateTime::UNIX_EPOCH,
            refunds: Vec::new(),
        };
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
    fn a_refund_that_fails_later_stands_for_a_minute_and_may_be_given_again() {
        use SandboxRefundState::{Done, Failed};
        let (now, id) = (DateTime::UNIX_EPOCH, Uuid::from_u128);
        let mut payment = paid_with(TestCard::RefundFailsLater);
        let told = payment.give_back(id(1), Pence(1000), now);
        assert_eq!(told, &[(60_000, Told::RefundFailed)]);
        assert_eq!(payment.give_back(id(1), Pence(1000), now), &[]);
        assert_eq!(payment.state, SandboxState::Refunded);
        assert_eq!(payment.failed_refund(), None);
        let later = now + Duration::seconds(60);
        payment.settle_refunds(later);
        assert_eq!(payment.failed_refund(), Some(id(1)));
        assert_eq!(payment.refund(id(1), Pence(1000), later), Failed);
        assert_eq!(payment.state, SandboxState::Paid);
        assert_eq!(payment.refund(id(2), Pence(1000), later), Done);
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
