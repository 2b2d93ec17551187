//! What gateways pay out to our bank, line by line of their own reports.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::deterministic_id;
use crate::domain::money::Pence;

/// What a line of a payout report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LineKind {
    /// A card payment.
    Payment,
    /// A refund.
    Refund,
    /// A refund that came back.
    RefundFailure,
    /// Money that was taken for a dispute.
    Dispute,
    /// Money that was given back of a dispute.
    DisputeReturned,
    /// What the gateway charges for its work, for no payment in particular.
    Fee,
    /// Anything else, which we don't know.
    Other,
}

/// What came of comparing a line with our own rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LineOutcome {
    /// It agrees with ours, and its money is in the ledger.
    Settled,
    /// It agrees with ours, and is not in a payout yet.
    Waiting,
    /// It is about something of ours, and says something else of it.
    Mismatched,
    /// It is about nothing that we know.
    Unknown,
}

impl LineOutcome {
    /// Whether somebody has to look at it.
    #[must_use]
    pub const fn needs_a_person(self) -> bool {
        matches!(self, Self::Mismatched | Self::Unknown)
    }
}

/// A line of a payout report, as it was last read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettlementLine {
    /// The gateway's name in the configuration.
    pub provider: String,
    /// What the report names what the line is about.
    pub reference: String,
    /// What it is about.
    pub kind: LineKind,
    /// Our id of that: a payment, a refund or a dispute.
    pub about: Option<Uuid>,
    /// The policy in whose ledger its money is; none where it is the shop's own.
    pub policy: Option<Uuid>,
    /// The payout that it is part of; none while it is in none.
    pub payout: Option<String>,
    /// What was paid, pence; below zero, what was taken.
    pub gross: Pence,
    /// What the gateway keeps of it, pence.
    pub fee: Pence,
    /// What came of comparing it.
    pub outcome: LineOutcome,
    /// Why it doesn't agree, in a sentence.
    pub why: Option<String>,
    /// When it was first read.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub read: DateTime<Utc>,
    /// Who has said that it is the shop's own money, where the shop didn't know it.
    pub accepted: Option<Accepted>,
}

/// That a line which is about nothing of ours is the shop's own money all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// Who says so.
    pub by: String,
    /// What it is.
    pub why: String,
    /// When it was written down.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

impl SettlementLine {
    /// The key of a line of a gateway's report, whose own name there is `name`.
    #[must_use]
    pub fn key_of(provider: &str, name: &str) -> [u8; 32] {
        Sha256::new()
            .chain_update(provider.as_bytes())
            .chain_update([0])
            .chain_update(name.as_bytes())
            .finalize()
            .into()
    }

    /// Our id of the line itself, for people.
    #[must_use]
    pub fn id_of(key: [u8; 32]) -> Uuid {
        deterministic_id::of_hash(key)
    }

    /// What reaches the bank, pence.
    #[must_use]
    pub fn net(&self) -> Pence {
        self.gross - self.fee
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_key_of_its_own_at_each_gateway() {
        let key = SettlementLine::key_of;
        assert_eq!(key("stripe", "txn_1"), key("stripe", "txn_1"));
        assert_ne!(key("stripe", "txn_1"), key("stripe", "txn_2"));
        assert_ne!(key("stripe", "txn_1"), key("opayo", "txn_1"));
        assert_ne!(key("a", "bc"), key("ab", "c"));
    }
}
