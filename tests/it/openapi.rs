//! The committed OpenAPI document is the program's own, and responses have its forms.

use std::fs;
use std::path::Path;

use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Shop, two_vehicles};

#[test]
fn the_committed_document_is_the_programs_own() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.json");
    let committed = fs::read_to_string(path).unwrap();
    assert!(
        committed == layby::api::openapi(),
        "docs/openapi.json is stale: run `cargo run -- export openapi --output docs/openapi.json` \
         and `npm run types` in ui/"
    );
}

/// The website's tests read the shop's responses about breakdown cover from these files.
#[tokio::test]
async fn the_websites_tests_read_what_is_served() {
    let shop = Shop::new().await;
    for (file, path) in [
        ("product", "/api/v2/openapi/product/breakdown"),
        ("stepper", "/api/v2/openapi/product/breakdown/stepper"),
    ] {
        let served = shop.get(path).succeeds().await.body;
        let file = format!("ui/src/testing/products/{file}.json");
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            fs::write(&kept, serde_json::to_string_pretty(&served).unwrap()).unwrap();
        }
        let kept: Value = serde_json::from_str(&fs::read_to_string(kept).unwrap()).unwrap();
        assert!(
            kept == served,
            "{file} is stale: run this test with UPDATE_FIXTURES=1 and `npm run format` in ui/"
        );
    }
}

#[tokio::test]
async fn it_is_served_with_a_page_for_people() {
    let shop = Shop::new().await;
    let document = shop.get("/api/openapi.json").succeeds().await;
    assert_eq!(document.at("/info/title"), "layby");
    shop.page(Method::GET, "/api/docs")
        .send()
        .await
        .assert_status_is_ok();
}

/// Every test checks its responses against the document (`support/schema.rs`). This test makes the calls
/// around a sale.
#[tokio::test]
async fn what_is_served_has_the_documents_forms() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let started = shop.initiate(&quote).await.expect(StatusCode::OK);
    shop.pay(&started.text("/data/url"), "4242424242424242")
        .await
        .assert_status_is_ok();
    shop.payment(&quote).await.expect(StatusCode::OK);

    let price = json!({ "product_identifier": "breakdown", "product": two_vehicles() });
    let calls: [(&str, Option<Value>); 20] = [
        ("/api/v2/product/list", None),
        ("/api/v2/products/enabled", None),
        ("/api/v2/openapi/product/breakdown", None),
        ("/api/v2/openapi/product/1/stepper", None),
        ("/api/v2/openapi/product/gadget", None),
        ("/api/v2/openapi/product/gadget/stepper", None),
        ("/api/v1/form/breakdown", Some(two_vehicles())),
        ("/api/v1/form/breakdown/check", Some(two_vehicles())),
        (
            "/api/v1/prices",
            Some(json!({
                "requests": [price, { "product_identifier": "boats", "product": {} }],
            })),
        ),
        ("/api/v1/price", Some(price.clone())),
        ("/api/v1/monthly-price", Some(price)),
        ("/api/v1/quote/statuses", None),
        ("/api/v2/public/quote/read/UUID", None),
        ("/api/v2/policy/read/UUID", None),
        ("/api/v1/policy/UUID/documents", None),
        ("/api/v1/policy/UUID/external-documents", None),
        ("/api/v2/quote/documents/UUID", None),
        (
            "/api/v1/documents/check",
            Some(json!({ "docs": ["breakdown-2026.8-ipid", "x"] })),
        ),
        ("/api/v1/payment/UUID", None),
        ("/api/v1/site", None),
    ];
    for (path, body) in calls {
        let path = path.replace("UUID", &quote.uuid);
        let call = match &body {
            None => shop.get(&path),
            Some(body) => shop.post(&path, body),
        };
        call.bearer(&quote.token).succeeds().await;
    }
}
