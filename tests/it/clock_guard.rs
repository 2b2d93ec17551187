//! A shop over a file, with a clock that contradicts the store.

use chrono::{DateTime, TimeDelta, Utc};
use layby::app::jobs;
use layby::config::LogFormat;
use layby::domain::quote::QuoteStatus;
use layby::store::{Store, StoreError, tables};
use poem::http::StatusCode;
use serde_json::json;
use tokio::sync::watch;

use crate::money::{self, sell};
use crate::support::stores::snapshot;
use crate::support::{NOW, Shop, log, two_vehicles, two_vehicles_with};

const PAYS: &str = "4242 4242 4242 4242";

async fn guarded() -> Shop {
    let shop = Shop::over(Store::in_memory().unwrap(), NOW).await;
    shop.app.store.guard_clock(shop.clock.clone()).unwrap();
    shop
}

async fn write(shop: &Shop) -> Result<(), StoreError> {
    shop.app.store.write(|_| Ok(())).await
}

/// Returns the time of the last write that the store recorded.
fn newest(shop: &Shop) -> Option<DateTime<Utc>> {
    tables::NEWEST_WRITE
        .get(&snapshot(&shop.app.store), &())
        .unwrap()
}

#[tokio::test]
async fn a_shop_whose_clock_jumps_to_2029_ends_nothing_and_goes_on_when_it_is_right() {
    let shop = guarded().await;
    let sold = sell(&shop, PAYS).await;
    shop.work().await;
    jobs::daily(&shop.app).await.unwrap();
    let (right, round) = (shop.clock.now(), tables::LAST_DAILY_RUN);
    let (lines, _log) = log::recorded(LogFormat::Text);
    let (stop, stopped) = watch::channel(false);
    shop.clock.set("2029-03-01T12:00:00Z".parse().unwrap());
    let jobs = tokio::spawn(layby::worker::run(shop.app.clone(), stopped));
    // Longer than the workers' poll interval.
    tokio::time::sleep(std::time::Duration::from_millis(2500)).await;

    let ready = shop
        .get("/health/ready")
        .answers(StatusCode::SERVICE_UNAVAILABLE)
        .await;
    let text = String::from_utf8(ready.bytes).unwrap();
    let names_both = |text: &str| text.contains("2029-03-01 12:00:00") && text.contains("2026-11-");
    assert!(names_both(&text), "{text}");
    let said = lines.text();
    assert!(
        said.lines()
            .any(|line| line.contains("ERROR") && names_both(line)),
        "{said}"
    );
    let mut product = two_vehicles_with("start_date", "10.03.2029");
    product["multi"]["vehicles"][0]["vehicle_registration_date"] = json!("01.03.2019");
    product["multi"]["vehicles"][1]["vehicle_registration_date"] = json!("01.08.2019");
    let refused = shop.create(&product);
    refused.answers(StatusCode::SERVICE_UNAVAILABLE).await;
    shop.get("/api/v1/site").succeeds().await;
    let status = || shop.row(&tables::QUOTES, &sold.policy).status;
    assert_eq!(status(), QuoteStatus::Live);
    let last = || round.get(&snapshot(&shop.app.store), &()).unwrap().unwrap();
    assert_eq!(last(), layby::domain::time::dates::london_date(right));

    shop.clock.set(right + TimeDelta::days(1));
    jobs::daily(&shop.app).await.unwrap();
    assert_eq!(
        last(),
        layby::domain::time::dates::london_date(shop.clock.now())
    );
    assert_eq!(status(), QuoteStatus::Live);
    stop.send(true).unwrap();
    jobs.await.unwrap();
    shop.get("/health/ready").succeeds().await;
    shop.quote(&two_vehicles()).await;
}

#[tokio::test]
async fn a_clock_may_be_ten_minutes_behind_and_forty_days_ahead_and_no_more() {
    let shop = guarded().await;
    assert_eq!(newest(&shop), None);
    write(&shop).await.unwrap();
    let first = newest(&shop).unwrap();
    assert_eq!(first, shop.clock.now());
    // The time is stored once a minute, with another write, and never set back.
    shop.clock.advance(TimeDelta::seconds(59));
    write(&shop).await.unwrap();
    assert_eq!(newest(&shop), Some(first));
    let at = |by: TimeDelta| {
        shop.clock.set(first + by);
        shop.app.wrong_clock().is_some()
    };
    assert!(!at(-TimeDelta::minutes(10)));
    write(&shop).await.unwrap();
    assert_eq!(newest(&shop), Some(first));
    let second = TimeDelta::seconds(1);
    assert!(at(-TimeDelta::minutes(10) - second));
    assert!(at(TimeDelta::days(40) + second));
    assert!(!at(TimeDelta::days(40)));
    write(&shop).await.unwrap();
    assert_eq!(newest(&shop), Some(first + TimeDelta::days(40)));
}

#[tokio::test]
async fn a_store_that_was_never_guarded_goes_by_its_last_daily_round() {
    let shop = Shop::new().await;
    jobs::daily(&shop.app).await.unwrap();
    shop.clock.advance(TimeDelta::days(100));
    shop.app.store.guard_clock(shop.clock.clone()).unwrap();
    assert!(shop.app.wrong_clock().is_some());
    // A daily run from the future reports nothing.
    let shop = Shop::new().await;
    jobs::daily(&shop.app).await.unwrap();
    shop.clock.advance(-TimeDelta::days(2));
    shop.app.store.guard_clock(shop.clock.clone()).unwrap();
    assert!(shop.app.wrong_clock().is_none());
}

#[tokio::test]
async fn an_operator_confirms_the_clock_of_a_shop_that_was_off_for_long() {
    let shop = guarded().await;
    write(&shop).await.unwrap();
    let confirm = async || {
        layby::app::resume::confirm_clock(&shop.app.store, shop.clock.now())
            .await
            .unwrap()
    };
    let line = confirm().await;
    assert!(line.contains("nothing to resume"), "{line}");
    shop.clock.advance(TimeDelta::days(100));
    assert!(shop.app.wrong_clock().is_some());
    assert!(matches!(write(&shop).await, Err(StoreError::Clock(_))));
    let line = confirm().await;
    assert!(line.contains("2027-") && line.contains("2026-"), "{line}");
    assert!(shop.app.wrong_clock().is_none());
    assert_eq!(newest(&shop), Some(shop.clock.now()));
    write(&shop).await.unwrap();
}

#[tokio::test]
async fn a_daily_round_of_the_future_does_not_keep_todays_from_being_done() {
    let shop = Shop::new().await;
    money::sell(&shop, PAYS).await;
    let wrong = "2029-03-01".parse().unwrap();
    let write = shop
        .app
        .store
        .write(move |tx| tables::LAST_DAILY_RUN.put(tx, &(), &wrong));
    write.await.unwrap();
    let (lines, _log) = log::recorded(LogFormat::Text);
    jobs::daily(&shop.app).await.unwrap();
    let said = lines.text();
    assert!(
        said.contains("the last daily round is dated in the future"),
        "{said}"
    );
    let last = tables::LAST_DAILY_RUN
        .get(&snapshot(&shop.app.store), &())
        .unwrap();
    assert_eq!(last, Some(shop.app.clock.today()));
}
