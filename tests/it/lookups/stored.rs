//! Retention of look-ups: 30 days under their id, and permanently with a quote that names them.

use chrono::TimeDelta;
use layby::app::jobs;
use layby::domain::quote::lookup::StoredLookup;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::found;
use super::saves::{one, save};
use crate::policies::{Customer, PAYS};
use crate::support::stores::snapshot;
use crate::support::{Answer, Shop, two_vehicles};

/// Returns the number of look-ups stored under their ids.
fn kept(shop: &Shop) -> usize {
    shop.rows(&tables::LOOKUPS).len()
}

/// Returns the look-ups of a quote's newest revision: each registration, and whether the customer confirmed
/// it.
pub fn of_quote(shop: &Shop, uuid: &str) -> Vec<(String, bool)> {
    let tx = snapshot(&shop.app.store);
    let quote = tables::QUOTES.get(&tx, &uuid.parse().unwrap());
    let kept = quote.unwrap().unwrap().current.lookups;
    let brief = |one: StoredLookup| (one.looked_up.vehicle.registration, one.confirmed);
    kept.into_iter().map(brief).collect()
}

pub fn yes(plate: &str) -> Vec<(String, bool)> {
    vec![(plate.to_owned(), true)]
}

pub fn named(vehicle: &Value, at: usize, answer: &str) -> Value {
    json!({
        "path": format!("vehicles.{at}.vehicle_registration"),
        "id": vehicle["lookup_id"],
        "answer": answer,
    })
}

/// Makes a quote for one vehicle. The customer confirmed the look-up.
async fn confirmed(shop: &Shop, plate: &str) -> (String, String) {
    let vehicle = found(shop, plate).await;
    let product = one(plate, &json!({}));
    let made = save(shop, &product, json!([named(&vehicle, 0, "yes")])).await;
    let made = made.expect(StatusCode::CREATED);
    (made.text("/data/uuid"), made.text("/data/consumer_token"))
}

async fn save_again(shop: &Shop, quote: &(String, String), body: &Value) -> Answer {
    let call = shop.put(&format!("/api/v1/quote/{}", quote.0), body);
    call.bearer(&quote.1).send().await
}

#[tokio::test]
async fn a_look_up_is_deleted_after_thirty_days_and_the_quote_keeps_its_own() {
    let shop = Shop::new().await;
    let (uuid, _) = confirmed(&shop, "AB20 CDE").await;
    shop.clock.advance(TimeDelta::days(1));
    found(&shop, "AB13 CDE").await;
    jobs::daily(&shop.app).await.unwrap();
    assert_eq!(kept(&shop), 2);
    shop.clock.advance(TimeDelta::days(28));
    jobs::daily(&shop.app).await.unwrap();
    assert_eq!(kept(&shop), 2, "29 and 28 days old");
    shop.clock.advance(TimeDelta::days(1));
    jobs::daily(&shop.app).await.unwrap();
    assert_eq!(kept(&shop), 1, "30 and 29 days old");
    shop.clock.advance(TimeDelta::days(1));
    jobs::daily(&shop.app).await.unwrap();
    assert_eq!(kept(&shop), 0);
    assert_eq!(of_quote(&shop, &uuid), yes("AB20 CDE"));
}

#[tokio::test]
async fn more_look_ups_than_one_transaction_takes_are_deleted_in_one_round() {
    let shop = Shop::configured("[limits]\nlookups_per_client_per_hour = 0\n").await;
    for number in 0..205 {
        found(&shop, &format!("AB12 C{}", two_letters(number))).await;
    }
    assert_eq!(kept(&shop), 205);
    shop.clock.advance(TimeDelta::days(30));
    jobs::daily(&shop.app).await.unwrap();
    assert_eq!(kept(&shop), 0);
}

/// Returns two letters that are unique to the number.
fn two_letters(number: u8) -> String {
    let letter = |at: u8| char::from(b"ABCDEFGHJKLMNOPRSTUV"[usize::from(at)]);
    [letter(number / 20), letter(number % 20)].iter().collect()
}

#[tokio::test]
async fn a_quote_that_is_edited_keeps_what_was_looked_up_for_the_vehicles_it_still_has() {
    let shop = Shop::new().await;
    let quote = confirmed(&shop, "AB20 CDE").await;
    let typed = |plate: &str, more: &Value| json!({ "product": one(plate, more) });
    let date = json!({ "vehicle_registration_date": "01.06.2020" });

    // The date is within the result's month, or absent, so the confirmation stays.
    let vehicle = found(&shop, "AB20 CDE").await;
    let month = vehicle["first_registered"].as_str().unwrap();
    let (year, month) = month.split_once('-').unwrap();
    let same = json!({ "vehicle_registration_date": format!("09.{month}.{year}") });
    let saved = save_again(&shop, &quote, &typed("ab20cde", &same)).await;
    saved.expect(StatusCode::OK);
    assert_eq!(of_quote(&shop, &quote.0), yes("AB20 CDE"));

    // A different date typed later cancels the confirmation.
    let other = json!({ "vehicle_registration_date": "01.06.2019" });
    let saved = save_again(&shop, &quote, &typed("AB20 CDE", &other)).await;
    saved.expect(StatusCode::OK);
    assert_eq!(of_quote(&shop, &quote.0), [("AB20 CDE".to_owned(), false)]);

    let saved = save_again(&shop, &quote, &typed("AB21 CDE", &date)).await;
    saved.expect(StatusCode::OK);
    assert_eq!(of_quote(&shop, &quote.0), []);
}

#[tokio::test]
async fn a_vehicle_that_is_added_later_brings_its_own_look_up_beside_the_first_ones() {
    let shop = Shop::new().await;
    let quote = confirmed(&shop, "AB20 CDE").await;
    let second = found(&shop, "AB21 CDE").await;
    let mut product = one(
        "AB20 CDE",
        &json!({ "vehicle_registration_date": "01.03.2020" }),
    );
    let first = found(&shop, "AB20 CDE").await;
    product["multi"]["vehicles"][0]["vehicle_registration_date"] = {
        let (year, month) = first["first_registered"]
            .as_str()
            .unwrap()
            .split_once('-')
            .unwrap();
        json!(format!("01.{month}.{year}"))
    };
    let added = json!({ "vehicle_type": 1, "vehicle_registration": "AB21 CDE" });
    let vehicles = product["multi"]["vehicles"].as_array_mut().unwrap();
    vehicles.push(added);
    let body = json!({ "product": product, "lookups": [named(&second, 1, "yes")] });
    save_again(&shop, &quote, &body)
        .await
        .expect(StatusCode::OK);
    assert_eq!(
        of_quote(&shop, &quote.0),
        [yes("AB21 CDE"), yes("AB20 CDE")].concat()
    );
}

#[tokio::test]
async fn a_registration_that_is_looked_up_again_is_kept_once() {
    let shop = Shop::new().await;
    let quote = confirmed(&shop, "AB20 CDE").await;
    let again = found(&shop, "AB20 CDE").await;
    let date = json!({ "vehicle_registration_date": "01.06.2019" });
    let product = one("AB20 CDE", &date);
    let body = json!({ "product": product, "lookups": [named(&again, 0, "no")] });
    save_again(&shop, &quote, &body)
        .await
        .expect(StatusCode::OK);
    assert_eq!(of_quote(&shop, &quote.0), [("AB20 CDE".to_owned(), false)]);

    let both = json!([named(&again, 0, "no"), named(&again, 0, "yes")]);
    let refused = save(&shop, &product, both).await;
    let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.body["errors"]["lookups.1"][0].is_string());
}

#[tokio::test]
async fn two_who_look_up_the_same_vehicle_at_once_have_each_their_own() {
    let shop = Shop::new().await;
    let (first, second) = tokio::join!(found(&shop, "AB20 CDE"), found(&shop, "AB20 CDE"));
    assert_ne!(first["lookup_id"], second["lookup_id"]);
    for vehicle in [first, second] {
        let lookups = json!([named(&vehicle, 0, "yes")]);
        let made = save(&shop, &one("AB20 CDE", &json!({})), lookups).await;
        made.expect(StatusCode::CREATED);
    }
}

#[tokio::test]
async fn a_policy_that_is_changed_keeps_what_was_looked_up_for_its_vehicle() {
    let ann = Customer::new().await;
    let vehicle = found(&ann.shop, "AB20 CDE").await;
    let body = json!({
        "product": one("AB20 CDE", &json!({})),
        "lookups": [named(&vehicle, 0, "yes")],
    });
    let uuid = ann
        .post("/api/v2/public/quote/breakdown", &body)
        .answers(StatusCode::CREATED)
        .await
        .text("/data/uuid");
    ann.pays_for(&uuid, PAYS, false).await;
    let offer = ann.asks(&uuid, json!({ "cover_level": 1 }), None).await;
    let change = offer.expect(StatusCode::OK).text("/data/adjustment_id");
    let made = ann.agrees(&uuid, &change).await.expect(StatusCode::OK);
    assert_eq!(made.at("/data/status"), "applied");
    assert_eq!(of_quote(&ann.shop, &uuid), yes("AB20 CDE"));
}

#[tokio::test]
async fn a_draft_may_name_a_look_up_too() {
    let shop = Shop::new().await;
    let vehicle = found(&shop, "AB20 CDE").await;
    let mut product = two_vehicles();
    product["multi"]["vehicles"] = json!([{ "vehicle_registration": "AB20 CDE" }]);
    let body = json!({
        "product": product, "draft": true, "lookups": [named(&vehicle, 0, "yes")],
    });
    let made = shop
        .post("/api/v2/public/quote/breakdown", &body)
        .answers(StatusCode::CREATED)
        .await;
    assert_eq!(of_quote(&shop, &made.text("/data/uuid")), yes("AB20 CDE"));
}
