//! Letters: what each says, and how it is sent.

mod account;
mod addressee;
mod coming;
pub(in crate::app) mod in_flight;
pub(in crate::app) mod letters;
mod money;
pub mod outbox;
mod policy;
mod quote;
pub(in crate::app) mod quote_letters;
mod send;
