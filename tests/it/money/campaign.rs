//! The tax of a policy is rated again with its quote's own campaign, and with no other.

use layby::domain::money::price::Price;
use layby::store::{WriteTx, tables};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use super::books::{checked, is_clean};
use crate::policies::{Customer, PAYS};
use crate::support::two_vehicles_with;

/// Buys cover with key cover through `campaign`. One campaign makes key cover free.
async fn buys(ann: &Customer, campaign: &str) -> Uuid {
    let product = two_vehicles_with("key_cover", true);
    let body = json!({
        "product": product,
        "source_tracking": {
            "utm_source": "brooks", "utm_campaign": campaign, "utm_medium": "affiliate",
        },
    });
    let path = "/api/v2/public/quote/breakdown";
    let uuid = ann
        .post(path, &body)
        .answers(StatusCode::CREATED)
        .await
        .text("/data/uuid");
    ann.pays_for(&uuid, PAYS, false).await;
    uuid.parse().unwrap()
}

fn price(ann: &Customer, policy: Uuid) -> Price {
    let quote = ann.shop.row(&tables::QUOTES, &policy);
    quote.current.price.unwrap()
}

#[tokio::test]
async fn a_price_that_its_campaign_does_not_make_is_found() {
    let ann = Customer::new().await;
    let (free, dear) = (buys(&ann, "fkc").await, buys(&ann, "spring").await);
    is_clean(&ann.shop, "after two sales by two campaigns");
    let other = price(&ann, dear);
    assert!(price(&ann, free).taxed < other.taxed);
    let spoil = move |tx: &mut WriteTx<'_>| {
        let mut quote = tables::QUOTES.get(tx, &free)?.unwrap();
        quote.current.price = Some(other.clone());
        tables::QUOTES.put(tx, &free, &quote)
    };
    ann.shop.app.store.write(spoil).await.unwrap();
    let said = checked(&ann.shop);
    let wanted = "its answers don't make the price it was sold at";
    assert!(said.iter().any(|line| line.contains(wanted)), "{said:#?}");
}
