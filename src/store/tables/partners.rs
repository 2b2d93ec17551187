//! What is kept of the requests of aggregator partners.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::quote::{Quote, QuoteStatus};

/// A risk that a partner sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartnerRequest {
    /// The quote it was saved as.
    pub quote: Uuid,
    /// SHA-256 of the request's body, in hexadecimal.
    pub body: String,
    /// Where the quote stood when it was answered.
    pub answered: FirstAnswer,
}

/// Where a quote stood when its partner was first answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstAnswer {
    /// Its status.
    pub status: QuoteStatus,
    /// Why underwriting refers or declines.
    pub reason: Option<String>,
    /// Moment from which its price no longer holds.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub expires: Option<DateTime<Utc>>,
}

impl FirstAnswer {
    /// Where it stands now.
    #[must_use]
    pub fn of(quote: &Quote) -> Self {
        Self {
            status: quote.status,
            reason: quote.reason.clone(),
            expires: quote.expires,
        }
    }
}

/// An address that a partner was given for its customer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Click {
    /// The quote it leads to.
    pub quote: Uuid,
    /// When it was used; it works once.
    #[serde(with = "chrono::serde::ts_microseconds_option")]
    pub used: Option<DateTime<Utc>>,
}
