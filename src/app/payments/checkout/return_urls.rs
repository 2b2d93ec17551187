//! The shop's addresses to which a gateway sends customers and callbacks.

use uuid::Uuid;

use crate::app::page_addresses;
use crate::domain::payment::{Payment, Purpose};

/// Returns the address to which the gateway sends a customer after the payment.
pub(in crate::app::payments) fn return_url(public_url: &str, attempt: &Payment) -> String {
    let paid_for = paid_for(attempt);
    page_addresses::gateway_return(public_url, &attempt.provider, paid_for)
}

/// Returns the address to which the gateway sends a customer who does not pay.
pub(in crate::app::payments) fn back_url(public_url: &str, attempt: &Payment) -> String {
    let paid_for = paid_for(attempt);
    page_addresses::gateway_cancelled(public_url, &attempt.provider, paid_for)
}

/// Returns the id by which the waiting page reads the attempt's outcome.
const fn paid_for(attempt: &Payment) -> Uuid {
    match attempt.purpose {
        Purpose::Change(id) => id,
        Purpose::Sale | Purpose::Renewal => attempt.quote,
        Purpose::Instalments(_) => attempt.id,
    }
}

/// Returns the address that receives the gateway's callbacks.
pub(in crate::app::payments) fn callback_url(public_url: &str, attempt: &Payment) -> String {
    format!("{public_url}/api/v1/gateway/{}/callback", attempt.provider)
}
