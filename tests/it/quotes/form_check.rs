//! The answers of one step are checked before the quote is saved.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Shop, two_vehicles_with};

#[tokio::test]
async fn every_fault_is_named_at_its_field_in_the_order_of_the_form() {
    let shop = Shop::new().await;
    let mut product = two_vehicles_with("start_date", "20.11.2026");
    product["values"]["email_primary"] = json!("ann@");
    product["multi"]["vehicles"][1]["vehicle_registration"] = json!("NOT A MARK");
    let answer = shop
        .post(
            "/api/v2/openapi/quote/breakdown",
            &json!({ "product": product }),
        )
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(
        answer.fields(),
        [
            "start_date",
            "email_primary",
            "vehicles.1.vehicle_registration"
        ]
    );
    assert_eq!(
        answer.text("/message"),
        "Error. Please correct the form and try again."
    );
}

#[tokio::test]
async fn the_form_check_says_what_shows_and_what_is_wrong_on_one_step() {
    let shop = Shop::new().await;
    let check = |body: Value| shop.post("/api/v1/form/breakdown", &body).send();
    let answer = check(json!({ "values": { "cover_type": 1, "cover_level": 5, "cover_length": 2 }, "multi": {}, "step": 1 }))
        .await
        .expect(StatusCode::OK);
    let datasets = answer.at("/data/form/datasets").as_array().unwrap();
    let dataset = |name: &str| {
        datasets
            .iter()
            .find(|dataset| dataset["identifier"] == name)
            .unwrap()
    };
    assert_eq!(dataset("trips")["visible"], true);
    assert_eq!(dataset("vehicles")["visible"], false);
    // Step 1 doesn't ask for the dates, the length or the people (part 5).
    let faults: Vec<&Value> = dataset("cover")["fields"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|field| !field["errors"].as_array().unwrap().is_empty())
        .collect();
    assert_eq!(faults, Vec::<&Value>::new());
    check(json!({ "values": 3 }))
        .await
        .expect(StatusCode::BAD_REQUEST);
    shop.post("/api/v1/form/boats", &json!({}))
        .answers(StatusCode::NOT_FOUND)
        .await;
}

#[tokio::test]
async fn a_verdict_is_what_the_form_says_without_the_form_and_the_answers() {
    let shop = Shop::new().await;
    let mut product = two_vehicles_with("email_primary", "ann@");
    product["multi"]["vehicles"][0]["vehicle_registration"] = json!("NOT A MARK");
    product["multi"]["vehicles"][1]["vehicle_registration_date"] = json!("01.03.2008");
    let ask = async |path: &str, body: &Value| {
        let answer = shop.post(path, body).send().await;
        answer.expect(StatusCode::OK).at("/data").clone()
    };
    for step in [None, Some(1), Some(2)] {
        let mut body = product.clone();
        if let Some(step) = step {
            body["step"] = json!(step);
        }
        let verdict = ask("/api/v1/form/breakdown/check", &body).await;
        let whole = ask("/api/v1/form/breakdown", &body).await;
        let mut errors = serde_json::Map::new();
        let mut note = |path: String, field: &Value| {
            if field["errors"] != json!([]) {
                errors.insert(path, field["errors"].clone());
            }
        };
        let mut ends = Value::Null;
        for dataset in whole["form"]["datasets"].as_array().unwrap() {
            let name = dataset["identifier"].as_str().unwrap();
            let none = Vec::new();
            let instances = dataset["instances"].as_array().unwrap_or(&none);
            for (index, instance) in instances.iter().enumerate() {
                for field in instance.as_array().unwrap() {
                    let path = format!("{name}.{index}.{}", field["name"].as_str().unwrap());
                    note(path, field);
                }
            }
            for field in dataset["fields"].as_array().unwrap() {
                let path = field["name"].as_str().unwrap();
                if dataset["multi"] == false {
                    note(path.to_string(), field);
                }
                if path == "cover_end_date" {
                    ends = field["value"].clone();
                }
            }
        }
        assert_eq!(verdict["errors"], Value::Object(errors), "{step:?}");
        assert_eq!(verdict["decisions"], whole["decisions"]);
        assert_eq!(verdict["plates"], whole["plates"]);
        assert_eq!(verdict["derived"]["cover_end_date"], ends);
        // The response contains neither the answers nor the questions.
        let text = verdict.to_string();
        assert!(text.len() < 2000, "{text}");
        for typed in ["ann@", "NOT A MARK", "High Street", "Ann"] {
            assert!(!text.contains(typed), "{typed}: {text}");
        }
    }
    let unknown = shop.post("/api/v1/form/boats/check", &json!({}));
    unknown.answers(StatusCode::NOT_FOUND).await;
}

/// Returns the early decisions for these answers: path, outcome and reason.
async fn decisions(shop: &Shop, product: &str, body: &Value) -> Vec<(String, String, String)> {
    let answer = shop.post(&format!("/api/v1/form/{product}"), body).send();
    let answer = answer.await.expect(StatusCode::OK);
    let decisions = answer.at("/data/decisions").as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let decided = decisions.iter();
    decided
        .map(|found| {
            (
                text(&found["path"]),
                text(&found["outcome"]),
                text(&found["reason"]),
            )
        })
        .collect()
}

#[tokio::test]
async fn what_underwriting_will_refuse_is_said_at_the_answer_that_decides_it() {
    let shop = Shop::new().await;
    let vehicles = |dates: [&str; 2]| {
        let vehicle = |date: &str| json!({ "vehicle_registration_date": date });
        json!({
            "values": { "cover_type": 2, "start_date": "25.11.2026" },
            "multi": { "vehicles": dates.map(vehicle) },
        })
    };
    // Fifteen years old on the start day, and one day older.
    let found = decisions(&shop, "breakdown", &vehicles(["25.11.2011", "24.11.2011"])).await;
    let [(path, outcome, reason)] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(path, "vehicles.1.vehicle_registration_date");
    assert_eq!(outcome, "decline");
    assert!(
        reason.contains("over 15 years old") && reason.contains("01632 960 123"),
        "{reason}"
    );
    // A missing or incomplete date decides nothing.
    let open = decisions(&shop, "breakdown", &vehicles(["", "24.11.20"])).await;
    assert_eq!(open, []);
    // With a later start, the vehicle is older at the start.
    let mut later = vehicles(["25.11.2011", "01.01.2020"]);
    later["values"]["start_date"] = json!("26.11.2026");
    let found = decisions(&shop, "breakdown", &later).await;
    assert_eq!(found[0].0, "vehicles.0.vehicle_registration_date");
}

#[tokio::test]
async fn a_start_day_that_has_come_is_kept_where_the_cover_keeps_its_days() {
    let shop = Shop::new().await;
    // Yesterday's offer with a start today, and a vehicle that is fifteen years old today.
    let mut body = json!({
        "values": { "cover_type": 2, "start_date": "21.11.2026" },
        "multi": { "vehicles": [{ "vehicle_registration_date": "21.11.2011" }] },
    });
    let checked = async |body: &Value| {
        let answer = shop.post("/api/v1/form/breakdown", body).succeeds().await;
        let mut fields = answer.at("/data/form/datasets").as_array().unwrap().iter();
        let fields = fields.find(|dataset| dataset["identifier"] == "cover");
        let fields = fields.unwrap()["fields"].as_array().unwrap().clone();
        let field = |name: &str| fields.iter().find(|field| field["name"] == name).cloned();
        let start = field("start_date").unwrap()["errors"].clone();
        let ends = field("cover_end_date").unwrap()["value"].clone();
        (start, ends, answer.at("/data/decisions").clone())
    };
    let (wrong, _, decided) = checked(&body).await;
    assert_eq!(wrong, json!(["Enter a date on or after 22/11/2026"]));
    assert_eq!(decided[0]["path"], "vehicles.0.vehicle_registration_date");
    body["keeps_term"] = json!(true);
    let kept = checked(&body).await;
    assert_eq!(kept, (json!([]), json!("20.11.2027"), json!([])));
    // An invalid day stays invalid, and a step is checked as usual.
    body["values"]["start_date"] = json!("soon");
    checked(&body).await;
    body["step"] = json!(1);
    checked(&body).await;
}

#[tokio::test]
async fn of_several_answers_the_last_one_decides_and_a_missing_one_nothing() {
    let shop = Shop::new().await;
    let gadget = |answers: Value| json!({ "values": {}, "multi": { "gadgets": [answers] } });
    let at = async |answers: Value| {
        let found = decisions(&shop, "gadget", &gadget(answers)).await;
        let found = found
            .into_iter()
            .map(|(path, outcome, _)| format!("{outcome} {path}"));
        found.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(at(json!({ "value": 3000 })).await, "");
    assert_eq!(
        at(json!({ "value": 3000.01 })).await,
        "refer gadgets.0.value"
    );
    assert_eq!(
        at(json!({ "working_order": 2 })).await,
        "decline gadgets.0.working_order"
    );
    assert_eq!(at(json!({ "bought_as": "refurbished" })).await, "");
    assert_eq!(
        at(json!({ "bought_as": "refurbished", "bought_from": "retailer" })).await,
        "decline gadgets.0.bought_from"
    );
    let both = json!({ "value": 5000, "proof_of_purchase": 2 });
    assert_eq!(
        at(both).await,
        "decline gadgets.0.proof_of_purchase, refer gadgets.0.value"
    );
}
