//! Retention: an abandoned quote is deleted in time, with all its rows.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use chrono::TimeDelta;
use layby::app::{accounts, jobs, limits};
use layby::products::Catalogue;
use layby::store::{AnyTable, Direction, Read, TABLES, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{KEY, click, made, risk, send, shop};
use crate::support::stores::snapshot;
use crate::support::{Made, Shop, two_vehicles, two_vehicles_with};

const DECLINED: &str = "4000 0000 0000 0002";
const PAYS: &str = "4242 4242 4242 4242";

/// Returns the number of rows of each table that has any, without the shop's counters.
fn rows(shop: &Shop) -> BTreeMap<&'static str, usize> {
    let tx = snapshot(&shop.app.store);
    let mut rows = BTreeMap::new();
    for table in TABLES {
        let (from, to) = ([table.number()], [table.number() + 1]);
        let count = &mut |_: &[u8], _: &[u8]| {
            *rows.entry(table.name()).or_default() += 1;
            ControlFlow::Continue(())
        };
        tx.scan(&from, &to, Direction::Forward, count).unwrap();
    }
    rows.remove(tables::COUNTERS.name());
    rows.remove(tables::LAST_DAILY_RUN.name());
    rows
}

/// Advances the clock by some days, with one daily run each day.
async fn sleeps(shop: &Shop, days: i64) {
    for _ in 0..days {
        shop.clock.advance(TimeDelta::days(1));
        jobs::daily(&shop.app).await.unwrap();
        accounts::delete_ended_sessions(&shop.app.store, &shop.app.clock)
            .await
            .unwrap();
        limits::forget_counts(&shop.app.store, &shop.app.clock)
            .await
            .unwrap();
        shop.work().await;
    }
}

async fn save(shop: &Shop, quote: &Made, address: &str) {
    let product = two_vehicles_with("email_primary", json!(address));
    let path = format!("/api/v1/quote/{}", quote.uuid);
    let call = shop.put(&path, &json!({ "product": product }));
    call.bearer(&quote.token).succeeds().await;
}

async fn draft(shop: &Shop, cookie: Option<&str>) -> String {
    let mut product = two_vehicles_with("email_primary", "draft@example.org");
    product["values"]["start_date"] = Value::Null;
    let body = json!({ "product": product, "draft": true });
    let call = shop.post("/api/v2/public/quote/breakdown", &body);
    let call = match cookie {
        Some(cookie) => call.cookies(cookie),
        None => call,
    };
    let made = call.answers(StatusCode::CREATED).await;
    made.text("/data/uuid")
}

async fn try_to_pay(shop: &Shop, quote: &Made, card: &str) {
    shop.buy(quote, card).await;
    shop.payment(quote).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn nothing_is_left_of_a_quote_that_nobody_came_back_for() {
    let shop = shop().await;
    let before = rows(&shop);
    // A partner requests the quote twice. The customer opens and saves the quote, types other addresses, and
    // fails to pay.
    send(&shop, KEY, &risk("r-1")).await.expect(StatusCode::OK);
    let sent = send(&shop, KEY, &risk("r-1")).await;
    let quote = made(&click(&shop, &sent.text("/data/click_through")).await);
    for address in ["one@example.org", "two@example.org", "two+car@example.org"] {
        save(&shop, &quote, address).await;
        shop.clock.advance(TimeDelta::minutes(1));
        shop.work().await;
    }
    try_to_pay(&shop, &quote, DECLINED).await;
    // Nobody opens the other partner's quote. A visitor leaves a draft and a quote.
    send(&shop, KEY, &risk("r-2")).await.expect(StatusCode::OK);
    draft(&shop, None).await;
    shop.quote(&two_vehicles()).await;
    shop.clock.advance(TimeDelta::minutes(1));
    shop.work().await;
    let full = rows(&shop);
    for table in [
        "quotes",
        "revisions",
        "payments",
        "clicks",
        "users",
        "links",
    ] {
        assert!(full.contains_key(table), "{table}: {full:?}");
    }
    sleeps(&shop, 90).await;
    assert_eq!(rows(&shop)["quotes"], 4);
    sleeps(&shop, 1).await;
    assert_eq!(rows(&shop), before);
    // The partner's reference then makes a new quote.
    let mut again = risk("r-1");
    again["product"]["values"]["start_date"] = json!("25.02.2027");
    send(&shop, KEY, &again).await.expect(StatusCode::OK);
    assert_eq!(rows(&shop)["quotes"], 1);
}

#[tokio::test]
async fn what_is_somebodys_or_was_paid_for_stays_and_drafts_go() {
    let shop = shop().await;
    let ann = shop.seed(1, 0).await.remove(0);
    sleeps(&shop, 120).await;
    let cookie = shop.log_in(&ann).await;
    let before = rows(&shop).get("quotes").copied().unwrap_or_default();
    let mut product = two_vehicles_with("start_date", "25.03.2027");
    product["multi"]["vehicles"][0]["vehicle_registration_date"] = json!("01.03.2018");
    let own = shop.create(&product);
    let own = own.cookies(&cookie).answers(StatusCode::CREATED).await;
    let own = own.text("/data/uuid");
    let in_account = draft(&shop, Some(&cookie)).await;
    product["values"]["email_primary"] = json!("buyer@example.org");
    let bought = shop.quote(&product).await;
    try_to_pay(&shop, &bought, PAYS).await;
    let risk = json!({
        "product": product, "reference_uuid": "r-1", "service_uuid": "breakdown-uk",
    });
    let sent = send(&shop, KEY, &risk).await.expect(StatusCode::OK);
    let sold = made(&click(&shop, &sent.text("/data/click_through")).await);
    try_to_pay(&shop, &sold, PAYS).await;
    let there = |uuid: &str| {
        let tx = snapshot(&shop.app.store);
        tables::QUOTES.has(&tx, &uuid.parse().unwrap()).unwrap()
    };
    sleeps(&shop, 91).await;
    for uuid in [&own, &bought.uuid, &sold.uuid] {
        assert!(there(uuid), "{uuid}");
    }
    assert!(!there(&in_account));
    let after = rows(&shop);
    assert_eq!(after["quotes"], before + 3);
    // The partner's requests are deleted, but the sales through the partner stay.
    for table in [
        "partner_requests",
        "partner_request_by_quote",
        "clicks",
        "click_by_quote",
    ] {
        assert!(!after.contains_key(table), "{after:?}");
    }
    assert_eq!(after["policies"], 2);
}

#[tokio::test]
async fn a_quote_that_was_saved_a_thousand_times_is_deleted_in_steps() {
    let shop =
        Shop::configured("[limits]\nsaves_per_minute = 0\n[retention]\nunclaimed_days = 32\n")
            .await;
    let before = rows(&shop);
    let mut product = two_vehicles();
    product["values"]["email_primary"] = Value::Null;
    let body = json!({ "product": product, "draft": true });
    let made = shop
        .post("/api/v2/public/quote/breakdown", &body)
        .answers(StatusCode::CREATED)
        .await;
    let path = format!("/api/v1/quote/{}", made.text("/data/uuid"));
    let token = made.text("/data/consumer_token");
    for _ in 0..1100 {
        let call = shop.put(&path, &body).bearer(&token);
        call.succeeds().await;
    }
    assert_eq!(rows(&shop)["revisions"], 1100);
    sleeps(&shop, 33).await;
    assert_eq!(rows(&shop), before);
}

#[tokio::test]
async fn a_disk_that_gets_short_of_room_keeps_anonymous_quotes_for_a_week() {
    let shop = shop().await;
    let (_, cookie) = shop.customer().await;
    let mut unnamed = two_vehicles();
    unnamed["values"]["email_primary"] = Value::Null;
    let body = json!({ "product": unnamed, "draft": true });
    let own = shop.post("/api/v2/public/quote/breakdown", &body);
    let own = own.cookies(&cookie).send().await.text("/data/uuid");
    let anonymous = async || {
        let call = shop.post("/api/v2/public/quote/breakdown", &body);
        call.answers(StatusCode::CREATED).await.text("/data/uuid")
    };
    let old = anonymous().await;
    let mailed = shop.quote(&two_vehicles()).await;
    let sent = send(&shop, KEY, &risk("r-1")).await.expect(StatusCode::OK);
    let partners = sent.text("/data/info/uuid");
    shop.clock.advance(TimeDelta::minutes(1));
    shop.work().await;
    shop.clock.advance(TimeDelta::days(1));
    let newer = anonymous().await;

    let there = |uuid: &String| {
        let tx = snapshot(&shop.app.store);
        tables::QUOTES.has(&tx, &uuid.parse().unwrap()).unwrap()
    };
    shop.clock.advance(TimeDelta::days(6));
    jobs::delete_anonymous_quotes(&shop.app).await.unwrap();
    assert!(there(&old), "there is room");
    let short = "[server]\nmin_free_disk = \"1000000 GiB\"\n";
    let short = shop.restarted(short, Catalogue::load(None).unwrap()).await;
    jobs::delete_anonymous_quotes(&short.app).await.unwrap();
    assert!(there(&old), "it was saved seven days ago");
    short.clock.advance(TimeDelta::days(1));
    jobs::delete_anonymous_quotes(&short.app).await.unwrap();
    assert!(!there(&old));
    for uuid in [&own, &mailed.uuid, &partners, &newer] {
        assert!(there(uuid), "{uuid}");
    }
    short.clock.advance(TimeDelta::days(1));
    jobs::delete_anonymous_quotes(&short.app).await.unwrap();
    assert!(!there(&newer));
    assert!(there(&own) && there(&mailed.uuid));
}
