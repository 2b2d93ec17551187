//! Delivery of letters: the outbox, recipients, and letters about quotes.

pub mod mail_server;
pub mod outbox;
pub(in crate::app) mod quote_letters;
pub(crate) mod recipient;
pub(crate) mod send;
pub(in crate::app) mod sending;

pub(in crate::app) use quote_letters::count_quote_letter;
pub(in crate::app) use send::{send_letter, send_with_files};
