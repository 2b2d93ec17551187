//! Payment gateways. Every provider is an implementation of [`Gateway`]; what one can't do it says in its
//! [`Abilities`].

mod answers;
mod callback;
pub(crate) mod capabilities;
mod contract;
pub mod stripe;

pub use answers::{Begun, GatewayError, GatewayRefundStatus, GatewayStatus, RefundReport, Report};
pub use callback::{
    Callback, CallbackAnswer, CallbackEvent, DisputeNews, Heard, RefundByHand, Whose,
};
pub use capabilities::Abilities;
pub use contract::{Begin, Charge, Gateway, Later, RefundOrder};
