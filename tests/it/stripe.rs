//! Stripe: the shop's calls, Stripe's webhooks, and sales through its double (`tests/stripe/double`).

#[path = "../stripe/double/mod.rs"]
pub mod double;

mod by_hand;
mod calls;
mod customer;
mod disputes;
mod faults;
pub mod hostile;
mod limiter;
mod lost_answers;
mod other_ways;
mod provider;
mod requests;
pub mod resume;
mod sales;
mod signatures;
mod stored_cards;
pub mod till;
pub mod tls;
mod waits;
mod walk;
mod webhooks;

use std::time::Duration;

use chrono::{DateTime, Utc};
use double::Double;
use layby::clock::Clock;
use layby::domain::money::Pence;
use layby::integrations::http;
use layby::integrations::payments::RetryPolicy;
use layby::integrations::payments::stripe::{CheckoutRequest, StripeClient};
use layby::secret::Secret;
use uuid::Uuid;

use crate::support::NOW;

/// Returns the time of these tests.
fn now() -> DateTime<Utc> {
    NOW.parse().unwrap()
}

/// Returns a double with a fixed clock.
fn double() -> Double {
    Double::start("127.0.0.1:0", None, || now().timestamp()).unwrap()
}

/// The usual retries with short waits.
const QUICK: RetryPolicy = RetryPolicy {
    tries: 3,
    call: Duration::from_millis(500),
    wait: Duration::from_millis(5),
    all: Duration::from_secs(5),
};

fn client_with(double: &Double, key: &str, patience: RetryPolicy) -> StripeClient {
    let http = http::client(None).unwrap();
    StripeClient::new(
        http,
        &double.address(),
        Secret::from(key.to_owned()),
        Clock::fixed(now()),
        patience,
    )
}

fn client(double: &Double) -> StripeClient {
    client_with(double, "sk_test_double", QUICK)
}

/// Returns a client that reports every failure at once.
fn impatient(double: &Double) -> StripeClient {
    client_with(double, "sk_test_double", RetryPolicy { tries: 1, ..QUICK })
}

fn order() -> CheckoutRequest {
    CheckoutRequest {
        payment: Uuid::from_u128(1),
        started: now(),
        amount: Pence(4999),
        description: "Breakdown cover, \u{a3} & more".to_owned(),
        email: Some("ann@example.org".to_owned()),
        keeps_card: false,
        success_url: "https://shop.example/payment/processing/1".to_owned(),
        cancel_url: "https://shop.example/payment/1".to_owned(),
    }
}
