//! Limits of payment pages, against card testers.

use chrono::TimeDelta;
use layby::app::payments::status;
use layby::store::{Direction, tables};
use poem::http::StatusCode;
use serde_json::json;

use super::Till;
use crate::support::stores::snapshot;
use crate::support::{Made, Shop, two_gadgets, two_vehicles, two_vehicles_with};

const DECLINED: &str = "4000 0000 0000 0002";

fn pages(shop: &Shop, quote: &Made) -> usize {
    let tx = snapshot(&shop.app.store);
    let quote: uuid::Uuid = quote.uuid.parse().unwrap();
    let rows = tables::PAYMENT_BY_QUOTE.list(&tx, &quote, Direction::Forward, 5000);
    rows.unwrap().len()
}

/// Makes a page and has its card declined. Returns `None` if no page is made.
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
    // A call waits at most two seconds for a database connection. Among so many, some may have to retry
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
    assert!(pages(&till.shop, &till.quote) <= 10);
}

#[tokio::test]
async fn a_quote_has_ten_pages_an_hour_and_then_waits() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let mut made = 0;
    for _ in 0..30 {
        // A long wait of the address doesn't hide the quote's.
        shop.clock.advance(TimeDelta::seconds(70));
        made += usize::from(declined(&shop, &quote).await.is_some());
    }
    assert_eq!(made, 10);
    assert_eq!(pages(&shop, &quote), 10);
    shop.clock.advance(TimeDelta::minutes(61));
    assert!(declined(&shop, &quote).await.is_some());
}

#[tokio::test]
async fn a_mailbox_has_ten_pages_an_hour_for_all_its_quotes() {
    let shop = Shop::new().await;
    let mut made = 0;
    for number in 0..12 {
        let mut product = if number % 2 == 0 {
            two_vehicles()
        } else {
            two_gadgets()
        };
        product["values"]["email_primary"] = json!("pages@example.org");
        let quote = shop.quote(&product).await;
        shop.accept(&quote).await.expect(StatusCode::OK);
        let started = shop.initiate(&quote).await;
        made += usize::from(started.status == StatusCode::OK);
    }
    assert_eq!(made, 10);
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
