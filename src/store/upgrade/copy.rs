//! Copies a store before its upgrade.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::store::StoreError;

const MEGABYTE: u64 = 1_000_000;

/// Returns the path of a copy, beside the store: `layby.redb.schema-1.2026-11-22T12-00-00Z`.
pub(super) fn copy_path(store: &Path, schema: u32, now: DateTime<Utc>) -> PathBuf {
    let name = store.file_name().unwrap_or_default().to_string_lossy();
    let time = now.format("%Y-%m-%dT%H-%M-%SZ");
    store.with_file_name(format!("{name}.schema-{schema}.{time}"))
}

/// Copies `store` to `to`, durably. If the copy fails after it was begun, removes the unfinished copy.
pub(super) fn copy(
    store: &Path,
    to: &Path,
    free: impl Fn(&Path) -> io::Result<u64>,
) -> Result<(), StoreError> {
    // The other name prevents that somebody takes an interrupted copy for a complete copy.
    let path = store.with_extension("copy.part");
    let mut unfinished = begin(&path, to)?;
    let done = finish(store, (&mut unfinished, &path), to, free);
    if done.is_err() {
        let _ = fs::remove_file(&path);
    }
    done
}

/// Opens the unfinished copy and empties it. A killed upgrade may have left an unfinished copy that uses
/// space. The lock on the file prevents a second copy of the store at the same time.
fn begin(path: &Path, to: &Path) -> Result<File, StoreError> {
    let mut options = File::options();
    let options = options.write(true).create(true).truncate(false).mode(0o600);
    let unfinished = options.open(path).map_err(|why| failed(to, why))?;
    match unfinished.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StoreError::InUse),
        Err(TryLockError::Error(why)) => return Err(failed(to, why)),
    }
    unfinished.set_len(0).map_err(|why| failed(to, why))?;
    Ok(unfinished)
}

/// Fills the unfinished copy if there is space, and renames it to `to`.
fn finish(
    store: &Path,
    (unfinished, path): (&mut File, &Path),
    to: &Path,
    free: impl Fn(&Path) -> io::Result<u64>,
) -> Result<(), StoreError> {
    let folder = match store.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut whole = || {
        let mut from = File::open(store)?;
        let metadata = from.metadata()?;
        // The rewritten rows need the same space again before the old rows are freed.
        let (needed, free) = (metadata.len().saturating_mul(2), free(folder)?);
        if free < needed {
            return Ok(Err(StoreError::NoRoom {
                needed: needed.div_ceil(MEGABYTE),
                free: free / MEGABYTE,
            }));
        }
        io::copy(&mut from, unfinished)?;
        unfinished.set_permissions(metadata.permissions())?;
        unfinished.sync_all()?;
        if to.exists() {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists));
        }
        fs::rename(path, to)?;
        File::open(folder)?.sync_all().map(Ok)
    };
    whole().unwrap_or_else(|why| Err(failed(to, why)))
}

fn failed(to: &Path, why: io::Error) -> StoreError {
    StoreError::Copy {
        to: to.to_owned(),
        why: Arc::new(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let files = fs::read_dir(folder).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_copy_is_named_by_schema_and_time_and_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("layby.redb");
        fs::write(&store, "rows").unwrap();
        let to = copy_path(&store, 1, "2026-11-22T12:00:01Z".parse().unwrap());
        copy(&store, &to, crate::store::free_bytes).unwrap();
        let name = "layby.redb.schema-1.2026-11-22T12-00-01Z";
        assert_eq!(names(folder.path()), ["layby.redb", name]);
        assert_eq!(fs::read(&to).unwrap(), b"rows");
        // A copy never replaces another.
        fs::write(&store, "other rows").unwrap();
        copy(&store, &to, crate::store::free_bytes).unwrap_err();
        assert_eq!(fs::read(&to).unwrap(), b"rows");
        assert_eq!(names(folder.path()), ["layby.redb", name]);
    }

    #[test]
    fn without_room_nothing_is_copied() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("layby.redb");
        fs::write(&store, vec![7; 3_000_000]).unwrap();
        let to = folder.path().join("copy");
        let error = copy(&store, &to, |_| Ok(5_999_999)).unwrap_err();
        let expected =
            "6 MB are needed for a copy and for the rows that are written anew, and 5 MB";
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(names(folder.path()), ["layby.redb"]);
        copy(&store, &to, |_| Ok(6_000_000)).unwrap();
    }
    #[test]
    fn what_a_killed_upgrade_left_takes_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("layby.redb");
        fs::write(&store, vec![7; 3_000_000]).unwrap();
        let left = folder.path().join("layby.copy.part");
        fs::write(&left, vec![7; 2_700_000]).unwrap();
        // A disk of 9 MB.
        let free = |folder: &Path| {
            let files = fs::read_dir(folder)?;
            let sizes = files.map(|file| file?.metadata().map(|metadata| metadata.len()));
            Ok(9_000_000 - sizes.sum::<io::Result<u64>>()?)
        };
        let to = folder.path().join("copy");
        copy(&store, &to, free).unwrap();
        assert_eq!(names(folder.path()), ["copy", "layby.redb"]);
        assert_eq!(fs::read(&to).unwrap(), vec![7; 3_000_000]);
    }

    #[test]
    fn a_copy_that_another_process_is_writing_is_left_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("layby.redb");
        fs::write(&store, "rows").unwrap();
        let to = folder.path().join("copy");
        let mut others = begin(&store.with_extension("copy.part"), &to).unwrap();
        io::Write::write_all(&mut others, b"ro").unwrap();
        let refused = copy(&store, &to, crate::store::free_bytes).unwrap_err();
        assert!(matches!(refused, StoreError::InUse), "{refused}");
        let names = names(folder.path());
        assert_eq!(names, ["layby.copy.part", "layby.redb"]);
        assert_eq!(fs::read(folder.path().join(&names[0])).unwrap(), b"ro");
    }
}
