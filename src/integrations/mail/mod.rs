//! Letters to customers: sent by a mail server, or written to a folder.

mod folder;
mod mailer;
mod message;
mod outgoing;
mod smtp;

pub use mailer::Mailer;
pub use outgoing::{Attachment, MailError, Outgoing};
