//! Changes of a policy's trips, vehicles and gadgets.

use poem::http::StatusCode;
use serde_json::json;

use crate::policies::{Customer, PAYS, covered};
use crate::support::{two_gadgets, two_trips, two_vehicles};

#[tokio::test]
async fn a_trip_can_be_changed_before_it_begins_but_not_its_dates() {
    let mut ann = Customer::new().await;
    let trip = ann.buys(&two_trips(), PAYS).await;
    let longer = json!({ "product": { "multi": { "trips": [
        { "trip_destination": "FR", "trip_start_date": "01.12.2026", "trip_end_date": "08.12.2026" },
        { "trip_destination": "ES", "trip_start_date": "10.12.2026", "trip_end_date": "12.12.2026" },
    ] } } });
    let path = format!("/api/v1/policy/{trip}/mta/confirm");
    let refused = ann
        .put(&path, &longer)
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(refused.fields(), ["trips.0.trip_end_date"]);
    let elsewhere = json!({ "product": { "multi": { "trips": [
        { "trip_destination": "DE", "trip_start_date": "01.12.2026", "trip_end_date": "05.12.2026" },
        { "trip_destination": "ES", "trip_start_date": "10.12.2026", "trip_end_date": "12.12.2026" },
    ] } } });
    ann.put(&path, &elsewhere).succeeds().await;
    ann.sleeps(12).await;
    let begun = ann.put(&path, &elsewhere).send().await;
    assert_eq!(
        begun.expect(StatusCode::CONFLICT).at("/code"),
        "not_possible_now"
    );
    assert_eq!(ann.policy(&trip).await.at("/data/policy/can/change"), false);
}

#[tokio::test]
async fn what_is_covered_may_grow_old_but_nothing_old_is_added() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&two_gadgets(), PAYS).await;
    ann.sleeps(300).await;
    let mut gadgets = two_gadgets()["multi"]["gadgets"].clone();
    gadgets[0]["make"] = json!("Apple Inc");
    let ask = |gadgets: &serde_json::Value| {
        let body = json!({ "product": { "multi": { "gadgets": gadgets } } });
        ann.put(&format!("/api/v1/policy/{policy}/mta/confirm"), &body)
    };
    ask(&gadgets).succeeds().await;
    let mut old = gadgets[0].clone();
    old["purchase_date"] = json!("01.02.2025");
    gadgets.as_array_mut().unwrap().push(old);
    let declined = ask(&gadgets)
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(declined.at("/code"), "declined");
}

/// A change hides and shows answers: only European cover asks for its length, and the length decides the
/// term.
#[tokio::test]
async fn european_cover_can_be_taken_up_and_given_up_as_the_website_asks_for_it() {
    let (ann, policy) = covered().await;
    let trip = json!({ "cover_level": 5, "cover_length": 2 });
    let trip = ann.asks(&policy, trip, None).await;
    let trip = trip.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(trip.fields()[0], "cover_length", "{:#}", trip.body);

    let more = json!({ "cover_level": 5, "cover_length": 1 });
    let offer = ann.asks(&policy, more, None).await.expect(StatusCode::OK);
    let change = offer.text("/data/adjustment_id");
    ann.enters_card(&change, PAYS).await;
    let values = ann.policy(&policy).await.at("/data/values").clone();
    assert_eq!(
        (&values["cover_level"], &values["cover_length"]),
        (&json!(5), &json!(1))
    );

    let less = json!({ "cover_level": 3, "cover_length": null });
    let offer = ann.asks(&policy, less, None).await.expect(StatusCode::OK);
    let change = offer.text("/data/adjustment_id");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    let values = ann.policy(&policy).await.at("/data/values").clone();
    assert_eq!(values["cover_level"], 3);
    assert_eq!(values.get("cover_length"), None);
}

#[tokio::test]
async fn a_trip_can_be_taken_out_and_another_put_in_while_the_term_stays() {
    let ann = Customer::new().await;
    let trip = |to: &str, from: &str, until: &str| json!({ "trip_destination": to, "trip_start_date": from, "trip_end_date": until });
    let (first, last) = (
        trip("FR", "01.12.2026", "05.12.2026"),
        trip("ES", "10.12.2026", "12.12.2026"),
    );
    let mut product = two_trips();
    product["multi"]["trips"] = json!([first, trip("DE", "07.12.2026", "08.12.2026"), last]);
    let policy = ann.buys(&product, PAYS).await;
    let path = format!("/api/v1/policy/{policy}/mta/confirm");
    let ask = |trips: serde_json::Value| {
        let body = json!({ "product": { "multi": { "trips": trips } } });
        ann.put(&path, &body)
    };
    let out = ask(json!([first, last])).succeeds().await;
    assert_eq!(out.at("/data/kind"), "decrease");
    assert_eq!(
        out.at("/data/changes"),
        &json!([{
            "kind": "removed", "path": "trips.1", "label": "Removed",
            "before": "Germany, 07/12/2026, 08/12/2026", "after": null,
        }])
    );
    let backwards = trip("IT", "12.12.2026", "10.12.2026");
    let wrong = ask(json!([
        first,
        trip("DE", "07.12.2026", "08.12.2026"),
        last,
        backwards
    ]));
    let wrong = wrong.answers(StatusCode::UNPROCESSABLE_ENTITY).await;
    assert_eq!(wrong.fields(), ["trips.3.trip_end_date"]);
}

#[tokio::test]
async fn a_vehicle_that_another_policy_covers_is_pointed_out_when_it_is_added() {
    let ann = Customer::new().await;
    let policy = ann.buys(&two_vehicles(), PAYS).await;
    let mut other = two_vehicles();
    let mut vehicles = other["multi"]["vehicles"].as_array().unwrap().clone();
    vehicles.truncate(1);
    vehicles[0]["vehicle_registration"] = json!("LS61 ABC");
    other["multi"]["vehicles"] = json!(vehicles.clone());
    ann.buys(&other, PAYS).await;
    let wish = |mark: &str| {
        let mut all = two_vehicles()["multi"]["vehicles"]
            .as_array()
            .unwrap()
            .clone();
        let mut added = vehicles[0].clone();
        added["vehicle_registration"] = json!(mark);
        all.push(added);
        let body = json!({ "product": { "multi": { "vehicles": all } } });
        ann.put(&format!("/api/v1/policy/{policy}/mta/confirm"), &body)
    };
    let priced = wish("LS61 ABC").succeeds().await;
    assert_eq!(
        priced.at("/data/notices/0"),
        "LS61 ABC already has live cover with us, so it would be covered twice. You can still \
         go on."
    );
    assert_eq!(priced.at("/data/notices").as_array().unwrap().len(), 1);
    let free = wish("LS62 ABC").succeeds().await;
    assert_eq!(free.at("/data/notices"), &json!([]));
}
