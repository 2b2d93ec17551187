//! Stripe: its pages for paying (Checkout Sessions), refunds, webhooks and disputes.
//!
//! A client written by hand, of the few calls that are needed. Wire facts are those of API version
//! [`VERSION`], which every request names.

mod adapter;
mod client;
mod dispute;
mod error;
mod event;
mod form;
mod intent;
pub(crate) mod mapping;
mod refund;
mod session;
mod signature;

pub use adapter::{NAME, Stripe};
pub use client::{Client, Patience, VERSION};
pub use dispute::{Dispute, DisputeNews};
pub use error::StripeError;
pub use event::{Event, EventError, News};
pub use intent::{Intent, IntentStatus};
pub use refund::{Refund, RefundOrder, RefundStatus};
pub use session::{Order, Session, SessionStatus};
pub use signature::{HEADER, SignatureError, check};
