//! `layby restore` of copies that are no whole copies, and kills of backup and restore.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use layby::store::{SCHEMA, Store, StoreDescription, StoreError, tables};

use super::backups::{backup, fails, names, seeded, succeeds};
use super::{Running, layby, run, text};
use crate::support::stores::{self, store_in};

#[tokio::test]
async fn a_restore_refuses_what_is_no_whole_copy_and_makes_nothing() {
    let (data, elsewhere) = (seeded("3"), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("copy.redb");
    // The shop is stopped.
    succeeds(backup(data.path(), &file, &[]));
    let new = elsewhere.path().join("shop");
    let refused = |file: &Path, expected: &str| {
        let said = fails(run(layby(&new).arg("restore").arg(file)));
        assert!(said.contains(expected), "{said}");
        assert!(!new.exists() || names(&new).is_empty(), "{:?}", names(&new));
    };
    let whole = fs::read(&file).unwrap();
    let bad = elsewhere.path().join("bad.redb");
    fs::write(&bad, &whole[..whole.len() / 2]).unwrap();
    refused(&bad, "the store is damaged");
    let mut flipped = whole.clone();
    let place = flipped.len() * 2 / 3;
    flipped[place] ^= 1;
    fs::write(&bad, &flipped).unwrap();
    let checked = run(layby(&new).arg("restore").arg(&bad));
    // A byte of no page is no damage.
    if checked.status.success() {
        fs::remove_dir_all(&new).unwrap();
    }
    fs::write(&bad, "an essay").unwrap();
    refused(&bad, "is no store of layby");
    fs::write(&bad, "").unwrap();
    refused(&bad, "is no store of layby");
    fs::write(&bad, stores::unreleased()).unwrap();
    refused(&bad, "before its first release");
    refused(&elsewhere.path().join("none"), "No such file");
    fs::remove_file(&bad).unwrap();
    let newer = Store::open(&bad).unwrap();
    let about = StoreDescription::complete(SCHEMA + 1);
    let put = move |tx: &mut layby::store::WriteTx<'_>| tables::DESCRIPTION.put(tx, &(), &about);
    newer.write::<_, StoreError, _>(put).await.unwrap();
    newer.close().unwrap();
    refused(&bad, "Run the newer layby");
    // A folder of a running shop, and a database.
    let shop = Running::start(data.path(), &[]);
    let over = run(layby(data.path()).arg("restore").arg(&file));
    assert!(fails(over).contains("replaces no store"));
    drop(shop);
    let database = run(layby(&new)
        .env("LAYBY_STORE__URL", "postgres://localhost/shop")
        .env("LAYBY_DOCUMENTS__URL", super::documents())
        .arg("restore")
        .arg(&file));
    assert!(fails(database).contains("store.url is a database"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_with_wrong_rows_is_restored_only_if_the_operator_says_so() {
    let (data, elsewhere) = (seeded("3"), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("copy.redb");
    succeeds(backup(data.path(), &file, &[]));
    let copy = Store::open(&file).unwrap();
    let plant = |tx: &mut layby::store::WriteTx<'_>| {
        // Rows that a restore changes or reads: users, quotes, refunds, letters, and the moment of the copy.
        for table in [42, 10, 34, 63, 86] {
            // No value of MessagePack begins with this byte.
            tx.put(vec![table, 0], vec![1, 0xc1]);
        }
        Ok::<_, StoreError>(())
    };
    copy.write(plant).await.unwrap();
    copy.close().unwrap();
    let new = elsewhere.path().join("shop");
    let restore = |more: &[&str]| run(layby(&new).arg("restore").arg(&file).args(more));
    let refused = restore(&[]);
    let named = text(&refused.stdout);
    assert_eq!(named.matches("; its key is 00").count(), 5, "{named}");
    let output = fails(refused);
    assert!(
        output.contains("the store is damaged: 5 mistakes; --with-mistakes"),
        "{output}"
    );
    assert!(names(&new).is_empty());
    let output = succeeds(restore(&["--with-mistakes"]));
    assert!(
        output.contains("; its key is 00") && output.contains("in the new store too"),
        "{output}"
    );
    let checked = run(layby(&new).arg("check"));
    assert!(
        text(&checked.stderr).contains("5 mistakes"),
        "{}",
        text(&checked.stderr)
    );
    let shop = Running::start(&new, &[]);
    let (status, site) = shop.call("GET", "/api/v1/site", "", None).await;
    assert_eq!((status, &site["data"]["held"]), (200, &true.into()));
    let resumed = succeeds(run(layby(&new).arg("resume")));
    assert!(resumed.contains("the shop sells again"), "{resumed}");
}

/// Kills a command after some milliseconds.
fn kill_after(command: &mut Command, wait: u64) {
    let mut child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(wait));
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn a_killed_backup_or_restore_leaves_nothing_half_done() {
    let (data, elsewhere) = (seeded("30"), tempfile::tempdir().unwrap());
    let (file, new) = (
        elsewhere.path().join("copy.redb"),
        elsewhere.path().join("shop"),
    );
    let _shop = Running::start(data.path(), &[]);
    let began = Instant::now();
    succeeds(backup(data.path(), &file, &[]));
    let took = began.elapsed().as_millis() as u64;
    for part in 1..=6 {
        kill_after(
            layby(data.path()).arg("backup").arg(&file).arg("--replace"),
            took * part / 7,
        );
        succeeds(backup(data.path(), &file, &["--check"]));
        let left = names(elsewhere.path());
        assert!(
            left.iter()
                .all(|name| ["copy.redb", "copy.redb.part"].contains(&&**name)),
            "{left:?}"
        );
    }
    succeeds(backup(data.path(), &file, &["--replace"]));
    assert_eq!(names(elsewhere.path()), ["copy.redb"]);
    let began = Instant::now();
    succeeds(run(layby(&new).arg("restore").arg(&file)));
    let took = began.elapsed().as_millis() as u64;
    for part in 1..=6 {
        fs::remove_dir_all(&new).unwrap();
        kill_after(layby(&new).arg("restore").arg(&file), took * part / 7);
        if !store_in(&new).exists() {
            succeeds(run(layby(&new).arg("restore").arg(&file)));
        }
        assert_eq!(names(&new), ["layby.redb"]);
        succeeds(run(layby(&new).arg("check")));
    }
}
