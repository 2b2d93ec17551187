//! An upgrade that is killed or interrupted, over both engines.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use layby::secret::Secret;
use layby::store::{
    FIRST_SCHEMA, Migration, NewRows, OldRow, Store, StoreDescription, StoreError, Upgrade, Walk,
    tables,
};
use redb::{ReadableDatabase, TableDefinition};
use rmpv::Value;

use super::{documents, layby, run, text};
use crate::support::database::{Server, at, client, open};
use crate::support::stores;

/// The test table to upgrade, and its number of rows: three batches.
const NUMBERS: u8 = 200;
const COUNT: u32 = 3000;

/// Variables for the process that is killed, which runs this test again: the store, and the row to stop at.
const STORE: &str = "LAYBY_TEST_UPGRADES";
const STOP_AT: &str = "LAYBY_TEST_STOPS_AT";
const STOPPED: &str = "stopped";
const OF_A_FILE: &str = "process::migrating::a_killed_upgrade_is_finished_by_the_next";
const OF_A_DATABASE: &str = "process::migrating::an_upgrade_of_a_database_goes_on_where_it_stopped";

thread_local! {
    /// The row that the step refuses.
    static REFUSED: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// Adds one to a row's value, so that the value would show a repeated step.
fn one_more(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let place = u32::from_be_bytes(old.key.clone().try_into().unwrap());
    if std::env::var(STOP_AT).is_ok_and(|at| at == place.to_string()) {
        println!("{STOPPED}");
        std::thread::sleep(Duration::from_secs(600));
    }
    if REFUSED.get() == place {
        return Err("refused".to_string());
    }
    let number = old.value.as_u64().ok_or("no number")?;
    new.put(NUMBERS, &old.key, 1, &Value::from(number + 1))
}

const STEPS: &[Migration] = &[Migration {
    schema: FIRST_SCHEMA + 1,
    name: "numbers are one more",
    walks: &[Walk {
        table: NUMBERS,
        version: 1,
        row: one_more,
    }],
}];

fn look(store: &str) -> Result<Upgrade, StoreError> {
    if store.starts_with("postgres://") {
        Upgrade::look_in_database(&Secret::from(store.to_string()), &at(store), STEPS)
    } else {
        Upgrade::look(Path::new(store), STEPS)
    }
}

fn upgrade(store: &str) -> Result<(), StoreError> {
    let now = crate::support::NOW.parse().unwrap();
    look(store)?.run(now, &mut |_| {})
}

/// Upgrades the store in another process, and kills it at the row `place`.
fn kill_at(test: &str, store: &str, place: u32) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(STORE, store)
        .env(STOP_AT, place.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == STOPPED));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Fills a store of the first schema with numbers, each ten times its place, and closes it.
async fn fill(store: Store) {
    let fill = store.write(|tx| {
        tables::DESCRIPTION.put(tx, &(), &StoreDescription::complete(FIRST_SCHEMA))?;
        for place in 0..COUNT {
            let mut row = vec![1];
            rmpv::encode::write_value(&mut row, &Value::from(place * 10)).unwrap();
            tx.put([&[NUMBERS][..], &place.to_be_bytes()].concat(), row);
        }
        Ok::<_, StoreError>(())
    });
    fill.await.unwrap();
}

/// Checks that each row went through the step once.
fn assert_upgraded(rows: Vec<Vec<u8>>) {
    assert_eq!(rows.len(), COUNT as usize);
    for (place, row) in (0..).zip(rows) {
        let number = rmpv::decode::read_value(&mut &row[1..]).unwrap();
        assert_eq!(number.as_u64(), Some(place * 10 + 1));
    }
}

/// Returns the rows of a file in order.
fn rows_of_file(store: &Path) -> Vec<Vec<u8>> {
    let db = redb::ReadOnlyDatabase::open(store).unwrap();
    let rows = TableDefinition::<&[u8], &[u8]>::new("rows");
    let rows = db.begin_read().unwrap().open_table(rows).unwrap();
    let range = rows.range::<&[u8]>(&[NUMBERS][..]..&[NUMBERS + 1][..]);
    let rows = range.unwrap().map(|row| row.unwrap().1.value().to_vec());
    rows.collect()
}

/// Returns the rows of a database in order.
async fn rows_of_database(url: &str) -> Vec<Vec<u8>> {
    let rows = "SELECT value FROM layby_rows WHERE key >= $1 AND key < $2 ORDER BY key";
    let (from, to) = (vec![NUMBERS], vec![NUMBERS + 1]);
    let rows = client(url).await.query(rows, &[&from, &to]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// Checks that the store's description reports an unfinished upgrade.
fn assert_half_done(about: &StoreDescription) {
    assert_eq!(about.schema, FIRST_SCHEMA + 1);
    about.may_be_served(FIRST_SCHEMA).unwrap_err();
    about.may_be_served(FIRST_SCHEMA + 1).unwrap_err();
    assert!(about.upgrade.as_ref().unwrap().after.is_some());
}

#[tokio::test]
async fn a_killed_upgrade_is_finished_by_the_next() {
    if let Ok(store) = std::env::var(STORE) {
        upgrade(&store).unwrap();
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let path = stores::store_in(data.path());
    let name = path.to_str().unwrap();
    fill(Store::open(&path).unwrap()).await;

    // Killed in the first batch: nothing was changed.
    kill_at(OF_A_FILE, name, 500);
    let whole = look(name).unwrap();
    assert_eq!(
        whole.description(),
        &StoreDescription::complete(FIRST_SCHEMA)
    );
    let now = crate::support::NOW.parse().unwrap();
    std::fs::remove_file(whole.copy(now).unwrap()).unwrap();
    let before = std::fs::read(&path).unwrap();
    // The upgrade is killed twice in the second batch, and once in the last batch. Each batch is stored or
    // lost as a whole.
    for place in [1500, 1300, 2900] {
        kill_at(OF_A_FILE, name, place);
        let half = look(name).unwrap();
        assert_half_done(half.description());
        let copy = std::fs::read(half.copy(now).unwrap());
        assert!(
            copy.unwrap() == before,
            "the copy is the store before the upgrade"
        );
    }
    upgrade(name).unwrap();
    assert_upgraded(rows_of_file(&path));
    let done = look(name).unwrap();
    assert_eq!(
        done.description(),
        &StoreDescription::complete(FIRST_SCHEMA + 1)
    );
    assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_of_a_database_goes_on_where_it_stopped() {
    if let Ok(store) = std::env::var(STORE) {
        upgrade(&store).unwrap();
        return;
    }
    let Some(server) = Server::run() else { return };
    let url = server.schema().await;
    fill(open(&url).unwrap()).await;
    let planned = look(&url).unwrap().plan(&STEPS[0]).unwrap();
    assert_eq!(planned, [(NUMBERS, u64::from(COUNT))]);
    kill_at(OF_A_DATABASE, &url, 1500);
    assert_half_done(look(&url).unwrap().description());
    // After an interruption in each remaining batch, the upgrade continues with that batch.
    for place in [1000, 1999, 2000, 2999] {
        REFUSED.set(place);
        let stopped = upgrade(&url).unwrap_err();
        assert!(matches!(stopped, StoreError::Step { .. }), "{stopped}");
        let refused = open(&url).err().unwrap();
        assert!(matches!(refused, StoreError::Newer { .. }), "{refused}");
    }
    REFUSED.set(u32::MAX);
    upgrade(&url).unwrap();
    assert_upgraded(rows_of_database(&url).await);
    assert_eq!(
        look(&url).unwrap().description(),
        &StoreDescription::complete(FIRST_SCHEMA + 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_database_needs_no_migrate_and_a_migrate_of_it_changes_nothing() {
    let Some(server) = Server::run() else { return };
    let (url, data) = (server.schema().await, tempfile::tempdir().unwrap());
    let migrate = |more: &[&str]| {
        let mut command = layby(data.path());
        let done = run(command
            .env("LAYBY_STORE__URL", &url)
            .env("LAYBY_DOCUMENTS__URL", documents())
            .arg("migrate")
            .args(more));
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stdout)
    };
    assert!(migrate(&["--dry-run"]).ends_with("nothing would be changed\n"));
    assert!(migrate(&[]).ends_with("nothing to change\n"));
    fill(open(&url).unwrap()).await;
    assert!(migrate(&[]).ends_with("nothing to change\n"));
}
