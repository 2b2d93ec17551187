//! Removes blobs that no row names. The documents of such blobs were deleted or rendered again, or
//! a process was killed before it wrote the row.

use chrono::TimeDelta;
use futures_util::{StreamExt, stream};

use crate::app::documents::storage::contents::{self, REMOVAL_TIME};
use crate::app::{App, AppError, BlobStore};
use crate::clock::Clock;
use crate::store::{Direction, Store, tables};

/// The maximum number of blobs that one transaction looks up, and of removals that one transaction
/// stores or deletes.
const BATCH_SIZE: usize = 200;
/// The maximum number of blobs removed at the same time.
const TOGETHER: usize = 8;
/// The minimum age of a blob before its removal. A transaction may still have to write the row that
/// names a newer blob.
const DELETE_GRACE: TimeDelta = TimeDelta::days(1);

/// Removes the blobs that no row names and that are older than [`DELETE_GRACE`]. Also removes old
/// unfinished files of killed processes. Removes nothing if the blobs belong to another store.
///
/// # Errors
/// Fails if the store fails or the blob store is unavailable. The next run removes the rest.
pub(in crate::app) async fn remove_unnamed_contents(app: &App) -> Result<(), AppError> {
    // Blobs that this store does not name may belong to another store.
    if !app.contents.belongs_to(&app.store_id).await? {
        let place = app.contents.place();
        tracing::error!(
            place,
            "the documents of another store are in the same place: give each store a place of \
             its own. Nothing is removed there"
        );
        return Ok(());
    }
    while delete_removals(&app.store, &app.clock).await? {}
    let leftovers = app.contents.remove_leftovers().await?;
    let before = app.clock.now() - DELETE_GRACE;
    let (mut listed, mut removed) = (app.contents.list(), 0);
    let mut batch = Vec::with_capacity(BATCH_SIZE);
    while let Some(blob) = listed.next().await {
        let blob = blob?;
        if blob.written < before {
            batch.push(blob.sha256);
        }
        if batch.len() == BATCH_SIZE {
            removed += remove_unnamed(
                &app.store,
                &app.clock,
                &app.contents,
                std::mem::take(&mut batch),
            )
            .await?;
        }
    }
    removed += remove_unnamed(&app.store, &app.clock, &app.contents, batch).await?;
    if removed > 0 || leftovers > 0 {
        tracing::info!(
            removed,
            leftovers,
            "contents that no document has are removed"
        );
    }
    Ok(())
}

/// Removes the blobs of a batch that no row names. Returns their number.
async fn remove_unnamed(
    store: &Store,
    clock: &Clock,
    contents: &BlobStore,
    batch: Vec<String>,
) -> Result<usize, AppError> {
    let mut unnamed = Vec::new();
    store
        .read(|tx| {
            for sha256 in batch {
                if !contents::is_named(tx, &sha256)? {
                    unnamed.push(sha256);
                }
            }
            Ok::<_, AppError>(())
        })
        .await?;
    if unnamed.is_empty() {
        return Ok(0);
    }
    // After this transaction, no row may name these blobs until their removal is over.
    let now = clock.now();
    let doomed = store
        .write(move |tx| {
            let mut doomed = Vec::with_capacity(unnamed.len());
            for sha256 in &unnamed {
                if contents::begin_removal(tx, sha256, now)? {
                    doomed.push(sha256.clone());
                }
            }
            Ok::<_, AppError>(doomed)
        })
        .await?;
    let removals = stream::iter(doomed)
        .map(|sha256| async move { contents.remove(&sha256).await })
        .buffer_unordered(TOGETHER)
        .collect::<Vec<_>>();
    // After the timeout, no further removal starts. The other half of [`REMOVAL_TIME`] is for the
    // removals that started before.
    let limit = (REMOVAL_TIME / 2).to_std().unwrap_or_default();
    let removals = tokio::time::timeout(limit, removals).await;
    let removals =
        removals.map_err(|_| AppError::DocumentsUnavailable("it is slow".to_string()))?;
    let removed = removals.len();
    removals.into_iter().collect::<Result<Vec<()>, _>>()?;
    Ok(removed)
}

/// Deletes at most [`BATCH_SIZE`] rows of removals that began more than [`REMOVAL_TIME`] ago.
/// Returns true if there may be more.
async fn delete_removals(store: &Store, clock: &Clock) -> Result<bool, AppError> {
    let before = clock.now();
    let removals = store
        .read(|tx| tables::REMOVED_CONTENTS.list_readable(tx, &(), Direction::Forward, usize::MAX))
        .await?;
    let is_over = |time| time + REMOVAL_TIME < before;
    let over = removals
        .into_iter()
        .filter(|(_, removal)| is_over(removal.at));
    let over: Vec<_> = over.map(|(sha256, _)| sha256).take(BATCH_SIZE).collect();
    if over.is_empty() {
        return Ok(false);
    }
    store
        .write(move |tx| {
            for sha256 in &over {
                contents::forget_removal(tx, sha256, before)?;
            }
            Ok::<_, AppError>(())
        })
        .await?;
    Ok(true)
}
