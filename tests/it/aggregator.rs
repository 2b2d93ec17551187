//! Quotes through aggregators.

mod deleted;
mod letters;
mod repeats;

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{Answer, Made, ORIGIN, Shop, two_trips, two_vehicles, two_vehicles_with};

pub const KEY: &str = "the-key-of-compare-example";
const OTHER: &str = "the-key-of-another-partner";

/// Returns the settings of two partners.
pub fn partners() -> String {
    let hash = |key: &str| data_encoding::HEXLOWER.encode(&Sha256::digest(key.as_bytes()));
    format!(
        "[[partners]]\nid = 7\nname = \"Compare Example\"\nidentifier = \"compare-example\"\n\
         logo_url = \"/badge.svg\"\nkey_sha256 = \"{}\"\nservices = [\"breakdown-uk\"]\n\
         requests_per_minute = 100\n\
         [[partners]]\nid = 8\nname = \"Another\"\nidentifier = \"another\"\n\
         logo_url = \"/badge.svg\"\nkey_sha256 = \"{}\"\nservices = [\"breakdown-uk\"]\n",
        hash(KEY),
        hash(OTHER)
    )
}

pub async fn shop() -> Shop {
    Shop::configured(&partners()).await
}

pub fn risk(reference: &str) -> Value {
    json!({
        "product": two_vehicles(), "reference_uuid": reference, "service_uuid": "breakdown-uk",
        "additional": { "rank": 3 },
        "source_tracking": { "utm_source": "compare", "external_uuid": "<script>x</script>" },
    })
}

pub async fn send(shop: &Shop, key: &str, body: &Value) -> Answer {
    shop.post("/api/v2/aggregator", body)
        .header("X-Partner-Key", key)
        .send()
        .await
}

pub async fn click(shop: &Shop, address: &str) -> Answer {
    let id = address
        .strip_prefix(&format!("{ORIGIN}/aggregator/"))
        .unwrap();
    shop.post("/api/v2/aggregator", &json!({ "id": id }))
        .send()
        .await
}

pub fn made(answer: &Answer) -> Made {
    Made {
        uuid: answer.text("/data/info/uuid"),
        token: answer.text("/data/info/consumer_token"),
        body: Value::Null,
    }
}

#[tokio::test]
async fn a_partners_customer_buys_at_the_price_that_was_sent() {
    let shop = shop().await;
    let sent = send(&shop, KEY, &risk("r-1")).await.expect(StatusCode::OK);
    assert_eq!(sent.at("/data/info/consumer_token"), &Value::Null);
    assert_eq!(sent.at("/data/info/status_id"), 1);
    let clicked = click(&shop, &sent.text("/data/click_through"))
        .await
        .expect(StatusCode::OK);
    assert_eq!(
        clicked.at("/data/info/price/amount_total"),
        sent.at("/data/info/price/amount_total")
    );
    assert_eq!(
        clicked.at("/data/info/aggregator"),
        &json!({
            "id": 7, "name": "Compare Example", "identifier": "compare-example",
            "logo_url": "/badge.svg",
        })
    );
    assert_eq!(clicked.at("/data/info/notices"), &json!([]));
    let quote = made(&clicked);
    shop.read(&quote).await.expect(StatusCode::OK);
    let due = shop.accept(&quote).await.expect(StatusCode::OK);
    assert_eq!(
        due.at("/data/amount_due"),
        sent.at("/data/info/price/amount_total")
    );
    shop.enter_card(&quote, "4242 4242 4242 4242").await;
    let paid = shop.payment(&quote).await;
    assert_eq!(paid.text("/data/status"), "paid");
    let policy = shop.exported_policies().await.remove(0);
    for (name, kept) in [
        ("aggregator", json!("compare-example")),
        ("aggregator_reference", json!("r-1")),
        ("aggregator_service", json!("breakdown-uk")),
        ("aggregator_additional", json!({ "rank": 3 })),
        ("external_uuid", json!("<script>x</script>")),
    ] {
        assert_eq!(policy[name], kept, "{name}");
    }

    // Responses to the partner and the next customer don't reveal that these registrations have cover now.
    let next = send(&shop, KEY, &risk("r-next"))
        .await
        .expect(StatusCode::OK);
    assert_eq!(next.at("/data/info/notices"), &json!([]));
    let clicked = click(&shop, &next.text("/data/click_through")).await;
    let read = shop.read(&made(&clicked)).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/info/notices"), &json!([]));
}

#[tokio::test]
async fn the_same_reference_is_the_same_quote_and_another_body_a_conflict() {
    let shop = shop().await;
    let first = send(&shop, KEY, &risk("r-1")).await.expect(StatusCode::OK);
    let again = send(&shop, KEY, &risk("r-1")).await.expect(StatusCode::OK);
    assert_eq!(first.text("/data/info/uuid"), again.text("/data/info/uuid"));
    let mut other = risk("r-1");
    other["product"]["values"]["excess"] = json!(1);
    let refused = send(&shop, KEY, &other).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "reference_reused");
    // References are separate for each partner.
    let others = send(&shop, OTHER, &other).await.expect(StatusCode::OK);
    assert_ne!(
        first.text("/data/info/uuid"),
        others.text("/data/info/uuid")
    );
}

#[tokio::test]
async fn a_click_through_works_once_and_then_offers_a_letter() {
    let shop = shop().await;
    let sent = send(&shop, KEY, &risk("r-1")).await;
    let address = sent.text("/data/click_through");
    click(&shop, &address).await.expect(StatusCode::OK);
    let used = click(&shop, &address).await.expect(StatusCode::CONFLICT);
    assert_eq!(used.text("/code"), "click_used");
    shop.clock.advance(TimeDelta::minutes(5));
    shop.work().await;
    assert!(
        shop.letters().is_empty(),
        "who only compares prices is not written to"
    );
    let id = address.rsplit('/').next().unwrap();
    shop.post(
        "/api/v2/aggregator",
        &json!({ "id": id, "mail_link": true }),
    )
    .succeeds()
    .await;
    shop.work().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].to, "ann@example.org");
    assert!(letters[0].text.contains("#resume="));
    for unknown in ["x", "00000000-0000-0000-0000-000000000001", ""] {
        let answer = click(&shop, &format!("{ORIGIN}/aggregator/{unknown}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{unknown}");
    }
}

#[tokio::test]
async fn answers_that_are_missing_are_the_customers_to_give() {
    let shop = shop().await;
    let mut partial = risk("r-1");
    for name in ["email_primary", "address_primary", "tel_primary"] {
        partial["product"]["values"]
            .as_object_mut()
            .unwrap()
            .remove(name);
    }
    let sent = send(&shop, KEY, &partial).await.expect(StatusCode::OK);
    assert_eq!(sent.at("/data/info/status_id"), 30);
    assert_eq!(sent.at("/data/info/flags/buyable"), false);
    let shown = sent.at("/data/info/price/amount_total");
    assert!(shown.as_f64().unwrap() > 0.0);
    assert_eq!(sent.text("/data/info/dates/inception"), "2026-11-25");
    assert_eq!(sent.text("/data/info/dates/expiry"), "2027-11-24");
    let quote = made(&click(&shop, &sent.text("/data/click_through")).await);
    shop.accept(&quote).await.expect(StatusCode::CONFLICT);
    shop.update(&quote, &two_vehicles()).succeeds().await;
    let read = shop.read(&quote).await;
    assert_eq!(read.at("/data/info/price/amount_total"), shown);
    assert_eq!(read.at("/data/info/flags/buyable"), true);
    assert_eq!(read.text("/data/info/aggregator/name"), "Compare Example");
    // The partner can correct a wrong answer.
    let mut wrong = risk("r-2");
    wrong["product"]["multi"]["vehicles"][0]["vehicle_registration"] = json!("!!!");
    wrong["product"]["values"]["start_date"] = json!("31.02.2027");
    let refused = send(&shop, KEY, &wrong)
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        refused.fields(),
        ["start_date", "vehicles.0.vehicle_registration"]
    );
}

#[tokio::test]
async fn a_price_that_is_another_one_says_so_and_why() {
    let shop = shop().await;
    let sent = send(&shop, KEY, &risk("r-1")).await;
    let quote = made(&click(&shop, &sent.text("/data/click_through")).await);
    let dearer = two_vehicles_with("cover_level", 5);
    shop.update(&quote, &dearer).succeeds().await;
    let read = shop.read(&quote).await;
    let notice = read.text("/data/info/notices/0");
    let shown = sent.at("/data/info/price/amount_total").as_f64().unwrap();
    assert!(
        notice.contains(&format!(
            "Compare Example showed you £{shown:.2} a year. The price is now £"
        )) && notice.contains("answers"),
        "{notice}"
    );
}

#[tokio::test]
async fn a_trip_without_days_is_priced_by_the_day_until_its_customer_says_them() {
    let shop = shop().await;
    let mut partial = risk("r-1");
    partial["product"] = two_trips();
    let trips = partial["product"]["multi"]["trips"].as_array_mut().unwrap();
    for trip in trips {
        *trip = json!({ "trip_destination": "FR" });
    }
    let sent = send(&shop, KEY, &partial).await.expect(StatusCode::OK);
    assert_eq!(sent.at("/data/info/status_id"), 30);
    assert_eq!(sent.at("/data/info/price/basis"), "day");
    assert_eq!(sent.at("/data/info/price/amount_total"), 8.85);
    let quote = made(&click(&shop, &sent.text("/data/click_through")).await);
    let read = shop.read(&quote).await;
    assert_eq!(read.at("/data/info/price/basis"), "day");
    assert_eq!(read.at("/data/info/notices"), &json!([]));

    let path = format!("/api/v1/quote/{}", quote.uuid);
    let whole = shop.put(&path, &json!({ "product": two_trips() }));
    whole.bearer(&quote.token).succeeds().await;
    let read = shop.read(&quote).await;
    assert_eq!(read.at("/data/info/price/basis"), "term");
    let total = read.at("/data/info/price/amount_total").as_f64().unwrap();
    assert_eq!(
        read.text("/data/info/notices/0"),
        format!(
            "Compare Example showed you from £8.85 a day. The price is now £{total:.2} for the whole \
             trip, because you have told us the days."
        )
    );
}

#[tokio::test]
async fn keys_services_and_references_are_checked_and_a_key_is_no_customers_right() {
    let shop = shop().await;
    for key in ["", "wrong", &"x".repeat(10_000)] {
        send(&shop, key, &risk("r-1"))
            .await
            .expect(StatusCode::UNAUTHORIZED);
    }
    shop.post("/api/v2/aggregator", &risk("r-1"))
        .answers(StatusCode::UNAUTHORIZED)
        .await;
    for (field, value) in [
        ("service_uuid", json!("travel")),
        ("service_uuid", Value::Null),
        ("reference_uuid", json!("")),
        ("reference_uuid", json!("a b")),
        ("reference_uuid", json!("x".repeat(101))),
        ("additional", json!({ "much": "x".repeat(20_000) })),
    ] {
        let mut bad = risk("r-1");
        bad[field] = value;
        let answer = send(&shop, KEY, &bad).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        assert_eq!(answer.fields(), [field]);
    }
    let sent = send(&shop, KEY, &risk("r-1")).await;
    let uuid = sent.text("/data/info/uuid");
    for call in [
        shop.get(&format!("/api/v2/public/quote/read/{uuid}"))
            .header("X-Partner-Key", KEY),
        shop.get(&format!("/api/v2/public/quote/read/{uuid}"))
            .bearer(KEY),
        shop.get("/api/v1/profile").header("X-Partner-Key", KEY),
    ] {
        call.answers(StatusCode::UNAUTHORIZED).await;
    }
}

#[tokio::test]
async fn a_partner_above_its_pace_has_to_wait() {
    let shop = shop().await;
    let mut statuses = Vec::new();
    for _ in 0..120 {
        statuses.push(send(&shop, KEY, &risk("r-1")).await.status);
    }
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS));
    assert!(
        statuses[..100]
            .iter()
            .all(|status| *status == StatusCode::OK)
    );
    // The other partner is not rate limited.
    send(&shop, OTHER, &risk("r-1"))
        .await
        .expect(StatusCode::OK);
}
