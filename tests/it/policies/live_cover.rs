//! Only the policy's owner learns that a registration has cover here.

use layby::app::payments::status;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{Customer, PAYS};
use crate::support::two_vehicles;

const CREATE: &str = "/api/v2/public/quote/breakdown";

fn said(told: &Value) -> usize {
    told.as_array().unwrap().len()
}

#[tokio::test]
async fn a_stranger_is_not_told_and_the_owner_is() {
    let ann = Customer::new().await;
    ann.buys(&two_vehicles(), PAYS).await;
    let body = json!({ "product": two_vehicles() });

    // An anonymous visitor, and another customer who types Ann's mail address.
    let visitor = ann.shop.quote(&two_vehicles()).await;
    assert_eq!(visitor.body["data"]["notices"], json!([]));
    let other = ann.shop.post(CREATE, &body).cookies(&ann.stranger().await);
    let other = other.answers(StatusCode::CREATED).await;
    assert_eq!(other.at("/data/notices"), &json!([]));

    let read = format!("/api/v2/public/quote/read/{}", visitor.uuid);
    let save = format!("/api/v1/quote/{}", visitor.uuid);
    let bearer = &visitor.token;
    let opened = ann.shop.get(&read).bearer(bearer).send().await;
    assert_eq!(
        opened.expect(StatusCode::OK).at("/data/info/notices"),
        &json!([])
    );
    let saved = ann.shop.put(&save, &body).bearer(bearer).send().await;
    assert_eq!(saved.expect(StatusCode::OK).at("/data/notices"), &json!([]));

    // Ann, logged in: on a new quote, and on the visitor's quote that she opens with its token.
    let hers = ann.post(CREATE, &body).send().await;
    assert_eq!(
        said(hers.expect(StatusCode::CREATED).at("/data/notices")),
        2
    );
    let opened = ann.get(&read).bearer(bearer).send().await;
    assert_eq!(
        said(opened.expect(StatusCode::OK).at("/data/info/notices")),
        2
    );
    let saved = ann.put(&save, &body).bearer(bearer).send().await;
    assert_eq!(said(saved.expect(StatusCode::OK).at("/data/notices")), 2);
}

#[tokio::test]
async fn a_strangers_change_that_adds_the_vehicle_is_not_told() {
    let ann = Customer::new().await;
    ann.buys(&two_vehicles(), PAYS).await;
    let mut own = two_vehicles();
    own["multi"]["vehicles"][0]["vehicle_registration"] = json!("LS61 ABC");
    own["multi"]["vehicles"][1]["vehicle_registration"] = json!("LS62 ABC");
    let bob = ann.into_stranger().await;
    let policy = bob.buys(&own, PAYS).await;
    let mut vehicles = own["multi"]["vehicles"].as_array().unwrap().clone();
    vehicles.push(two_vehicles()["multi"]["vehicles"][0].clone());
    let body = json!({ "product": { "multi": { "vehicles": vehicles } } });
    let path = format!("/api/v1/policy/{policy}/mta/confirm");
    let offer = bob.put(&path, &body).succeeds().await;
    assert_eq!(offer.at("/data/notices"), &json!([]));
    let history = bob
        .get(&format!("/api/v1/policy/{policy}/mta"))
        .send()
        .await;
    assert_eq!(history.at("/data/0/notices"), &json!([]));
}

#[tokio::test]
async fn the_buyers_own_token_is_told_while_it_reads_the_policy() {
    let ann = Customer::new().await;
    let bought = ann.shop.quote(&two_vehicles()).await;
    let payment = ann.shop.buy(&bought, PAYS).await;
    status::sync_payment_status(&ann.shop.app, payment)
        .await
        .unwrap();
    let create = |token: &str| ann.shop.create(&two_vehicles()).bearer(token);
    let told = create(&bought.token).send().await;
    assert_eq!(
        said(told.expect(StatusCode::CREATED).at("/data/notices")),
        2
    );
    let guessed = format!("{}.guessed", bought.token.split_once('.').unwrap().0);
    let told = create(&guessed).send().await;
    assert_eq!(
        told.expect(StatusCode::CREATED).at("/data/notices"),
        &json!([])
    );
}
