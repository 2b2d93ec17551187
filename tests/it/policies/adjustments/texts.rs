//! A change names each changed item by its registration or content, wherever it stands in the list.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::policies::{Customer, PAYS};
use crate::support::pdf::says;
use crate::support::{two_gadgets, two_vehicles, two_vehicles_with};

fn vehicle(kind: u8, mark: &str) -> Value {
    json!({
        "vehicle_type": kind, "vehicle_registration": mark,
        "vehicle_registration_date": "01.03.2018", "vehicle_make": "Ford",
    })
}

fn four() -> [Value; 4] {
    [
        vehicle(1, "AB12 CDE"),
        vehicle(2, "FX66 KLM"),
        vehicle(1, "LS61 ABC"),
        vehicle(3, "K1 NGS"),
    ]
}

async fn with_four() -> (Customer, String) {
    let ann = Customer::new().await;
    let mut product = two_vehicles();
    product["multi"]["vehicles"] = json!(four());
    let policy = ann.buys(&product, PAYS).await;
    ann.works().await;
    (ann, policy)
}

/// Returns the differences that a change names: kind, label, before and after.
async fn named(ann: &Customer, policy: &str, multi: Value) -> (String, Vec<Value>) {
    let body = json!({ "product": { "multi": multi } });
    let path = format!("/api/v1/policy/{policy}/mta/confirm");
    let offer = ann.put(&path, &body).succeeds().await;
    let changes = offer.at("/data/changes").as_array().unwrap().iter();
    let short = |change: &Value| {
        json!([
            change["kind"],
            change["label"],
            change["before"],
            change["after"]
        ])
    };
    (
        offer.text("/data/adjustment_id"),
        changes.map(short).collect(),
    )
}

#[tokio::test]
async fn the_second_of_four_vehicles_removed_is_one_line_everywhere() {
    let (ann, policy) = with_four().await;
    let [first, _, third, fourth] = four();
    let (change, named) = named(&ann, &policy, json!({ "vehicles": [first, third, fourth] })).await;
    let line = json!(["removed", "Removed", "FX66 KLM, van", null]);
    assert_eq!(named, [line]);

    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    ann.works().await;
    let history = ann.get(&format!("/api/v1/policy/{policy}/mta"));
    let history = history.succeeds().await;
    assert_eq!(history.at("/data/0/status"), "applied");
    assert_eq!(history.at("/data/0/changes").as_array().unwrap().len(), 1);
    assert_eq!(history.at("/data/0/changes/0/before"), "FX66 KLM, van");

    let letters = ann.shop.letters();
    let letter = letters
        .iter()
        .find(|letter| letter.subject.contains("has changed"));
    assert!(letter.unwrap().text.contains("Removed: FX66 KLM, van"));
    let document = ann.document(&policy, "Change of Policy").await;
    says(&document, &["Removed: FX66 KLM, van"]);
    if let Some(text) = crate::support::pdf::text_of(&document) {
        assert!(
            !text.contains("LS61 ABC") && !text.contains("K1 NGS"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_corrected_answer_names_its_vehicle_and_another_vehicle_is_out_and_in() {
    let (ann, policy) = with_four().await;
    let [first, second, third, mut fourth] = four();
    fourth["vehicle_make"] = json!("Triumph");
    let new = json!({
        "vehicle_type": 1, "vehicle_registration": "CB22 XYZ",
        "vehicle_registration_date": "01.09.2022",
    });
    let (_, lines) = named(
        &ann,
        &policy,
        json!({ "vehicles": [fourth, new, second, third] }),
    )
    .await;
    assert_eq!(
        lines,
        [
            json!(["removed", "Removed", "AB12 CDE, car", null]),
            json!(["answer", "K1 NGS, bike: Make", "Ford", "Triumph"]),
            json!(["added", "Added", null, "CB22 XYZ, car"]),
        ]
    );
    // A corrected registration is still the same vehicle.
    let mut typed = first;
    typed["vehicle_registration"] = json!("AB12 CDF");
    let [_, second, third, fourth] = four();
    let (_, lines) = named(
        &ann,
        &policy,
        json!({ "vehicles": [second, third, fourth, typed] }),
    )
    .await;
    assert_eq!(
        lines,
        [json!([
            "answer",
            "AB12 CDE, car: Registration number",
            "AB12 CDE",
            "AB12 CDF"
        ])]
    );
    // Another order is no change.
    let mut order = four();
    order.reverse();
    let body = json!({ "product": { "multi": { "vehicles": order } } });
    let path = format!("/api/v1/policy/{policy}/mta/confirm");
    let same = ann
        .put(&path, &body)
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(same.at("/code"), "nothing_changed");
}

#[tokio::test]
async fn what_has_no_registration_is_named_by_its_answers() {
    let ann = Customer::new().await;
    let policy = ann.buys(&two_gadgets(), PAYS).await;
    let gadgets = two_gadgets()["multi"]["gadgets"].clone();
    let (_, lines) = named(&ann, &policy, json!({ "gadgets": [gadgets[1]] })).await;
    assert_eq!(lines.len(), 1, "{lines:?}");
    let make = gadgets[0]["make"].as_str().unwrap();
    assert!(lines[0][2].as_str().unwrap().contains(make), "{lines:?}");

    let person = |first: &str, last: &str| json!({ "title": 1, "first_name": first, "last_name": last, "date_of_birth": "01.02.1990" });
    let mut product = two_vehicles_with("cover_type", 1);
    product["multi"] = json!({ "persons": [person("Tom", "Ash"), person("Ben", "Elm")] });
    let policy = ann.buys(&product, PAYS).await;
    let (_, lines) = named(&ann, &policy, json!({ "persons": [person("Ben", "Elm")] })).await;
    assert_eq!(lines, [json!(["removed", "Removed", "Mr Tom Ash", null])]);
}
