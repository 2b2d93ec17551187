//! The reports of gateways about attempts and refunds, and the errors of gateways.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::payment::{
    CardOnFile, Currency, Decline, Failure, Keys, PaymentPage, References,
};

/// A gateway's status of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayStatus {
    /// The gateway waits for the customer. A declined card on an open page doesn't end the attempt.
    Open,
    /// The customer has confirmed, and the bank has not answered yet.
    Processing,
    Paid {
        /// The amount in the smallest unit of the currency: pence.
        amount: Pence,
        /// The currency, or `None` for a currency that the shop doesn't accept.
        currency: Option<Currency>,
    },
    /// The gateway took the authorised money back, without a dispute.
    Reversed,
    /// No money has moved so far. `failure` states whether money may still move.
    Failed {
        /// The reason, and whether it is final.
        failure: Failure,
        /// The reason, for the customer.
        message: String,
    },
    /// The gateway certainly has no such attempt. An adapter that isn't certain returns
    /// [`GatewayError::Unclear`].
    NotFound,
}

/// A gateway's status of an attempt, and its references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentReport {
    pub status: GatewayStatus,
    /// References to add to those of the attempt.
    pub references: References,
    /// When the attempt was paid, if the gateway reports the time.
    pub paid_at: Option<DateTime<Utc>>,
    /// The gateway's references of further payments of the same attempt. A person must refund them.
    pub more_payments: Vec<String>,
    /// Why a charge of a stored card was declined.
    pub decline: Option<Decline>,
    /// The card that the gateway keeps, if the payer consented.
    pub card: Option<Box<CardOnFile>>,
}

impl From<GatewayStatus> for PaymentReport {
    fn from(status: GatewayStatus) -> Self {
        Self {
            status,
            references: References::new(),
            paid_at: None,
            more_payments: Vec::new(),
            decline: None,
            card: None,
        }
    }
}

/// A page where an attempt is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentSession {
    /// The page's address and form.
    pub page: PaymentPage,
    /// The gateway's references of the attempt.
    pub references: References,
    /// The gateway's secrets for this attempt.
    pub keys: Keys,
}

/// A gateway's status of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayRefundStatus {
    /// The refund was made. It may still fail later.
    Done,
    /// The refund is in progress. The shop must query the status again.
    Pending,
    /// The gateway has not made the refund, because the payment is or was disputed.
    Disputed,
    /// The refund was requested, and the answer was lost. The refund can't be looked up or
    /// repeated, so a person must check it.
    Unconfirmed,
    /// The gateway refuses the refund, or the refund failed after it was done.
    Refused {
        /// The reason, for the operator.
        message: String,
    },
}

/// A gateway's status of a refund, and its reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundReport {
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

/// A payment or refund in the gateway's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMovement {
    /// Who asked for a refund, or `None` for a payment.
    pub refund: Option<RefundOrigin>,
    /// The gateway's reference.
    pub reference: String,
    /// Our id and the gateway's references of the payment, or of the refunded payment.
    pub payment_names: Vec<String>,
    pub amount: Pence,
    /// The customer's address, if the gateway has it.
    pub mailbox: Option<String>,
    /// The gateway's own page about it.
    pub page: String,
}

/// Who asked a gateway for a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundOrigin {
    /// The shop, with our id of the refund.
    Shop(Uuid),
    /// Somebody at the gateway.
    ByHand,
    /// The gateway doesn't say who.
    Unknown,
}

/// Why a gateway call failed.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum GatewayError {
    /// The callback isn't the gateway's, is too old, or can't be read.
    #[error("the callback is not the gateway's: {0}")]
    Forged(String),
    /// The callback or attempt is of the other mode: test instead of live, or the reverse.
    #[error("it is of the gateway's other mode, test or live")]
    OtherMode,
    /// The gateway sent no answer, or an unreadable answer. The request may have been executed.
    #[error("the gateway's answer was not clear: {0}")]
    Unclear(String),
    /// The gateway was not reached or was busy, so it did nothing.
    #[error("the gateway did nothing: {0}")]
    NotSent(String),
    /// The gateway refused the request and did nothing: wrong keys, a missing right, an invalid request.
    #[error("the gateway refused: {0}")]
    Refused(String),
    /// The gateway lacks this function; see [`super::Capabilities`].
    #[error("the gateway can't {0}")]
    Unable(&'static str),
}

impl GatewayError {
    /// Returns whether the gateway certainly did nothing for the call.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        match self {
            Self::NotSent(_) | Self::Refused(_) | Self::Unable(_) | Self::OtherMode => true,
            Self::Unclear(_) | Self::Forged(_) => false,
        }
    }
}
