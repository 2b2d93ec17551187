//! Bodies that a lenient parser would accept. Each is refused like any wrong type, and changes nothing
//! (docs/decisions/0013).

use layby::app::seed;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{CREATE, raw};
use crate::policies::covered;
use crate::support::{Shop, two_vehicles};

const NOT_READ: &str = "The request is not valid JSON of the right form.";

fn wrong(place: &str) -> String {
    format!("The request is not of the right form: `{place}` has the wrong type.")
}

/// Checks the response to a refused body.
fn assert_malformed(status: StatusCode, answer: &Value, message: &str, body: &str) {
    assert_eq!(status, StatusCode::BAD_REQUEST, "{body}: {answer}");
    assert_eq!(answer["code"], "malformed", "{body}");
    assert_eq!(answer["message"], message, "{body}");
}

/// A lenient parser reads an array as the members of an object in their order.
#[tokio::test]
async fn an_array_is_no_quote() {
    let shop = Shop::new().await;
    let whole = json!([two_vehicles(), false, null, null, null, null]);
    let parts = two_vehicles();
    let inner = json!([parts["product_identifier"], parts["values"], parts["multi"]]);
    for (body, message) in [
        (whole, NOT_READ.to_string()),
        (json!({ "product": inner }), wrong("product")),
        (
            json!({ "product": parts, "source_tracking": [null, "compare", null, null] }),
            wrong("source_tracking"),
        ),
        (json!([null]), NOT_READ.to_string()),
    ] {
        let body = body.to_string();
        let (status, answer) = raw(&shop, body.clone()).await;
        assert_malformed(status, &answer, &message, &body);
    }
    assert!(seed::is_empty(&shop.app.store).await.unwrap());
}

#[tokio::test]
async fn an_array_resumes_no_quote() {
    let shop = Shop::new().await;
    let product = two_vehicles();
    let quote = shop.quote(&product).await;
    shop.clock.advance(chrono::TimeDelta::seconds(31));
    shop.work().await;
    let letter = shop.letters().pop().unwrap();
    let secret = letter.secret_of(&quote.uuid);
    let path = "/api/v1/quote/resume";
    for body in [json!([secret]), json!(secret)] {
        let answer = shop.post(path, &body).send().await;
        assert_malformed(answer.status, &answer.body, NOT_READ, &body.to_string());
    }
    let body = json!({ "secret": secret });
    let resumed = shop.post(path, &body).succeeds().await;
    assert_eq!(resumed.text("/data/uuid"), quote.uuid);
}

#[tokio::test]
async fn an_array_switches_no_renewal() {
    let (ann, policy) = covered().await;
    let path = format!("/api/v1/policy/{policy}/auto-renew");
    let switched = |answer: crate::support::Answer| answer.at("/data/policy/auto_renew").clone();
    assert_eq!(switched(ann.policy(&policy).await), true);
    for body in [json!([false]), json!(false)] {
        let answer = ann.put(&path, &body).send().await;
        assert_malformed(answer.status, &answer.body, NOT_READ, &body.to_string());
    }
    assert_eq!(switched(ann.policy(&policy).await), true);
    ann.put(&path, &json!({ "auto_renew": false }))
        .succeeds()
        .await;
    assert_eq!(switched(ann.policy(&policy).await), false);
}

/// A text of the document accepts neither a number nor a boolean, from any caller.
#[tokio::test]
async fn a_number_is_no_text() {
    let shop = Shop::new().await;
    for (path, body, place) in [
        (
            "/api/v2/aggregator",
            json!({ "product": two_vehicles(), "reference_uuid": 4711 }),
            "reference_uuid",
        ),
        (
            "/api/v1/price",
            json!({ "product": two_vehicles(), "product_identifier": 1 }),
            "product_identifier",
        ),
        (
            CREATE,
            json!({ "product": two_vehicles(), "affiliate_uuid": true }),
            "affiliate_uuid",
        ),
        (
            CREATE,
            json!({ "product": { "product_identifier": 1, "values": {} } }),
            "product.product_identifier",
        ),
    ] {
        let answer = shop.post(path, &body).send().await;
        assert_malformed(answer.status, &answer.body, &wrong(place), place);
    }
    assert!(seed::is_empty(&shop.app.store).await.unwrap());
}

#[tokio::test]
async fn a_member_named_twice_is_refused_by_its_name() {
    let shop = Shop::new().await;
    let product = two_vehicles().to_string();
    for (body, member) in [
        (
            format!("{{\"product\": {product}, \"draft\": false, \"draft\": true}}"),
            "draft",
        ),
        (
            format!("{{\"product\": {product}, \"product\": {product}}}"),
            "product",
        ),
        (
            "{\"product\": {\"values\": {}, \"values\": {}}}".to_string(),
            "product.values",
        ),
        (
            format!(
                "{{\"product\": {product}, \
                 \"source_tracking\": {{\"utm_source\": \"a\", \"utm_source\": \"b\"}}}}"
            ),
            "source_tracking.utm_source",
        ),
    ] {
        let (status, answer) = raw(&shop, body.clone()).await;
        assert_malformed(
            status,
            &answer,
            &format!("`{member}` is named twice."),
            &body,
        );
    }
    assert!(seed::is_empty(&shop.app.store).await.unwrap());
}

/// The product's form checks answers. If a field is answered twice, the last answer counts.
#[tokio::test]
async fn of_a_field_answered_twice_the_last_answer_counts() {
    let shop = Shop::new().await;
    let product = two_vehicles().to_string();
    let twice = product.replace("\"first_name\":", "\"first_name\":7,\"first_name\":");
    assert_ne!(product, twice);
    let (status, answer) = raw(&shop, format!("{{\"product\": {twice}}}")).await;
    assert_eq!(status, StatusCode::CREATED, "{answer}");
}

/// A body is parsed before the caller and the resource are checked.
#[tokio::test]
async fn wrong_answers_are_refused_before_anybody_is_asked_for() {
    let shop = Shop::new().await;
    let nobodys = "/api/v1/quote/00000000-0000-4000-8000-000000000000";
    for (answers, status) in [
        (json!({ "values": [] }), StatusCode::BAD_REQUEST),
        (
            json!({ "multi": { "vehicles": 3 } }),
            StatusCode::BAD_REQUEST,
        ),
        (two_vehicles(), StatusCode::UNAUTHORIZED),
    ] {
        let answer = shop
            .put(nobodys, &json!({ "product": answers }))
            .send()
            .await;
        assert_eq!(answer.status, status, "{answers}");
    }
}
