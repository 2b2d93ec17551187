//! Documents in a bucket, with the real binary. The process is killed between a document's blob and its row.
//! The bucket has outages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use layby::integrations::blobs::sha256;
use serde_json::Value;
use tempfile::TempDir;

use super::{Running, layby, run, text};
use crate::support::NOW;
use crate::support::bucket::{Bucket, Stop};
use crate::support::database::Server;

/// A shop's settings. Each start may change some.
struct Place {
    data: TempDir,
    bucket: Bucket,
    /// `None` if the store is the file in `data`.
    database: Option<String>,
}

impl Place {
    async fn new(database: Option<String>) -> Self {
        Self {
            data: tempfile::tempdir().unwrap(),
            bucket: Bucket::open().await,
            database,
        }
    }

    fn command(&self) -> Command {
        let mut command = layby(self.data.path());
        command.envs(self.bucket.settings());
        command.envs(self.database.iter().map(|url| ("LAYBY_STORE__URL", url)));
        command.env("LAYBY_SERVER__METRICS_ALLOW", "127.0.0.1");
        command
    }

    /// Starts a shop whose clock shows `now`, with its own brand if one is given.
    fn start(&self, now: &str, brand: Option<&str>) -> Running {
        let mut command = self.command();
        command
            .env("LAYBY_CLOCK", now)
            .envs(brand.map(|brand| ("LAYBY_SITE__BRAND", brand)))
            .args(["serve", "--listen", "127.0.0.1:0"]);
        let mut log = fs::File::options();
        let log = log.create(true).append(true).open(self.log());
        command.stderr(Stdio::from(log.unwrap()));
        Running::of(command)
    }

    fn log(&self) -> PathBuf {
        self.data.path().with_extension("log")
    }

    /// Returns the output of the check of a stopped shop. Its store must have no faults.
    fn checked(&self) -> String {
        let checked = run(self.command().arg("check"));
        let said = text(&checked.stdout);
        assert!(checked.status.success(), "{said}{}", text(&checked.stderr));
        said
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.log());
    }
}

/// Buys cover. Returns the policy's uuid and its buyer's token.
async fn buy(shop: &Running) -> (String, String) {
    let (uuid, token, frame) = shop.until_the_page().await;
    shop.pay(&frame, "4242424242424242").await;
    // The status call makes the sale, if the gateway has not called yet.
    let path = format!("/api/v1/payment/{uuid}");
    let (status, payment) = shop.call("GET", &path, &token, None).await;
    assert_eq!(status, 200, "{payment}");
    (uuid, token)
}

/// Makes a call whose response is not JSON.
async fn get(shop: &Running, path: &str, token: &str) -> (u16, Vec<u8>) {
    let client = layby::integrations::http::client(None).unwrap();
    let asked = client.get(format!("{}{path}", shop.url)).bearer_auth(token);
    let answer = asked.send().await.unwrap();
    let status = answer.status().as_u16();
    (status, answer.bytes().await.unwrap().to_vec())
}

/// Waits until a policy has all of its own documents. Returns their bytes by title.
async fn documents(shop: &Running, (uuid, token): &(String, String)) -> BTreeMap<String, Vec<u8>> {
    let path = format!("/api/v1/policy/{uuid}/documents");
    let began = Instant::now();
    let ready = loop {
        let (status, listed) = shop.call("GET", &path, token, None).await;
        // It may not be sold yet.
        let groups = listed["data"]["documents"].as_array();
        let groups = groups.filter(|_| status == 200).cloned();
        let all = groups.unwrap_or_default().into_iter();
        let all: Vec<Value> = all
            .flat_map(|group| group["documents"].as_array().unwrap().clone())
            .collect();
        if !all.is_empty() && all.iter().all(|one| one["is_ready"] == true) {
            break all;
        }
        assert!(began.elapsed() < Duration::from_secs(90), "{all:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let mut found = BTreeMap::new();
    for one in ready {
        let identifier = one["identifier"].as_str().unwrap();
        // A product's documents are public, and printed when they are read.
        if uuid::Uuid::parse_str(identifier).is_err() {
            continue;
        }
        let (status, pdf) = get(shop, &format!("/api/v1/documents/{identifier}"), token).await;
        assert_eq!(status, 200, "{one}");
        found.insert(one["title"].as_str().unwrap().to_string(), pdf);
    }
    found
}

fn names(documents: &BTreeMap<String, Vec<u8>>) -> BTreeSet<String> {
    documents.values().map(|pdf| sha256(pdf)).collect()
}

fn kept(bucket: &Bucket) -> BTreeSet<String> {
    bucket.contents().into_keys().collect()
}

/// Kills the shop at the first stopped call. Returns the path of that call.
async fn killed_at(place: &Place, stop: Stop, shop: Running) -> String {
    let mut met = place.bucket.stop_at(stop);
    killed(&mut met, shop).await
}

async fn killed(met: &mut tokio::sync::mpsc::UnboundedReceiver<String>, shop: Running) -> String {
    let path = tokio::time::timeout(Duration::from_secs(60), met.recv()).await;
    drop(shop);
    path.expect("the shop doesn't come to it").unwrap()
}

/// Kills the shop repeatedly between a blob and its row, before or after the put.
async fn is_killed_between_a_content_and_its_row(place: &Place) {
    let mut met = place.bucket.stop_at(Stop::NotKept);
    let shop = place.start(NOW, None);
    let policy = buy(&shop).await;
    killed(&mut met, shop).await;
    assert_eq!(kept(&place.bucket), BTreeSet::new());
    let mut left = BTreeSet::new();
    for minute in 1..=3 {
        let now = format!("2026-11-21T12:0{minute}:00Z");
        let mut met = place.bucket.stop_at(Stop::Kept);
        let path = killed(&mut met, place.start(&now, None)).await;
        let found = kept(&place.bucket);
        assert!(found.iter().any(|name| path.ends_with(name)), "{path}");
        assert!(left.is_subset(&found), "{left:?} {found:?}");
        left = found;
    }
    place.bucket.go_on();
    if place.database.is_none() {
        let said = place.checked();
        let of_nobody = format!("contents that belong to no document: {}", left.len());
        assert!(said.contains(&of_nobody), "{said}");
    }

    let shop = place.start("2026-11-21T12:05:00Z", None);
    let found = documents(&shop, &policy).await;
    drop(shop);
    assert!(found.len() > 2, "{:?}", found.keys());
    // Each document exists once, and the blobs that kills left are reused.
    assert!(left.is_subset(&names(&found)));
    assert_eq!(names(&found), kept(&place.bucket));
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_a_content_and_its_row_a_shop_has_each_document_once() {
    let place = Place::new(None).await;
    is_killed_between_a_content_and_its_row(&place).await;
    let said = place.checked();
    assert!(!said.contains("belong to no document"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_a_content_and_its_row_a_shop_over_a_database_has_each_document_once() {
    let Some(server) = Server::run() else { return };
    let place = Place::new(Some(server.schema().await)).await;
    is_killed_between_a_content_and_its_row(&place).await;
}

/// A blob left by a kill is useless if the document then needs another text. The next day's run deletes it,
/// even after a kill between the deletion's row and the deletion.
#[tokio::test(flavor = "multi_thread")]
async fn a_content_that_a_kill_has_left_and_no_document_needs_is_removed_a_day_later() {
    let place = Place::new(None).await;
    let mut met = place.bucket.stop_at(Stop::Kept);
    let shop = place.start(NOW, None);
    let policy = buy(&shop).await;
    killed(&mut met, shop).await;
    place.bucket.go_on();
    let left = kept(&place.bucket);

    let brand = Some("Another Cover");
    let shop = place.start("2026-11-21T12:01:00Z", brand);
    let found = documents(&shop, &policy).await;
    drop(shop);
    let needed = names(&found);
    let strays: BTreeSet<_> = left.difference(&needed).cloned().collect();
    assert!(!strays.is_empty(), "none says the brand");
    assert_eq!(kept(&place.bucket), &left | &needed);
    let said = place.checked();
    let of_nobody = format!("contents that belong to no document: {};", strays.len());
    assert!(said.contains(&of_nobody), "{said}");

    let day = "2026-11-23T04:00:00Z";
    killed_at(&place, Stop::NotRemoved, place.start(day, brand)).await;
    assert_eq!(kept(&place.bucket), &left | &needed);
    place.bucket.go_on();
    let shop = place.start(day, brand);
    let began = Instant::now();
    while kept(&place.bucket) != needed {
        assert!(began.elapsed() < Duration::from_secs(60), "it stays");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(names(&documents(&shop, &policy).await), needed);
    drop(shop);
    let said = place.checked();
    assert!(!said.contains("belong to no document"), "{said}");
}

/// Returns the value of a metric.
async fn figure(shop: &Running, name: &str) -> String {
    let (status, figures) = get(shop, "/metrics", "").await;
    assert_eq!(status, 200);
    let figures = text(&figures);
    let mut lines = figures.lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value
        .unwrap_or_else(|| panic!("{name} isn't in {figures}"))
        .to_string()
}

async fn until_figure(shop: &Running, expected: &str) {
    let began = Instant::now();
    while figure(shop, "layby_blob_store_up").await != expected {
        assert!(began.elapsed() < Duration::from_secs(60), "not {expected}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// No document is needed meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_is_away_is_a_figure_and_a_line_of_the_log_and_so_is_its_return() {
    let place = Place::new(None).await;
    let said = |line: &str| {
        let log = fs::read_to_string(place.log()).unwrap();
        log.lines().filter(|said| said.contains(line)).count()
    };
    let (away, back) = (
        "the blob store is unavailable",
        "the blob store is available again",
    );
    let shop = place.start(NOW, None);
    assert_eq!(figure(&shop, "layby_blob_store_up").await, "1");
    place.bucket.set_away(true);
    until_figure(&shop, "0").await;
    // The shop sells without the bucket.
    assert_eq!(get(&shop, "/health/ready", "").await.0, 200);
    assert_eq!((said(away), said(back)), (1, 0));
    place.bucket.set_away(false);
    until_figure(&shop, "1").await;
    assert_eq!((said(away), said(back)), (1, 1));
    drop(shop);

    // A shop that starts without the bucket reports it as well.
    place.bucket.set_away(true);
    let shop = place.start(NOW, None);
    until_figure(&shop, "0").await;
    assert_eq!(get(&shop, "/health/ready", "").await.0, 200);
    assert_eq!((said(away), said(back)), (2, 1));
}
