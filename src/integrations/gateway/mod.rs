//! What every payment gateway can do, and which there are.

pub mod sandbox;

use chrono::{DateTime, Utc};
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

/// The gateways there are, by their name in paths and in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// Built in; plays test cards.
    Sandbox,
}

impl Provider {
    /// The provider called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        (name == "sandbox").then_some(Self::Sandbox)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
        }
    }

    /// Header that carries the signature of its callbacks.
    #[must_use]
    pub const fn signature_header(self) -> &'static str {
        match self {
            Self::Sandbox => crate::integrations::gateway::sandbox::SIGNATURE,
        }
    }

    /// Reads one of its callbacks.
    ///
    /// # Errors
    /// [`GatewayError::Forged`] when it isn't the provider's own and fresh.
    pub fn verify(
        self,
        body: &[u8],
        signature: &str,
        secret: &str,
        now: DateTime<Utc>,
    ) -> Result<CallbackEvent, GatewayError> {
        match self {
            Self::Sandbox => {
                crate::integrations::gateway::sandbox::verify(body, signature, secret, now)
            }
        }
    }
}
