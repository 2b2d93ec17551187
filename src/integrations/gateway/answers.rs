//! What gateways say: of an attempt, of a refund, in a callback.

use uuid::Uuid;

use crate::domain::money::Pence;

/// What a gateway says of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayStatus {
    /// Waits for the customer.
    Open,
    /// The customer has answered, the bank hasn't.
    Processing,
    /// Paid.
    Paid {
        /// How much, pence.
        amount: Pence,
    },
    /// No money moved.
    Failed {
        /// Why, for the customer.
        message: String,
    },
    /// The gateway has never heard of it.
    Unknown,
}

/// What a gateway says of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayRefundStatus {
    /// Refunded.
    Done,
    /// Under way; to be asked again.
    Pending,
    /// The gateway refuses the refund.
    Refused {
        /// Why, for the operator.
        message: String,
    },
}

/// A verified message of a gateway about one of our attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackEvent {
    /// Our id of the attempt.
    pub payment: Uuid,
    /// What became of it.
    pub status: GatewayStatus,
}

/// Why a gateway could not be used.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum GatewayError {
    /// The message isn't the gateway's, or is too old.
    #[error("the callback's signature is not the gateway's")]
    Forged,
    /// The gateway didn't answer, or not so that it could be understood.
    #[error("the gateway's answer was not clear: {0}")]
    Unclear(String),
}
