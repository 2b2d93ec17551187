//! A payment's status: asking the gateway, its callbacks, and what follows from the outcome.

pub(crate) mod callback;
pub(crate) mod close_unresolved;
pub(crate) mod outcome;
pub(crate) mod read;
pub(crate) mod sync;
pub(crate) mod unread_messages;
