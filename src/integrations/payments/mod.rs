//! Payment gateways. Each provider implements [`Gateway`]. The [`Capabilities`] of a gateway list
//! its functions.

mod answers;
mod call_limiter;
mod callback;
pub(crate) mod capabilities;
mod contract;
pub mod globalpayments;
mod http_call;
pub mod smartpayfuse;
pub mod stripe;

pub use answers::{
    GatewayError, GatewayRefundStatus, GatewayStatus, ListedMovement, PaymentReport,
    PaymentSession, RefundOrigin, RefundReport,
};
pub use call_limiter::run_in_background;
pub use callback::{
    Callback, CallbackAnswer, CallbackEvent, CallbackOutcome, PaymentRef, RefundByHand,
};
pub use capabilities::Capabilities;
pub use contract::{ChargeRequest, CreateSession, Gateway, GatewayFuture, RefundRequest};
pub use http_call::RetryPolicy;
