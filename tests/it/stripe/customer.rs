//! The texts for a customer of a shop with Stripe, in the shop and at Stripe.

use poem::http::{Method, StatusCode};
use serde_json::json;

use super::double;
use super::double::{Books, Card, Double};
use super::till::{CALLBACK, settings};
use crate::policies::{Customer, young_vehicles};
use crate::support::Shop;

async fn customer(stripe: &Double) -> Customer {
    Customer::of(Shop::configured(&settings(stripe, "[\"stripe\"]")).await).await
}

/// Saves and accepts a quote, with automatic renewal ticked.
async fn accepts(ann: &Customer) -> String {
    let saved = ann.create(&young_vehicles());
    let saved = saved.answers(StatusCode::CREATED).await;
    let quote = saved.text("/data/uuid");
    let agreed = json!({
        "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": true,
    });
    let path = format!("/api/v1/quote/update-accept/{quote}");
    ann.post(&path, &agreed).succeeds().await;
    quote
}

/// Pays for a quote or a change on Stripe's page. Returns the text of that page.
async fn pays(stripe: &Double, ann: &Customer, uuid: &str) -> String {
    let body = json!({ "uuid": uuid });
    let started = ann.post("/api/v1/gateway/stripe/initiate", &body);
    let page = started.succeeds().await.text("/data/url");
    let session = page.rsplit('/').next().unwrap();
    let name = stripe.books(|books: &mut Books, now| {
        books.pay(session, Card::VISA, now).unwrap();
        let session = books.sessions.get("checkout.session", session).unwrap();
        session["_name"].as_str().unwrap().to_owned()
    });
    for told in stripe.webhooks() {
        let call = ann.shop.call(Method::POST, CALLBACK);
        let call = call.header("Stripe-Signature", &told.signature);
        call.body(told.body).succeeds().await;
    }
    ann.works().await;
    name
}

#[tokio::test]
async fn what_is_paid_for_and_its_number_stand_at_stripe() {
    let stripe = double();
    let ann = customer(&stripe).await;
    let policy = accepts(&ann).await;
    let bought = pays(&stripe, &ann, &policy).await;
    let number = ann.policy(&policy).await.text("/data/info/custom_id");
    assert_eq!(bought, format!("Vehicle breakdown cover, {number}"));

    let more = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let change = more.expect(StatusCode::OK).text("/data/adjustment_id");
    let changed = pays(&stripe, &ann, &change).await;
    assert_eq!(changed, format!("Change of policy {number}"));
    let noted: Vec<_> = stripe.books(|books, _| {
        let intents = books.intents.all().iter();
        intents.map(|one| one["description"].clone()).collect()
    });
    assert_eq!(noted, [json!(bought), json!(changed)]);
}
