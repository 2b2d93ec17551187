//! Disputes: a customer asks their bank to return a card payment. The gateway reports each dispute,
//! the money that it takes and returns, and the result. Reports arrive in any order and any number
//! of times.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::deterministic_id;
use crate::domain::money::Pence;
use crate::domain::payment::FollowUp;
use crate::domain::transition::Transition;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DisputeStatus {
    /// The bank asks a question; no money has moved.
    Inquiry,
    /// We may answer, or the bank checks our answer.
    Open,
    /// The dispute was decided for us, or withdrawn.
    Won,
    /// The dispute was decided against us, or we did not answer.
    Lost,
    /// The gateway closed the dispute before a bank decided. The money that the gateway took is
    /// lost.
    Prevented,
}

impl DisputeStatus {
    pub const ALL: [Self; 5] = [
        Self::Inquiry,
        Self::Open,
        Self::Won,
        Self::Lost,
        Self::Prevented,
    ];

    /// Returns whether the dispute has no result yet.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Inquiry | Self::Open)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DisputeEvent {
    /// The bank asks a question.
    Inquired,
    /// The customer disputes the payment, or the bank checks our answer.
    Opened,
    /// The dispute was decided for us, or withdrawn.
    Won,
    /// The dispute was decided against us, or we did not answer.
    Lost,
    /// The gateway closed the dispute before a bank decided.
    Prevented,
    /// The shop doesn't know the gateway's word for the status.
    Unknown,
}

impl DisputeEvent {
    pub const ALL: [Self; 6] = [
        Self::Inquired,
        Self::Opened,
        Self::Won,
        Self::Lost,
        Self::Prevented,
        Self::Unknown,
    ];
}

/// Returns the transition of a dispute in `status` on `event`. A lost or prevented dispute can
/// still be won by an appeal. A late event never reopens a dispute. An unknown word changes nothing.
#[must_use]
pub const fn apply(status: DisputeStatus, event: DisputeEvent) -> Transition<DisputeStatus> {
    use DisputeEvent as E;
    use DisputeStatus as S;
    use Transition::{AlreadyApplied, Applied, Refused};

    match (status, event) {
        (_, E::Inquired | E::Unknown) => AlreadyApplied,

        (S::Inquiry, E::Opened) => Applied(S::Open),
        (S::Open | S::Won | S::Lost | S::Prevented, E::Opened) => AlreadyApplied,

        (S::Inquiry | S::Open | S::Lost | S::Prevented, E::Won) => Applied(S::Won),
        (S::Won, E::Won) => AlreadyApplied,

        (S::Inquiry | S::Open | S::Prevented, E::Lost) => Applied(S::Lost),
        (S::Lost, E::Lost) => AlreadyApplied,
        (S::Won, E::Lost) => Refused("The dispute was decided for us."),

        (S::Inquiry | S::Open, E::Prevented) => Applied(S::Prevented),
        (S::Won | S::Lost | S::Prevented, E::Prevented) => AlreadyApplied,
    }
}

/// The result of a dispute that a person records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DisputeResult {
    Won,
    Lost,
}

impl From<DisputeResult> for DisputeEvent {
    fn from(result: DisputeResult) -> Self {
        match result {
            DisputeResult::Won => Self::Won,
            DisputeResult::Lost => Self::Lost,
        }
    }
}

/// Money that a gateway took, or returned, for a dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeMove {
    /// The gateway's reference of the movement. A movement with a known reference is a repeated
    /// report.
    pub reference: String,
    /// The amount taken, in pence, without the gateway's fee. A negative amount was returned. It
    /// may differ from the payment's amount.
    pub amount: Pence,
}

/// A gateway's report about a dispute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisputeNews {
    /// The gateway's name in the configuration.
    pub provider: String,
    /// The gateway's reference of the dispute.
    pub reference: String,
    pub payment: Uuid,
    /// The disputed amount, in pence.
    pub amount: Pence,
    /// The reason, in the gateway's word.
    pub reason: Option<String>,
    /// The deadline of our answer.
    pub reply_by: Option<DateTime<Utc>>,
    pub event: DisputeEvent,
    /// The movements of money in the report. The report may repeat or omit earlier movements.
    pub moves: Vec<DisputeMove>,
    /// Whether a line of a payout report, or a person, is the source.
    pub is_from_report: bool,
}

/// A dispute of one card payment. A payment may have several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// Our id; see [`Dispute::dispute_id`].
    pub id: Uuid,
    /// The policy, or the quote that did not become a policy.
    pub policy: Uuid,
    pub payment: Uuid,
    /// The gateway's name in the configuration.
    pub provider: String,
    /// The gateway's reference of the dispute.
    pub reference: String,
    /// The disputed amount, in pence.
    pub amount: Pence,
    pub status: DisputeStatus,
    /// The reason, in the gateway's word.
    pub reason: Option<String>,
    /// The deadline of our answer.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub reply_by: Option<DateTime<Utc>>,
    /// The movements of money, each posted in the ledger.
    pub moves: Vec<DisputeMove>,
    /// The amount written off in the ledger, in pence.
    pub written_off: Pence,
    /// Whether only payout reports name the dispute. Then its movements are lines of reports, and a person
    /// records its result.
    pub is_from_report: bool,
    /// The person who recorded the result.
    pub decision: Option<FollowUp>,
    /// When the first report arrived.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub created: DateTime<Utc>,
    /// When the dispute was last changed.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub updated: DateTime<Utc>,
}

/// The changes of the ledger that a report causes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisputeChange {
    /// The amount of each new movement, in pence. A negative amount was returned to us.
    pub moved: Vec<Pence>,
    /// The change in the amount written off, in pence. It is negative if an earlier loss is
    /// reversed.
    pub written_off: Pence,
}

impl Dispute {
    /// Returns the id of the dispute `reference` of `provider`. The id is computed, so that a
    /// repeated report finds the stored dispute.
    #[must_use]
    pub fn dispute_id(provider: &str, reference: &str) -> Uuid {
        deterministic_id::id_from_parts(&[b"dispute", provider.as_bytes(), reference.as_bytes()])
    }

    /// Returns a new dispute for the first report `news`. The caller must pass the report to
    /// [`Dispute::apply_event`] too, which sets the result and adds the money.
    #[must_use]
    pub fn begin(news: &DisputeNews, policy: Uuid, now: DateTime<Utc>) -> Self {
        Self {
            id: Self::dispute_id(&news.provider, &news.reference),
            policy,
            payment: news.payment,
            provider: news.provider.clone(),
            reference: news.reference.clone(),
            amount: news.amount,
            status: match news.event {
                DisputeEvent::Inquired => DisputeStatus::Inquiry,
                _ => DisputeStatus::Open,
            },
            reason: None,
            reply_by: None,
            moves: Vec::new(),
            written_off: Pence::ZERO,
            is_from_report: news.is_from_report,
            decision: None,
            created: now,
            updated: now,
        }
    }

    /// Applies the gateway's report and returns the changes for the ledger. A repeated report
    /// changes nothing in the ledger.
    pub fn apply_event(&mut self, news: &DisputeNews) -> DisputeChange {
        if let Transition::Applied(status) = apply(self.status, news.event) {
            self.status = status;
        }
        self.is_from_report &= news.is_from_report;
        if self.status.is_open() {
            self.amount = news.amount;
            self.reply_by = news.reply_by.or(self.reply_by);
        }
        if news.reason.is_some() {
            self.reason.clone_from(&news.reason);
        }
        let mut moved = Vec::new();
        for movement in &news.moves {
            let is_booked = self
                .moves
                .iter()
                .any(|own| own.reference == movement.reference);
            if !is_booked && movement.amount != Pence::ZERO {
                moved.push(movement.amount);
                self.moves.push(movement.clone());
            }
        }
        let lost = match self.status {
            DisputeStatus::Lost | DisputeStatus::Prevented => self.amount_taken(),
            DisputeStatus::Inquiry | DisputeStatus::Open | DisputeStatus::Won => Pence::ZERO,
        };
        let written_off = lost - self.written_off;
        self.written_off = lost;
        DisputeChange { moved, written_off }
    }

    /// Returns the money that the gateway took and has not returned, in pence.
    #[must_use]
    pub fn amount_taken(&self) -> Pence {
        self.moves.iter().map(|one| one.amount).sum()
    }

    /// Returns whether any money moved.
    #[must_use]
    pub const fn has_moved(&self) -> bool {
        !self.moves.is_empty()
    }

    /// Returns whether the dispute has a result, and money moved for it.
    #[must_use]
    pub const fn is_decided(&self) -> bool {
        !self.status.is_open() && self.has_moved()
    }

    /// Returns whether the dispute is open. An inquiry does not count. Gateways refund nothing of
    /// the payment until an open dispute has a result.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        self.status == DisputeStatus::Open
    }

    /// Returns whether the dispute was decided against us, or its money is lost.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.status == DisputeStatus::Lost || self.written_off > Pence::ZERO
    }

    /// Returns the balance of the dispute on the account of disputes, in pence.
    #[must_use]
    pub fn undecided_balance(&self) -> Pence {
        self.amount_taken() - self.written_off
    }
}

#[cfg(test)]
mod tests;
