//! Stores that must not be served. Every command refuses them with one sentence that names the remedy, and
//! keeps the rows.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use layby::store::{Progress, SCHEMA, Store, StoreDescription, StoreError, TABLES, tables};
use redb::{ReadableTable, TableDefinition};

use super::{layby, run, text};
use crate::support::production::write_production;
use crate::support::stores;

const SERVE: &[&str] = &["serve", "--listen", "127.0.0.1:0"];
const SEED: &[&str] = &["seed", "--force"];
const CHECK: &[&str] = &["check"];
const EXPORT: &[&str] = &["export", "quotes"];
const MIGRATE: &[&str] = &["migrate"];
const DRY_RUN: &[&str] = &["migrate", "--dry-run"];
const EVERY: [&[&str]; 6] = [SERVE, SEED, CHECK, EXPORT, MIGRATE, DRY_RUN];

/// Checks that each command fails with one line that contains `expected`, and changes nothing.
fn all_refuse(data: &Path, commands: &[&[&str]], expected: &str) {
    let store = stores::store_in(data);
    let before = std::fs::read(&store).unwrap();
    for command in commands {
        let refused = run(layby(data).args(*command));
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{command:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(expected), "{command:?}: {said}");
        assert!(said.contains(&store.display().to_string()), "{said}");
        assert!(std::fs::read(&store).unwrap() == before, "{command:?}");
    }
    let files = std::fs::read_dir(data).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["layby.redb"]);
}

/// Makes a store with this description.
async fn store_about(data: &Path, about: StoreDescription) {
    let store = Store::open(&stores::store_in(data)).unwrap();
    let put = move |tx: &mut layby::store::WriteTx<'_>| tables::DESCRIPTION.put(tx, &(), &about);
    store.write::<_, StoreError, _>(put).await.unwrap();
}

#[test]
fn a_store_from_before_the_first_release_is_refused_with_what_to_do() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(stores::store_in(data.path()), stores::unreleased()).unwrap();
    all_refuse(data.path(), &EVERY, "Start with an empty folder");
    all_refuse(data.path(), &EVERY, "before its first release");
}

#[tokio::test]
async fn a_newer_layby_s_store_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let mut about = StoreDescription::complete(SCHEMA + 1);
    about.written_by = "99.1.0".to_string();
    about.upgrade = Some(Progress {
        walk: 3,
        after: None,
        copy: "layby.redb.copy".to_string(),
    });
    store_about(data.path(), about).await;
    all_refuse(data.path(), &EVERY, "written by layby 99.1.0");
    all_refuse(data.path(), &EVERY, "Run the newer layby");
}

#[tokio::test]
async fn a_half_migrated_store_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let mut about = StoreDescription::complete(SCHEMA);
    about.upgrade = Some(Progress {
        walk: 0,
        after: Some(vec![10, 1].into()),
        copy: "layby.redb.copy".to_string(),
    });
    store_about(data.path(), about).await;
    let others = [SERVE, SEED, CHECK, EXPORT];
    all_refuse(data.path(), &others, "run `layby migrate`");
    all_refuse(data.path(), &others, "was interrupted");
}

#[test]
fn a_file_that_is_no_store_is_refused() {
    for other in ["hello", "an essay\n\n", &"x".repeat(100_000)] {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(stores::store_in(data.path()), other).unwrap();
        all_refuse(data.path(), &EVERY, "is no store of layby");
    }
}

#[test]
fn another_program_s_database_is_refused() {
    let bytes = TableDefinition::<&[u8], &[u8]>::new("rows");
    let data = tempfile::tempdir().unwrap();
    for table in ["names", "rows"] {
        let store = stores::store_in(data.path());
        let _ = std::fs::remove_file(&store);
        let other = redb::Database::create(&store).unwrap();
        let txn = other.begin_write().unwrap();
        if table == "rows" {
            let mut rows = txn.open_table(bytes).unwrap();
            rows.insert(&[7u8][..], &[1u8][..]).unwrap();
        } else {
            let names = TableDefinition::<u64, u64>::new(table);
            txn.open_table(names).unwrap().insert(1, 1).unwrap();
        }
        txn.commit().unwrap();
        drop(other);
        all_refuse(data.path(), &EVERY, "is no store of layby");
    }
}

#[test]
fn half_a_store_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let whole = stores::unreleased();
    std::fs::write(stores::store_in(data.path()), &whole[..whole.len() / 2]).unwrap();
    all_refuse(data.path(), &EVERY, "the store is damaged");
}

#[test]
fn a_row_that_cant_be_read_is_named_to_the_operator() {
    let data = tempfile::tempdir().unwrap();
    let few = ["seed", "--customers", "1", "--policies", "1"];
    assert_eq!(run(layby(data.path()).args(few)).status.code(), Some(0));
    let secrets = TABLES.iter().find(|table| table.name() == "secrets");
    let secrets = secrets.unwrap().number();
    let rows = TableDefinition::<&[u8], &[u8]>::new("rows");
    let db = redb::Database::open(stores::store_in(data.path())).unwrap();
    let write = db.begin_write().unwrap();
    {
        let mut rows = write.open_table(rows).unwrap();
        let range = rows.range::<&[u8]>(&[secrets][..]..&[secrets + 1][..]);
        let keys = range.unwrap().map(|row| row.unwrap().0.value().to_vec());
        for key in keys.collect::<Vec<_>>() {
            rows.insert(&key[..], &[99][..]).unwrap();
        }
    }
    write.commit().unwrap();
    drop(db);
    let refused = run(layby(data.path()).args(SEED));
    assert_eq!(refused.status.code(), Some(1));
    let expected = "layby: the store failed: a row of table secrets has version 99, this layby \
                    supports 1\n";
    let stderr = text(&refused.stderr);
    assert!(stderr.ends_with(expected), "{stderr}");
    assert!(stderr.contains("table=\"secrets\""), "{stderr}");
}

/// Runs a production shop over `data` until it serves, then stops it. Returns the log.
fn log_of_production(data: &Path) -> String {
    let own = tempfile::tempdir().unwrap();
    let mut shop = layby(data)
        .env_remove("LAYBY_CLOCK")
        .args(["serve", "--listen", "127.0.0.1:0", "--config"])
        .arg(write_production(own.path()))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = String::new();
    for line in BufReader::new(shop.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        log.push_str(&line);
        log.push('\n');
        if line.contains(" serving ") {
            break;
        }
    }
    shop.kill().unwrap();
    shop.wait().unwrap();
    log
}

#[test]
fn a_production_shop_says_that_its_store_holds_sandbox_sales() {
    let data = tempfile::tempdir().unwrap();
    let empty = log_of_production(data.path());
    assert!(empty.contains(" serving "), "{empty}");
    assert!(!empty.contains("sandbox sales"), "{empty}");
    let seeded = run(layby(data.path()).args(["seed", "--customers", "1", "--policies", "5"]));
    assert_eq!(seeded.status.code(), Some(0), "{}", text(&seeded.stderr));
    let with_sales = log_of_production(data.path());
    assert!(with_sales.contains("sandbox sales"), "{with_sales}");
}

#[test]
fn a_new_store_and_its_folder_are_for_the_user_alone_that_runs_the_shop() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let data = parent.path().join("data");
    let few = ["seed", "--customers", "1", "--policies", "1"];
    assert!(run(layby(&data).args(few)).status.success());
    let rights = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(rights(&data), 0o700);
    assert_eq!(rights(&stores::store_in(&data)), 0o600);
}
