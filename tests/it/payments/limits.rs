//! Limits of payment pages, against card testers.

use chrono::TimeDelta;
use layby::app::payments::status;
use layby::store::{Direction, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::Till;
use crate::support::database::empty_store;
use crate::support::stores::snapshot;
use crate::support::{Answer, Made, NOW, Shop, two_gadgets, two_vehicles, two_vehicles_with};

const DECLINED: &str = "4000 0000 0000 0002";

fn pages(shop: &Shop, quote: &str) -> usize {
    let tx = snapshot(&shop.app.store);
    let quote: uuid::Uuid = quote.parse().unwrap();
    let rows = tables::PAYMENT_BY_QUOTE.list(&tx, &quote, Direction::Forward, 5000);
    rows.unwrap().len()
}

/// Starts a payment and declines its card. Returns `None` if the rate limit refuses the payment.
async fn declined(shop: &Shop, quote: &Made) -> Option<()> {
    shop.clock.advance(TimeDelta::seconds(2));
    let started = shop.initiate(quote).await;
    if started.status == StatusCode::TOO_MANY_REQUESTS {
        let wait: u64 = started.headers["Retry-After"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!(wait > 0);
        return None;
    }
    let started = started.expect(StatusCode::OK);
    let page = started.text("/data/url");
    shop.pay(&page, DECLINED).await.assert_status_is_ok();
    let payment = shop.payment(quote).await.expect(StatusCode::OK);
    assert_eq!(payment.at("/data/status"), "failed");
    Some(())
}

#[tokio::test]
async fn a_thousand_calls_at_once_for_one_quote_make_at_most_ten_pages() {
    let till = Till::open().await;
    let calls = (0..1000).map(|_| till.shop.initiate(&till.quote));
    // A call waits at most two seconds for a database connection. Some of many calls may have to retry
    // (docs/decisions/0023).
    let may_be_late = till.shop.app.store.node().is_some();
    let mut made = 0;
    for answer in futures_util::future::join_all(calls).await {
        match answer.status {
            StatusCode::OK => made += 1,
            StatusCode::TOO_MANY_REQUESTS => {}
            StatusCode::SERVICE_UNAVAILABLE if may_be_late => {
                assert!(answer.headers.contains_key("Retry-After"));
            }
            other => panic!("{other}"),
        }
    }
    assert!(made > 0, "nobody could pay");
    assert!(pages(&till.shop, &till.quote.uuid) <= 10);
}

#[tokio::test]
async fn a_quote_has_ten_pages_an_hour_and_then_waits() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let mut made = 0;
    for _ in 0..30 {
        // The wait stays so short that the limit of the address does not hide the limit of the quote.
        shop.clock.advance(TimeDelta::seconds(70));
        made += usize::from(declined(&shop, &quote).await.is_some());
    }
    assert_eq!(made, 10);
    assert_eq!(pages(&shop, &quote.uuid), 10);
    shop.clock.advance(TimeDelta::minutes(61));
    assert!(declined(&shop, &quote).await.is_some());
}

/// Accepts a new quote of the customer who is logged in, and starts its payment.
pub async fn start_as(shop: &Shop, cookie: &str, product: &Value) -> (String, Answer) {
    let call = shop.create(product).cookies(cookie);
    let quote = call.answers(StatusCode::CREATED).await.text("/data/uuid");
    let terms = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    let accept = format!("/api/v1/quote/update-accept/{quote}");
    shop.post(&accept, &terms).cookies(cookie).succeeds().await;
    let body = json!({ "uuid": quote });
    let initiate = shop.post("/api/v1/gateway/sandbox/initiate", &body);
    (quote, initiate.cookies(cookie).send().await)
}

#[tokio::test]
async fn an_account_has_ten_pages_an_hour_for_all_its_quotes() {
    let shop = Shop::new().await;
    let (user, cookie) = shop.customer().await;
    let mut made = 0;
    for number in 0..12 {
        let product = if number % 2 == 0 {
            two_vehicles()
        } else {
            two_gadgets()
        };
        let (_, started) = start_as(&shop, &cookie, &product).await;
        made += usize::from(started.status == StatusCode::OK);
    }
    assert_eq!(made, 10);

    // A stranger who types the customer's address uses up none of the customer's pages.
    shop.clock.advance(TimeDelta::minutes(61));
    for _ in 0..10 {
        let quote = accepted(&shop, &user).await;
        shop.initiate(&quote).await.expect(StatusCode::OK);
    }
    let (_, started) = start_as(&shop, &cookie, &two_vehicles()).await;
    started.expect(StatusCode::OK);
}

#[tokio::test]
async fn an_address_with_ten_declined_cards_waits_twice_as_long_each_time() {
    let shop = Shop::new().await;
    let mut waits = Vec::new();
    for number in 0..14 {
        let product = two_vehicles_with("email_primary", format!("tester{number}@example.org"));
        let quote = shop.quote(&product).await;
        shop.accept(&quote).await.expect(StatusCode::OK);
        let started = shop.initiate(&quote).await;
        if started.status == StatusCode::TOO_MANY_REQUESTS {
            let wait: i64 = started.headers["Retry-After"]
                .to_str()
                .unwrap()
                .parse()
                .unwrap();
            waits.push(wait);
            shop.clock.advance(TimeDelta::seconds(wait));
        }
        let started = shop.initiate(&quote).await.expect(StatusCode::OK);
        let page = started.text("/data/url");
        shop.pay(&page, DECLINED).await.assert_status_is_ok();
        let id: uuid::Uuid = started.text("/data/payment_id").parse().unwrap();
        status::sync_payment_status(&shop.app, id).await.unwrap();
    }
    assert_eq!(waits.len(), 4, "{waits:?}");
    for pair in waits.windows(2) {
        assert!(pair[1] >= pair[0] * 2 - 2, "{waits:?}");
    }
}

/// Accepts a new quote of this mailbox, ready for payment.
async fn accepted(shop: &Shop, mailbox: &str) -> Made {
    let product = two_vehicles_with("email_primary", mailbox);
    let quote = shop.quote(&product).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    quote
}

/// Returns every row of the limits' counts.
fn counts(shop: &Shop) -> Vec<([u8; 32], tables::LimitCount)> {
    let tx = snapshot(&shop.app.store);
    tables::LIMIT_COUNTS
        .list(&tx, &(), Direction::Forward, 5000)
        .unwrap()
}

#[tokio::test]
async fn a_refused_page_leaves_no_attempt_and_no_count() {
    let shop = Shop::new().await;
    let (_, cookie) = shop.customer().await;
    for _ in 0..10 {
        let (_, started) = start_as(&shop, &cookie, &two_vehicles()).await;
        started.expect(StatusCode::OK);
    }
    let before = counts(&shop);
    for _ in 0..3 {
        let (quote, refused) = start_as(&shop, &cookie, &two_vehicles()).await;
        refused.expect(StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(pages(&shop, &quote), 0);
    }
    assert_eq!(counts(&shop), before);
}

#[tokio::test]
async fn two_shops_over_one_store_count_an_account_and_an_address_together() {
    let store = empty_store().await;
    let shops = [
        Shop::over(store.clone(), NOW).await,
        Shop::over(store, NOW).await,
    ];
    let (_, cookie) = shops[0].customer().await;
    let count_pages = async || {
        let mut made = 0;
        for number in 0..12 {
            let (_, started) = start_as(&shops[number % 2], &cookie, &two_vehicles()).await;
            made += usize::from(started.status == StatusCode::OK);
        }
        made
    };
    assert_eq!(count_pages().await, 10);
    // The window slides: no page of the last hour is forgotten early.
    for shop in &shops {
        shop.clock.advance(TimeDelta::minutes(59));
    }
    assert_eq!(count_pages().await, 0);
    for shop in &shops {
        shop.clock.advance(TimeDelta::minutes(2));
    }
    assert_eq!(count_pages().await, 10);

    for number in 0..10 {
        let quote = accepted(&shops[0], &format!("tester{number}@example.org")).await;
        declined(&shops[0], &quote).await.unwrap();
    }
    let quote = accepted(&shops[1], "another@example.org").await;
    let started = shops[1].initiate(&quote).await;
    started.expect(StatusCode::TOO_MANY_REQUESTS);
}
