//! Stored data of letters: sent and waiting letters, and addresses that refuse mail.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Letters about quotes to one mailbox.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct QuoteMails {
    /// The waiting letter. While a letter waits, [`super::QUOTE_LETTERS`] has a job for it.
    pub waiting: Option<WaitingLetter>,
    /// Times of the last letter and of the letters in the 24 hours before it.
    pub sent: Vec<SentAt>,
}

/// When a letter was sent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SentAt(#[serde(with = "chrono::serde::ts_microseconds")] pub DateTime<Utc>);

/// A waiting letter about a quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingLetter {
    pub quote: Uuid,
    /// When it was requested.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub since: DateTime<Utc>,
}

/// An address that accepts no mail.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefusedAddress {
    /// When its mail was last refused.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// The mail server's answer without its text, which may repeat the address.
    pub reason: String,
}
