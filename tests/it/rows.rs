//! Stored rows. Golden rows of every table, with every field filled, are written through the typed tables.
//! They are compared with `tests/fixtures/rows/`: names, order, types and values, and the rows as read back.

mod contracts;
mod damaged;
mod fixture;
mod golden;
mod stores;

use std::collections::BTreeMap;
use std::path::PathBuf;

use layby::store::{Store, TABLES};
use rmpv::Value;

use fixture::Fixture;
use golden::Golden;

/// Returns the path of a table's golden rows.
fn path_of(table: &str) -> PathBuf {
    let name = format!("tests/fixtures/rows/{table}.txt");
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Checks whether the run writes the fixtures instead of comparing them.
fn writes_fixtures() -> bool {
    std::env::var_os("LAYBY_WRITE_FIXTURES").is_some()
}

/// Returns the golden rows of every table, and fails if a table has none.
async fn golden_rows() -> Vec<Golden> {
    let rows = golden::all().await;
    let covered: Vec<_> = rows.iter().map(|golden| golden.table.name()).collect();
    let tables: Vec<_> = TABLES.iter().map(|table| table.name()).collect();
    assert_eq!(covered, tables, "every table has golden rows, in its order");
    rows
}

/// Returns the first difference of two texts: in the readable lines, or otherwise in the hexadecimal digits.
fn difference(kept: &str, stored: &str) -> String {
    let differ = |digits_too: bool| {
        let lines = |text: &str| -> Vec<String> {
            let shown = |line: &&str| digits_too || !line.starts_with("row ");
            text.lines().filter(shown).map(str::to_string).collect()
        };
        let lines = lines(kept).into_iter().zip(lines(stored));
        let mut lines = lines.filter(|(kept, stored)| kept != stored);
        lines.next()
    };
    match differ(false).or_else(|| differ(true)) {
        Some((kept, stored)) => format!("\n  was {kept}\n  is  {stored}"),
        None => "one is longer than the other".to_string(),
    }
}

#[tokio::test]
async fn every_table_stores_its_golden_rows_as_the_fixture_has_them_and_reads_them_back() {
    for golden in golden_rows().await {
        let name = golden.table.name();
        let path = path_of(name);
        let stored = Fixture::of(golden.table, &golden.stored).to_string();
        if writes_fixtures() {
            std::fs::write(&path, &stored).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == stored,
            "what table {name} stores is no longer what {} has, {}\n\n{}",
            path.display(),
            difference(&kept, &stored),
            include_str!("../fixtures/rows/README.md"),
        );
        let rows = fixture::rows(&kept);
        assert!(!rows.is_empty(), "{name}");
        for (_, value) in &rows {
            assert_eq!(&golden.table.written_again(value).unwrap(), value, "{name}");
        }
        let store = Store::in_memory().unwrap();
        golden::put(&store, rows).await;
        assert_eq!((golden.read)(&store), golden.expected, "{name}");
    }
}

/// Records for each field, by its path, whether some row fills it.
fn fields(at: &str, value: &Value, filled: &mut BTreeMap<String, bool>) {
    match value {
        Value::Map(entries) => {
            for (name, value) in entries {
                let name = name.as_str().expect("fields are named");
                fields(&format!("{at}.{name}"), value, filled);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| fields(at, item, filled)),
        _ => {}
    }
    let is_filled = match value {
        Value::Nil => false,
        Value::Array(items) => !items.is_empty(),
        Value::Map(entries) => !entries.is_empty(),
        _ => true,
    };
    *filled.entry(at.to_string()).or_default() |= is_filled;
}

#[tokio::test]
async fn every_field_is_filled_in_some_golden_row() {
    let mut empty = Vec::new();
    for golden in golden_rows().await {
        let mut filled = BTreeMap::new();
        for (_, stored) in &golden.stored {
            let value = fixture::value(stored);
            if value != Value::Nil {
                fields(golden.table.name(), &value, &mut filled);
            }
        }
        empty.extend(filled.into_iter().filter(|(_, is)| !is).map(|(at, _)| at));
    }
    assert_eq!(empty, Vec::<String>::new(), "never filled");
}
