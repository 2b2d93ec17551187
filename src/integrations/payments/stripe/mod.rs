//! Stripe: payment pages (Checkout Sessions), charges of stored cards, refunds, webhooks and disputes.
//!
//! A hand-written client of the few calls that the shop needs. Names and values are those of API version
//! [`VERSION`], which every request states.

mod adapter;
mod charge;
mod client;
mod dispute;
mod error;
mod event;
mod form;
mod intent;
mod list;
pub(crate) mod mapping;
mod refund;
mod session;
mod signature;

pub use adapter::StripeGateway;
pub use client::{NAME, StripeClient, VERSION};
pub use dispute::StripeDispute;
pub use error::StripeError;
pub use event::{EventError, StripeEvent, WebhookEvent};
pub use intent::{Intent, IntentStatus};
pub use refund::{StripeRefund, StripeRefundOrder, StripeRefundStatus};
pub use session::{CheckoutRequest, CheckoutSession, SessionStatus};
pub use signature::{HEADER, SignatureError, check};
