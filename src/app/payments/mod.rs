//! Paying: start an attempt at a gateway, ask what became of it, handle its callbacks, record its
//! outcome, and refund.

mod ask_gateway;
mod attempts;
mod callback;
pub mod ledger;
mod outcome;
mod payable;
mod providers;
mod read;
pub mod refunds;
pub mod sandbox;
mod start;
mod stored_cards;

pub(in crate::app) use attempts::attempts;
pub use read::PaymentView;
pub use start::Started;
