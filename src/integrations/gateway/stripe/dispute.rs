//! Disputes: a customer's bank takes a payment back.

use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::domain::money::Pence;

/// What is told of a dispute. Money moves with the last two only: an inquiry moves none.
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
pub struct Dispute {
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
    balance_transactions: Vec<Movement>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Evidence {
    due_by: Option<i64>,
}

/// What a dispute did to our balance at Stripe.
#[derive(Clone, Debug, Deserialize)]
struct Movement {
    #[serde(default)]
    fee: i64,
}

impl Dispute {
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

    /// What Stripe charged for it so far, pence.
    #[must_use]
    pub fn fees(&self) -> Pence {
        self.balance_transactions
            .iter()
            .map(|movement| Pence(movement.fee))
            .sum()
    }
}
