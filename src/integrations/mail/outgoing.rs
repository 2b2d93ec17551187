//! A letter to send, and why it was not sent.

use uuid::Uuid;

/// A letter to send.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Its id. A repeated call with the same id sends the same letter. It has the same `Message-ID` and file
    /// name, and the same date if the id has a time (version 7). Each try of a job uses a new id.
    pub id: Uuid,
    /// The recipient's address.
    pub to: String,
    /// The subject, in one line.
    pub subject: String,
    /// The text as HTML.
    pub html: String,
    /// The text as plain text.
    pub text: String,
}

/// Why a letter was not sent. The texts are for logs and records. They contain no address and no letter.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum MailError {
    /// This address can't receive the letter, and a retry is useless.
    #[error("{0}")]
    Refused(String),
    /// A retry may succeed.
    #[error("{0}")]
    Unavailable(String),
}
