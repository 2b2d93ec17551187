//! Exclusions: shown before the purchase, with optional answers. They are stored with the sale, and shown on
//! the policy with what to do instead.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Made, Shop, two_vehicles, two_vehicles_with};

async fn accept(shop: &Shop, quote: &Made, exclusions: Value) -> Answer {
    let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
    let mut body = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    if !exclusions.is_null() {
        body["exclusions"] = exclusions;
    }
    shop.post(&path, &body).bearer(&quote.token).send().await
}

/// Pays for an accepted quote. Returns the policy.
async fn pay(shop: &Shop, quote: &Made) -> Answer {
    let started = shop.initiate(quote).await.expect(StatusCode::OK);
    shop.pay(&started.text("/data/url"), "4242424242424242")
        .await
        .assert_status_is_ok();
    shop.payment(quote).await.expect(StatusCode::OK);
    shop.get(&format!("/api/v2/policy/read/{}", quote.uuid))
        .bearer(&quote.token)
        .succeeds()
        .await
}

/// Returns the ids of the exclusions that a policy lists, with the customer's answers.
fn listed(policy: &Answer) -> Vec<(String, Value)> {
    let exclusions = policy.at("/data/exclusions").as_array().unwrap().iter();
    exclusions
        .map(|exclusion| {
            for said in ["title", "text", "instead", "section"] {
                assert!(!exclusion[said].as_str().unwrap().is_empty(), "{exclusion}");
            }
            (
                exclusion["id"].as_str().unwrap().to_string(),
                exclusion["matters"].clone(),
            )
        })
        .collect()
}

fn of_level(level: u8) -> Value {
    two_vehicles_with("cover_level", level)
}

#[tokio::test]
async fn what_the_customer_said_is_kept_with_the_sale_and_said_on_the_policy() {
    let shop = Shop::new().await;
    let quote = shop.quote(&of_level(1)).await;
    let said = json!({ "tow": true, "mot": false });
    accept(&shop, &quote, said.clone())
        .await
        .expect(StatusCode::OK);
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/exclusion_answers"), &said);
    assert_eq!(read.at("/data/exclusions"), &json!([]));
    let policy = pay(&shop, &quote).await;
    let expected = [
        ("at_home", Value::Null),
        ("tow", json!(true)),
        ("europe", Value::Null),
        ("mot", json!(false)),
        ("known_fault", Value::Null),
        ("trailer", Value::Null),
    ];
    let expected: Vec<_> = expected.map(|(id, said)| (id.to_string(), said)).into();
    assert_eq!(listed(&policy), expected);
}

#[tokio::test]
async fn nobody_has_to_answer_and_a_dearer_level_has_fewer_exclusions() {
    let shop = Shop::new().await;
    let quote = shop.quote(&of_level(5)).await;
    accept(&shop, &quote, Value::Null)
        .await
        .expect(StatusCode::OK);
    let policy = pay(&shop, &quote).await;
    assert_eq!(policy.at("/data/exclusion_answers"), &json!({}));
    let ids: Vec<_> = listed(&policy).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["mot", "known_fault", "trailer"]);
}

#[tokio::test]
async fn answers_outlive_a_save_and_a_second_agreement_that_says_nothing() {
    let shop = Shop::new().await;
    let quote = shop.quote(&of_level(1)).await;
    accept(&shop, &quote, json!({ "tow": true }))
        .await
        .expect(StatusCode::OK);
    let path = format!("/api/v1/quote/{}", quote.uuid);
    shop.put(&path, &json!({ "product": of_level(3) }))
        .bearer(&quote.token)
        .succeeds()
        .await;
    accept(&shop, &quote, Value::Null)
        .await
        .expect(StatusCode::OK);
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/exclusion_answers"), &json!({ "tow": true }));
    // To withdraw an answer, the customer sends the others.
    accept(&shop, &quote, json!({}))
        .await
        .expect(StatusCode::OK);
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/exclusion_answers"), &json!({}));
}

#[tokio::test]
async fn an_answer_to_what_is_not_on_the_list_is_refused_and_nothing_is_agreed() {
    let shop = Shop::new().await;
    let quote = shop.quote(&of_level(1)).await;
    let refused = accept(&shop, &quote, json!({ "tow": true, "flood": true }))
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["exclusions.flood"]);
    accept(&shop, &quote, json!({ "tow": "yes" }))
        .await
        .expect(StatusCode::BAD_REQUEST);
    accept(&shop, &quote, json!(["tow"]))
        .await
        .expect(StatusCode::BAD_REQUEST);
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/info/flags/accepted"), &json!(false));
    assert_eq!(read.at("/data/exclusion_answers"), &json!({}));
    // Another quote's token can't change the answers.
    let other = shop.quote(&of_level(1)).await;
    let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
    let body = json!({ "terms_and_conditions": true, "exclusions": { "tow": true } });
    shop.post(&path, &body)
        .bearer(&other.token)
        .answers(StatusCode::NOT_FOUND)
        .await;
}

/// The button of an exclusion leads to a price from the server, for answers that include the loss.
#[tokio::test]
async fn every_fix_has_a_price_and_costs_more() {
    let shop = Shop::new().await;
    let read = shop
        .get("/api/v2/openapi/product/breakdown")
        .succeeds()
        .await;
    let exclusions = read.at("/info/exclusions").as_array().unwrap();
    assert_eq!(exclusions.len(), 6);
    let price = async |product: &Value| {
        let body = json!({
            "product_identifier": "breakdown", "product": product, "quote_ready": true,
        });
        let answer = shop.post("/api/v1/price", &body).succeeds().await;
        answer.at("/data/figures/amount_total").as_f64().unwrap()
    };
    let local = price(&of_level(1)).await;
    let mut fixed = 0;
    for fix in exclusions
        .iter()
        .flat_map(|exclusion| exclusion["fixes"].as_array().unwrap())
    {
        let mut product = two_vehicles();
        for (name, answer) in fix["answers"].as_object().unwrap() {
            product["values"][name] = answer.clone();
        }
        assert!(price(&product).await > local, "{fix}");
        fixed += 1;
    }
    assert_eq!(fixed, 5);
}
