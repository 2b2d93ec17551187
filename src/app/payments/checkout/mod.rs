//! Starts a payment: its target, rate limits, return addresses and attempts.

pub(crate) mod attempts;
pub(crate) mod checkout_lock;
pub(crate) mod rate_limits;
mod register;
pub(crate) mod return_urls;
pub(crate) mod start;
pub(crate) mod target;

pub(in crate::app::payments) use rate_limits::count_failed;
pub use start::initiate_payment;
pub use target::PaymentRequest;
pub(in crate::app) use target::payment_description;
