//! The blobs of documents: named by the SHA-256 of their bytes, restored if lost, deleted without an owner.
//! Jobs wait while the blob store is unavailable.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::{TimeDelta, Utc};
use layby::app::jobs;
use layby::config::{Config, Layers, LogFormat};
use layby::integrations::blobs::{BlobStore, sha256};
use layby::products::Catalogue;
use layby::store::tables::{self, Content, Job, Task};
use poem::http::StatusCode;
use uuid::Uuid;

use super::{buy, fetch, identifier, items, list};
use crate::support::database::empty_store;
use crate::support::log::recorded;
use crate::support::stores::snapshot;
use crate::support::{Made, NOW, Shop, two_gadgets, two_vehicles};

/// Opens the blob store of some settings.
fn contents_of(settings: &[(&str, &str)]) -> BlobStore {
    let env = settings.iter();
    let env = env.map(|(name, value)| (name.to_string(), value.to_string()));
    let layers = Layers {
        env: env.collect(),
        ..Layers::default()
    };
    BlobStore::from_settings(&Config::load(&layers).unwrap()).unwrap()
}

/// Starts a shop with its documents in a folder.
async fn shop_in(folder: &Path) -> Shop {
    let url = format!("file://{}", folder.display());
    let contents = contents_of(&[("LAYBY_DOCUMENTS__URL", &url)]);
    Shop::with_contents(empty_store().await, contents, NOW).await
}

/// Returns the path of a blob's file.
fn file_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(&name[..2]).join(name)
}

/// Returns the names of the blobs in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let shards = fs::read_dir(folder)
        .unwrap()
        .map(|shard| shard.unwrap().path());
    let mut names = Vec::new();
    for shard in shards.filter(|shard| shard.is_dir()) {
        for file in fs::read_dir(shard).unwrap() {
            names.push(file.unwrap().file_name().into_string().unwrap());
        }
    }
    names.sort();
    names
}

/// Buys cover and prints its documents. Returns the policy, and the identifier and bytes of its schedule.
async fn schedule(shop: &Shop) -> (Made, String, Vec<u8>) {
    let policy = buy(shop, &two_vehicles()).await;
    let schedule = identifier(&list(shop, &policy).await, "Policy Schedule");
    shop.work().await;
    let read = fetch(shop, &policy, &schedule).await.expect(StatusCode::OK);
    (policy, schedule, read.bytes.to_vec())
}

fn row_of(shop: &Shop, document: &str) -> Option<Content> {
    let id = document.parse().unwrap();
    let row = tables::DOCUMENT_CONTENTS.get(&snapshot(&shop.app.store), &id);
    row.unwrap()
}

#[tokio::test]
async fn a_document_is_a_file_called_by_its_hash() {
    let folder = tempfile::tempdir().unwrap();
    let shop = shop_in(folder.path()).await;
    let (_, document, pdf) = schedule(&shop).await;
    let name = sha256(&pdf);
    assert_eq!(fs::read(file_of(folder.path(), &name)).unwrap(), pdf);
    let row = row_of(&shop, &document).unwrap();
    assert_eq!((row.sha256, row.size), (name, pdf.len() as u64));
    // The three documents of the sale: schedule, demands and needs, receipt. A product's document is printed
    // on its first request.
    assert_eq!(names_in(folder.path()).len(), 3);
    let policy = buy(&shop, &two_gadgets()).await;
    let listed = items(&list(&shop, &policy).await);
    let wording = listed.iter().find(|(title, ..)| title == "Policy Wording");
    let wording = &wording.unwrap().1;
    let read = fetch(&shop, &policy, wording).await.expect(StatusCode::OK);
    assert!(file_of(folder.path(), &sha256(&read.bytes)).exists());
}

#[tokio::test]
async fn a_sale_goes_on_without_the_place_and_its_documents_are_made_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let (place, aside) = (folder.path().join("documents"), folder.path().join("aside"));
    let shop = shop_in(&place).await;
    let (before, document, pdf) = schedule(&shop).await;

    // A file takes the place of the folder.
    fs::rename(&place, &aside).unwrap();
    fs::write(&place, "away").unwrap();
    let away = fetch(&shop, &before, &document).await;
    let away = away.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(away.headers["retry-after"], "5");
    assert_eq!(away.text("/code"), "unavailable");
    let policy = buy(&shop, &two_vehicles()).await;
    let waiting = identifier(&list(&shop, &policy).await, "Policy Schedule");
    shop.work().await;
    let early = fetch(&shop, &policy, &waiting).await;
    assert_eq!(
        early.expect(StatusCode::CONFLICT).text("/code"),
        "not_ready"
    );
    // The product's document is printed on request.
    let listed = list(&shop, &policy).await;
    let wording = identifier(&listed, "Policy Wording");
    fetch(&shop, &policy, &wording).await.expect(StatusCode::OK);

    fs::remove_file(&place).unwrap();
    fs::rename(&aside, &place).unwrap();
    // After a failed write, printing pauses for a while by the machine's own clock.
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    shop.clock.set(shop.clock.now() + TimeDelta::seconds(31));
    shop.work().await;
    fetch(&shop, &policy, &waiting).await.expect(StatusCode::OK);
    let again = fetch(&shop, &before, &document)
        .await
        .expect(StatusCode::OK);
    assert_eq!(again.bytes, pdf);
}

#[tokio::test]
async fn whoever_waits_for_a_place_that_says_nothing_hears_so_within_two_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let shop = shop_in(folder.path()).await;
    let (policy, document, _) = schedule(&shop).await;
    // The endpoint accepts connections, but never responds.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let bucket = contents_of(&[
        ("LAYBY_DOCUMENTS__URL", "s3://documents/of-a-shop"),
        ("LAYBY_DOCUMENTS__S3__ENDPOINT", &endpoint),
        ("LAYBY_DOCUMENTS__S3__KEY_ID", "key"),
        ("LAYBY_DOCUMENTS__S3__SECRET", "secret"),
    ]);
    let now = shop.clock.now().to_rfc3339();
    let shop = Shop::with_contents(shop.app.store.clone(), bucket, &now).await;
    let asked = Instant::now();
    let answer = fetch(&shop, &policy, &document).await;
    answer.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        asked.elapsed() < Duration::from_secs(2),
        "{:?}",
        asked.elapsed()
    );
}

#[tokio::test]
async fn a_lost_document_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let shop = shop_in(folder.path()).await;
    let (policy, document, pdf) = schedule(&shop).await;
    let file = file_of(folder.path(), &sha256(&pdf));
    let builtin = || Catalogue::load(None).unwrap();
    let shop = shop
        .restarted("[site]\nassistance_phone = \"01632 960 777\"", builtin())
        .await;
    let read = fetch(&shop, &policy, &document)
        .await
        .expect(StatusCode::OK);
    assert_eq!(read.bytes, pdf, "what is kept is what was agreed");

    let (log, _guard) = recorded(LogFormat::Text);
    let mut damaged = pdf.clone();
    damaged[100] ^= 1;
    fs::write(&file, damaged).unwrap();
    let answer = fetch(&shop, &policy, &document).await;
    answer.expect(StatusCode::SERVICE_UNAVAILABLE);
    fs::remove_file(&file).unwrap();
    let answer = fetch(&shop, &policy, &document).await;
    answer.expect(StatusCode::SERVICE_UNAVAILABLE);
    let said = log.text();
    let lost = "a document is lost: bring its content back from a backup";
    assert_eq!(said.matches(lost).count(), 1, "{said}");
    assert!(said.contains("is damaged"), "{said}");
    assert!(!file.exists());

    fs::write(&file, &pdf).unwrap();
    let read = fetch(&shop, &policy, &document)
        .await
        .expect(StatusCode::OK);
    assert_eq!(read.bytes, pdf);
}

#[tokio::test]
async fn what_no_row_names_is_removed_after_a_day_and_what_a_row_names_stays() {
    let folder = tempfile::tempdir().unwrap();
    let shop = shop_in(folder.path()).await;
    let (policy, document, pdf) = schedule(&shop).await;
    // A quote that nobody buys has a document too.
    let quote = shop.quote(&two_gadgets()).await;
    let path = format!("/api/v2/quote/documents/{}", quote.uuid);
    shop.get(&path).bearer(&quote.token).succeeds().await;
    shop.work().await;
    let of_killed = shop
        .app
        .contents
        .put("left by a kill".into())
        .await
        .unwrap();
    let strange = folder.path().join("ab/notes.txt");
    fs::create_dir_all(strange.parent().unwrap()).unwrap();
    fs::write(&strange, "not ours").unwrap();
    let all = names_in(folder.path());
    assert_eq!(all.len(), 6, "{all:?}");

    // The blob store uses the machine's own clock.
    jobs::daily(&shop.app).await.unwrap();
    assert_eq!(names_in(folder.path()), all);
    shop.clock
        .set(Utc::now().max(shop.clock.now()) + TimeDelta::days(100));
    jobs::daily(&shop.app).await.unwrap();
    let left = names_in(folder.path());
    assert_eq!(left.len(), 4, "{left:?}");
    assert!(!left.contains(&of_killed) && strange.exists());
    assert!(left.contains(&sha256(&pdf)));
    drop((policy, document));
}

#[tokio::test]
async fn documents_of_another_store_in_the_same_place_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (shop_in(folder.path()).await, shop_in(folder.path()).await);
    jobs::daily(&one.app).await.unwrap();
    let _ = schedule(&one).await;
    let all = names_in(folder.path());
    let (log, _guard) = recorded(LogFormat::Text);
    let later = Utc::now().max(other.clock.now()) + TimeDelta::days(3);
    other.clock.set(later);
    jobs::daily(&other.app).await.unwrap();
    assert_eq!(names_in(folder.path()), all);
    let said = log.text();
    assert!(
        said.contains("give each store a place of its own"),
        "{said}"
    );
}

/// Restores the state after a kill between blob and row: the row has no blob, and the job waits.
async fn forget_content(shop: &Shop, document: &str) {
    let id: Uuid = document.parse().unwrap();
    let now = shop.clock.now();
    let forget = move |tx: &mut layby::store::WriteTx<'_>| {
        tables::DOCUMENT_CONTENTS.delete(tx, &id)?;
        let mut row = tables::DOCUMENTS.get(tx, &id)?.unwrap();
        row.made = None;
        tables::DOCUMENTS.put(tx, &id, &row)?;
        let job = Job::new(Task::MakeDocument { document: id });
        tables::DOCUMENTS_TO_MAKE.put(tx, &(now, id), &job)
    };
    shop.app.store.write(forget).await.unwrap();
}

#[tokio::test]
async fn a_content_that_is_just_being_removed_is_not_named_until_it_is_put_anew() {
    let folder = tempfile::tempdir().unwrap();
    let shop = shop_in(folder.path()).await;
    let (policy, document, pdf) = schedule(&shop).await;
    forget_content(&shop, &document).await;
    let file = file_of(folder.path(), &sha256(&pdf));
    assert!(file.exists(), "the kill left it");
    shop.clock
        .set(Utc::now().max(shop.clock.now()) + TimeDelta::days(2));
    jobs::daily(&shop.app).await.unwrap();
    assert!(!file.exists());
    // As far as the shop knows, the delete may still be running.
    shop.work().await;
    let early = fetch(&shop, &policy, &document).await;
    early.expect(StatusCode::CONFLICT);
    shop.clock.set(shop.clock.now() + TimeDelta::minutes(3));
    shop.work().await;
    let read = fetch(&shop, &policy, &document)
        .await
        .expect(StatusCode::OK);
    assert_eq!(read.bytes, pdf);
    assert!(file.exists());
}
