//! The gateways' payouts to our bank, by the lines of their reports.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::deterministic_id;
use crate::domain::money::Pence;

/// The subject of a payout line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LineKind {
    /// A card payment.
    Payment,
    Refund,
    /// A refund that the customer's bank returned.
    RefundFailure,
    /// Money taken for a dispute.
    Dispute,
    /// Money returned from a dispute.
    DisputeReturned,
    /// A gateway's fee that belongs to no single payment.
    Fee,
    /// A line of another, unknown kind.
    Other,
}

/// The result of comparing a line with our rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LineOutcome {
    /// The line matches our row, and its money is in the ledger.
    Settled,
    /// The line matches our row, and is not in a payout yet.
    Waiting,
    /// The line is about a row of ours, but differs from it.
    Mismatched,
    /// The line matches no row of ours.
    Unknown,
}

impl LineOutcome {
    /// Returns whether a person must check the line.
    #[must_use]
    pub const fn needs_a_person(self) -> bool {
        matches!(self, Self::Mismatched | Self::Unknown)
    }
}

/// A line of a payout report, as last read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettlementLine {
    /// The gateway's name in the configuration.
    pub provider: String,
    /// The report's reference of the line's subject.
    pub reference: String,
    /// The kind of the subject.
    pub kind: LineKind,
    /// Our id of the subject: a payment, a refund or a dispute. `None` if there is no such row.
    pub subject_id: Option<Uuid>,
    /// The policy in whose ledger the money is, or `None` for the shop's own ledger.
    pub policy: Option<Uuid>,
    /// The payout that contains the line, or `None` if there is none yet.
    pub payout: Option<String>,
    /// The amount paid, in pence. A negative amount was taken.
    pub gross: Pence,
    /// The gateway's fee, in pence.
    pub fee: Pence,
    /// The result of the comparison.
    pub outcome: LineOutcome,
    /// The mismatch, in a sentence.
    pub why: Option<String>,
    /// When the line was first read.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub read: DateTime<Utc>,
    /// The acceptance of an unmatched line as the shop's own money, by a person. Of an unknown line, what the
    /// person did about it.
    pub accepted: Option<Accepted>,
}

/// A person's record of an unmatched line: its acceptance as the shop's own money, or what the person did about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// Who accepted the line.
    pub by: String,
    /// The person's explanation of the money.
    pub why: String,
    /// When the acceptance was recorded.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

impl SettlementLine {
    /// Returns the key of a line that the gateway's report calls `name`.
    #[must_use]
    pub fn key_of(provider: &str, name: &str) -> [u8; 32] {
        Sha256::new()
            .chain_update(provider.as_bytes())
            .chain_update([0])
            .chain_update(name.as_bytes())
            .finalize()
            .into()
    }

    /// Returns the line's id, by which people and the ledger refer to the line.
    #[must_use]
    pub fn line_id(key: [u8; 32]) -> Uuid {
        deterministic_id::id_from_hash(key)
    }

    /// Returns what the bank receives for the line, in pence.
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
        assert_ne!(key("stripe", "txn_1"), key("sandbox", "txn_1"));
        assert_ne!(key("a", "bc"), key("ab", "c"));
    }
}
