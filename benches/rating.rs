//! Measures ratings a second on one core: two vehicles with every option.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use layby::domain::product::form::{Scope, check, check_for_price};
use layby::domain::product::rating::{price, price_checked};
use layby::domain::quote::answers::Answers;
use layby::domain::quote::campaign::Campaign;
use layby::products::Catalogue;
use serde_json::json;

/// The duration of the warm-up and of the measurement.
const TURNS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// Calls `work` until `turn` is over. Returns the calls a second.
fn repeat<T>(turn: Duration, work: &impl Fn() -> T) -> f64 {
    let (started, mut calls) = (Instant::now(), 0);
    while started.elapsed() < turn {
        for _ in 0..1000 {
            black_box(work());
        }
        calls += 1000;
    }
    f64::from(calls) / started.elapsed().as_secs_f64()
}

fn measure<T>(name: &str, work: impl Fn() -> T) {
    let [_, rate] = TURNS.map(|turn| repeat(turn, &work));
    println!("{name} | {rate:.0} a second | {:.2} µs each", 1e6 / rate);
}

fn main() {
    let catalogue = Catalogue::load(None).unwrap();
    let product = catalogue.list()[0].product.clone();
    let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
    let answers: Answers = serde_json::from_value(json!({
        "values": {
            "cover_type": 2, "cover_level": 5, "cover_length": 1, "excess": 1,
            "start_date": "22.11.2026", "key_cover": true, "motor_legal_protection": true,
            "title": 2, "first_name": "Ann", "last_name": "Smith",
            "date_of_birth": "01.02.1980", "email_primary": "ann@example.com",
            "tel_primary": "020 7946 0018", "address_primary": "1 High Street\nLondon",
            "postcode_primary": "SW1A 1AA",
        },
        "multi": { "vehicles": [
            { "vehicle_type": 1, "vehicle_registration": "AB12 CDE", "vehicle_registration_date": "01.03.2012" },
            { "vehicle_type": 2, "vehicle_registration": "AB22 CDE", "vehicle_registration_date": "01.03.2022" },
        ] },
    }))
    .unwrap();
    let complete = check(&product, &answers, Scope::Complete, today);
    assert!(complete.errors.is_empty(), "{:?}", complete.errors);
    let normalised = complete.answers;
    let campaign = Campaign::default();

    measure("price", || {
        price(&product, black_box(&normalised), today, &campaign)
    });
    measure("check for rating and price", || {
        let checked = check_for_price(&product, black_box(&answers), today);
        price_checked(&product, &checked, today, &campaign)
    });
    measure("check a complete quote", || {
        check(&product, black_box(&answers), Scope::Complete, today)
    });
}
