//! Describing a form for some answers.

use layby::domain::form::{Scope, check, describe, state};
use serde_json::{Value, json};

use super::{answers, breakdown, today, vehicle_answers};

#[test]
fn describing_shows_what_was_typed_beside_its_error() {
    let given = answers(json!({"cover_type": 2, "email_primary": "ann"}), json!({}));
    let form = describe(&breakdown(), &given, Some(2), today());
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
