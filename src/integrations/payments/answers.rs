//! What gateways answer: about an attempt, about a refund, and why they could not.

use chrono::{DateTime, Utc};

use crate::domain::money::Pence;
use crate::domain::payment::{Currency, Failure, Keys, PaymentPage, References};

/// What a gateway says of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayStatus {
    /// Waits for the customer. A card that was declined on a page that is still open is no end.
    Open,
    /// The customer has answered, the bank hasn't.
    Processing,
    /// Paid.
    Paid {
        /// How much, in the smallest unit of the currency: pence.
        amount: Pence,
        /// In which currency; none for one that the shop doesn't take.
        currency: Option<Currency>,
    },
    /// No money moved so far; `failure` says whether any still may.
    Failed {
        /// Why, and whether it is the last word.
        failure: Failure,
        /// Why, for the customer.
        message: String,
    },
    /// The gateway has certainly never heard of it. An adapter that can't be certain answers
    /// [`GatewayError::Unclear`].
    Unknown,
}

/// What a gateway says of an attempt, and what it calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentReport {
    /// Where it stands.
    pub status: GatewayStatus,
    /// References that are to be kept with the attempt, beside those that are kept already.
    pub references: References,
    /// When it was paid, where the gateway says so.
    pub paid_at: Option<DateTime<Utc>>,
}

impl From<GatewayStatus> for PaymentReport {
    fn from(status: GatewayStatus) -> Self {
        Self {
            status,
            references: References::new(),
            paid_at: None,
        }
    }
}

/// A page where an attempt is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentSession {
    /// Where the customer pays.
    pub page: PaymentPage,
    /// What the gateway calls the attempt.
    pub references: References,
    /// The gateway's secrets for this attempt.
    pub keys: Keys,
}

/// What a gateway says of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayRefundStatus {
    /// Refunded. It may still fail later.
    Done,
    /// Under way; to be asked again.
    Pending,
    /// Not made, because the payment is or was disputed.
    Disputed,
    /// The gateway refuses the refund, or it failed after it was done.
    Refused {
        /// Why, for the operator.
        message: String,
    },
}

/// What a gateway says of a refund, and what it calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundReport {
    /// Where it stands.
    pub status: GatewayRefundStatus,
    /// The gateway's reference of the refund.
    pub reference: Option<String>,
}

impl From<GatewayRefundStatus> for RefundReport {
    fn from(status: GatewayRefundStatus) -> Self {
        Self {
            status,
            reference: None,
        }
    }
}

/// Why a gateway could not be used.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum GatewayError {
    /// The message isn't the gateway's, or is too old.
    #[error("the callback's signature is not the gateway's")]
    Forged,
    /// The message, or the attempt, is of the gateway's other mode: a test where money is real, or the
    /// other way round.
    #[error("it is of the gateway's other mode, test or live")]
    OtherMode,
    /// The gateway didn't answer, or not so that it could be understood. What was asked may have been
    /// done.
    #[error("the gateway's answer was not clear: {0}")]
    Unclear(String),
    /// The gateway refused what was asked, and did nothing: wrong keys, a missing right, a mistake in the
    /// request.
    #[error("the gateway refused: {0}")]
    Refused(String),
    /// The gateway can't do it; its [`super::Capabilities`] say so.
    #[error("the gateway can't {0}")]
    Unable(&'static str),
}
