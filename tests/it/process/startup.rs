//! A store that was not closed is repaired, while the shop reports that it is alive.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Stdio};
use std::time::{Duration, Instant};

use layby::store::Store;
use redb::TableDefinition;
use serde_json::json;

use super::{Running, layby, run, text};
use crate::support::{stores, two_vehicles};

/// Enough rows for a repair that takes a while.
const ROWS: u32 = 400_000;

/// Leaves a store as after a kill: a copy of an open store.
fn leave_unclosed(data: &Path) {
    let made = tempfile::tempdir().unwrap();
    let path = stores::store_in(made.path());
    drop(Store::open(&path).unwrap());
    let db = redb::Database::open(&path).unwrap();
    let write = db.begin_write().unwrap();
    {
        let rows = TableDefinition::<&[u8], &[u8]>::new("rows");
        let mut rows = write.open_table(rows).unwrap();
        for number in 0..ROWS {
            // No table has this number.
            let key = [&[250][..], &number.to_be_bytes()].concat();
            rows.insert(&key[..], &[7; 300][..]).unwrap();
        }
    }
    write.commit().unwrap();
    std::fs::copy(&path, stores::store_in(data)).unwrap();
}

/// A shop that accepts connections, but is still opening its store.
struct Begun {
    child: Child,
    log: BufReader<ChildStderr>,
    url: String,
}

impl Begun {
    fn start(data: &Path) -> Self {
        let mut child = layby(data)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let address = loop {
            let mut line = String::new();
            assert!(log.read_line(&mut line).unwrap() > 0, "it stopped");
            if let Some((_, rest)) = line.split_once("address=") {
                break rest.split_whitespace().next().unwrap().to_string();
            }
        };
        let url = format!("http://{address}");
        Self { child, log, url }
    }

    /// Returns the log lines until the end of the process.
    fn rest_of_log(&mut self) -> Vec<String> {
        self.log.by_ref().lines().map(Result::unwrap).collect()
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        let mut kill = std::process::Command::new("kill");
        assert!(kill.args([signal, &id]).status().unwrap().success());
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_repairs_its_store_lives_at_once_and_says_how_far_it_has_come() {
    let data = tempfile::tempdir().unwrap();
    leave_unclosed(data.path());
    let began = Instant::now();
    let mut shop = Begun::start(data.path());
    let client = layby::integrations::http::client(None).unwrap();
    let get = async |path: &str| {
        let answer = client
            .get(format!("{}{path}", shop.url))
            .send()
            .await
            .unwrap();
        let status = answer.status().as_u16();
        let waits = answer.headers().contains_key("retry-after");
        (status, waits, answer.text().await.unwrap())
    };
    assert_eq!(get("/health/live").await, (200, false, "ok".to_string()));
    let lived_after = began.elapsed();
    assert!(lived_after < Duration::from_secs(5), "{lived_after:?}");

    let mut repairing = Vec::new();
    let mut refused = false;
    loop {
        let (status, waits, said) = get("/health/ready").await;
        if status == 200 {
            break;
        }
        assert_eq!((status, waits), (503, true), "{said}");
        if let Some(percent) = said.strip_prefix("repairing: ") {
            let percent = percent.split_once(' ').unwrap().0;
            repairing.push(percent.parse::<u8>().unwrap());
            if !refused {
                let url = format!("{}/api/v2/public/quote/breakdown", shop.url);
                let body = json!({ "product": two_vehicles() });
                let answer = client.post(url).json(&body).send().await.unwrap();
                refused = answer.status() == 503;
            }
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(refused, "the repair was over too soon: {repairing:?}");
    assert!(repairing.is_sorted(), "{repairing:?}");
    assert_eq!(get("/robots.txt").await.0, 200);
    shop.signal("-TERM");
    let log = shop.rest_of_log();
    let logged = |text: &str| log.iter().any(|line| line.contains(text));
    assert!(logged("repairing the store"), "{log:?}");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_shop_that_is_told_to_stop_while_it_repairs_stops_and_the_next_begins_anew() {
    let data = tempfile::tempdir().unwrap();
    leave_unclosed(data.path());
    let mut shop = Begun::start(data.path());
    shop.signal("-TERM");
    let told = Instant::now();
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
    assert!(
        told.elapsed() < Duration::from_secs(5),
        "{:?}",
        told.elapsed()
    );
    let log = shop.rest_of_log();
    assert!(
        !log.iter().any(|line| line.contains("percent=60")),
        "{log:?}"
    );
    // It was not repaired, and nothing is lost.
    let checked = run(layby(data.path()).args(["migrate", "--dry-run"]));
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    assert!(
        text(&checked.stderr).contains("repairing"),
        "{}",
        text(&checked.stderr)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_was_killed_in_a_calm_time_needs_no_repair() {
    let data = tempfile::tempdir().unwrap();
    let shop = Running::start(data.path(), &["--seed"]);
    let create = json!({ "product": two_vehicles() });
    let body = Some(create);
    let (status, _) = shop
        .call("POST", "/api/v2/public/quote/breakdown", "", body)
        .await;
    assert_eq!(status, 201);
    // By then the large write of seeding is settled.
    tokio::time::sleep(Duration::from_secs(4)).await;
    drop(shop);
    let logs = tempfile::tempdir().unwrap();
    let log = logs.path().join("log");
    let mut again = layby(data.path());
    again
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stderr(std::fs::File::create(&log).unwrap());
    let mut shop = Running::of(again);
    shop.signal("-TERM");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
    let log = std::fs::read_to_string(log).unwrap();
    assert!(
        log.contains("serving") && !log.contains("not closed properly"),
        "{log}"
    );
}
