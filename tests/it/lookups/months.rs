//! The age that a registration reveals, and when its month is asked. Cover starts on 25 November 2026, four
//! days after the day of these tests.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Shop, two_vehicles};

async fn plates(shop: &Shop, marks: &[&str]) -> Value {
    let mut answers = two_vehicles();
    let vehicles = marks
        .iter()
        .map(|mark| json!({ "vehicle_type": 1, "vehicle_registration": mark }));
    answers["multi"]["vehicles"] = vehicles.collect();
    let checked = shop.post("/api/v1/form/breakdown", &answers).send().await;
    checked.expect(StatusCode::OK).at("/data/plates").clone()
}

#[tokio::test]
async fn the_month_is_asked_only_where_the_age_limit_or_a_rate_differs_within_the_half_year() {
    let shop = Shop::new().await;
    let told = plates(
        &shop,
        &["AB12 CDE", "AB71 CDE", "AB61 CDE", "AB26 CDE", "AB76 CDE"],
    )
    .await;
    let told: Vec<_> = told.as_array().unwrap().iter().collect();
    let brief = |one: &Value| {
        let of = |name: &str| one[name].as_str().unwrap().to_owned();
        (of("from"), of("until"), one["matters"].as_bool().unwrap())
    };
    let expected = [
        ("2012-03-01", "2012-08-31", false),
        // The age on 25 November is five years, or not yet.
        ("2021-09-01", "2022-02-28", true),
        // Fifteen years, which is the limit.
        ("2011-09-01", "2012-02-29", true),
        ("2026-03-01", "2026-08-31", false),
        // The current half-year ends today.
        ("2026-09-01", "2026-11-21", false),
    ];
    let expected =
        expected.map(|(from, until, matters)| (from.to_owned(), until.to_owned(), matters));
    assert_eq!(
        told.iter().map(|one| brief(one)).collect::<Vec<_>>(),
        expected
    );
    assert_eq!(told[1]["path"], "vehicles.1.vehicle_registration");
    assert_eq!(told[1]["fills"], "vehicles.1.vehicle_registration_date");
}

#[tokio::test]
async fn a_plate_without_an_age_tells_nothing() {
    let shop = Shop::new().await;
    let told = plates(&shop, &["1234 AB", "ABZ 1234", "Q1 ABC", "101 D 234"]).await;
    assert_eq!(told, json!([]));
}
