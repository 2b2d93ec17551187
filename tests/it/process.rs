//! The real binary: the command line, stopping, and kills at any moment.

mod alerts;
mod backups;
mod books;
mod bucket;
mod buying;
mod checking;
mod clock;
mod daily;
mod damaged_commit;
mod database;
mod documents;
mod exporting;
mod keys;
mod letters;
mod limits;
mod local;
mod mail;
mod migrating;
mod nodes;
mod preflight;
mod restores;
mod settings;
mod startup;
mod stop_charging;
mod stopping;
mod stores;
mod systemd;
mod zeroed_pages;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::schema::{Sent, assert_published};
use crate::support::two_vehicles;

fn layby(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_layby"));
    command
        .env_clear()
        .env("LAYBY_CLOCK", crate::support::NOW)
        .env("LAYBY_SERVER__DATA", data)
        .env("LAYBY_SERVER__LISTEN", "127.0.0.1:0");
    command
}

/// Returns the setting for documents of shops over a database. All nodes of a cluster need the same blob
/// store.
fn documents() -> String {
    format!("file://{}/documents", env!("CARGO_TARGET_TMPDIR"))
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A running shop. It is killed when it is dropped.
struct Running {
    child: Child,
    url: String,
}

impl Running {
    fn start(data: &Path, more: &[&str]) -> Self {
        Self::start_at(crate::support::NOW, data, more)
    }

    /// Starts a shop with a clock that shows `now`.
    fn start_at(now: &str, data: &Path, more: &[&str]) -> Self {
        let mut command = layby(data);
        command
            .env("LAYBY_CLOCK", now)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(more)
            .stderr(Stdio::null());
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = loop {
            let line = lines
                .next()
                .expect("it stopped before it listened")
                .unwrap();
            if let Some(url) = line.strip_prefix("listening on ") {
                break url.to_string();
            }
        };
        Self { child, url }
    }

    async fn call(
        &self,
        method: &str,
        path: &str,
        token: &str,
        body: Option<Value>,
    ) -> (u16, Value) {
        let client = layby::integrations::http::client(None).unwrap();
        let mut request = client
            .request(method.parse().unwrap(), format!("{}{path}", self.url))
            .bearer_auth(token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let content_type = answer.headers().get("content-type").cloned();
        let bytes = answer.bytes().await.unwrap();
        assert_published(&Sent {
            method,
            path,
            status,
            content_type: content_type.as_ref().map(|kind| kind.to_str().unwrap()),
            bytes: &bytes,
        });
        (
            status,
            serde_json::from_slice(&bytes).unwrap_or(Value::Null),
        )
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &id])
                .status()
                .unwrap()
                .success()
        );
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn wrong_usage_is_2_and_failure_is_1_with_one_sentence() {
    let data = tempfile::tempdir().unwrap();
    assert_eq!(
        run(layby(data.path()).arg("nonsense")).status.code(),
        Some(2)
    );
    let failed = run(layby(data.path()).arg("migrate"));
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(text(&failed.stderr).lines().count(), 1);
    let unknown = run(layby(data.path())
        .env("LAYBY_SERVER__LISTENN", "x")
        .arg("migrate"));
    assert_eq!(unknown.status.code(), Some(1));
    assert!(
        text(&unknown.stderr).contains("server.listenn"),
        "{}",
        text(&unknown.stderr)
    );
    let production = run(layby(data.path())
        .env("LAYBY_MODE", "production")
        .args(["serve", "--check"]));
    assert_eq!(production.status.code(), Some(1));
}

#[test]
fn seeding_prints_log_ins_and_refuses_a_store_in_use() {
    let data = tempfile::tempdir().unwrap();
    let seeded = run(layby(data.path()).args(["seed", "--customers", "3", "--policies", "20"]));
    assert_eq!(seeded.status.code(), Some(0), "{}", text(&seeded.stderr));
    assert_eq!(text(&seeded.stdout).matches("@example.org").count(), 3);
    let migrated = run(layby(data.path()).args(["migrate", "--dry-run"]));
    assert_eq!(migrated.status.code(), Some(0));
    assert!(text(&migrated.stdout).contains("schema 1"));

    let shop = Running::start(data.path(), &[]);
    let refused = run(layby(data.path()).arg("seed"));
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("in use"),
        "{}",
        text(&refused.stderr)
    );
    drop(shop);
}

#[test]
fn quotes_and_policies_are_exported_a_row_each() {
    let data = tempfile::tempdir().unwrap();
    run(layby(data.path()).args(["seed", "--customers", "3", "--policies", "40"]));
    let export = |what: &str, format: &str| {
        let out = run(layby(data.path()).args(["export", what, "--format", format]));
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let quotes = export("quotes", "jsonl");
    let quotes: Vec<serde_json::Value> = quotes
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(quotes.len() >= 40);
    // Demonstration quotes are in their customers' accounts, except the unclaimed ones.
    let in_account = |row: &&serde_json::Value| row["in_account"].as_bool().unwrap();
    assert!(quotes.iter().filter(in_account).count() >= 40);
    let mut lines = csv::Reader::from_reader(export("quotes", "csv").as_bytes())
        .into_records()
        .map(Result::unwrap)
        .collect::<Vec<_>>();
    assert_eq!(lines.len(), quotes.len());
    assert_eq!(
        &lines.remove(0)[0],
        quotes[0]["custom_id"].as_str().unwrap()
    );
    let bought = quotes
        .iter()
        .filter(|row| [5, 8, 15, 16].contains(&row["status_id"].as_u64().unwrap()))
        .count();
    let policies = export("policies", "jsonl");
    assert_eq!(policies.lines().count(), bought);
    for line in policies.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(row["purchased"].is_string() && row["paid"].as_f64().unwrap() > 0.0);
    }
    let nowhere = tempfile::tempdir().unwrap();
    let missing = run(layby(nowhere.path()).args(["export", "quotes"]));
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("there is no store"));
}

/// `/dev/full` refuses every byte, like a log on a full disk.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_cannot_be_written_ends_no_request() {
    for format in ["text", "json"] {
        let data = tempfile::tempdir().unwrap();
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = layby(data.path());
        command
            .env("LAYBY_LOG__FORMAT", format)
            .env("LAYBY_LOG__LEVEL", "trace")
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stderr(full.unwrap());
        let mut shop = Running::of(command);
        let create = json!({ "product": two_vehicles() });
        for _ in 0..3 {
            let body = Some(create.clone());
            let (status, made) = shop
                .call("POST", "/api/v2/public/quote/breakdown", "", body)
                .await;
            assert_eq!(status, 201, "{made}");
        }
        shop.signal("-TERM");
        assert_eq!(shop.child.wait().unwrap().code(), Some(0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_too_large_hears_so() {
    let data = tempfile::tempdir().unwrap();
    let shop = Running::start(data.path(), &[]);
    let large = json!({ "product": { "values": { "first_name": "x".repeat(2 << 20) } } });
    let (status, answer) = shop
        .call("POST", "/api/v2/public/quote/breakdown", "", Some(large))
        .await;
    assert_eq!(status, 413);
    assert_eq!(answer["code"], "too_large");
}

/// Kills the shop after each step of a sale. After the restart no acknowledged step is lost, and the job that
/// asks the gateway completes the sale.
#[tokio::test(flavor = "multi_thread")]
async fn a_sale_survives_being_killed_at_every_step() {
    let data = tempfile::tempdir().unwrap();
    let shop = Running::start(data.path(), &[]);
    let create = json!({ "product": two_vehicles() });
    let (status, made) = shop
        .call("POST", "/api/v2/public/quote/breakdown", "", Some(create))
        .await;
    assert_eq!(status, 201, "{made}");
    let uuid = made["data"]["uuid"].as_str().unwrap().to_string();
    let token = made["data"]["consumer_token"].as_str().unwrap().to_string();
    drop(shop);

    let shop = Running::start(data.path(), &[]);
    let accept = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    let path = format!("/api/v1/quote/update-accept/{uuid}");
    let (status, answer) = shop.call("POST", &path, &token, Some(accept)).await;
    assert_eq!(status, 200, "{answer}");
    drop(shop);

    let shop = Running::start(data.path(), &[]);
    let initiate = json!({ "uuid": uuid });
    let (status, started) = shop
        .call(
            "POST",
            "/api/v1/gateway/sandbox/initiate",
            &token,
            Some(initiate),
        )
        .await;
    assert_eq!(status, 200, "{started}");
    let frame = started["data"]["url"].as_str().unwrap().to_string();
    drop(shop);

    // The customer pays at the gateway, which sends no callback. The shop is killed before it asks the
    // gateway.
    let shop = Running::start(data.path(), &[]);
    let page = layby::integrations::http::client(None)
        .unwrap()
        .post(format!("{}{frame}", shop.url))
        .header("content-type", "application/x-www-form-urlencoded")
        .body("card_number=4000000000000085&expiry=12%2F30&cvc=123&cardholder=Ann")
        .send()
        .await
        .unwrap();
    assert_eq!(page.status().as_u16(), 200);
    drop(shop);

    // The clock of the next start is past the time at which the job asks.
    let shop = Running::start_at("2026-11-21T12:05:00Z", data.path(), &[]);
    // Reading the policy does not ask the gateway, so the job alone completes the sale.
    for _ in 0..200 {
        let (status, _) = shop
            .call("GET", &format!("/api/v2/policy/read/{uuid}"), &token, None)
            .await;
        if status == 200 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the sale was not completed");
}
