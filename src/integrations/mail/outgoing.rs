//! A letter to send, and why it was not sent.

use bytes::Bytes;
use uuid::Uuid;

/// A letter to send.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// The letter's id. Calls with equal ids use equal `Message-ID`s and file names. If the id has
    /// a time (version 7), the calls also use equal dates. Each try of a job uses a new id.
    pub id: Uuid,
    /// The recipient's address.
    pub to: String,
    /// The subject, in one line.
    pub subject: String,
    /// The text as HTML.
    pub html: String,
    /// The text as plain text.
    pub text: String,
    pub attachments: Vec<Attachment>,
}

/// A file that a letter carries.
#[derive(Clone, Debug)]
pub struct Attachment {
    pub file_name: String,
    /// The media type, such as `application/pdf`.
    pub media_type: &'static str,
    pub content: Bytes,
}

/// Why a letter was not sent. The texts are for logs and records. They contain no recipient and no
/// part of the letter.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum MailError {
    /// The address can't receive the letter, or the letter can't be encoded. A retry is useless.
    #[error("{0}")]
    Refused(String),
    /// The mail server accepts no such letter, perhaps because of its attachments. The letter may succeed
    /// without them.
    #[error("{0}")]
    AttachmentsRefused(String),
    /// A retry may succeed.
    #[error("{0}")]
    Unavailable(String),
}
