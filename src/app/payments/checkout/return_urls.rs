//! The shop's pages that a gateway sends a customer to.

use crate::app::page_addresses;
use crate::domain::payment::Payment;

/// The page that leads to the one that waits for the outcome of an attempt.
pub(in crate::app::payments) fn return_url(public_url: &str, attempt: &Payment) -> String {
    let paid_for = attempt.adjustment.unwrap_or(attempt.quote);
    page_addresses::gateway_return(public_url, &attempt.provider, paid_for)
}

/// The page that leads back to where an attempt was begun.
pub(in crate::app::payments) fn back_url(public_url: &str, attempt: &Payment) -> String {
    let paid_for = attempt.adjustment.unwrap_or(attempt.quote);
    page_addresses::gateway_cancelled(public_url, &attempt.provider, paid_for)
}

/// Where a gateway's messages are taken.
pub(in crate::app::payments) fn callback_url(public_url: &str, attempt: &Payment) -> String {
    format!("{public_url}/api/v1/gateway/{}/callback", attempt.provider)
}
