//! Checking and describing a form.

use layby::domain::product::form::{Scope, check};
use layby::domain::quote::answers::Answers;
use serde_json::{Value, json};

use super::{answers, breakdown, today, trip_answers, vehicle_answers};

/// Returns the first error at each path.
fn errors(given: &Answers, scope: Scope) -> Vec<(String, String)> {
    let checked = check(&breakdown(), given, scope, today());
    let errors = checked.errors.0.into_iter();
    errors
        .map(|(path, texts)| (path, texts[0].clone()))
        .collect()
}

fn paths(given: &Answers, scope: Scope) -> Vec<String> {
    errors(given, scope)
        .into_iter()
        .map(|(path, _)| path)
        .collect()
}

/// Returns the error at a path after one answer of a valid quote is replaced.
fn with(path: &str, value: Value) -> Option<String> {
    let mut given = vehicle_answers();
    match path.split('.').collect::<Vec<_>>().as_slice() {
        [dataset, index, field] => {
            let rows = given.multi.get_mut(*dataset).unwrap();
            rows[index.parse::<usize>().unwrap()].insert((*field).to_owned(), value);
        }
        _ => drop(given.values.insert(path.to_owned(), value)),
    }
    let found = errors(&given, Scope::Complete);
    assert!(found.len() <= 1, "{found:?}");
    found.into_iter().next().map(|(at, text)| {
        assert_eq!(at, path);
        text
    })
}

#[test]
fn a_good_quote_is_normalised() {
    let checked = check(&breakdown(), &vehicle_answers(), Scope::Complete, today());
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    let values = &checked.answers.values;
    assert_eq!(values["postcode_primary"], "SW1A 1AA");
    assert_eq!(values["tel_primary"], "+442079460018");
    assert_eq!(values["last_name"], "O'Neil-Smith");
    assert_eq!(values["cover_end_date"], "21.11.2027");
    assert_eq!(values["terms_and_conditions"], false);
    assert!(!values.contains_key("cover_length"));
    assert_eq!(
        checked.answers.multi["vehicles"][1]["vehicle_registration"],
        "L2 WPS"
    );
    assert_eq!(checked.answers.multi["persons"], Vec::new());
    assert_eq!(checked.counts["number_of_vehicles"], 2);
    assert_eq!(checked.counts["number_of_trips"], 0);
    let names: Vec<_> = values.keys().take(5).collect();
    assert_eq!(
        names,
        [
            "cover_type",
            "cover_level",
            "excess",
            "start_date",
            "cover_end_date"
        ]
    );
}

#[test]
fn single_trips_need_no_start_date() {
    let checked = check(&breakdown(), &trip_answers(), Scope::Complete, today());
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    assert!(!checked.answers.values.contains_key("start_date"));
    assert_eq!(checked.counts["number_of_trips"], 2);
}

#[test]
fn an_empty_quote_lacks_everything_at_once() {
    let missing = paths(&Answers::default(), Scope::Complete);
    assert_eq!(
        missing,
        [
            "cover_type",
            "cover_level",
            "title",
            "first_name",
            "last_name",
            "date_of_birth",
            "email_primary",
            "gsm_primary",
            "postcode_primary",
            "address_primary",
        ]
    );
    assert!(paths(&Answers::default(), Scope::Draft).is_empty());
    assert!(paths(&Answers::default(), Scope::Rate).is_empty());
    assert_eq!(
        paths(&Answers::default(), Scope::Accept),
        ["terms_and_conditions"]
    );
}

#[test]
fn a_needed_instance_is_asked_for_field_by_field() {
    let given = answers(json!({"cover_type": 2}), json!({}));
    assert_eq!(
        paths(&given, Scope::Step(2))[8..],
        [
            "vehicles.0.vehicle_type",
            "vehicles.0.vehicle_registration",
            "vehicles.0.vehicle_registration_date"
        ]
    );
}

#[test]
fn step_one_leaves_out_what_the_specification_says() {
    let given = answers(
        json!({"cover_type": 1, "cover_level": 5, "cover_length": 7, "start_date": "yesterday"}),
        json!({"persons": [{}]}),
    );
    assert!(paths(&given, Scope::Step(1)).is_empty());
    assert_eq!(
        paths(&Answers::default(), Scope::Step(1)),
        ["cover_type", "cover_level"]
    );
    assert!(paths(&given, Scope::Step(2)).contains(&"persons.0.first_name".to_owned()));
    assert!(paths(&given, Scope::Step(3)).is_empty());
    assert_eq!(paths(&given, Scope::Step(4)), ["terms_and_conditions"]);
    assert!(paths(&given, Scope::Step(99)).is_empty());
}

#[test]
fn only_what_shows_is_checked() {
    let mut given = vehicle_answers();
    given
        .values
        .insert("cover_length".into(), json!("nonsense"));
    given.multi.insert(
        "trips".into(),
        vec![json!({"trip_start_date": 5}).as_object().unwrap().clone()],
    );
    let checked = check(&breakdown(), &given, Scope::Complete, today());
    assert!(checked.errors.is_empty(), "{:?}", checked.errors);
    assert!(!checked.answers.values.contains_key("cover_length"));
    assert!(checked.answers.multi["trips"].is_empty());
}

#[test]
fn bad_answers_say_what_to_do() {
    for (path, value, text) in [
        ("cover_type", json!(3), "Choose one of the options"),
        ("cover_type", json!("2"), "Choose one of the options"),
        ("cover_level", json!([1]), "Choose one of the options"),
        ("excess", json!(true), "Choose yes or no"),
        ("excess", json!(null), "Choose yes or no"),
        ("key_cover", json!("yes"), "Tick the box or leave it empty"),
        (
            "start_date",
            json!("31.02.2026"),
            "Enter a date that exists, such as 01/06/2026",
        ),
        (
            "start_date",
            json!("20.11.2026"),
            "Enter a date on or after 22/11/2026",
        ),
        (
            "start_date",
            json!("21.11.2026"),
            "Enter a date on or after 22/11/2026",
        ),
        (
            "start_date",
            json!("21.01.2027"),
            "Enter a date on or before 20/01/2027",
        ),
        (
            "start_date",
            json!(20261122),
            "Enter a date such as 01/06/2026",
        ),
        (
            "start_date",
            json!(""),
            "Enter the date your cover should start",
        ),
        ("first_name", json!("   "), "Enter your first name"),
        ("first_name", json!(-5), "Enter this as text"),
        (
            "first_name",
            json!("x".repeat(51)),
            "Use 50 characters or fewer",
        ),
        (
            "first_name",
            json!("x".repeat(1_000_000)),
            "Use 50 characters or fewer",
        ),
        (
            "first_name",
            json!("An\u{0}n"),
            "Remove the characters that can't be seen; typing it again helps",
        ),
        (
            "first_name",
            json!("\u{202e}nnA"),
            "Remove the characters that can't be seen; typing it again helps",
        ),
        (
            "date_of_birth",
            json!("22.11.2009"),
            "Enter a date on or before 21/11/2009",
        ),
        (
            "date_of_birth",
            json!("20.11.1916"),
            "Enter a date on or after 21/11/1916",
        ),
        (
            "email_primary",
            json!("ann@example"),
            "Enter an email address in the format name@example.com",
        ),
        (
            "tel_primary",
            json!("12345"),
            "Enter a telephone number with all its digits, such as 07400 123456",
        ),
        ("address_primary", json!("1 A"), "Use 5 characters or more"),
        (
            "address_primary",
            json!("a\nb\nc\nd\ne\nf\ng\nh"),
            "Use 7 lines or fewer",
        ),
        (
            "postcode_primary",
            json!("ZZ99 9ZZ"),
            "Enter a UK postcode, such as SW1A 1AA",
        ),
        (
            "vehicles.0.vehicle_registration",
            json!("AB01 XYZ"),
            "Enter a UK registration number, such as AB12 CDE",
        ),
        (
            "vehicles.0.vehicle_registration",
            json!("AB77 XYZ"),
            "Check the registration number: this one starts in September 2027",
        ),
        (
            "vehicles.1.vehicle_registration",
            json!("ab12cde"),
            "You've already added this one. Change it or remove it.",
        ),
        (
            "vehicles.1.vehicle_registration_date",
            json!("22.11.2026"),
            "Enter a date on or before 21/11/2026",
        ),
        (
            "vehicles.1.vehicle_type",
            json!({}),
            "Choose one of the options",
        ),
    ] {
        assert_eq!(
            with(path, value.clone()),
            Some(text.to_owned()),
            "{path} {value}"
        );
    }
}

#[test]
fn names_take_any_letter() {
    for name in [
        "Zoë",
        "O’Brien",
        "Anne-Marie",
        "李",
        "محمد",
        "שָׂרָה",
        "دانا",
        "Ann 😀",
        "D'Arcy Jr.",
    ] {
        assert_eq!(with("first_name", json!(name)), None, "{name}");
    }
}

#[test]
fn eleven_vehicles_are_one_too_many() {
    let mut given = vehicle_answers();
    let vehicle = |n: usize| json!({"vehicle_type": 1, "vehicle_registration": format!("A{n} ABC"), "vehicle_registration_date": "01.03.2020"});
    let rows = (1..=11).map(|n| vehicle(n).as_object().unwrap().clone());
    given.multi.insert("vehicles".into(), rows.collect());
    for scope in [Scope::Complete, Scope::Draft, Scope::Rate, Scope::Step(2)] {
        assert_eq!(
            errors(&given, scope),
            [(
                "vehicles".to_owned(),
                "You can add up to 10 vehicles. Remove 1.".to_owned()
            )]
        );
    }
    given.multi.get_mut("vehicles").unwrap().pop();
    assert!(paths(&given, Scope::Complete).is_empty());
}

#[test]
fn trips_fit_into_180_days() {
    let trips = |end: &str| {
        let mut given = trip_answers();
        given.multi.get_mut("trips").unwrap()[0].insert("trip_end_date".into(), json!(end));
        errors(&given, Scope::Complete)
    };
    // The earliest trip starts on 1 December. 180 days end on 29 May.
    assert!(trips("29.05.2027").is_empty());
    let late = trips("30.05.2027");
    assert_eq!(late[0].0, "trips.0.trip_end_date");
    assert!(late[0].1.contains("within 180 days"));
    assert_eq!(
        trips("09.12.2026")[0].1,
        "Enter a date on or after 10/12/2026"
    );
}

#[test]
fn rating_fills_in_the_specification_s_defaults() {
    let rated = |values: Value| {
        check(
            &breakdown(),
            &answers(values, json!({})),
            Scope::Rate,
            today(),
        )
    };
    let vehicle = rated(json!({"cover_type": 2, "first_name": 5})).answers;
    assert_eq!(vehicle.values["cover_level"], 1);
    assert_eq!(vehicle.values["excess"], 2);
    assert_eq!(vehicle.values["start_date"], "22.11.2026");
    assert!(!vehicle.values.contains_key("first_name"));
    assert_eq!(vehicle.multi["vehicles"][0]["vehicle_type"], 1);
    assert_eq!(
        rated(json!({"cover_type": 1})).answers.values["cover_level"],
        3
    );
    let european = rated(json!({"cover_type": 1, "cover_level": 5, "cover_length": null}));
    assert_eq!(european.answers.values["cover_length"], 1);
    let wrong = rated(json!({"cover_type": 2, "excess": 9, "start_date": "31.02.2026"}));
    let wrong: Vec<_> = wrong.errors.0.keys().collect();
    assert_eq!(wrong, ["excess", "start_date"]);
}

#[test]
fn a_draft_keeps_what_is_there_and_fills_nothing_in() {
    let given = answers(
        json!({"cover_type": 2, "first_name": "Ann"}),
        json!({"vehicles": [{}]}),
    );
    let draft = check(&breakdown(), &given, Scope::Draft, today());
    assert!(draft.errors.is_empty());
    let names: Vec<_> = draft.answers.values.keys().collect();
    assert_eq!(names, ["cover_type", "first_name"]);
    let wrong = answers(json!({"email_primary": "ann"}), json!({}));
    assert_eq!(paths(&wrong, Scope::Draft), ["email_primary"]);
}

#[test]
fn a_box_that_was_sent_empty_is_not_ticked_and_stays_so() {
    let product = breakdown();
    let mut given = vehicle_answers();
    let both = [Scope::Complete, Scope::Draft];
    for (scope, blank) in both
        .iter()
        .flat_map(|&scope| [(scope, json!("")), (scope, json!(null))])
    {
        given.values.insert("key_cover".into(), blank);
        let once = check(&product, &given, scope, today());
        assert_eq!(once.answers.values["key_cover"], json!(false));
        let twice = check(&product, &once.answers, scope, today());
        assert_eq!(twice.answers, once.answers);
    }
}
