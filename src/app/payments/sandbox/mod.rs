//! The sandbox gateway: a bank of our own, so that a shop can be tried without one. It keeps books of its
//! own in the shop's store and serves the page in the frame. The rest of the shop asks it for a status, gets
//! callbacks over HTTP and asks for refunds, as with a real gateway.

pub(in crate::app) mod books;
mod frame;
mod gateway;
mod signature;

pub use books::Sandbox;
pub(in crate::app) use frame::send_sandbox_callback;
pub use frame::{Frame, holds_sandbox_payments, sandbox_frame, sandbox_submit};
pub use signature::{SIGNATURE, callback};
