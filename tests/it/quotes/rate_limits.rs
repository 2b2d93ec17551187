//! Rate limits of saves by anonymous clients, for each client and for all together.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::json;

use crate::support::{Answer, Shop, two_vehicles};

const BEHIND_A_PROXY: &str = "[server]\ntrusted_proxies = [\"0.0.0.0\"]\n";
const ONE: &str = "192.0.2.1";

async fn save(shop: &Shop, client: &str) -> Answer {
    let call = shop.create(&two_vehicles());
    call.header("X-Forwarded-For", client).send().await
}

/// Makes `tries` saves. Returns the number of saves that succeed. The other saves get a `Retry-After` of the
/// next part of a minute.
async fn saved(shop: &Shop, client: &str, tries: usize) -> usize {
    let longest = 60 / u64::from(shop.app.config.limits.saves_per_minute.max(1)) + 1;
    let mut saved = 0;
    for _ in 0..tries {
        let answer = save(shop, client).await;
        match answer.status {
            StatusCode::CREATED => saved += 1,
            StatusCode::TOO_MANY_REQUESTS => {
                let wait = answer.headers["retry-after"].to_str().unwrap();
                assert!((1..=longest).contains(&wait.parse().unwrap()), "{wait}");
            }
            other => panic!("{other} {:#}", answer.body),
        }
    }
    saved
}

#[tokio::test]
async fn a_visitor_saves_a_hundred_and_twenty_times_at_once_and_then_sixty_a_minute() {
    let shop = Shop::configured(BEHIND_A_PROXY).await;
    assert_eq!(saved(&shop, ONE, 125).await, 120);
    shop.clock.advance(TimeDelta::minutes(1));
    assert_eq!(saved(&shop, ONE, 65).await, 60);
    // Other clients are not limited, and an IPv6 household is one client.
    let quote = save(&shop, "192.0.2.2").await.expect(StatusCode::CREATED);
    for number in 0..120 {
        let client = format!("2001:db8:0:10{:02}::1", number % 100);
        save(&shop, &client).await.expect(StatusCode::CREATED);
    }
    assert_eq!(saved(&shop, "2001:db8:0:10ff::2", 1).await, 0);
    assert_eq!(saved(&shop, "2001:db8:0:1100::2", 1).await, 1);

    // Changing a quote counts as a save; asking for prices does not.
    let path = format!("/api/v1/quote/{}", quote.text("/data/uuid"));
    let change = |client: &str| {
        let call = shop.put(&path, &json!({ "product": two_vehicles() }));
        let call = call.bearer(&quote.text("/data/consumer_token"));
        call.header("X-Forwarded-For", client).send()
    };
    change("192.0.2.2").await.expect(StatusCode::OK);
    change(ONE).await.expect(StatusCode::TOO_MANY_REQUESTS);
    let price = json!({ "product": two_vehicles() });
    let price = shop.post("/api/v1/price", &price);
    price.header("X-Forwarded-For", ONE).succeeds().await;
}

#[tokio::test]
async fn a_customer_who_is_logged_in_and_a_shop_that_sets_no_pace_are_not_held_up() {
    let settings = format!("{BEHIND_A_PROXY}[limits]\nsaves_per_minute = 1\n");
    let shop = Shop::configured(&settings).await;
    let (_, cookie) = shop.customer().await;
    assert_eq!(saved(&shop, ONE, 5).await, 2);
    for _ in 0..5 {
        let call = shop.create(&two_vehicles());
        let call = call.cookies(&cookie).header("X-Forwarded-For", ONE);
        call.answers(StatusCode::CREATED).await;
    }
    let shop = Shop::configured(&format!("{BEHIND_A_PROXY}[limits]\nsaves_per_minute = 0\n")).await;
    assert_eq!(saved(&shop, ONE, 200).await, 200);
}

#[tokio::test]
async fn a_client_asks_for_1200_prices_at_once_and_then_600_a_minute() {
    let shop = Shop::configured(BEHIND_A_PROXY).await;
    let asked = |client: &'static str| {
        let product = json!({ "product": two_vehicles() });
        let call = shop.post("/api/v1/price", &product);
        call.header("X-Forwarded-For", client).send()
    };
    for number in 0..1200 {
        // Prices, instalments and forms share one count.
        let call = match number % 3 {
            0 => shop.post("/api/v1/price", &json!({ "product": two_vehicles() })),
            1 => shop.post(
                "/api/v1/monthly-price",
                &json!({ "product": two_vehicles() }),
            ),
            _ => shop.post("/api/v1/form/breakdown", &json!({})),
        };
        let answer = call.header("X-Forwarded-For", ONE).send().await;
        assert_ne!(answer.status, StatusCode::TOO_MANY_REQUESTS, "{number}");
    }
    let refused = asked(ONE).await.expect(StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers["retry-after"], "1");
    asked("192.0.2.2").await.expect(StatusCode::OK);
    shop.clock.advance(TimeDelta::seconds(1));
    for _ in 0..10 {
        asked(ONE).await.expect(StatusCode::OK);
    }
    asked(ONE).await.expect(StatusCode::TOO_MANY_REQUESTS);

    let settings = format!("{BEHIND_A_PROXY}[limits]\nprices_per_minute = 0\n");
    let shop = Shop::configured(&settings).await;
    let price = json!({ "product": two_vehicles() });
    for _ in 0..1300 {
        let call = shop.post("/api/v1/price", &price);
        call.succeeds().await;
    }
}

#[tokio::test]
async fn all_clients_together_begin_so_many_quotes_and_what_is_being_bought_goes_on() {
    let settings = format!("{BEHIND_A_PROXY}[limits]\ntotal_saves_per_hour = 3\n");
    let shop = Shop::configured(&settings).await;
    let bought = shop.quote(&two_vehicles()).await;
    // A request that saves nothing does not count.
    for _ in 0..5 {
        let call = shop.post("/api/v2/public/quote/breakdown", &json!({ "product": {} }));
        let answer = call.header("X-Forwarded-For", ONE).send().await;
        assert!(answer.status.is_client_error() && answer.status != StatusCode::TOO_MANY_REQUESTS);
    }
    for client in [ONE, "192.0.2.2"] {
        save(&shop, client).await.expect(StatusCode::CREATED);
    }
    let refused = save(&shop, "192.0.2.3").await;
    let wait = refused.expect(StatusCode::TOO_MANY_REQUESTS).headers["retry-after"].clone();
    assert_eq!(wait, "1201");

    // An existing quote can be changed, accepted and paid for.
    let path = format!("/api/v1/quote/{}", bought.uuid);
    let change = || {
        let call = shop.put(&path, &json!({ "product": two_vehicles() }));
        call.bearer(&bought.token).send()
    };
    change().await.expect(StatusCode::OK);
    shop.accept(&bought).await.expect(StatusCode::OK);
    shop.initiate(&bought).await.expect(StatusCode::OK);
    // The exemption has a limit: further changes count towards the rate limit.
    for _ in 2..20 {
        change().await.expect(StatusCode::OK);
    }
    change().await.expect(StatusCode::TOO_MANY_REQUESTS);

    // A logged-in customer can create another quote, but the next anonymous customer must wait.
    let (_, cookie) = shop.customer().await;
    let call = shop.create(&two_vehicles());
    call.cookies(&cookie).answers(StatusCode::CREATED).await;
    shop.clock.advance(TimeDelta::minutes(20));
    save(&shop, ONE).await.expect(StatusCode::CREATED);
    save(&shop, ONE).await.expect(StatusCode::TOO_MANY_REQUESTS);

    let settings = format!("{BEHIND_A_PROXY}[limits]\ntotal_saves_per_hour = 0\n");
    let shop = Shop::configured(&settings).await;
    for number in 0..10 {
        let client = format!("192.0.2.{number}");
        save(&shop, &client).await.expect(StatusCode::CREATED);
    }
}
