//! `layby backup`: the rows and documents of one moment.

use std::collections::BTreeSet;
use std::thread;
use std::time::Instant;

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::config::Config;
use crate::integrations::blobs::{BlobStore, ContentError};
use crate::metrics;
use crate::store::backup::row_batches;
use crate::store::tables::{self, BackupState, GoodBackup};
use crate::store::{KeyValue, Read, ReadTx, Store, StoreError, WriteTx};

/// Stores the moment of a backup, and returns it with the rows of that moment. While the rows are open, each
/// write makes a store's file grow.
///
/// # Errors
/// If the store fails.
pub async fn begin(store: &Store, now: DateTime<Utc>) -> Result<(DateTime<Utc>, ReadTx), AppError> {
    change_state(store, now, move |state| state.started = Some(now)).await?;
    Ok((now, store.inspect()?))
}

/// Stores that a backup was read again and was the same.
///
/// # Errors
/// If the store fails.
pub async fn record(store: &Store, good: GoodBackup, now: DateTime<Utc>) -> Result<(), AppError> {
    let (moment, rows, bytes) = (good.moment, good.rows, good.bytes);
    tracing::info!(%moment, rows, bytes, "a backup is good");
    change_state(store, now, move |state| state.newest = Some(good.clone())).await
}

/// Stores when the first shop started on the store. The age of a missing backup counts from there.
///
/// # Errors
/// If the store fails.
pub(in crate::app) async fn note_first_start(
    store: &Store,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let state = store.read(|tx| tables::BACKUP_STATE.get(tx, &())).await?;
    match state {
        Some(_) => Ok(()),
        None => change_state(store, now, |_| {}).await,
    }
}

async fn change_state(
    store: &Store,
    now: DateTime<Utc>,
    change: impl Fn(&mut BackupState) + Send + 'static,
) -> Result<(), AppError> {
    let write = move |tx: &mut WriteTx<'_>| {
        let state = tables::BACKUP_STATE.get_readable(tx, &())?;
        let mut state = state.unwrap_or(BackupState {
            since: now,
            started: None,
            newest: None,
        });
        change(&mut state);
        Ok(tables::BACKUP_STATE.put(tx, &(), &state)?)
    };
    store.write(write).await
}

/// Sets the metric of the newest good backup's age. Without one, the age counts from the first start.
///
/// # Errors
/// If the store fails.
pub async fn record_age(store: &Store, now: DateTime<Utc>) -> Result<(), AppError> {
    let state = store.read(|tx| tables::BACKUP_STATE.get(tx, &())).await?;
    if let Some(state) = state {
        let since = state.newest.map_or(state.since, |newest| newest.moment);
        metrics::set_backup_age((now - since).num_seconds());
    }
    Ok(())
}

/// Returns the size of the store's file, in bytes. Returns zero for a database.
#[must_use]
pub fn store_size(config: &Config) -> u64 {
    let file = config.server.data.join("layby.redb");
    match config.store.url {
        Some(_) => 0,
        None => file.metadata().map_or(0, |meta| meta.len()),
    }
}

/// Returns the rows in batches, and rests after each batch for as long as the batch took, or three times as
/// long. So customers have most of the processors.
pub fn paced(
    view: ReadTx,
    is_slow: bool,
) -> impl Iterator<Item = Result<Vec<KeyValue>, StoreError>> {
    let (mut batches, mut sent) = (row_batches(view), None);
    std::iter::from_fn(move || {
        if let Some(sent) = sent.take().map(|sent: Instant| sent.elapsed()) {
            thread::sleep(if is_slow { sent * 3 } else { sent });
        }
        sent = Some(Instant::now());
        batches.next()
    })
}

/// Returns the moment of a copy's rows. Returns `None` for a store that nobody wrote to.
///
/// # Errors
/// If a row can't be read.
pub fn moment_of(rows: &impl Read) -> Result<Option<DateTime<Utc>>, StoreError> {
    let state = tables::BACKUP_STATE.get_readable(rows, &())?;
    let newest_write = tables::NEWEST_WRITE.get_readable(rows, &())?;
    Ok(state.and_then(|state| state.started).max(newest_write))
}

/// Returns the blobs that the rows of a copy name.
///
/// # Errors
/// If a row can't be read.
pub fn named_blobs(rows: &impl Read) -> Result<BTreeSet<String>, StoreError> {
    let rows = tables::DOCUMENT_BY_CONTENT.readable_rows(rows, &());
    rows.map(|row| Ok(row?.0.0)).collect()
}

/// Copies the blobs that `to` lacks. Returns the number of blobs that `from` lacks or has damaged.
///
/// # Errors
/// If a blob store is unavailable.
pub async fn copy_blobs(
    from: &BlobStore,
    to: &BlobStore,
    named: &BTreeSet<String>,
) -> Result<u64, ContentError> {
    let mut missing = 0;
    for sha256 in named {
        if to.has(sha256).await? {
            continue;
        }
        match from.get(sha256).await {
            Ok(bytes) => drop(to.put(bytes).await?),
            Err(ContentError::Missing(_) | ContentError::Damaged(_)) => missing += 1,
            Err(away) => return Err(away),
        }
    }
    Ok(missing)
}
