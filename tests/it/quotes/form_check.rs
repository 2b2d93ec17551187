//! The answers of one step are checked before the quote is saved.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Shop, two_vehicles};

#[tokio::test]
async fn every_fault_is_named_at_its_field_in_the_order_of_the_form() {
    let shop = Shop::new().await;
    let mut product = two_vehicles();
    product["values"]["start_date"] = json!("20.11.2026");
    product["values"]["email_primary"] = json!("ann@");
    product["multi"]["vehicles"][1]["vehicle_registration"] = json!("NOT A MARK");
    let answer = shop
        .post(
            "/api/v2/openapi/quote/breakdown",
            &json!({ "product": product }),
        )
        .send()
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
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
        .send()
        .await
        .expect(StatusCode::NOT_FOUND);
}
