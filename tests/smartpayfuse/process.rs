//! The double of Smartpay Fuse as a process, for browser tests and for people who try the shop:
//!
//!     cargo run --example smartpayfuse-double -- --listen 127.0.0.1:12112
//!
//! Its first line of output is its address. It runs until its standard input ends, or for ever with `--stay`.
//! A shop uses it in development mode with these settings, where ADDRESS is that address:
//!
//!     [payments]
//!     gateways = ["smartpayfuse"]
//!     [payments.smartpayfuse]
//!     test = true
//!     profile_id = "0FFEAFFB-8171-4F34-A22D-1CD38A28A384"
//!     access_key = "00112233445566778899aabbccddeeff"
//!     secret_key = "secret-of-the-page-4242"
//!     rest_merchant_id = "double_merchant"
//!     rest_key = "01234567-0123-0123-0123-012345678912"
//!     rest_secret = "c2VjcmV0LW9mLXRoZS1yZXN0LWtleS00MjQy"
//!     page_url = "ADDRESS"
//!     api_url = "ADDRESS"
//!
//! The page has the buttons Pay, Decline, Pay with a challenge, and Cancel. The card 4000000000001091 is
//! challenged too. Server posts go to the address in the form: `--late MS` delays them, `--twice` sends each
//! twice, and `--never` sends none. `--encrypt` demands encrypted REST bodies, by the keys of
//! `tests/fixtures/smartpayfuse/encryption`; the id of the shop's key is `shop-key-1`. `--clock SECONDS`
//! starts its clock so many seconds after 1970, for a shop with a `LAYBY_CLOCK`. `POST /_double/...` makes
//! faults and changes transactions (`double/control.rs`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]
// The double of Stripe needs the rest of them.
#![allow(dead_code)]

mod double;
#[path = "../stripe/double/faults.rs"]
mod faults;
#[path = "../stripe/double/http.rs"]
mod http;

use std::io::Read;
use std::time::{Duration, SystemTime};

use double::{Double, Seal};

fn main() {
    let options: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let place = options.iter().position(|one| one == name)?;
        options.get(place + 1).map(String::as_str)
    };
    let has = |name: &str| options.iter().any(|one| one == name);
    let listen = option("--listen").unwrap_or("127.0.0.1:0");
    let clock = option("--clock").and_then(|text| text.parse::<i64>().ok());
    let ahead = clock.map_or(0, |clock| clock - now());
    let double = match Double::start(listen, move || now() + ahead) {
        Ok(double) => double,
        Err(error) => {
            eprintln!("{listen}: {error}");
            std::process::exit(1);
        }
    };
    if has("--encrypt") {
        double.encrypt(Seal::Good);
    }
    println!("listening on {}", double.address());
    if !has("--never") {
        let late = option("--late").and_then(|text| text.parse().ok());
        let (late, times) = (late.unwrap_or(200), 1 + usize::from(has("--twice")));
        let posting = double.clone();
        std::thread::spawn(move || send(&posting, Duration::from_millis(late), times));
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

/// Sends every server post. None is repeated after a failure.
fn send(double: &Double, late: Duration, times: usize) {
    let headers = [("Content-Type", "application/x-www-form-urlencoded")];
    loop {
        let posts = double.take_posts();
        std::thread::sleep(late.max(Duration::from_millis(50)));
        for (address, body) in posts {
            for _ in 0..times {
                match http::post(&address, &headers, body.as_bytes()) {
                    Ok(200) => {}
                    other => eprintln!("a server post was not taken: {other:?}"),
                }
            }
        }
    }
}
