//! Letters to customers: handed to a mail server, or kept in a folder where there is none.

mod folder;
mod mailer;
mod message;
mod outgoing;
mod smtp;

pub use mailer::Mailer;
pub use outgoing::{MailError, Outgoing};
