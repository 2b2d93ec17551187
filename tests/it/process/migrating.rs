//! An upgrade whose process is killed in the middle of it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use layby::store::{
    About, FIRST_SCHEMA, NewRows, OldRow, Step, Store, StoreError, Upgrade, Walk, tables,
};
use redb::{ReadableDatabase, TableDefinition};
use rmpv::Value;

use crate::support::stores;

/// The made-up table that is upgraded, and how many rows it has.
const NUMBERS: u8 = 200;
const COUNT: u32 = 3000;

/// Name the store to the process that is killed, which is this test run once more, and the row
/// that it stops at.
const STORE: &str = "LAYBY_TEST_UPGRADES";
const STOP_AT: &str = "LAYBY_TEST_STOPS_AT";
const STOPPED: &str = "stopped";
const TEST: &str = "process::migrating::a_killed_upgrade_is_finished_by_the_next";

/// Adds one: done twice it would be seen.
fn one_more(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    static MET: AtomicUsize = AtomicUsize::new(0);
    let met = MET.fetch_add(1, Ordering::Relaxed) + 1;
    if std::env::var(STOP_AT).is_ok_and(|at| at == met.to_string()) {
        println!("{STOPPED}");
        std::thread::sleep(Duration::from_secs(600));
    }
    let number = old.value.as_u64().ok_or("no number")?;
    new.put(NUMBERS, &old.key, 1, &Value::from(number + 1))
}

const STEPS: &[Step] = &[Step {
    schema: FIRST_SCHEMA + 1,
    name: "numbers are one more",
    walks: &[Walk {
        table: NUMBERS,
        version: 1,
        row: one_more,
    }],
}];

fn upgrade(store: &Path) {
    let upgrade = Upgrade::look(store, STEPS).unwrap();
    let now = crate::support::NOW.parse().unwrap();
    upgrade.run(now, &mut |_| {}).unwrap();
}

/// Runs the upgrade in a process of its own, and kills it at its `row`th row.
fn kill_at(store: &Path, row: usize) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST, "--nocapture"])
        .env(STORE, store)
        .env(STOP_AT, row.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == STOPPED));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The numbers in the store, by their place.
fn numbers(store: &Path) -> Vec<u64> {
    let db = redb::ReadOnlyDatabase::open(store).unwrap();
    let rows = TableDefinition::<&[u8], &[u8]>::new("rows");
    let rows = db.begin_read().unwrap().open_table(rows).unwrap();
    let range = rows.range::<&[u8]>(&[NUMBERS][..]..&[NUMBERS + 1][..]);
    let number = |row: redb::AccessGuard<'_, &[u8]>| {
        let mut value = &row.value()[1..];
        rmpv::decode::read_value(&mut value).unwrap().as_u64()
    };
    let numbers = range.unwrap().map(|row| number(row.unwrap().1).unwrap());
    numbers.collect()
}

#[tokio::test]
async fn a_killed_upgrade_is_finished_by_the_next() {
    if let Some(store) = std::env::var_os(STORE) {
        upgrade(Path::new(&store));
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let path = stores::store_in(data.path());
    let store = Store::open(&path).unwrap();
    let fill = store.write(|tx| {
        tables::ABOUT.put(tx, &(), &About::whole(FIRST_SCHEMA))?;
        for place in 0..COUNT {
            let mut row = vec![1];
            rmpv::encode::write_value(&mut row, &Value::from(place * 10)).unwrap();
            tx.put([&[NUMBERS][..], &place.to_be_bytes()].concat(), row);
        }
        Ok::<_, StoreError>(())
    });
    fill.await.unwrap();
    drop(store);
    let before = std::fs::read(&path).unwrap();

    // In the second batch, again in it, and in the last: what a batch did is kept or gone as one.
    for row in [1500, 300, 1900] {
        kill_at(&path, row);
        let half = Upgrade::look(&path, STEPS).unwrap();
        let about = half.about();
        assert_eq!(about.schema, FIRST_SCHEMA + 1);
        about.may_be_served(FIRST_SCHEMA).unwrap_err();
        about.may_be_served(FIRST_SCHEMA + 1).unwrap_err();
        let progress = about.upgrade.as_ref().unwrap();
        assert!(progress.after.is_some());
        let copy = std::fs::read(path.with_file_name(&progress.copy));
        assert!(
            copy.unwrap() == before,
            "the copy is the store before the upgrade"
        );
    }
    upgrade(&path);
    let expected: Vec<u64> = (0..COUNT).map(|place| u64::from(place) * 10 + 1).collect();
    assert_eq!(numbers(&path), expected);
    let done = Upgrade::look(&path, STEPS).unwrap();
    assert_eq!(done.about(), &About::whole(FIRST_SCHEMA + 1));
    assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 2);
}
