//! Payment gateways. Each provider implements [`Gateway`]. Its [`Capabilities`] list what it can do.

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
