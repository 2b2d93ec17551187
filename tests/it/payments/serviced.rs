//! The gateways of new sales, and the gateways that are still serviced.

use chrono::TimeDelta;
use layby::domain::payment::PaymentStatus;
use layby::products::Catalogue;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::json;

use super::Till;
use crate::support::{Shop, two_vehicles};

const NONE: &str = "[payments]\ngateways = []\n";

#[tokio::test]
async fn without_a_gateway_nothing_can_be_agreed_to_and_the_telephone_number_is_said() {
    let shop = Shop::configured(NONE).await;
    let quote = shop.quote(&two_vehicles()).await;
    let refused = shop.accept(&quote).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "no_gateway");
    assert!(refused.text("/message").contains("01632 960 123"));
    shop.initiate(&quote).await.expect(StatusCode::NOT_FOUND);
    let site = shop.get("/api/v1/site").succeeds().await;
    assert_eq!(site.at("/data/providers"), &json!([]));
    assert_eq!(site.at("/data/renews_by_card"), false);
    // Callers who may not read the quote don't learn this.
    let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
    let body = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    let stranger = shop.post(&path, &body).send().await;
    assert_ne!(stranger.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_payment_begun_before_its_gateway_was_taken_off_the_list_is_followed_to_its_end() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0085").await;
    let shop = till
        .shop
        .restarted(NONE, Catalogue::load(None).unwrap())
        .await;
    let refused = shop.initiate(&till.quote).await;
    refused.expect(StatusCode::NOT_FOUND);
    let payment = shop.payment(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(payment.at("/data/status"), "paid");
    assert!(till.sold());
}

#[tokio::test]
async fn a_payment_of_a_gateway_without_keys_waits_and_is_unresolved_in_the_end() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0085").await;
    let id = till.payment_id();
    let elsewhere = |provider: &'static str| {
        let write = move |tx: &mut layby::store::WriteTx<'_>| {
            let mut row = tables::PAYMENTS.get(tx, &id)?.unwrap();
            row.provider = provider.to_string();
            tables::PAYMENTS.put(tx, &id, &row)
        };
        till.shop.app.store.write(write)
    };
    elsewhere("stripe").await.unwrap();
    for _ in 0..30 {
        till.waits(TimeDelta::hours(1)).await;
    }
    let payment = till.payment().await;
    assert_eq!(payment.at("/data/status"), "pending");
    assert_eq!(payment.at("/data/charged"), &serde_json::Value::Null);
    for _ in 0..45 {
        till.waits(TimeDelta::hours(1)).await;
    }
    assert_eq!(till.row().status, PaymentStatus::Unresolved);
    // Once the gateway's keys are back, the waiting page's next poll reads the outcome.
    elsewhere("sandbox").await.unwrap();
    let row = till.payment().await;
    assert_ne!(row.at("/data/status"), "pending");
    assert_eq!(till.row().status.took_money(), Some(true));
}
