//! A payment's status: queries to the gateway, its callbacks, and the effects of the outcome.

pub(crate) mod callback;
pub(crate) mod close_unresolved;
pub(crate) mod keep_card;
pub(crate) mod outcome;
pub(crate) mod read;
pub(crate) mod reversal;
pub(crate) mod sync;
pub(crate) mod unread_messages;

pub use callback::{gateway_callback, signs_returns};
pub(in crate::app) use outcome::record_outcome;
pub use read::read_payment;
pub use sync::sync_payment_status;
pub(in crate::app) use sync::{cancel_other_attempts, close_open_pages, sync_earlier_attempts};
