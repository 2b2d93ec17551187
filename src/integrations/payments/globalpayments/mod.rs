//! Global Payments (GP API): the hosted page by a link, its signed messages, and refunds.
//!
//! A hand-written client of the few calls that the shop needs, in API version [`VERSION`]. The comments mark
//! with "assumption" what only a test account can show. `docs/PAYMENTS.md` lists these assumptions.

mod adapter;
mod charge;
mod client;
mod error;
mod link;
mod list;
mod mapping;
mod message;
mod refund;
mod signature;
mod transaction;

pub use adapter::GlobalPaymentsGateway;
pub use client::{GlobalPaymentsClient, GpApp, NAME, VERSION};
pub use error::GpError;
pub use link::{GpLink, GpLinkStatus, LinkOrder};
pub use refund::GpRefundOrder;
pub use signature::{HEADER, check, digest};
pub use transaction::{GpStatus, GpTransaction};
