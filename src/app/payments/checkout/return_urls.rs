//! The shop's addresses to which a gateway sends customers and callbacks.

use crate::app::page_addresses;
use crate::domain::payment::Payment;

/// Returns the address to which the gateway sends a customer after the payment.
pub(in crate::app::payments) fn return_url(public_url: &str, attempt: &Payment) -> String {
    let paid_for = attempt.adjustment.unwrap_or(attempt.quote);
    page_addresses::gateway_return(public_url, &attempt.provider, paid_for)
}

/// Returns the address to which the gateway sends a customer who does not pay.
pub(in crate::app::payments) fn back_url(public_url: &str, attempt: &Payment) -> String {
    let paid_for = attempt.adjustment.unwrap_or(attempt.quote);
    page_addresses::gateway_cancelled(public_url, &attempt.provider, paid_for)
}

/// Returns the address that receives the gateway's callbacks.
pub(in crate::app::payments) fn callback_url(public_url: &str, attempt: &Payment) -> String {
    format!("{public_url}/api/v1/gateway/{}/callback", attempt.provider)
}
