//! A store whose newest write contradicts the machine's clock.

use chrono::{TimeDelta, Utc};
use layby::domain::quote::QuoteStatus;
use layby::store::{Direction, Store, tables};

use super::{Running, layby, run, text};
use crate::support::stores::{snapshot, store_in};

/// Sets the time of the store's last write to this number of `days` ago.
async fn write_days_ago(data: &std::path::Path, days: i64) {
    let store = Store::open(&store_in(data)).unwrap();
    let moment = Utc::now() - TimeDelta::days(days);
    let write = store.write(move |tx| tables::NEWEST_WRITE.put(tx, &(), &moment));
    write.await.unwrap();
}

/// Starts a shop with the machine's clock.
fn start(data: &std::path::Path) -> Running {
    let mut command = layby(data);
    command.env_remove("LAYBY_CLOCK");
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    Running::of(command)
}

async fn ready(shop: &Running) -> (u16, String) {
    let client = layby::integrations::http::client(None).unwrap();
    let answer = client
        .get(format!("{}/health/ready", shop.url))
        .send()
        .await
        .unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

fn live(data: &std::path::Path) -> usize {
    let store = Store::open(&store_in(data)).unwrap();
    let quotes = tables::QUOTES.list(&snapshot(&store), &(), Direction::Forward, usize::MAX);
    let live = |quote: &layby::domain::quote::Quote| quote.status == QuoteStatus::Live;
    quotes
        .unwrap()
        .iter()
        .filter(|(_, quote)| live(quote))
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_with_a_clock_three_years_ahead_ends_no_policy_and_is_confirmed_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    run(layby(data).args(["seed", "--customers", "3", "--policies", "30"]));
    let before = live(data);
    assert!(before > 0);
    write_days_ago(data, 3 * 365).await;
    let shop = start(data);
    let (status, why) = ready(&shop).await;
    assert_eq!(status, 503);
    assert!(why.contains("layby resume --clock"), "{why}");
    // The first daily run comes right after the start.
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    drop(shop);
    assert_eq!(live(data), before);

    let resume = || {
        let mut command = layby(data);
        run(command
            .env_remove("LAYBY_CLOCK")
            .args(["resume", "--clock"]))
    };
    let shop = start(data);
    let done = resume();
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(
        text(&done.stdout).contains("the clock is confirmed"),
        "{}",
        text(&done.stdout)
    );
    assert_eq!(ready(&shop).await.0, 200);
    drop(shop);
    // The same with a stopped shop, and with a clock that is behind.
    write_days_ago(data, -1).await;
    assert!(text(&resume().stdout).contains("the clock is confirmed"));
    assert!(text(&resume().stdout).contains("nothing to resume"));
    let wrong = run(layby(data).args(["resume", "--clock", "--dry-run"]));
    assert_eq!(wrong.status.code(), Some(2));
}
