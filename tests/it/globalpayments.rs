//! Global Payments: the shop's calls, signed messages, and sales through its double
//! (`tests/globalpayments/double`).

#[path = "../globalpayments/double/mod.rs"]
pub mod double;

mod books;
mod by_hand;
mod calls;
mod creation;
mod messages;
mod provider;
mod refunds;
mod requests;
mod sales;
mod signatures;
pub mod till;

use std::time::Duration;

use chrono::{DateTime, Utc};
use double::Double;
use layby::clock::Clock;
use layby::domain::money::Pence;
use layby::domain::payment::{Currency, Payer};
use layby::integrations::http;
use layby::integrations::payments::RetryPolicy;
use layby::integrations::payments::globalpayments::{GlobalPaymentsClient, GpApp, LinkOrder};
use layby::secret::Secret;
use uuid::Uuid;

use crate::support::NOW;

/// Returns the time of these tests.
fn now() -> DateTime<Utc> {
    NOW.parse().unwrap()
}

/// Returns a double with a fixed clock.
fn double() -> Double {
    Double::start("127.0.0.1:0", || now().timestamp()).unwrap()
}

/// The usual retries with short waits.
const QUICK: RetryPolicy = RetryPolicy {
    tries: 3,
    call: Duration::from_millis(500),
    wait: Duration::from_millis(5),
    all: Duration::from_secs(5),
};

fn app() -> GpApp {
    GpApp {
        id: double::APP.to_owned(),
        key: Secret::from(double::KEY.to_owned()),
        account: double::ACCOUNT.to_owned(),
        country: "GB".to_owned(),
        is_test: true,
    }
}

/// Returns a client of the server at `address`.
fn client_of(address: &str, app: GpApp, policy: RetryPolicy) -> GlobalPaymentsClient {
    let http = http::client(None).unwrap();
    GlobalPaymentsClient::new(http, address, app, Clock::fixed(now()), policy)
}

fn client(double: &Double) -> GlobalPaymentsClient {
    client_of(&double.address(), app(), QUICK)
}

fn order() -> LinkOrder {
    let text = |text: &str| Some(text.to_owned());
    LinkOrder {
        keeps_card: false,
        payment: Uuid::from_u128(1),
        started: now(),
        amount: Pence(4999),
        currency: Currency::Gbp,
        description: "Vehicle breakdown cover, \u{2116} B-1234".to_owned(),
        payer: Payer {
            first_name: text("Zo\u{eb}"),
            last_name: text("O\u{2019}Neill"),
            email: text("zoe@example.org"),
            phone: text("+447400123456"),
            address_line: text("Flat 1, 2 High Street"),
            town: text("Leeds"),
            postcode: text("LS1 1AA"),
        },
        return_url: "https://shop.example/gateway/globalpayments/return/1".to_owned(),
        status_url: "https://shop.example/api/v1/gateway/globalpayments/callback".to_owned(),
        cancel_url: "https://shop.example/gateway/globalpayments/cancelled/1".to_owned(),
    }
}
