//! Two nodes over one store in a database, each in its own process.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use layby::store::{Direction, ReadTx, Store, StoreError, tables};

use super::{Running, documents, layby, run, text};
use crate::support::database::{Server, client, join_as_built};

fn start(url: &str, now: &str, data: &Path) -> Running {
    let mut command = layby(data);
    command
        .env("LAYBY_CLOCK", now)
        .env("LAYBY_STORE__URL", url)
        .env("LAYBY_DOCUMENTS__URL", documents())
        .env("LAYBY_SERVER__METRICS_ALLOW", "127.0.0.1")
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stderr(Stdio::null());
    Running::of(command)
}

/// Joins the cluster, to read the store beside the shops.
async fn joined(url: &str) -> Store {
    let url = url.to_string();
    let join = tokio::task::spawn_blocking(move || join_as_built(&url));
    join.await.unwrap().unwrap()
}

async fn page(shop: &Running, path: &str) -> (u16, String) {
    let client = layby::integrations::http::client(None).unwrap();
    let answer = client.get(format!("{}{path}", shop.url)).send().await;
    let answer = answer.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_begun_at_a_shop_that_was_killed_is_finished_at_the_other_and_once() {
    let Some(server) = Server::run() else { return };
    let url = server.schema().await;
    let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let few = ["seed", "--customers", "3", "--policies", "60"];
    let mut seed = layby(here.path());
    seed.env("LAYBY_DOCUMENTS__URL", documents());
    let seeded = run(seed.env("LAYBY_STORE__URL", &url).args(few));
    assert!(seeded.status.success(), "{}", text(&seeded.stderr));
    let now = "2026-11-21T12:00:00Z";
    let one = start(&url, now, here.path());
    let other = start(&url, now, there.path());
    let mut sales = Vec::new();
    for _ in 0..3 {
        let (uuid, token, frame) = one.until_the_page().await;
        // Any node shows the gateway's page. The card pays, and the gateway sends no callback.
        other.pay(&frame, "4000000000000085").await;
        sales.push((uuid, token));
    }
    let (status, metrics) = page(&other, "/metrics").await;
    assert_eq!(status, 200);
    assert!(metrics.contains("layby_node{node="), "{metrics}");
    drop(one);
    let killed = Instant::now();
    // A node that starts now has a clock past the time at which the job asks.
    drop(other);
    let other = start(&url, "2026-11-21T12:05:00Z", there.path());
    'sales: for (uuid, token) in &sales {
        let path = format!("/api/v2/policy/read/{uuid}");
        while killed.elapsed() < Duration::from_secs(60) {
            let (status, _) = other.call("GET", &path, token, None).await;
            if status == 200 {
                continue 'sales;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the sale was not completed");
    }
    drop(other);
    // Both nodes find a daily run to do, in which renewals are due.
    let day = "2027-05-21";
    let now = format!("{day}T04:00:00Z");
    let both = [&here, &there].map(|data| start(&url, &now, data.path()));
    let store = joined(&url).await;
    let began = Instant::now();
    loop {
        let last = store.read(|tx| tables::LAST_DAILY_RUN.get(tx, &())).await;
        if last.unwrap().is_some_and(|last| last.to_string() == day) {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no daily round");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    drop(both);
    let all = |tx: &ReadTx| {
        let forward = Direction::Forward;
        let quotes = tables::QUOTES.list(tx, &(), forward, usize::MAX)?;
        let payments = tables::PAYMENTS.list(tx, &(), forward, usize::MAX)?;
        Ok::<_, StoreError>((quotes, payments))
    };
    let (quotes, payments) = store.read(all).await.unwrap();
    let mut renewed: Vec<_> = quotes
        .iter()
        .filter_map(|(_, quote)| quote.renews)
        .collect();
    let count = renewed.len();
    assert!(count > 0, "nothing was to be renewed");
    renewed.sort();
    renewed.dedup();
    assert_eq!(renewed.len(), count, "a policy has one renewal");
    for (uuid, _) in &sales {
        let of_sale = payments
            .iter()
            .filter(|(_, p)| p.quote.to_string() == *uuid);
        let bought = of_sale.filter(|(_, payment)| payment.is_applied()).count();
        assert_eq!(bought, 1, "paid once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_shops_work_is_taken_over_by_one_that_lives_and_a_told_one_leaves_at_once() {
    let Some(server) = Server::run() else { return };
    let url = server.schema().await;
    let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let now = "2026-11-21T12:00:00Z";
    let mut one = start(&url, now, here.path());
    let other = start(&url, now, there.path());
    let nodes = async || {
        let rows = client(&url).await;
        let count = "SELECT count(*) FROM layby_nodes WHERE until > clock_timestamp()";
        let row = rows.query_one(count, &[]).await.unwrap();
        row.get::<_, i64>(0)
    };
    assert_eq!(nodes().await, 2);
    // After the stop signal the node leaves the cluster at once.
    one.signal("-TERM");
    assert_eq!(one.child.wait().unwrap().code(), Some(0));
    assert_eq!(nodes().await, 1);
    // A job that a killed node had claimed just before.
    let key = "2026-11-21T12:00:00Z".parse::<chrono::DateTime<chrono::Utc>>();
    let key = (key.unwrap(), uuid::Uuid::new_v4());
    let taken = chrono::TimeDelta::seconds(20);
    let job = tables::Job {
        task: tables::Task::AskGateway {
            payment: uuid::Uuid::new_v4(),
        },
        tries: 0,
        failure: None,
        lease: Some(tables::Lease {
            owner: "killed".to_string(),
            until: key.0 + taken,
        }),
    };
    let store = joined(&url).await;
    let write = store.write(move |tx| tables::JOBS.put(tx, &key, &job));
    write.await.unwrap();
    let began = Instant::now();
    loop {
        let there = store.read(|tx| tables::JOBS.get(tx, &key)).await.unwrap();
        if there.is_none() {
            break;
        }
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "nobody takes it over"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    drop(other);
}
