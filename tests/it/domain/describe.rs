//! Descriptions of a form for given answers.

use layby::domain::product::form::{Scope, check, describe, state};
use layby::domain::product::rating::price;
use layby::domain::quote::campaign::Campaign;
use layby::domain::quote::summary::summary;
use serde_json::{Value, json};

use super::{answers, breakdown, today, vehicle_answers};

#[test]
fn describing_shows_what_was_typed_beside_its_error() {
    let given = answers(json!({"cover_type": 2, "email_primary": "ann"}), json!({}));
    let form = describe(&breakdown(), &given, Scope::Step(2), today());
    let [cover, person, vehicles, persons] = &form.datasets[..4] else {
        panic!("datasets are gone")
    };
    assert!(cover.fields.iter().all(|field| field.errors.is_empty()));
    assert_eq!(cover.fields[4].value, "22.11.2026");
    assert_eq!(person.fields[5].value, "ann");
    assert_eq!(person.fields[5].errors.len(), 1);
    assert!(vehicles.visible && vehicles.fields[0].visible);
    let rows = vehicles.instances.as_ref().unwrap();
    assert_eq!(rows.len(), 1, "a needed vehicle shows as an empty card");
    assert_eq!(rows[0][0].errors, ["Choose the type of vehicle"]);
    assert!(!persons.visible && persons.instances.as_ref().unwrap().is_empty());
}

#[test]
fn the_state_of_a_stored_quote_carries_its_values() {
    let product = breakdown();
    let stored = check(&product, &vehicle_answers(), Scope::Complete, today()).answers;
    let state: Value = serde_json::from_slice(&state(&product, &stored).unwrap()).unwrap();
    assert_eq!(state["datasets"][0]["fields"][0]["value"], 2);
    assert_eq!(state["datasets"][0]["fields"][2]["visible"], false);
    assert_eq!(state["datasets"][2]["visible"], true);
    assert_eq!(state["datasets"][2]["fields"][0]["value"], Value::Null);
    assert_eq!(state["datasets"][4]["visible"], false);
}

#[test]
fn the_state_says_of_each_field_what_the_form_and_the_answers_say() {
    let product = breakdown();
    let stored = check(&product, &vehicle_answers(), Scope::Complete, today()).answers;
    let state: Value = serde_json::from_slice(&state(&product, &stored).unwrap()).unwrap();
    let form = product.form();
    let datasets = state["datasets"].as_array().unwrap();
    assert_eq!(datasets.len(), form.datasets.len());
    for (said, dataset) in datasets.iter().zip(&form.datasets) {
        assert_eq!(said["identifier"], dataset.identifier.as_str());
        assert_eq!(said["title"], dataset.title.as_str());
        let fields = said["fields"].as_array().unwrap();
        assert_eq!(fields.len(), dataset.fields.len());
        for (said, field) in fields.iter().zip(&dataset.fields) {
            let given = stored.values.get(&field.name).filter(|_| !dataset.multi);
            let shown = said["visible"].as_bool().unwrap();
            assert_eq!(
                said,
                &json!({
                    "name": field.name, "value": given.unwrap_or(&field.default),
                    "visible": shown, "display_only": field.display_only, "locked": false,
                    "errors": [], "rateable": field.rateable,
                })
            );
            // A shown field has its answer, and a hidden field has none.
            assert!(shown || given.is_none(), "{}", field.name);
        }
    }
}

#[test]
fn answers_in_another_order_are_the_same_answers() {
    let product = breakdown();
    let stored = check(&product, &vehicle_answers(), Scope::Complete, today()).answers;
    let mut shuffled = stored.clone();
    shuffled.values = stored.values.clone().into_iter().rev().collect();
    for rows in shuffled.multi.values_mut() {
        for row in rows {
            *row = row.clone().into_iter().rev().collect();
        }
    }
    let campaign = Campaign::default();
    assert_eq!(
        state(&product, &shuffled).unwrap(),
        state(&product, &stored).unwrap()
    );
    assert_eq!(summary(&product, &shuffled), summary(&product, &stored));
    assert_eq!(
        price(&product, &shuffled, today(), &campaign).unwrap(),
        price(&product, &stored, today(), &campaign).unwrap()
    );
}
