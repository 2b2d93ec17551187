//! Unresolved payments: why a person must deal with each payment, and how each payment was closed.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// Why a person must deal with a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnresolvedReason {
    /// The gateway reported no outcome for days.
    NoAnswer,
    /// The bank did not decide for days.
    UnderReview,
    /// The gateway took money in a currency that the shop does not accept.
    OtherCurrency,
    /// The gateway took the money back, so the cover is not paid.
    Reversed,
}

impl UnresolvedReason {
    /// Returns the message for the customer.
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
            Self::Reversed => {
                "Your card's bank or the payment company took this payment back, so your cover is not \
                 paid. Please call us."
            }
        }
    }
}

/// How an unresolved payment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PaymentWay {
    /// The card was not charged.
    NotPaid,
    /// The card was charged, and the payment was refunded at the gateway.
    GivenBack,
    /// After a reversal, the customer paid in another way, or the cover was ended.
    Recovered,
}

/// The end of an unresolved payment, as a person or the shop recorded it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentResolution {
    pub method: PaymentWay,
    /// Who recorded the end: a person, or [`SHOP`](super::refund::SHOP).
    pub by: String,
    pub why: String,
    /// When the end was recorded.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

/// The details of a payment that is, or was, unresolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unresolved {
    /// Why a person must deal with the payment.
    pub reason: UnresolvedReason,
    /// How the payment was closed, or `None` if it was not closed.
    pub resolution: Option<PaymentResolution>,
}
