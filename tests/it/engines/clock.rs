//! The shops' clocks compared with the database's.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::time::{Duration, Instant};

use chrono::{TimeDelta, Utc};
use layby::clock::Clock;
use layby::config::LogFormat;
use layby::store::tables::{self, Job, Task};
use layby::store::{ReadTx, Store, StoreError};
use poem::http::StatusCode;
use tokio::sync::watch;
use uuid::Uuid;

use crate::support::database::{Server, client, join, join_as_built};
use crate::support::{NOW, Shop, log};

/// Joins a cluster, with or without a comparison of clocks.
async fn joined(url: &str, compares: bool) -> Result<Store, StoreError> {
    let url = url.to_string();
    let join = tokio::task::spawn_blocking(move || match compares {
        true => join(&url, &[("breakdown 3", "a")]),
        false => join_as_built(&url),
    });
    join.await.unwrap()
}

/// Makes a test's clock run with the machine's. Returns its lead in seconds, which the test may change.
fn runs(clock: &Clock) -> Arc<AtomicI64> {
    let ahead = Arc::new(AtomicI64::new(0));
    let (clock, seconds) = (clock.clone(), ahead.clone());
    tokio::spawn(async move {
        loop {
            clock.set(Utc::now() + TimeDelta::seconds(seconds.load(SeqCst)));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    ahead
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_not_the_databases_is_refused() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    drop(joined(&schema, true).await.unwrap());
    // The database's clock is an hour behind.
    let behind = "CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS \
        $$SELECT pg_catalog.clock_timestamp() - interval '1 hour'$$";
    client(&schema).await.batch_execute(behind).await.unwrap();
    let first = format!("{schema}%2Cpg_catalog");
    let why = joined(&first, true).await.err().unwrap().to_string();
    let later = why
        .split_once("clock is ")
        .and_then(|(_, rest)| rest.split_once(" s later"));
    let later = later.and_then(|(seconds, _)| seconds.parse().ok());
    assert!(
        later.is_some_and(|seconds: u32| (3595..=3600).contains(&seconds)),
        "{why}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_whose_clock_goes_wrong_says_so_and_is_ready_again_when_it_is_right() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let shop = Shop::over(joined(&schema, true).await.unwrap(), NOW).await;
    let (lines, _log) = log::recorded(LogFormat::Text);
    let ready = async |milliseconds| {
        let by = TimeDelta::milliseconds(milliseconds);
        shop.clock.set(Utc::now() + by);
        shop.app.refresh_cluster_state().await.unwrap();
        let answer = shop.get("/health/ready").send().await;
        let text = String::from_utf8(answer.bytes).unwrap();
        (answer.status, text, answer.headers)
    };
    // A busy machine takes a moment between the setting of this fixed clock and its reading.
    for right in [0, 1500, -200] {
        assert_eq!(ready(right).await.0, StatusCode::OK, "{right} ms");
    }
    assert!(!lines.text().contains("clock"), "{}", lines.text());
    for wrong in [65_000, 66_000, -65_000] {
        let (status, text, headers) = ready(wrong).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{wrong} ms");
        let which = if wrong > 0 { "later" } else { "earlier" };
        assert!(text.contains("this machine's clock is 6"), "{text}");
        assert!(text.contains(which), "{text}");
        assert!(headers.contains_key("Retry-After"));
    }
    // Logged once, not each second.
    let said = lines.text();
    assert_eq!(said.matches("no job starts").count(), 1, "{said}");
    assert!(said.contains("this machine's clock is 6"), "{said}");
    assert_eq!(ready(0).await.0, StatusCode::OK);
    let said = lines.text();
    assert_eq!(
        said.matches("the clock is right again").count(),
        1,
        "{said}"
    );

    // Only a test sets LAYBY_CLOCK, so a fixed clock is not compared.
    drop(shop);
    let shop = Shop::over(joined(&schema, false).await.unwrap(), NOW).await;
    shop.app.refresh_cluster_state().await.unwrap();
    shop.get("/health/ready").succeeds().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_work_is_begun_by_a_wrong_clock_and_it_is_when_that_is_right() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let shop = Shop::over(joined(&schema, true).await.unwrap(), NOW).await;
    let ahead = runs(&shop.clock);
    ahead.store(40 * 86_400, SeqCst);
    while shop.clock.now() < Utc::now() + TimeDelta::days(39) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    shop.app.refresh_cluster_state().await.unwrap();
    let key = (Utc::now(), Uuid::new_v4());
    let job = Job::new(Task::AskGateway {
        payment: Uuid::new_v4(),
    });
    let store = &shop.app.store;
    let write = store.write(move |tx| tables::JOBS.put(tx, &key, &job));
    write.await.unwrap();
    let (stop, stopped) = watch::channel(false);
    let jobs = tokio::spawn(layby::worker::run(shop.app.clone(), stopped));
    let waits = async || {
        let read = |tx: &ReadTx| {
            let job = tables::JOBS.get(tx, &key)?;
            let round = tables::LAST_DAILY_RUN.get(tx, &())?;
            Ok::<_, StoreError>((job, round))
        };
        store.read(read).await.unwrap()
    };
    // Longer than the workers' poll interval.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    let (job, round) = waits().await;
    assert!(job.is_some_and(|job| job.lease.is_none() && job.tries == 0));
    assert_eq!(round, None, "a day's work was done for another day");

    // The job's subject does not exist, so the worker drops the job.
    ahead.store(0, SeqCst);
    let began = Instant::now();
    while waits().await.0.is_some() {
        assert!(began.elapsed() < Duration::from_secs(20), "it still waits");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(shop.app.wrong_clock().is_none());
    stop.send(true).unwrap();
    jobs.await.unwrap();
}
