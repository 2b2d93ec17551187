//! Payments that are for a person to find out about: why, and how the person closed them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// Why a person has to find out what became of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnresolvedReason {
    /// The gateway did not say for days what became of it.
    NoAnswer,
    /// The bank did not decide for days.
    UnderReview,
    /// It was paid in a currency that the shop doesn't take.
    OtherCurrency,
}

impl UnresolvedReason {
    /// Returns what the customer reads.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::NoAnswer | Self::UnderReview => {
                "We could not find out whether your card was charged. Please call us before you pay again."
            }
            Self::OtherCurrency => {
                "Your card was charged in another currency than it should have been. We will contact you \
                 to give the money back. Please call us before you pay again."
            }
        }
    }
}

/// How an unresolved payment ended, as a person found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PaymentWay {
    /// The card was not charged.
    NotPaid,
    /// The card was charged, and the money was given back at the gateway by hand.
    GivenBack,
}

/// The end of an unresolved payment that a person wrote down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentResolution {
    /// How it ended.
    pub way: PaymentWay,
    /// Who says so.
    pub by: String,
    /// Why.
    pub why: String,
    /// When it was written down.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

/// What is known of a payment that is, or was, unresolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unresolved {
    /// Why.
    pub reason: UnresolvedReason,
    /// How a person closed it.
    pub resolution: Option<PaymentResolution>,
}
