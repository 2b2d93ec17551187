//! Barclaycard Smartpay Fuse: the hosted payment page of Cybersource (Secure Acceptance), and its REST API
//! for look-ups and refunds.
//!
//! The page is a form with signed fields, so that its creation needs no call. The account must take REST
//! bodies without encryption: message-level encryption is not built.

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
