//! What is kept of letters: what was mailed, what waits and why, and what was given up.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What is and was mailed about quotes to one mailbox.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct QuoteMails {
    /// The letter that waits to be sent; there is work in [`super::QUOTE_LETTERS`] as long as there is one.
    pub waiting: Option<WaitingLetter>,
    /// When the last ones were sent, within a day.
    pub sent: Vec<SentAt>,
}

/// When a letter was sent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SentAt(#[serde(with = "chrono::serde::ts_microseconds")] pub DateTime<Utc>);

/// A letter about a quote that waits to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingLetter {
    /// The quote that called for it.
    pub quote: Uuid,
    /// When it did.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub since: DateTime<Utc>,
}

/// An address that takes no mail.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefusedAddress {
    /// When its mail was last refused.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// What the mail server answered, without its own words: they may repeat the address.
    pub reason: String,
}

/// A try of a letter that failed, and will be followed by another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LetterFailure {
    /// When it was.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
    /// What the mail server answered, as in [`RefusedAddress::reason`], or what else went wrong, as the
    /// log has it.
    pub reason: String,
}
