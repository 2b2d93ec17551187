//! Starting a payment: what is paid for, its limits, its addresses and its attempts.

pub(crate) mod attempts;
pub(crate) mod checkout_lock;
pub(crate) mod rate_limits;
pub(crate) mod return_urls;
pub(crate) mod start;
pub(crate) mod target;
