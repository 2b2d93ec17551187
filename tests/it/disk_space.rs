//! A disk that is short of space: no new quotes begin, and existing payments and refunds complete.

use chrono::TimeDelta;
use layby::config::LogFormat;
use layby::domain::payment::refund::RefundStatus;
use layby::products::Catalogue;
use layby::store::{free_bytes, tables};
use poem::http::StatusCode;
use serde_json::json;

use crate::aggregator;
use crate::payments::fault_table::{PAYS_SILENTLY, hears, signed};
use crate::policies::renewals::{QUOTED, renewal_of};
use crate::policies::{Customer, covered};
use crate::support::log::recorded;
use crate::support::{Answer, Shop, two_vehicles};

const SHORT: &str = "[server]\nmin_free_disk = \"1000000 GiB\"\nmetrics_allow = [\"0.0.0.0\"]\n";

fn assert_no_room(answer: &Answer) {
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.body["code"], "insufficient_storage");
    assert_eq!(answer.headers["retry-after"], "60");
}

/// Creates a quote, always with the same idempotency key.
async fn create(customer: &Customer) -> Answer {
    let call = customer.create(&two_vehicles());
    call.header("Idempotency-Key", "twice-the-same")
        .send()
        .await
}

#[tokio::test]
async fn nothing_new_is_begun_and_what_was_begun_is_paid_and_paid_back() {
    let mut customer = Customer::new().await;
    let first = create(&customer).await.expect(StatusCode::CREATED);
    let quote = first.text("/data/uuid");
    let builtin = Catalogue::load(None).unwrap();
    customer.shop = customer.shop.restarted(SHORT, builtin).await;

    let body = json!({ "product": two_vehicles() });
    let refused = customer.post("/api/v2/public/quote/breakdown", &body);
    assert_no_room(&refused.send().await);
    let save = customer.put(&format!("/api/v1/quote/{quote}"), &body);
    assert_no_room(&save.send().await);
    // A repeated call gets its first response.
    let again = create(&customer).await.expect(StatusCode::CREATED);
    assert_eq!(again.text("/data/uuid"), quote);

    // It is paid, and the gateway calls back.
    let (lines, _guard) = recorded(LogFormat::Text);
    customer.accepts(&quote, false).await;
    let pays = customer.post(
        "/api/v1/gateway/sandbox/initiate",
        &json!({ "uuid": quote }),
    );
    let begun = pays.succeeds().await;
    customer
        .shop
        .pay(&begun.text("/data/url"), PAYS_SILENTLY)
        .await;
    let payment = begun.text("/data/payment_id").parse().unwrap();
    let callback = signed(&customer.shop, payment, TimeDelta::zero());
    assert_eq!(hears(&customer.shop, callback).await, StatusCode::OK);
    customer.policy(&quote).await.expect(StatusCode::OK);
    let undo = customer.put(&format!("/api/v1/policy/ntu/{quote}"), &json!({}));
    undo.succeeds().await;
    customer.shop.work_without_callbacks().await;
    let refunds: Vec<_> = customer
        .shop
        .rows(&tables::REFUNDS)
        .into_iter()
        .map(|(_, row)| row)
        .collect();
    assert_eq!(refunds.len(), 1);
    assert_eq!(refunds[0].status, RefundStatus::Paid);
    assert!(
        !lines.text().contains("short of space"),
        "it was said before"
    );
}

#[tokio::test]
async fn changes_partners_quotes_and_renewals_wait_until_there_is_room() {
    let builtin = || Catalogue::load(None).unwrap();
    let (mut ann, policy) = covered().await;
    let (lines, guard) = recorded(LogFormat::Text);
    let settings = format!("{SHORT}{}", aggregator::partners());
    ann.shop = ann.shop.restarted(&settings, builtin()).await;
    assert_no_room(&ann.asks(&policy, json!({ "cover_level": 4 }), None).await);
    let telephone = json!({ "product": { "values": { "tel_primary": "0113 496 0000" } } });
    let keeps = ann.post(&format!("/api/v1/policy/{policy}/price-keep"), &telephone);
    assert_no_room(&keeps.send().await);
    let risk = aggregator::risk("b25e4d3a-5c1e-4b6e-9d42-6d4c1b0f8a11");
    assert_no_room(&aggregator::send(&ann.shop, aggregator::KEY, &risk).await);
    ann.sleeps(QUOTED).await;
    let renewal = ann.policy(&policy).await;
    assert!(renewal.at("/data/policy/renewal").is_null());
    let warnings = lines.text().matches("the disk is short of space").count();
    assert_eq!(warnings, 1, "{}", lines.text());
    drop(guard);

    ann.shop = ann.shop.restarted("", builtin()).await;
    ann.sleeps(0).await;
    ann.asks(&policy, json!({ "cover_level": 4 }), None)
        .await
        .expect(StatusCode::OK);
    assert!(!renewal_of(&ann, &policy).await.is_empty());
}

#[tokio::test]
async fn readiness_and_the_figures_say_how_much_is_free() {
    let shop = Shop::configured(SHORT).await;
    let ready = shop.get("/health/ready").succeeds().await;
    let said = String::from_utf8(ready.bytes).unwrap();
    assert!(said.contains("short of space"), "{said}");
    let figures = shop.get("/metrics").succeeds().await;
    let figures = String::from_utf8(figures.bytes).unwrap();
    let free = figures
        .lines()
        .find_map(|line| line.strip_prefix("layby_disk_free_bytes "))
        .expect("the figure is missing");
    let (free, now) = (
        free.parse::<u64>().unwrap(),
        free_bytes(&std::env::temp_dir()),
    );
    assert!(free > 0 && free.abs_diff(now.unwrap()) < 20 << 30);

    let shop = Shop::new().await;
    let ready = shop.get("/health/ready").succeeds().await;
    assert_eq!(ready.bytes, b"ok");
}
