//! Payment gateways: what each can say, and which there are.

mod answers;
mod provider;
pub mod sandbox;

pub use answers::{CallbackEvent, GatewayError, GatewayRefundStatus, GatewayStatus};
pub use provider::Provider;
