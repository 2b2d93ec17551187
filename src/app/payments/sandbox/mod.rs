//! The sandbox gateway: a test gateway for a shop without a real one. The sandbox stores its
//! payments in the shop's store. Its payment page opens in a frame.
//!
//! As with a real gateway, the shop queries statuses, receives callbacks over HTTP and requests
//! refunds.

pub(in crate::app) mod books;
mod frame;
mod gateway;
mod signature;

pub use books::Sandbox;
pub(in crate::app) use frame::send_sandbox_callback;
pub use frame::{Frame, holds_sandbox_payments, sandbox_frame, sandbox_submit};
pub(in crate::app) use gateway::card_on_file;
pub use signature::{SIGNATURE, callback};
