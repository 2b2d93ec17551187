//! The daily limit of policy changes, and their paged list.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::json;

use crate::policies::{Customer, covered};

/// Makes a change that doesn't affect the price.
async fn moves(ann: &Customer, policy: &str, house: u32) -> serde_json::Value {
    let values = json!({ "address_primary": format!("{house} High Street\nLeeds") });
    let body = json!({ "product": { "values": values } });
    let path = format!("/api/v1/policy/{policy}/price-keep");
    let answer = ann.post(&path, &body).succeeds().await;
    answer.body["data"].clone()
}

async fn changes(ann: &Customer, policy: &str, query: &str) -> Vec<String> {
    let path = format!("/api/v1/policy/{policy}/mta{query}");
    let answer = ann.get(&path).succeeds().await;
    let rows = answer.at("/data").as_array().unwrap().clone();
    let id = |row: &serde_json::Value| row["adjustment_id"].as_str().unwrap().to_string();
    rows.iter().map(id).collect()
}

#[tokio::test]
async fn a_policy_takes_twenty_changes_a_day_and_more_the_next() {
    let (ann, policy) = covered().await;
    for house in 2..22 {
        ann.shop.clock.advance(TimeDelta::seconds(1));
        assert_eq!(moves(&ann, &policy, house).await["success"], 1);
    }
    let refused = moves(&ann, &policy, 22).await;
    assert_eq!(refused["success"], 0);
    let why = refused["errors"][""][0].as_str().unwrap();
    assert!(why.contains("changed 20 times today"), "{why}");
    assert!(why.contains("01632 960 123"), "{why}");
    let offer = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let offer = offer.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(offer.at("/code"), "too_many_changes");

    // Newest first, a page at a time.
    let all = changes(&ann, &policy, "").await;
    assert_eq!(all.len(), 20);
    assert!(all.is_sorted_by(|newer, older| newer > older), "{all:?}");
    assert_eq!(changes(&ann, &policy, "?limit=8").await, all[..8]);
    assert_eq!(changes(&ann, &policy, "?limit=8&page=2").await, all[8..16]);
    assert_eq!(changes(&ann, &policy, "?limit=8&page=3").await, all[16..]);
    assert!(changes(&ann, &policy, "?limit=8&page=4").await.is_empty());
    let path = format!("/api/v1/policy/{policy}/mta?limit=101&page=-1");
    let wrong = ann
        .get(&path)
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(wrong.fields(), ["page", "limit"]);

    ann.shop.clock.advance(TimeDelta::days(1));
    assert_eq!(moves(&ann, &policy, 22).await["success"], 1);
}

#[tokio::test]
async fn a_policy_is_offered_twenty_prices_a_day_also_by_calls_at_once() {
    let (ann, policy) = covered().await;
    let level = |level: u32| ann.asks(&policy, json!({ "cover_level": level }), None);
    let mut offers = Vec::new();
    for number in 0..18 {
        ann.shop.clock.advance(TimeDelta::seconds(1));
        let offer = level([1, 2, 4][number % 3]).await.expect(StatusCode::OK);
        offers.push(offer.text("/data/adjustment_id"));
    }
    let (one, two, three) = tokio::join!(level(1), level(2), level(4));
    let mut statuses = [one.status, two.status, three.status];
    statuses.sort();
    let refused = StatusCode::UNPROCESSABLE_ENTITY;
    assert_eq!(statuses, [StatusCode::OK, StatusCode::OK, refused]);
    // A withdrawn change does not lower the count. An offered change can still be agreed to.
    let path = format!("/api/v1/policy/ntu/{}", offers[17]);
    ann.put(&path, &json!({})).succeeds().await;
    let more = level(1).await.expect(refused);
    assert_eq!(more.at("/code"), "too_many_changes");
    let cheaper = &offers[15];
    ann.agrees(&policy, cheaper).await.expect(StatusCode::OK);

    ann.shop.clock.advance(TimeDelta::days(1));
    level(4).await.expect(StatusCode::OK);
}
