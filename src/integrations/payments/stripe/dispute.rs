//! Disputes: a customer's bank takes a payment back from the shop.

use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::domain::money::Pence;

#[derive(Clone, Debug, Deserialize)]
pub struct StripeDispute {
    /// `dp_...` or `du_...`
    pub id: String,
    /// Amount in pence. It may differ from the payment's amount.
    pub amount: i64,
    /// Currency, in lower case.
    pub currency: String,
    /// The payment intent, `pi_...`
    #[serde(default)]
    pub payment_intent: Option<String>,
    /// The bank's reason, as Stripe names it.
    pub reason: String,
    /// Stripe's status: `needs_response`, `won`, `lost` and others.
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

/// A dispute's movement on our balance at Stripe: a withdrawal or a return. The movement's amount
/// may differ from the dispute's amount.
#[derive(Clone, Debug, Deserialize)]
pub struct BalanceTransaction {
    /// `txn_...`
    pub id: String,
    /// Amount in pence. It is negative if the money was taken from us.
    pub amount: i64,
    /// Currency of our balance, in lower case.
    pub currency: String,
}

impl StripeDispute {
    /// Returns the disputed amount in pence.
    #[must_use]
    pub const fn amount(&self) -> Pence {
        Pence(self.amount)
    }

    /// Returns the deadline of our answer, or `None` if there is none.
    #[must_use]
    pub fn due_by(&self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(self.evidence_details.due_by?, 0)
    }

    /// Returns the movements on our balance so far.
    #[must_use]
    pub fn movements(&self) -> &[BalanceTransaction] {
        &self.balance_transactions
    }
}
