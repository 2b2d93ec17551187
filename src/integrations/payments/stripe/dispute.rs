//! Disputes: a customer's bank takes a payment back.

use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::domain::money::Pence;

/// Which message tells of a dispute. What it says of the dispute's state and money counts, and not its
/// name: messages come in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisputeNews {
    /// It was begun.
    Created,
    /// Something of it changed.
    Updated,
    /// It has ended.
    Closed,
    /// The bank took the money, and Stripe took it from us.
    FundsWithdrawn,
    /// The money came back to us.
    FundsReinstated,
}

/// A dispute.
#[derive(Clone, Debug, Deserialize)]
pub struct StripeDispute {
    /// `dp_...` or `du_...`
    pub id: String,
    /// Pence; it may differ from what was paid.
    pub amount: i64,
    /// In small letters.
    pub currency: String,
    /// The charge, `ch_...`
    pub charge: String,
    /// The payment, `pi_...`
    #[serde(default)]
    pub payment_intent: Option<String>,
    /// The bank's reason, in Stripe's word.
    pub reason: String,
    /// Where it stands, in Stripe's word: `needs_response`, `won`, `lost` and others.
    pub status: String,
    #[serde(default)]
    evidence_details: Evidence,
    #[serde(default)]
    balance_transactions: Vec<BalanceTransaction>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Evidence {
    due_by: Option<i64>,
}

/// What a dispute did to our balance at Stripe: a withdrawal, or money that came back. Its amount may be
/// another than the dispute's.
#[derive(Clone, Debug, Deserialize)]
pub struct BalanceTransaction {
    /// `txn_...`
    pub id: String,
    /// Pence; below zero what was taken from us.
    pub amount: i64,
    /// In small letters: our balance's currency.
    pub currency: String,
    /// What Stripe charged with it, pence; below zero what it gave back of its charge.
    #[serde(default)]
    pub fee: i64,
}

impl StripeDispute {
    /// How much is disputed, pence.
    #[must_use]
    pub const fn amount(&self) -> Pence {
        Pence(self.amount)
    }

    /// By when we must answer.
    #[must_use]
    pub fn due_by(&self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(self.evidence_details.due_by?, 0)
    }

    /// What it did to our balance so far.
    #[must_use]
    pub fn movements(&self) -> &[BalanceTransaction] {
        &self.balance_transactions
    }

    /// What Stripe charged for it so far, pence.
    #[must_use]
    pub fn fees(&self) -> Pence {
        let fees = self.balance_transactions.iter();
        fees.map(|movement| Pence(movement.fee)).sum()
    }
}
