//! A save that names look-ups: only the shop's stored result counts.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::found;
use crate::support::{Answer, Shop, two_vehicles};

const PATH: &str = "vehicles.0.vehicle_registration";
const DATE: &str = "vehicles.0.vehicle_registration_date";

/// Returns answers for one vehicle with a registration, and `more`.
pub fn one(plate: &str, more: &Value) -> Value {
    let mut answers = two_vehicles();
    let mut vehicle = json!({ "vehicle_type": 1, "vehicle_registration": plate });
    for (name, value) in more.as_object().unwrap() {
        vehicle[name] = value.clone();
    }
    answers["multi"]["vehicles"] = json!([vehicle]);
    answers
}

pub async fn save(shop: &Shop, product: &Value, lookups: Value) -> Answer {
    let body = json!({ "product": product, "lookups": lookups });
    shop.post("/api/v2/public/quote/breakdown", &body)
        .send()
        .await
}

async fn vehicle_of(shop: &Shop, made: &Answer) -> Value {
    let uuid = made.text("/data/uuid");
    let read = shop
        .get(&format!("/api/v2/public/quote/read/{uuid}"))
        .bearer(&made.text("/data/consumer_token"))
        .succeeds()
        .await;
    read.at("/data/multi/vehicles/0").clone()
}

#[tokio::test]
async fn a_yes_fills_what_is_missing_from_our_own_copy() {
    let shop = Shop::new().await;
    let vehicle = found(&shop, "AB20 CDE").await;
    let lookups = json!([{ "path": PATH, "id": vehicle["lookup_id"], "answer": "yes" }]);
    let made = save(&shop, &one("ab20cde", &json!({})), lookups).await;
    let made = made.expect(StatusCode::CREATED);
    let kept = vehicle_of(&shop, &made).await;
    assert_eq!(kept["vehicle_make"], vehicle["make"]);
    assert_eq!(kept["vehicle_model"], vehicle["model"]);
    assert_eq!(kept["vehicle_colour"], vehicle["colour"]);
    let (year, month) = vehicle["first_registered"]
        .as_str()
        .unwrap()
        .split_once('-')
        .unwrap();
    assert_eq!(
        kept["vehicle_registration_date"],
        format!("01.{month}.{year}")
    );
}

#[tokio::test]
async fn what_was_typed_stays_and_a_no_fills_nothing() {
    let shop = Shop::new().await;
    let vehicle = found(&shop, "AB20 CDE").await;
    let typed = json!({ "vehicle_make": "Rover", "vehicle_registration_date": "05.05.2019" });
    let no = json!([{ "path": PATH, "id": vehicle["lookup_id"], "answer": "no" }]);
    let made = save(&shop, &one("AB20 CDE", &typed), no)
        .await
        .expect(StatusCode::CREATED);
    let kept = vehicle_of(&shop, &made).await;
    assert_eq!(kept["vehicle_make"], "Rover");
    assert_eq!(kept["vehicle_registration_date"], "05.05.2019");
    assert_eq!(kept["vehicle_model"], Value::Null);
}

#[tokio::test]
async fn a_date_that_contradicts_a_yes_is_asked_about() {
    let shop = Shop::new().await;
    let vehicle = found(&shop, "AB20 CDE").await;
    let typed = json!({ "vehicle_registration_date": "05.05.2019" });
    let yes = json!([{ "path": PATH, "id": vehicle["lookup_id"], "answer": "yes" }]);
    let asked = save(&shop, &one("AB20 CDE", &typed), yes).await;
    let asked = asked.expect(StatusCode::UNPROCESSABLE_ENTITY);
    let text = asked.body["errors"][DATE][0].as_str().unwrap();
    assert!(text.starts_with("The records say "), "{text}");
}

#[tokio::test]
async fn a_look_up_of_another_plate_one_that_never_was_and_an_old_one_are_refused() {
    let shop = Shop::new().await;
    let vehicle = found(&shop, "AB20 CDE").await;
    let named = |id: &Value, path: &str| json!([{ "path": path, "id": id, "answer": "yes" }]);
    let id = &vehicle["lookup_id"];
    let never = json!("0198f000-0000-7000-8000-000000000000");
    for (plate, lookups) in [
        ("AB21 CDE", named(id, PATH)),
        ("AB20 CDE", named(&never, PATH)),
        ("AB20 CDE", named(id, "vehicles.7.vehicle_registration")),
        ("AB20 CDE", named(id, "vehicles.0.vehicle_make")),
        ("AB20 CDE", named(id, "nothing")),
    ] {
        let refused = save(&shop, &one(plate, &json!({})), lookups).await;
        let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(
            refused.body["errors"]["lookups.0"][0].is_string(),
            "{:#}",
            refused.body
        );
    }
    let good = save(&shop, &one("AB20 CDE", &json!({})), named(id, PATH)).await;
    good.expect(StatusCode::CREATED);
    shop.clock.set(shop.app.clock.now() + TimeDelta::days(30));
    let mut answers = one("AB20 CDE", &json!({}));
    answers["values"]["start_date"] = json!("25.12.2026");
    let old = save(&shop, &answers, named(id, PATH)).await;
    old.expect(StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn another_save_need_not_name_it_again() {
    let shop = Shop::new().await;
    let vehicle = found(&shop, "AB20 CDE").await;
    let yes = json!([{ "path": PATH, "id": vehicle["lookup_id"], "answer": "yes" }]);
    let made = save(&shop, &one("AB20 CDE", &json!({})), yes)
        .await
        .expect(StatusCode::CREATED);
    let kept = vehicle_of(&shop, &made).await;
    let (uuid, token) = (made.text("/data/uuid"), made.text("/data/consumer_token"));
    let mut answers = one("AB20 CDE", &kept);
    answers["values"]["cover_level"] = json!(4);
    let body = json!({ "product": answers });
    shop.put(&format!("/api/v1/quote/{uuid}"), &body)
        .bearer(&token)
        .succeeds()
        .await;
    assert_eq!(
        vehicle_of(&shop, &made).await["vehicle_make"],
        vehicle["make"]
    );
}
