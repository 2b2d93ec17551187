//! The API's document is the one that is committed, and what is served has its forms.

use std::fs;
use std::path::Path;

use poem::http::StatusCode;
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

/// The website's tests read what the shop says of breakdown cover from these files.
#[tokio::test]
async fn the_websites_tests_read_what_is_served() {
    let shop = Shop::new().await;
    for (file, path) in [
        ("product", "/api/v2/openapi/product/breakdown"),
        ("stepper", "/api/v2/openapi/product/breakdown/stepper"),
    ] {
        let served = shop.get(path).send().await.expect(StatusCode::OK).body;
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
    let document = shop
        .get("/api/openapi.json")
        .send()
        .await
        .expect(StatusCode::OK);
    assert_eq!(document.at("/info/title"), "layby");
    shop.client()
        .get("/api/docs")
        .send()
        .await
        .assert_status_is_ok();
}

/// What is wrong with `value` by `schema`: missing or unknown properties, wrong types.
fn faults(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.trim_start_matches('#');
        return faults(
            document,
            document.pointer(pointer).unwrap(),
            value,
            at,
            found,
        );
    }
    if let Some(all) = schema["allOf"].as_array() {
        return all
            .iter()
            .for_each(|part| faults(document, part, value, at, found));
    }
    let Some(kind) = schema["type"].as_str() else {
        return;
    };
    let fits = match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        other => panic!("a type nobody expected: {other}"),
    };
    if !fits {
        found.push(format!("{at} is {value}, not {kind}"));
        return;
    }
    if let (Some(items), Some(item)) = (value.as_array(), schema.get("items")) {
        for (place, value) in items.iter().enumerate() {
            faults(document, item, value, &format!("{at}/{place}"), found);
        }
    }
    let Some(fields) = value.as_object() else {
        return;
    };
    if let Some(every) = schema.get("additionalProperties") {
        for (name, value) in fields {
            faults(document, every, value, &format!("{at}/{name}"), found);
        }
        return;
    }
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for name in &required {
        if !fields.contains_key(*name) {
            found.push(format!("{at}/{name} is missing"));
        }
    }
    for (name, value) in fields {
        match schema["properties"].get(name) {
            None => found.push(format!("{at}/{name} is not in the document")),
            // An optional field may be null.
            Some(_) if value.is_null() && !required.contains(&name.as_str()) => {}
            Some(property) => faults(document, property, value, &format!("{at}/{name}"), found),
        }
    }
}

#[tokio::test]
async fn what_is_served_has_the_documents_forms() {
    let shop = Shop::new().await;
    let document: Value = serde_json::from_str(&layby::api::openapi()).unwrap();
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let started = shop.initiate(&quote).await.expect(StatusCode::OK);
    shop.pay(&started.text("/data/url"), "4242424242424242")
        .await
        .assert_status_is_ok();
    shop.payment(&quote).await.expect(StatusCode::OK);

    let price = json!({ "product_identifier": "breakdown", "product": two_vehicles() });
    let calls: [(&str, &str, &str, Option<Value>); 18] = [
        ("get", "/api/v2/product/list", "/api/v2/product/list", None),
        (
            "get",
            "/api/v2/products/enabled",
            "/api/v2/products/enabled",
            None,
        ),
        (
            "get",
            "/api/v2/openapi/product/{id}",
            "/api/v2/openapi/product/breakdown",
            None,
        ),
        (
            "get",
            "/api/v2/openapi/product/{identifier}/stepper",
            "/api/v2/openapi/product/1/stepper",
            None,
        ),
        (
            "get",
            "/api/v2/openapi/product/{id}",
            "/api/v2/openapi/product/gadget",
            None,
        ),
        (
            "get",
            "/api/v2/openapi/product/{identifier}/stepper",
            "/api/v2/openapi/product/gadget/stepper",
            None,
        ),
        (
            "post",
            "/api/v1/form/{id}",
            "/api/v1/form/breakdown",
            Some(two_vehicles()),
        ),
        (
            "post",
            "/api/v1/price",
            "/api/v1/price",
            Some(price.clone()),
        ),
        (
            "post",
            "/api/v1/monthly-price",
            "/api/v1/monthly-price",
            Some(price),
        ),
        (
            "get",
            "/api/v1/quote/statuses",
            "/api/v1/quote/statuses",
            None,
        ),
        (
            "get",
            "/api/v2/public/quote/read/{id}",
            "/api/v2/public/quote/read/UUID",
            None,
        ),
        (
            "get",
            "/api/v2/policy/read/{id}",
            "/api/v2/policy/read/UUID",
            None,
        ),
        (
            "get",
            "/api/v1/policy/{id}/documents",
            "/api/v1/policy/UUID/documents",
            None,
        ),
        (
            "get",
            "/api/v1/policy/{id}/external-documents",
            "/api/v1/policy/UUID/external-documents",
            None,
        ),
        (
            "get",
            "/api/v2/quote/documents/{id}",
            "/api/v2/quote/documents/UUID",
            None,
        ),
        (
            "post",
            "/api/v1/documents/check",
            "/api/v1/documents/check",
            Some(json!({ "docs": ["breakdown-2026.3-ipid", "x"] })),
        ),
        ("get", "/api/v1/payment/{id}", "/api/v1/payment/UUID", None),
        ("get", "/api/v1/site", "/api/v1/site", None),
    ];
    let mut found = Vec::new();
    for (method, documented, path, body) in calls {
        let path = path.replace("UUID", &quote.uuid);
        let call = match &body {
            None => shop.get(&path),
            Some(body) => shop.post(&path, body),
        };
        let answer = call
            .bearer(&quote.token)
            .send()
            .await
            .expect(StatusCode::OK);
        let content = &document["paths"][documented][method]["responses"]["200"]["content"];
        let schema = &content["application/json; charset=utf-8"]["schema"];
        assert!(schema.is_object(), "{documented} has no form");
        faults(&document, schema, &answer.body, documented, &mut found);
    }
    assert_eq!(found, Vec::<String>::new());
}
