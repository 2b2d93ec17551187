//! A policy change that names look-ups. They are compared with the stored results, as in a save, and stored
//! with the new revision.

use layby::domain::policy::adjustment::Adjustment;
use layby::store::{WriteTx, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use super::found;
use super::saves::one;
use super::stored::{named, of_quote, yes};
use crate::policies::{Customer, PAYS};
use crate::support::Answer;

/// Buys a policy for one vehicle. The customer confirmed the look-up.
async fn bought(ann: &Customer, plate: &str) -> String {
    let vehicle = found(&ann.shop, plate).await;
    let body = json!({
        "product": one(plate, &json!({})),
        "lookups": [named(&vehicle, 0, "yes")],
    });
    let uuid = ann
        .post("/api/v2/public/quote/breakdown", &body)
        .answers(StatusCode::CREATED)
        .await
        .text("/data/uuid");
    ann.pays_for(&uuid, PAYS, false).await;
    uuid
}

/// Asks for the price of a swap to `vehicle`, with the named look-ups.
async fn swaps(
    ann: &Customer,
    (uuid, call): (&str, &str),
    vehicle: Value,
    lookups: Value,
    from: Option<&str>,
) -> Answer {
    let body = json!({
        "product": { "multi": { "vehicles": [vehicle] } },
        "lookups": lookups,
        "effective_date": from,
    });
    let path = format!("/api/v1/policy/{uuid}/{call}");
    if call == "price-keep" {
        ann.post(&path, &body).send().await
    } else {
        ann.put(&path, &body).send().await
    }
}

fn car(plate: &str) -> Value {
    json!({ "vehicle_type": 1, "vehicle_registration": plate })
}

#[tokio::test]
async fn a_car_that_is_swapped_by_a_look_up_is_filled_from_our_copy_and_kept() {
    let ann = Customer::new().await;
    let uuid = bought(&ann, "AB20 CDE").await;
    let vehicle = found(&ann.shop, "AB21 CDE").await;
    let lookups = json!([named(&vehicle, 0, "yes")]);
    let offer = swaps(&ann, (&uuid, "mta/confirm"), car("AB21 CDE"), lookups, None).await;
    let change = offer.expect(StatusCode::OK).text("/data/adjustment_id");
    assert_eq!(of_quote(&ann.shop, &uuid), yes("AB20 CDE"));
    let made = ann.agrees(&uuid, &change).await.expect(StatusCode::OK);
    assert_eq!(made.at("/data/status"), "applied");
    assert_eq!(of_quote(&ann.shop, &uuid), yes("AB21 CDE"));
    let read = ann.policy(&uuid).await;
    let covered = read.at("/data/multi/vehicles/0");
    assert_eq!(covered["vehicle_make"], vehicle["make"]);
    assert!(covered["vehicle_registration_date"].is_string());
}

#[tokio::test]
async fn a_change_for_a_later_day_keeps_its_look_ups_until_then() {
    let mut ann = Customer::new().await;
    let uuid = bought(&ann, "AB20 CDE").await;
    let vehicle = found(&ann.shop, "AB21 CDE").await;
    let lookups = json!([named(&vehicle, 0, "yes")]);
    let day = Some("2027-01-20");
    let offer = swaps(&ann, (&uuid, "mta/confirm"), car("AB21 CDE"), lookups, day).await;
    let change = offer.expect(StatusCode::OK).text("/data/adjustment_id");
    let agreed = ann.agrees(&uuid, &change).await.expect(StatusCode::OK);
    assert_eq!(agreed.at("/data/status"), "agreed");
    assert_eq!(of_quote(&ann.shop, &uuid), yes("AB20 CDE"));
    // The look-up's own row is deleted by then.
    ann.sleeps(61).await;
    assert_eq!(of_quote(&ann.shop, &uuid), yes("AB21 CDE"));
}

#[tokio::test]
async fn a_second_car_by_a_look_up_leaves_what_is_known_of_the_first() {
    let ann = Customer::new().await;
    let uuid = bought(&ann, "AB20 CDE").await;
    let first = ann.policy(&uuid).await.at("/data/multi/vehicles/0").clone();
    let vehicle = found(&ann.shop, "AB21 CDE").await;
    let mut body = json!({
        "product": { "multi": { "vehicles": [first, car("AB21 CDE")] } },
        "lookups": [named(&vehicle, 1, "no")],
    });
    let path = format!("/api/v1/policy/{uuid}/mta/confirm");
    let missing = ann
        .put(&path, &body)
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(missing.fields(), ["vehicles.1.vehicle_registration_date"]);

    body["product"]["multi"]["vehicles"][1]["vehicle_registration_date"] = json!("01.05.2021");
    let change = ann
        .put(&path, &body)
        .succeeds()
        .await
        .text("/data/adjustment_id");
    ann.enters_card(&change, PAYS).await;
    let both = [yes("AB20 CDE"), vec![("AB21 CDE".to_owned(), false)]];
    let mut kept = of_quote(&ann.shop, &uuid);
    kept.sort();
    assert_eq!(kept, both.concat());
}

#[tokio::test]
async fn a_look_up_of_another_plate_offers_nothing_and_a_typed_date_is_asked_about() {
    let ann = Customer::new().await;
    let uuid = bought(&ann, "AB20 CDE").await;
    let vehicle = found(&ann.shop, "AB21 CDE").await;
    let lookups = || json!([named(&vehicle, 0, "yes")]);
    let mut typed = car("AB21 CDE");
    typed["vehicle_registration_date"] = json!("05.05.2019");
    for (call, vehicle, path) in [
        ("mta/confirm", car("AB22 CDE"), "lookups.0"),
        (
            "mta/confirm",
            typed.clone(),
            "vehicles.0.vehicle_registration_date",
        ),
    ] {
        let refused = swaps(&ann, (&uuid, call), vehicle, lookups(), None).await;
        let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.fields(), [path]);
    }
    let offers = ann.get(&format!("/api/v1/policy/{uuid}/mta")).send().await;
    assert_eq!(offers.expect(StatusCode::OK).at("/data"), &json!([]));

    // The call that makes the change at once reports the error in its response.
    let refused = swaps(&ann, (&uuid, "price-keep"), typed, lookups(), None).await;
    let refused = refused.expect(StatusCode::OK);
    assert_eq!(refused.at("/data/success"), 0);
    let text = refused.body["data"]["errors"]["vehicles.0.vehicle_registration_date"][0].as_str();
    assert!(text.unwrap().starts_with("The records say "));
    assert_eq!(of_quote(&ann.shop, &uuid), yes("AB20 CDE"));
    let made = swaps(
        &ann,
        (&uuid, "price-keep"),
        car("AB21 CDE"),
        lookups(),
        None,
    )
    .await;
    assert_eq!(made.expect(StatusCode::OK).at("/data/success"), 1);
    assert_eq!(of_quote(&ann.shop, &uuid), yes("AB21 CDE"));
}

#[tokio::test]
async fn a_date_that_is_changed_after_a_yes_takes_the_yes_back() {
    let ann = Customer::new().await;
    let uuid = bought(&ann, "AB20 CDE").await;
    let mut typed = ann.policy(&uuid).await.at("/data/multi/vehicles/0").clone();
    typed["vehicle_registration_date"] = json!("05.05.2019");
    let made = swaps(&ann, (&uuid, "price-keep"), typed, json!([]), None).await;
    assert_eq!(made.expect(StatusCode::OK).at("/data/success"), 1);
    assert_eq!(of_quote(&ann.shop, &uuid), [("AB20 CDE".to_owned(), false)]);
}

/// The change has the older stored form, in which a change named no look-ups.
#[tokio::test]
async fn an_older_offer_leaves_what_is_known_of_the_vehicles_that_stay() {
    let ann = Customer::new().await;
    let uuid = bought(&ann, "AB20 CDE").await;
    let offer = ann.asks(&uuid, json!({ "cover_level": 1 }), None).await;
    let change = offer.expect(StatusCode::OK).text("/data/adjustment_id");
    let id: Uuid = change.parse().unwrap();
    let older = {
        let stored = ann.shop.row(&tables::ADJUSTMENTS, &id);
        assert_eq!(stored.lookups.len(), 1);
        Adjustment {
            lookups: Vec::new(),
            ..stored
        }
    };
    let write = ann
        .shop
        .app
        .store
        .write(move |tx: &mut WriteTx<'_>| tables::ADJUSTMENTS.put(tx, &id, &older));
    write.await.unwrap();
    let made = ann.agrees(&uuid, &change).await.expect(StatusCode::OK);
    assert_eq!(made.at("/data/status"), "applied");
    assert_eq!(of_quote(&ann.shop, &uuid), yes("AB20 CDE"));
}
