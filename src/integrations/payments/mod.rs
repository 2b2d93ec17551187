//! Payment gateways. Every provider is an implementation of [`Gateway`]; what one can't do it says in its
//! [`Capabilities`].

mod answers;
mod callback;
pub(crate) mod capabilities;
mod contract;
pub mod stripe;

pub use answers::{
    GatewayError, GatewayRefundStatus, GatewayStatus, PaymentReport, PaymentSession, RefundReport,
};
pub use callback::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, DisputeUpdate, PaymentRef,
    RefundByHand,
};
pub use capabilities::Capabilities;
pub use contract::{ChargeRequest, CreateSession, Gateway, GatewayFuture, RefundRequest};
