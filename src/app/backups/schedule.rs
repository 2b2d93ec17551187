//! The daily backup of a running shop, into a folder of the operator.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use chrono::NaiveDate;
use chrono_tz::Europe::London;
use tokio::runtime::Handle;

use crate::app::backups::backup;
use crate::app::jobs::with_lease;
use crate::app::{App, AppError, BlobStore};
use crate::config::{Config, DocumentPlace};
use crate::files::make_private_folder;
use crate::store::tables::GoodBackup;
use crate::store::{NewStoreFile, ReadTx, StoreError, free_bytes};

/// Minutes between two tries of a backup.
const RETRY_MINUTES: i64 = 10;
/// Unit of a file's allocated blocks, in bytes.
const BLOCK_BYTES: u64 = 512;
/// The folder of documents, beside the backups.
const DOCUMENTS: &str = "documents";

/// Makes today's backup if it is due and not there yet. One shop of a database makes it.
///
/// # Errors
/// If the backup fails. The next try is some minutes later.
pub async fn make_if_due(app: &Arc<App>) -> Result<(), AppError> {
    let Some(folder) = app.config.backup.folder.clone() else {
        return Ok(());
    };
    let now = app.clock.now().with_timezone(&London);
    let (time, begins) = (now.time(), app.config.backup.at);
    let minutes = (time - begins).num_minutes();
    let is_due = time >= begins && minutes % RETRY_MINUTES == 0;
    let file = folder.join(file_name(now.date_naive()));
    if !is_due || file.exists() {
        return Ok(());
    }
    let shop = app.clone();
    with_lease(app, "backup", async move {
        let made = tokio::task::spawn_blocking(move || make(&shop, &folder, &file)).await;
        made.map_err(|error| AppError::internal("the backup failed", error))?
    })
    .await
}

/// Writes one backup with its documents, and removes the oldest.
fn make(app: &App, folder: &Path, file: &Path) -> Result<(), AppError> {
    let unusable = |error: io::Error| AppError::internal("backup.folder can't be used", error);
    let began = Instant::now();
    make_private_folder(folder).map_err(unusable)?;
    let size = backup::store_size(&app.config) + app.config.server.min_free_disk;
    make_room(folder, size).map_err(unusable)?;
    let mut new = NewStoreFile::create(file, size, false)?;
    let runtime = Handle::current();
    let (moment, view) = runtime.block_on(backup::begin(&app.store, app.clock.now()))?;
    tracing::info!(%moment, file = %file.display(), "the daily backup begins");
    let batches = backup::paced(view.clone(), false).map(|batch| {
        if app.is_draining() {
            return Err(StoreError::Stopped);
        }
        batch
    });
    let copied = new.fill(batches, &mut drop)?;
    new.verify(&copied)?;
    // A backup without its documents is not named, so the next try makes it again.
    copy_documents(app, folder, &view, &runtime)?;
    let bytes = new.name()?;
    let rows = copied.rows;
    let good = GoodBackup {
        moment,
        rows,
        bytes,
    };
    runtime.block_on(backup::record(&app.store, good, app.clock.now()))?;
    let seconds = began.elapsed().as_secs();
    tracing::info!(rows, bytes, seconds, "the daily backup ends");
    for old in backups(folder)
        .map_err(unusable)?
        .iter()
        .rev()
        .skip(app.config.backup.keep)
    {
        fs::remove_file(old).map_err(unusable)?;
        tracing::info!(file = %old.display(), "an old backup was removed");
    }
    Ok(())
}

/// Copies the documents that the backup names, unless they are in a bucket.
fn copy_documents(
    app: &App,
    folder: &Path,
    view: &ReadTx,
    runtime: &Handle,
) -> Result<(), AppError> {
    if matches!(app.config.documents.url, Some(DocumentPlace::Bucket { .. })) {
        return Ok(());
    }
    let failed = |error| AppError::internal("the documents of the backup can't be copied", error);
    let named = backup::named_blobs(view)?;
    let to = BlobStore::in_named_folder(&folder.join(DOCUMENTS))
        .map_err(|error| AppError::internal("backup.folder can't be used", error))?;
    let missing = runtime.block_on(backup::copy_blobs(&app.contents, &to, &named));
    let missing = missing.map_err(failed)?;
    if missing > 0 {
        tracing::error!(
            missing,
            "documents are missing or damaged: `layby check` names them"
        );
    }
    Ok(())
}

/// Removes the oldest backups until `needed` bytes are free, but never the newest.
fn make_room(folder: &Path, needed: u64) -> io::Result<()> {
    let mut old = Vec::new();
    for file in backups(folder)? {
        // The length of a sparse file is more than what its removal frees.
        let bytes = file.metadata()?.blocks() * BLOCK_BYTES;
        old.push((file, bytes));
    }
    old.pop();
    for file in choose_removals(old, free_bytes(folder)?, needed) {
        fs::remove_file(&file)?;
        tracing::warn!(file = %file.display(), "the disk is too full for a backup: an old one was removed");
    }
    Ok(())
}

/// Returns the first of the old backups, so many that their removal frees `needed` bytes. Returns none if all of
/// them are too few.
fn choose_removals(old: Vec<(PathBuf, u64)>, free: u64, needed: u64) -> Vec<PathBuf> {
    let (mut room, mut removed) = (free, Vec::new());
    for (file, bytes) in old {
        if room >= needed {
            break;
        }
        room += bytes;
        removed.push(file);
    }
    if room < needed { Vec::new() } else { removed }
}

fn file_name(day: NaiveDate) -> String {
    format!("layby-{day}.redb")
}

/// Returns the daily backups in the folder, the oldest first.
fn backups(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let day = name
            .strip_prefix("layby-")
            .and_then(|name| name.strip_suffix(".redb"));
        if day.is_some_and(|day| day.parse::<NaiveDate>().is_ok()) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Warns if the disk of the store also has the backups, because one fault loses both.
pub fn warn_of_same_disk(config: &Config) {
    let Some(folder) = &config.backup.folder else {
        return;
    };
    let disk = |path: &Path| {
        let existing = path.ancestors().find_map(|path| path.metadata().ok());
        existing.map(|meta| meta.dev())
    };
    if config.store.url.is_none() && disk(folder) == disk(&config.server.data) {
        tracing::warn!(
            folder = %folder.display(),
            "backup.folder is on the disk of the store: one fault of the disk loses both"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_costs_old_backups_and_never_the_newest() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "layby-2026-11-21.redb",
            "layby-2026-11-23.redb",
            "layby-2026-11-22.redb",
            "layby-copy.redb",
        ] {
            fs::write(folder.path().join(name), "a backup").unwrap();
        }
        let left = || backups(folder.path()).unwrap().len();
        make_room(folder.path(), 0).unwrap();
        assert_eq!(left(), 3);
        // A sparse file is long, and its removal frees nothing.
        let oldest = fs::File::create(folder.path().join("layby-2026-11-21.redb")).unwrap();
        oldest.set_len(1 << 40).unwrap();
        make_room(
            folder.path(),
            free_bytes(folder.path()).unwrap() + (1 << 39),
        )
        .unwrap();
        assert_eq!(left(), 3);

        let old = |sizes: [u64; 3]| {
            let names = ["a", "b", "c"].map(PathBuf::from);
            names.into_iter().zip(sizes).collect::<Vec<_>>()
        };
        let removed = |free, needed| choose_removals(old([5, 0, 7]), free, needed).len();
        assert_eq!([removed(9, 9), removed(9, 14), removed(9, 15)], [0, 1, 3]);
        // More than all old backups together: none is removed.
        assert_eq!(removed(9, 22), 0);
    }
}
