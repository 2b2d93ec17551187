//! Malformed and hostile requests: each gets the error envelope with the right status, and no write is left
//! half-done.

mod generated;
mod strict;

use layby::app::seed;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Shop, two_vehicles, two_vehicles_with};

const CREATE: &str = "/api/v2/public/quote/breakdown";

async fn raw(shop: &Shop, body: impl Into<poem::Body>) -> (StatusCode, Value) {
    let call = shop.call(Method::POST, CREATE).body(body);
    let answer = call.header("Content-Type", "application/json").send().await;
    (answer.status, answer.body)
}

fn assert_envelope(body: &Value) {
    assert!(
        body["message"]
            .as_str()
            .is_some_and(|text| !text.is_empty()),
        "{body}"
    );
    assert!(body["code"].as_str().is_some_and(|code| {
        code.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    }));
}

#[tokio::test]
async fn malformed_bodies_are_400_and_large_ones_413() {
    let shop = Shop::new().await;
    for body in [
        "",
        "{",
        "[]",
        "null",
        "\"text\"",
        "{\"product\": 7}",
        "{\"product\": {\"values\": [1]}}",
        "{\"product\": {\"multi\": {\"vehicles\": 3}}}",
        "{\"product\": {\"multi\": {\"vehicles\": [3]}}}",
        "{\"product\": {\"values\": {}}, \"draft\": \"yes\"}",
        "{\"product\": {\"product_identifier\": \"gadget\"}}",
        "{\"a\":".repeat(500).as_str(),
    ] {
        let (status, answer) = raw(&shop, body.to_string()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert_envelope(&answer);
    }
    let (status, answer) = raw(&shop, vec![0xff, 0xfe, 0x00]).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_envelope(&answer);
    let (status, answer) = raw(&shop, vec![b' '; 2 << 20]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_envelope(&answer);
    let text = shop.call(Method::POST, CREATE).body("{}").send().await;
    assert_eq!(text.status, StatusCode::BAD_REQUEST);
    assert!(seed::is_empty(&shop.app.store).await.unwrap());
}

/// Sends a value of the wrong type at each level of a quote. The response names its place, and nothing is
/// stored. Unknown members are ignored, and null counts as absent.
#[tokio::test]
async fn a_wrong_type_is_named_at_each_level_of_a_quote() {
    const ANSWERS: &str = "`values` must be an object, and `multi` an object of lists of objects.";
    const NOT_READ: &str = "The request is not valid JSON of the right form.";
    let wrong = |place: &str| {
        format!("The request is not of the right form: `{place}` has the wrong type.")
    };
    let shop = Shop::new().await;
    for (body, message) in [
        (json!([]), NOT_READ.to_string()),
        (json!({}), "`product` is missing.".to_string()),
        (json!({ "product": null }), wrong("product")),
        (json!({ "product": 7 }), wrong("product")),
        (
            json!({ "product": { "product_identifier": 7 } }),
            wrong("product.product_identifier"),
        ),
        (json!({ "product": {}, "draft": "yes" }), wrong("draft")),
        (
            json!({ "product": {}, "affiliate_uuid": [] }),
            wrong("affiliate_uuid"),
        ),
        (
            json!({ "product": {}, "source_tracking": 1 }),
            wrong("source_tracking"),
        ),
        (
            json!({ "product": {}, "source_tracking": { "utm_source": 1 } }),
            wrong("source_tracking.utm_source"),
        ),
        (json!({ "product": { "values": [1] } }), ANSWERS.to_string()),
        (json!({ "product": { "multi": [] } }), ANSWERS.to_string()),
        (
            json!({ "product": { "multi": { "vehicles": 3 } } }),
            ANSWERS.to_string(),
        ),
        (
            json!({ "product": { "multi": { "vehicles": [3] } } }),
            ANSWERS.to_string(),
        ),
    ] {
        let (status, answer) = raw(&shop, body.to_string()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer["message"], message, "{body}");
        assert_eq!(answer["code"], "malformed");
    }
    assert!(seed::is_empty(&shop.app.store).await.unwrap());
    // The product's form checks a single answer, so the error names its field.
    for (pointer, field) in [
        ("/values/first_name", "first_name"),
        ("/multi/vehicles/1/vehicle_type", "vehicles.1.vehicle_type"),
    ] {
        let mut product = two_vehicles();
        *product.pointer_mut(pointer).unwrap() = json!({ "a": 1 });
        let answer = shop
            .post(CREATE, &json!({ "product": product }))
            .answers(StatusCode::UNPROCESSABLE_ENTITY)
            .await;
        assert_eq!(answer.fields(), [field]);
    }
    assert!(seed::is_empty(&shop.app.store).await.unwrap());
    let mut product = two_vehicles();
    product["nobody_knows"] = json!({ "a": [1] });
    let body = json!({
        "product": product, "draft": null, "source_tracking": null, "affiliate_extra": null,
        "nobody_knows": 1,
    });
    shop.post(CREATE, &body).answers(StatusCode::CREATED).await;
}

#[tokio::test]
async fn a_wrong_type_in_other_bodies_is_named_too() {
    let shop = Shop::new().await;
    let wrong = |place: &str| {
        format!("The request is not of the right form: `{place}` has the wrong type.")
    };
    for (path, body, message) in [
        (
            "/api/v1/price",
            json!({}),
            "`product` is missing.".to_string(),
        ),
        ("/api/v1/price", json!({ "product": { "values": 1 } }), {
            "`values` must be an object, and `multi` an object of lists of objects.".to_string()
        }),
        (
            "/api/v1/price",
            json!({ "product": {}, "quote_ready": 1 }),
            wrong("quote_ready"),
        ),
        (
            "/api/v1/form/breakdown",
            json!({ "step": -1 }),
            wrong("step"),
        ),
        (
            "/api/v1/form/breakdown",
            json!({ "step": 1.5 }),
            wrong("step"),
        ),
        ("/api/login", json!({ "username": 1 }), wrong("username")),
        (
            "/api/v1/documents/check",
            json!({ "docs": [1] }),
            wrong("docs[0]"),
        ),
        (
            "/api/v1/documents/check",
            json!({}),
            "`docs` is missing.".to_string(),
        ),
    ] {
        let answer = shop
            .post(path, &body)
            .answers(StatusCode::BAD_REQUEST)
            .await;
        assert_eq!(answer.at("/message"), &json!(message), "{path} {body}");
    }
}

#[tokio::test]
async fn unknown_addresses_and_methods_have_the_envelope_too() {
    let shop = Shop::new().await;
    for (path, status) in [
        ("/api/nothing", 404),
        ("/api/v1/quote", 404),
        ("/api/v2/openapi/product/boats", 404),
        ("/api/v2/openapi/product/breakdown/stepper/nowhere", 404),
        ("/api/v1/price", 405),
    ] {
        let answer = shop.get(path).send().await;
        assert_eq!(answer.status.as_u16(), status, "{path}");
        assert_envelope(&answer.body);
    }
    let answer = shop
        .post("/api/v2/public/quote/boats", &json!({ "product": {} }))
        .answers(StatusCode::NOT_FOUND)
        .await;
    assert_envelope(&answer.body);
}

#[tokio::test]
async fn a_bad_answer_is_a_422_at_its_field() {
    let shop = Shop::new().await;
    let eleven: Vec<Value> = (0..11)
        .map(|_| two_vehicles()["multi"]["vehicles"][0].clone())
        .collect();
    let cases: [(&str, Value, &str); 16] = [
        ("/values/start_date", json!("31.02.2026"), "start_date"),
        ("/values/start_date", json!("20.11.2026"), "start_date"),
        ("/values/start_date", json!("2026-11-25"), "start_date"),
        ("/values/start_date", json!("25.11.9999"), "start_date"),
        ("/values/start_date", json!(25), "start_date"),
        ("/values/cover_level", json!(-1), "cover_level"),
        ("/values/cover_level", json!(1e300), "cover_level"),
        ("/values/cover_level", json!([]), "cover_level"),
        ("/values/excess", json!(true), "excess"),
        (
            "/values/first_name",
            json!("x".repeat(10_000)),
            "first_name",
        ),
        ("/values/first_name", json!({ "a": 1 }), "first_name"),
        (
            "/values/postcode_primary",
            json!("ZZ99 9ZZ"),
            "postcode_primary",
        ),
        ("/values/tel_primary", json!("123"), "tel_primary"),
        ("/values/email_primary", json!("a@b@c"), "email_primary"),
        ("/multi/vehicles", json!([]), "vehicles"),
        ("/multi/vehicles", json!(eleven), "vehicles"),
    ];
    for (pointer, value, field) in cases {
        let mut product = two_vehicles();
        *product.pointer_mut(pointer).unwrap() = value.clone();
        let answer = shop
            .post(CREATE, &json!({ "product": product }))
            .send()
            .await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{pointer} {value}"
        );
        assert_envelope(&answer.body);
        let fields = answer.fields();
        assert!(
            fields
                .iter()
                .any(|at| at == field || at.starts_with(&format!("{field}."))),
            "{pointer}: {fields:?}"
        );
    }
    assert!(seed::is_empty(&shop.app.store).await.unwrap());
}

#[tokio::test]
async fn a_refused_update_holds_error_beside_errors() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let product = two_vehicles_with("postcode_primary", "nowhere");
    let answer = shop
        .update(&quote, &product)
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(
        answer.text("/error"),
        "Error. Please correct the form and try again."
    );
    assert_eq!(answer.fields(), ["postcode_primary"]);
}

#[tokio::test]
async fn people_may_be_called_what_they_are_called() {
    let shop = Shop::new().await;
    for name in [
        "Zoë",
        "Ó Briain",
        "محمد",
        "李小龍",
        "Jean-Luc",
        "d’Arcy",
        "Ng",
    ] {
        let product = two_vehicles_with("last_name", json!(name));
        let quote = shop.quote(&product).await;
        let read = shop.read(&quote).await.expect(StatusCode::OK);
        assert_eq!(read.at("/data/values/last_name"), name);
    }
}

#[tokio::test]
async fn ids_that_are_none_are_not_found() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    for id in [
        "x",
        "%00",
        "..%2f..",
        "00000000-0000-0000-0000-000000000000",
    ] {
        let answer = shop
            .get(&format!("/api/v2/public/quote/read/{id}"))
            .bearer(&quote.token)
            .send()
            .await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{id}");
    }
}

#[tokio::test]
async fn hostile_campaign_words_are_taken_and_long_ones_refused() {
    let shop = Shop::new().await;
    let create = |word: String| {
        shop.post(
            CREATE,
            &json!({ "product": two_vehicles(), "source_tracking": { "utm_source": word } }),
        )
        .send()
    };
    create("<script>alert(1)</script>".into())
        .await
        .expect(StatusCode::CREATED);
    let refused = create("x".repeat(10_000))
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["source_tracking.utm_source"]);
}
