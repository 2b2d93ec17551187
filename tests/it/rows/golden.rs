//! The golden rows: at least one of every table, with every field and every stored variant. A new field or
//! variant does not compile until it is added here.

mod accounts;
mod money;
mod policies;
mod quotes;
mod work;

use crate::support::stores::snapshot;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Duration, NaiveDate, SubsecRound, Utc};
use layby::store::tables::StoredProduct;
use layby::store::{
    AnyTable, Direction, Key, Progress, Read, SCHEMA, SHAPE, Store, StoreDescription, StoreError,
    Table, tables,
};
use serde::{Serialize, de::DeserializeOwned};
use uuid::Uuid;

/// A stored key and value.
pub type Stored = (Vec<u8>, Vec<u8>);

/// Keys and rows in Rust's debug format.
pub type Shown = BTreeSet<String>;

/// The golden rows of one table.
pub struct Golden {
    pub table: &'static dyn AnyTable,
    /// As the typed table wrote them, by key.
    pub stored: Vec<Stored>,
    /// The rows before the write.
    pub expected: Shown,
    /// Reads every row of the table.
    pub read: Box<dyn Fn(&Store) -> Shown>,
}

/// Makes a value of every variant of an enum. A missing variant does not compile.
macro_rules! every {
    ($of:ident: $($variant:ident $({ $($field:tt: $value:expr),* $(,)? })?),* $(,)?) => {{
        let _ = |one: &$of| match one { $($of::$variant { .. } => ()),* };
        vec![$($of::$variant $({ $($field: $value),* })?),*]
    }};
}
use every;

/// Returns the id of a number.
fn id(number: u128) -> Uuid {
    Uuid::from_u128((0x0193_7000_0000_7000_8000 << 48) + number)
}

/// Returns the hash of a number.
fn hash(number: u8) -> [u8; 32] {
    [number; 32]
}

/// Returns a hash in the form of rows.
fn hex(number: u8) -> String {
    data_encoding::HEXLOWER.encode(&hash(number))
}

/// Returns the time this number of `minutes` after noon on 21 November 2026.
fn at(minutes: i64) -> DateTime<Utc> {
    let noon: DateTime<Utc> = "2026-11-21T12:00:00.123456Z".parse().unwrap();
    noon + Duration::minutes(minutes)
}

/// Returns the same time as stored in a key: in whole milliseconds.
fn by_time(minutes: i64) -> DateTime<Utc> {
    at(minutes).trunc_subsecs(3)
}

/// Returns the day this number of `days` after 21 November 2026.
fn day(days: i64) -> NaiveDate {
    at(0).date_naive() + Duration::days(days)
}

fn text(text: &str) -> String {
    text.to_string()
}

/// Returns the rows of one table by key.
fn stored(store: &Store, number: u8) -> Vec<Stored> {
    let mut rows = Vec::new();
    let tx = snapshot(store);
    let visit = &mut |key: &[u8], value: &[u8]| {
        rows.push((key.to_vec(), value.to_vec()));
        ControlFlow::Continue(())
    };
    tx.scan(&[number], &[number + 1], Direction::Forward, visit)
        .unwrap();
    rows
}

/// Puts rows unchanged.
pub async fn put(store: &Store, rows: Vec<Stored>) {
    let put = move |tx: &mut layby::store::WriteTx<'_>| {
        for (key, value) in rows.clone() {
            tx.put(key, value);
        }
        Ok::<_, StoreError>(())
    };
    store.write(put).await.unwrap();
}

async fn golden<K, V, const IS_INDEX: bool>(
    table: &'static Table<K, V, IS_INDEX>,
    rows: Vec<(K, V)>,
) -> Golden
where
    K: Key + Debug + Send + Sync + 'static,
    V: Serialize + DeserializeOwned + Debug + Send + Sync + 'static,
{
    let read = |store: &Store| {
        let tx = snapshot(store);
        let rows = table.list(&tx, &(), Direction::Forward, usize::MAX);
        let rows = rows.unwrap().into_iter();
        rows.map(|row| format!("{row:?}")).collect()
    };
    let rows = Arc::new(rows);
    let written = rows.clone();
    let store = Store::in_memory().unwrap();
    let put = store.write(move |tx| {
        for (key, row) in written.iter() {
            let (key, row) = table.stored(key, row)?;
            tx.put(key, row);
        }
        Ok::<_, StoreError>(())
    });
    put.await.unwrap();
    let expected: Shown = rows.iter().map(|row| format!("{row:?}")).collect();
    assert_eq!(read(&store), expected, "{}", table.name());
    Golden {
        table,
        stored: stored(&store, table.number()),
        expected,
        read: Box::new(read),
    }
}

/// Returns the golden rows of every table, in the order of `tables.rs`.
pub async fn all() -> Vec<Golden> {
    let about = StoreDescription {
        schema: SCHEMA,
        shape: Some(SHAPE),
        written_by: text("0.1.0"),
        upgrade: Some(Progress {
            walk: 1,
            after: Some(Bytes::from_static(&[10, 0, 255])),
            copy: text("layby.redb.schema-1.2026-11-21T12-00-00Z"),
        }),
    };
    let product = StoredProduct {
        identifier: text("breakdown"),
        version: text("2026.3"),
        file: text("breakdown.toml"),
        text: text("identifier = \"breakdown\"\n"),
        documents_file: Some((text("breakdown-documents.toml"), text("[wording]\n"))),
    };
    let version = (text("breakdown"), text("2026.3"));
    let mut rows = vec![
        golden(&tables::DESCRIPTION, vec![((), about)]).await,
        golden(&tables::COUNTERS, vec![(text("quotes"), 70_000)]).await,
        golden(&tables::SECRETS, vec![(text("callbacks"), hex(1))]).await,
        golden(&tables::PRODUCTS, vec![(hex(2), product)]).await,
        golden(&tables::PRODUCT_VERSIONS, vec![(version, hex(2))]).await,
    ];
    rows.extend(quotes::rows().await);
    rows.extend(policies::rows().await);
    rows.extend(money::rows().await);
    rows.extend(accounts::rows().await);
    rows.extend(work::rows().await);
    rows
}
