//! Letters: what each says, and how it is sent.

mod account;
mod addressee;
pub(in crate::app) mod in_flight;
pub(in crate::app) mod letters;
mod money;
pub mod outbox;
mod policy;
mod policy_events;
mod quote;
pub(in crate::app) mod quote_letters;
mod send;
