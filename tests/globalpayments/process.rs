//! The double of Global Payments as a process, for browser tests and for people who try the shop:
//!
//!     cargo run --example globalpayments-double -- --listen 127.0.0.1:12112
//!
//! Its first line of output is the address of its API. It runs until its standard input ends, or for ever
//! with `--stay`. A shop uses it in development mode with these settings:
//!
//!     [payments]
//!     gateways = ["globalpayments"]
//!     [payments.globalpayments]
//!     test = true
//!     api_url = "http://127.0.0.1:12112/ucp"
//!     app_id = "app-double"
//!     app_key = "app-key-for-tests"
//!     account_name = "transaction_processing_hpp"
//!
//! `initiate` then returns the address of a page with the buttons Pay and Decline and the link Cancel. The
//! card 4222 0000 0122 7408 leads to a challenge. A message goes to the `status_url` of its link. `--late MS`
//! delays messages by so many milliseconds, `--twice` sends each of them twice, `--silent` sends none, and
//! `--gzip` compresses them. With `--back` the page comes back to `return_url`. With `--reserve` a payment
//! ends as PREAUTHORIZED, as on the shared sandbox. `--clock SECONDS` starts its clock so many seconds after
//! 1970. `POST /_double/...` makes faults (`double/control.rs`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod double;

use std::io::Read;
use std::time::{Duration, SystemTime};

use double::{Double, Form, News};

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
    let double = match Double::start(listen, move || now() + ahead) {
        Ok(double) => double,
        Err(error) => {
            eprintln!("{listen}: {error}");
            std::process::exit(1);
        }
    };
    double.books(|books, _| {
        books.comes_back = has("--back");
        if has("--gzip") {
            books.form = Form::Gzip;
        }
        if has("--reserve") {
            books.good_status = "PREAUTHORIZED";
        }
    });
    println!("listening on {}", double.address());
    if !has("--silent") {
        let late = option("--late").and_then(|text| text.parse().ok());
        let late = Duration::from_millis(late.unwrap_or(200));
        let (double, twice) = (double.clone(), has("--twice"));
        std::thread::spawn(move || send(&double, late, twice));
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

/// Sends every message, three times at most.
fn send(double: &Double, late: Duration, twice: bool) {
    loop {
        let news = double.news();
        std::thread::sleep(late.max(Duration::from_millis(50)));
        for one in news {
            for _ in 0..=usize::from(twice) {
                deliver(&one);
            }
        }
    }
}

fn deliver(news: &News) {
    for wait in [0, 500, 2000] {
        std::thread::sleep(Duration::from_millis(wait));
        if let Ok((200..300, _)) = news.post() {
            return;
        }
    }
    eprintln!("a message of a {} transaction was not taken", news.status);
}
