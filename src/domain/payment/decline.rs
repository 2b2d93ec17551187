//! Declines of a stored card's charge.

use serde::{Deserialize, Serialize};

/// Why a charge was declined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decline {
    pub class: DeclineClass,
    /// The provider's own code.
    pub code: Option<String>,
}

/// What a decline means for a later charge of the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeclineClass {
    /// The card must not be charged again: it is lost, stolen, closed, expired or not permitted.
    Never,
    /// A later charge may succeed: the funds or a limit do not suffice, or the bank is unavailable.
    Retryable,
    /// The holder must act: confirm the payment, or enter the card's new data or another card.
    Customer,
    /// The provider gave no reason, or the bank did not decline the card.
    Unknown,
}
