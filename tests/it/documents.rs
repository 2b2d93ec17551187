//! Documents: printed after a sale, read by authorised callers only. Product documents are public.

mod access;
mod contents;
mod monthly_texts;
mod policy_documents;
mod product_documents;

use serde_json::{Value, json};

use crate::support::{Answer, Made, Shop};

/// Buys cover. Its documents are not printed yet.
async fn buy(shop: &Shop, product: &Value) -> Made {
    let quote = shop.quote(product).await;
    let declared = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    shop.post(
        &format!("/api/v1/quote/update-accept/{}", quote.uuid),
        &declared,
    )
    .bearer(&quote.token)
    .succeeds()
    .await;
    shop.enter_card(&quote, "4242 4242 4242 4242").await;
    let paid = shop.payment(&quote).await;
    assert_eq!(paid.at("/data/status"), "paid", "{:#}", paid.body);
    quote
}

async fn list(shop: &Shop, policy: &Made) -> Answer {
    shop.get(&format!("/api/v1/policy/{}/documents", policy.uuid))
        .bearer(&policy.token)
        .succeeds()
        .await
}

/// Returns the title, identifier and readiness of each document in a list.
fn items(list: &Answer) -> Vec<(String, String, bool)> {
    let groups = list.at("/data/documents").as_array().unwrap().iter();
    let items = groups.flat_map(|group| group["documents"].as_array().unwrap());
    items
        .map(|item| {
            let text = |name: &str| item[name].as_str().unwrap().to_string();
            (text("title"), text("identifier"), item["is_ready"] == true)
        })
        .collect()
}

fn identifier(list: &Answer, title: &str) -> String {
    let items = items(list);
    let found = items.iter().find(|(known, ..)| known == title);
    found
        .unwrap_or_else(|| panic!("no {title} in {items:?}"))
        .1
        .clone()
}

async fn fetch(shop: &Shop, policy: &Made, identifier: &str) -> Answer {
    shop.get(&format!("/api/v1/documents/{identifier}"))
        .bearer(&policy.token)
        .send()
        .await
}

async fn check(shop: &Shop, policy: &Made, docs: &[&str]) -> Value {
    let body = json!({ "docs": docs });
    let call = shop
        .post("/api/v1/documents/check", &body)
        .bearer(&policy.token);
    call.succeeds().await.at("/data").clone()
}
