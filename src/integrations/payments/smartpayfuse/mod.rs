//! Barclaycard Smartpay Fuse: the hosted payment page of Cybersource (Secure Acceptance), and its REST API
//! for look-ups and refunds.
//!
//! The page is a form with signed fields, so the shop creates the page without a call. The account must
//! accept REST bodies without encryption, because this client has no message-level encryption.

mod adapter;
mod answer;
mod client;
mod error;
mod form;
mod mapping;
mod signature;
mod token;
mod transaction;

pub use adapter::SmartpayFuseGateway;
pub use answer::{AnswerError, PageAnswer};
pub use client::{FuseRefund, FuseRefundOrder, NAME, SmartpayFuseClient};
pub use error::{FuseError, FuseRefusal};
pub use form::{PageForm, PageKeys};
pub use signature::sign;
pub use token::{RestCall, RestKey};
pub use transaction::{FuseAmount, FuseTransaction};
