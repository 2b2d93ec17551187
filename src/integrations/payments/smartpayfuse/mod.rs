//! Barclaycard Smartpay Fuse: the hosted payment page of Cybersource (Secure Acceptance), and its REST API
//! for look-ups and refunds.
//!
//! The page is a form with signed fields, so the shop creates the page without a call.

mod adapter;
mod answer;
mod card;
mod charge;
mod client;
mod encryption;
mod error;
mod form;
mod mapping;
mod signature;
mod token;
mod transaction;

pub use adapter::SmartpayFuseGateway;
pub use answer::{AnswerError, PageAnswer};
pub use charge::FuseCharge;
pub use client::{FuseRefund, FuseRefundOrder, NAME, SmartpayFuseClient};
pub use encryption::{DecryptionError, MessageKeys};
pub use error::{FuseError, FuseRefusal};
pub use form::{PageForm, PageKeys};
pub use signature::sign;
pub use token::{RestCall, RestKey};
pub use transaction::{FuseAmount, FuseTransaction};
