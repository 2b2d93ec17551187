//! Delivery of letters: the outbox, recipients, and letters about quotes.

pub mod outbox;
pub(in crate::app) mod quote_letters;
pub(crate) mod recipient;
pub(crate) mod send;
pub(in crate::app) mod sending;
