//! Writes many rows in batches. A row that can't be written does not prevent the other writes.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::app::AppError;
use crate::metrics;
use crate::store::{AnyTable, Key, ReadTx, Store, StoreError, Table, WriteTx, is_first_today};

/// The maximum number of rows changed in one transaction.
pub(in crate::app) const BATCH_SIZE: usize = 200;

/// Runs `write` for all `rows` in one transaction. If that transaction fails, each row gets its own
/// transaction. A row that fails again is logged and counted, at most once a day. Returns the keys of the failed rows, and
/// the keys that `write` returns.
///
/// # Errors
/// If the store is unavailable.
pub(in crate::app) async fn write_each<K, T>(
    store: &Store,
    table: &'static str,
    rows: Vec<(K, T)>,
    write: impl Fn(&mut WriteTx<'_>, &[(K, T)]) -> Result<Vec<K>, AppError> + Clone + Send + 'static,
) -> Result<Vec<K>, AppError>
where
    K: Clone + Debug + Send + Sync + 'static,
    T: Clone + Send + Sync + 'static,
{
    let (all, together) = (rows.clone(), write.clone());
    match store.write(move |tx| together(tx, &all)).await {
        Err(error) if !matches!(error, AppError::StoreClosed(_)) => {}
        done => return done,
    }
    let mut stay = Vec::new();
    for row in rows {
        let (key, one, write) = (row.0.clone(), [row], write.clone());
        match store.write(move |tx| write(tx, &one)).await {
            Ok(more) => stay.extend(more),
            Err(error @ AppError::StoreClosed(_)) => return Err(error),
            Err(error) => {
                note_failed_row(table, &key, &error);
                stay.push(key);
            }
        }
    }
    Ok(stay)
}

/// Counts and logs a row that failed, at most once a day.
pub(in crate::app) fn note_failed_row(table: &'static str, key: &impl Debug, error: &AppError) {
    if is_first_today(format!("{table} {key:?}").as_bytes()) {
        metrics::row_unreadable(table);
        let error = error.log_text();
        tracing::error!(error, table, ?key, "a row failed and is skipped");
    }
}

/// Runs `write` for every due row of a table, in batches. The keys sort by time, and the first row that is
/// not due ends the search. `write` removes a row, or returns its key so that the row is skipped. Every other
/// row is in the next batch again, so each call must make progress.
///
/// # Errors
/// If the store fails.
pub(in crate::app) async fn write_due<K, V, const IS_INDEX: bool>(
    store: &Store,
    table: &Table<K, V, IS_INDEX>,
    is_due: impl Fn(&K, &V) -> bool + Send + Sync,
    write: impl Fn(&mut WriteTx<'_>, &[(K, ())]) -> Result<Vec<K>, AppError>
    + Clone
    + Send
    + Sync
    + 'static,
) -> Result<(), AppError>
where
    K: Key + Clone + Debug + Eq + Hash + Send + Sync + 'static,
    V: Serialize + DeserializeOwned,
{
    let mut stay = HashSet::new();
    loop {
        let due = |tx: &ReadTx| first_due(table, tx, &stay, &is_due);
        let keys = store.read(due).await?;
        if keys.is_empty() {
            return Ok(());
        }
        let rows = keys.into_iter().map(|key| (key, ())).collect();
        stay.extend(write_each(store, table.name(), rows, write.clone()).await?);
    }
}

/// Returns a batch write that runs `write` for each row and returns no key.
pub(in crate::app) fn each<K, T>(
    write: impl Fn(&mut WriteTx<'_>, &K, &T) -> Result<(), AppError> + Clone,
) -> impl Fn(&mut WriteTx<'_>, &[(K, T)]) -> Result<Vec<K>, AppError> + Clone {
    move |tx, rows| {
        for (key, row) in rows {
            write(tx, key, row)?;
        }
        Ok(Vec::new())
    }
}

/// Returns the first due keys of a table in the order of the table, at most [`BATCH_SIZE`]. Skips the keys in
/// `stay`.
pub(in crate::app) fn first_due<
    K: Key + Eq + Hash,
    V: Serialize + DeserializeOwned,
    const IS_INDEX: bool,
>(
    table: &Table<K, V, IS_INDEX>,
    tx: &ReadTx,
    stay: &HashSet<K>,
    is_due: impl Fn(&K, &V) -> bool,
) -> Result<Vec<K>, StoreError> {
    let mut keys = Vec::new();
    for row in table.readable_rows(tx, &()) {
        let (key, row) = row?;
        if !is_due(&key, &row) || keys.len() == BATCH_SIZE {
            break;
        }
        if !stay.contains(&key) {
            keys.push(key);
        }
    }
    Ok(keys)
}
