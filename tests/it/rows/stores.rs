//! A small store of each released schema, with the golden rows of its time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use flate2::{Compression, write::GzEncoder};
use layby::store::{Direction, FIRST_SCHEMA, Read, SCHEMA, Store, StoreDescription, TABLES};

use super::golden::{self, Stored};
use super::{golden_rows, writes_fixtures};
use crate::support::stores::{self, snapshot};

const WHAT_TO_DO: &str = include_str!("../../fixtures/rows/README.md");

/// Maximum size of a fixture, in bytes.
const SMALL: u64 = 200_000;

/// The rows of every table by its number, without the store's description.
type Rows = BTreeMap<u8, Vec<Stored>>;

async fn golden() -> Rows {
    let description = number_of("description");
    let rows = golden_rows().await.into_iter();
    rows.map(|golden| (golden.table.number(), golden.stored))
        .filter(|(number, _)| *number != description)
        .collect()
}

fn number_of(name: &str) -> u8 {
    let mut all = TABLES.iter();
    all.find(|table| table.name() == name).unwrap().number()
}

/// Returns every row of a store, read as its table's type and written again.
fn rows_of(store: &Store) -> Rows {
    let tx = snapshot(store);
    let mut rows = Rows::new();
    let visit = &mut |key: &[u8], value: &[u8]| {
        let stored = (key.to_vec(), value.to_vec());
        rows.entry(key[0]).or_default().push(stored);
        ControlFlow::Continue(())
    };
    tx.scan(&[], &[u8::MAX], Direction::Forward, visit).unwrap();
    rows.remove(&number_of("description"));
    for (number, rows) in &rows {
        let table = TABLES.iter().find(|table| table.number() == *number);
        let table = table.unwrap_or_else(|| panic!("rows of no table: {number}"));
        for (_, row) in rows {
            let again = table.written_again(row);
            let is_the_same = again.as_ref().is_ok_and(|again| again == row);
            assert!(
                is_the_same,
                "a stored row of table {} is read as another: {:?}\n\n{WHAT_TO_DO}",
                table.name(),
                again.err(),
            );
        }
    }
    rows
}

/// Writes the fixture of the present schema.
async fn write_fixture() {
    let data = tempfile::tempdir().unwrap();
    let path = stores::store_in(data.path());
    let store = Store::open(&path).unwrap();
    let rows: Vec<Stored> = golden().await.into_values().flatten().collect();
    golden::put(&store, rows).await;
    drop(store);
    redb::Database::open(&path).unwrap().compact().unwrap();
    let packed = File::create(stores::fixture(SCHEMA)).unwrap();
    let mut packed = GzEncoder::new(packed, Compression::best());
    packed.write_all(&std::fs::read(&path).unwrap()).unwrap();
    packed.finish().unwrap();
}

fn migrate(data: &Path) {
    let done = Command::new(env!("CARGO_BIN_EXE_layby"))
        .env_clear()
        .env("LAYBY_SERVER__DATA", data)
        .arg("migrate")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
}

#[tokio::test]
async fn a_store_of_every_released_schema_is_upgraded_and_read() {
    // A fixture is never overwritten, because released stores have its form.
    if writes_fixtures() && !stores::fixture(SCHEMA).exists() {
        write_fixture().await;
    }
    for schema in FIRST_SCHEMA..=SCHEMA {
        let fixture = stores::fixture(schema);
        assert!(
            fixture.exists(),
            "there is no store of schema {schema}\n\n{WHAT_TO_DO}"
        );
        assert!(std::fs::metadata(&fixture).unwrap().len() < SMALL);
        let data = tempfile::tempdir().unwrap();
        let path = stores::store_in(data.path());
        std::fs::write(&path, stores::bytes(schema)).unwrap();
        migrate(data.path());
        let store = Store::open(&path).unwrap();
        assert_eq!(
            store.read_description().unwrap(),
            StoreDescription::complete(SCHEMA)
        );
        let rows = rows_of(&store);
        if schema < SCHEMA {
            continue;
        }
        for (number, golden) in golden().await {
            let table = TABLES.iter().find(|table| table.number() == number);
            assert!(
                rows.get(&number) == Some(&golden),
                "what table {} stores has changed since schema {SCHEMA}\n\n{WHAT_TO_DO}",
                table.unwrap().name(),
            );
        }
    }
}
