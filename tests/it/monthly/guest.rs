//! A guest buys cover that is paid monthly, and reads the plan with the quote's token.

use layby::app::payments::status;
use poem::http::StatusCode;
use serde_json::json;

use super::{PAYS, amounts, states};
use crate::aggregator;
use crate::policies::{Customer, pence};
use crate::support::{Made, Shop, two_vehicles};

#[tokio::test]
async fn a_guest_reads_the_plan_after_the_purchase_as_the_owner_does() {
    let shop = Customer::new().await.shop;
    let quote = shop.quote(&two_vehicles()).await;
    pays_monthly(&shop, &quote).await;
}

#[tokio::test]
async fn a_partners_customer_pays_monthly_on_the_same_terms() {
    let shop = Shop::configured(&aggregator::partners()).await;
    let risk = aggregator::risk("r-1");
    let sent = aggregator::send(&shop, aggregator::KEY, &risk).await;
    let clicked = aggregator::click(&shop, &sent.text("/data/click_through")).await;
    let total = sent.at("/data/info/price/amount_total");
    assert_eq!(&clicked.at("/data/plan")["total"], total);
    pays_monthly(&shop, &aggregator::made(&clicked)).await;
}

/// Buys a quote with monthly payments, and reads the plan.
async fn pays_monthly(shop: &Shop, quote: &Made) {
    shop.read(quote).await.expect(StatusCode::OK);
    let accept = json!({
        "payment_frequency": "monthly", "terms_and_conditions": true, "auto_renew": false,
    });
    let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
    let accepted = shop.post(&path, &accept).bearer(&quote.token).send().await;
    let accepted = accepted.expect(StatusCode::OK);
    let started = shop.initiate(quote).await.expect(StatusCode::OK);
    shop.pay(&started.text("/data/url"), PAYS).await;
    let payment = started.text("/data/payment_id").parse().unwrap();
    status::sync_payment_status(&shop.app, payment)
        .await
        .unwrap();
    let path = format!("/api/v2/policy/read/{}", quote.uuid);
    let read = shop.get(&path).bearer(&quote.token).succeeds().await;
    let plan = read.at("/data/policy/plan");
    assert_eq!(amounts(plan), amounts(accepted.at("/data/plan")));
    assert_eq!(states(plan)[..2], ["paid", "upcoming"]);
    assert_eq!(pence(&plan["left"]), amounts(plan)[1..].iter().sum::<i64>());
    // Paying takes the log-in of the owner.
    let path = format!("/api/v1/policy/{}/pay", quote.uuid);
    let pay = json!({ "provider": "sandbox", "rest": true });
    let refused = shop.post(&path, &pay).bearer(&quote.token).send().await;
    assert_ne!(refused.status, StatusCode::OK);
}
