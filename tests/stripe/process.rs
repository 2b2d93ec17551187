//! The double of Stripe as a process, for browser tests and for people who try the shop:
//!
//!     cargo run --example stripe-double -- --listen 127.0.0.1:12111 \
//!         --webhook http://127.0.0.1:8080/api/v1/gateway/stripe/callback
//!
//! Its first line of output is its address. It runs until its standard input ends, or for ever with `--stay`.
//! A shop uses it in development mode with these settings:
//!
//!     [payments]
//!     gateways = ["stripe"]
//!     [payments.stripe]
//!     test = true
//!     api_url = "http://127.0.0.1:12111"
//!     secret_key = "sk_test_double"
//!     webhook_secrets = ["whsec_double"]
//!
//! `initiate` then returns the address of a page with the buttons Pay and Decline and the link Cancel. Any
//! other of Stripe's test cards can be typed. `--late MS` delays webhooks by so many milliseconds, and
//! `--twice` sends each of them twice. Without `--webhook` none is sent. `--clock SECONDS` starts its clock
//! so many seconds after 1970, for a shop with a `LAYBY_CLOCK`. `POST /_double/...` makes faults, disputes
//! and payouts (`double/control.rs`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod double;

use std::io::Read;
use std::time::{Duration, SystemTime};

use double::{Double, Webhook};

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let place = given.iter().position(|one| one == name)?;
        given.get(place + 1).map(String::as_str)
    };
    let has = |name: &str| given.iter().any(|one| one == name);
    let listen = option("--listen").unwrap_or("127.0.0.1:0");
    let clock = option("--clock").and_then(|text| text.parse::<i64>().ok());
    let ahead = clock.map_or(0, |clock| clock - now());
    let double = match Double::start(listen, None, move || now() + ahead) {
        Ok(double) => double,
        Err(error) => {
            eprintln!("{listen}: {error}");
            std::process::exit(1);
        }
    };
    println!("listening on {}", double.address());
    if let Some(address) = option("--webhook") {
        let late = option("--late")
            .and_then(|text| text.parse().ok())
            .unwrap_or(200);
        let (address, double, twice) = (address.to_owned(), double.clone(), has("--twice"));
        std::thread::spawn(move || send(&double, &address, Duration::from_millis(late), twice));
    }
    if has("--stay") {
        loop {
            std::thread::park();
        }
    }
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}

/// Sends every webhook, three times at most.
fn send(double: &Double, address: &str, late: Duration, twice: bool) {
    loop {
        let webhooks = double.webhooks();
        std::thread::sleep(late.max(Duration::from_millis(50)));
        for webhook in webhooks {
            for _ in 0..=usize::from(twice) {
                deliver(&webhook, address);
            }
        }
    }
}

fn deliver(webhook: &Webhook, address: &str) {
    let headers = [
        ("Content-Type", "application/json; charset=utf-8"),
        ("Stripe-Signature", webhook.signature.as_str()),
    ];
    for wait in [0, 500, 2000] {
        std::thread::sleep(Duration::from_millis(wait));
        if let Ok(200..300) = double::post(address, &headers, webhook.body.as_bytes()) {
            return;
        }
    }
    eprintln!("a webhook of {} was not taken", webhook.kind);
}
