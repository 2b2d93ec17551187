//! Stored data of partners' requests.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::quote::{Quote, QuoteStatus};

/// A risk that a partner sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartnerRequest {
    /// The quote created for the risk.
    pub quote: Uuid,
    /// SHA-256 of the request's body, in hexadecimal.
    pub body: String,
    /// The quote's status at the first answer.
    pub answered: FirstAnswer,
}

/// A quote's status at the first answer to its partner.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstAnswer {
    pub status: QuoteStatus,
    /// Why underwriting refers or declines.
    pub reason: Option<String>,
    /// Time when the price expires.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub expires: Option<DateTime<Utc>>,
}

impl FirstAnswer {
    /// Returns the quote's current status.
    #[must_use]
    pub fn from_quote(quote: &Quote) -> Self {
        Self {
            status: quote.status,
            reason: quote.reason.clone(),
            expires: quote.expires,
        }
    }
}

/// A click-through address that a partner received for its customer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Click {
    /// The quote that the address opens.
    pub quote: Uuid,
    /// When the address was used. An address works once.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub used: Option<DateTime<Utc>>,
}
