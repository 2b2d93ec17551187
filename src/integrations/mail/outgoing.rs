//! A letter to be sent, and why one was not.

use uuid::Uuid;

/// A letter that waits to be sent.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// Its id. Handed to a mailer twice, it is the same letter: it keeps its `Message-ID`, its file
    /// name in the folder, and its date where the id has a time (version 7). Each try of a job
    /// writes a letter of its own.
    pub id: Uuid,
    /// The address it goes to.
    pub to: String,
    /// What it is about, in one line.
    pub subject: String,
    /// What it says, as a web page.
    pub html: String,
    /// What it says, as plain text.
    pub text: String,
}

/// Why a letter was not sent. The texts are for logs and records: they hold no address and
/// nothing of the letter.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum MailError {
    /// It can't be delivered to this address, and trying again is of no use.
    #[error("{0}")]
    Refused(String),
    /// Trying again may succeed.
    #[error("{0}")]
    Later(String),
}
