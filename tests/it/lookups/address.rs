//! Addresses of a postcode.

use poem::http::StatusCode;
use serde_json::{Value, json};

use super::ADDRESS;
use crate::support::{Answer, Shop};

async fn ask(shop: &Shop, body: Value) -> Answer {
    shop.post(ADDRESS, &body).send().await
}

fn labels(answer: &Answer) -> Vec<String> {
    let all = answer.at("/data").as_array().unwrap().iter();
    all.map(|one| one["label"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_postcode_has_addresses_and_a_house_its_own() {
    let shop = Shop::new().await;
    let all = ask(&shop, json!({ "postcode": "ls61ab" }))
        .await
        .expect(StatusCode::OK);
    assert_eq!(labels(&all).len(), 15);
    assert_eq!(all.at("/data/0/postcode"), "LS6 1AB");
    assert_eq!(all.at("/data/0/town"), "Leeds");
    assert_eq!(all.at("/data/0/sample"), true);
    let one = ask(&shop, json!({ "postcode": "LS6 1AB", "house": " 7 " })).await;
    let one = one.expect(StatusCode::OK);
    assert_eq!(labels(&one).len(), 1);
    assert!(labels(&one)[0].starts_with("7 "));
    let named = ask(
        &shop,
        json!({ "postcode": "LS6 1AB", "house": "the old bakery" }),
    )
    .await;
    assert!(labels(&named.expect(StatusCode::OK))[0].starts_with("The Old Bakery, "));
    let flats = ask(&shop, json!({ "postcode": "LS6 1AB", "house": "14" })).await;
    assert_eq!(labels(&flats.expect(StatusCode::OK)).len(), 2);
}

#[tokio::test]
async fn a_house_that_is_not_there_is_answered_with_those_that_are() {
    let shop = Shop::new().await;
    let none = ask(&shop, json!({ "postcode": "LS6 1AB", "house": "99" })).await;
    let none = none.expect(StatusCode::NOT_FOUND);
    let suggestions = none.at("/suggestions").as_array().unwrap();
    assert_eq!(suggestions.len(), 10);
    let again = json!({ "postcode": "LS6 1AB", "house": suggestions[0] });
    let again = ask(&shop, again).await.expect(StatusCode::OK);
    assert_eq!(labels(&again), [suggestions[0].as_str().unwrap()]);
}

#[tokio::test]
async fn an_unknown_postcode_has_others_to_try_and_jersey_none() {
    let shop = Shop::new().await;
    let unknown = ask(&shop, json!({ "postcode": "LS6 9ZZ" })).await;
    let unknown = unknown.expect(StatusCode::NOT_FOUND);
    assert_eq!(unknown.at("/suggestions"), &json!(["LS6 1AA"]));
    let jersey = ask(&shop, json!({ "postcode": "JE2 3AB" })).await;
    let jersey = jersey.expect(StatusCode::NOT_FOUND);
    assert_eq!(jersey.at("/suggestions"), &json!([]));
}

#[tokio::test]
async fn what_is_no_postcode_and_a_novel_for_a_house_are_refused() {
    let shop = Shop::new().await;
    let body = json!({ "postcode": "QV1 1AA", "house": "x".repeat(61) });
    let refused = ask(&shop, body)
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    refused.at("/errors/postcode");
    refused.at("/errors/house");
}

#[tokio::test]
async fn of_five_hundred_addresses_a_hundred_are_answered() {
    let shop = Shop::new().await;
    let many = ask(&shop, json!({ "postcode": "LS6 9WW" }))
        .await
        .expect(StatusCode::OK);
    assert_eq!(labels(&many).len(), 100);
    let far = ask(&shop, json!({ "postcode": "LS6 9WW", "house": "487" })).await;
    assert_eq!(labels(&far.expect(StatusCode::OK)).len(), 1);
}
