//! The copy of a store that is made before it is upgraded.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::store::StoreError;

const MEGABYTE: u64 = 1_000_000;

/// The name of a copy, beside the store: `layby.redb.schema-2.2026-11-22T12-00-00Z`.
pub(super) fn beside(store: &Path, schema: u32, now: DateTime<Utc>) -> PathBuf {
    let name = store.file_name().unwrap_or_default().to_string_lossy();
    let time = now.format("%Y-%m-%dT%H-%M-%SZ");
    store.with_file_name(format!("{name}.schema-{schema}.{time}"))
}

/// Bytes that are free on the disk of a folder.
#[cfg(unix)]
pub(super) fn free(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Where the system doesn't say how much is free, the copy itself fails when there is no room.
#[cfg(not(unix))]
pub(super) fn free(_: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}

/// Copies `store` to `to`, which then is on the disk whole. Nothing is left where that fails.
pub(super) fn copy(
    store: &Path,
    to: &Path,
    free: impl Fn(&Path) -> io::Result<u64>,
) -> Result<(), StoreError> {
    let failed = |why: io::Error| StoreError::Copy {
        to: to.to_owned(),
        why: Arc::new(why),
    };
    let folder = match store.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // The rows that are written anew take as much again before the old ones are let go.
    let needed = fs::metadata(store).map_err(failed)?.len().saturating_mul(2);
    let free = free(folder).map_err(failed)?;
    if free < needed {
        return Err(StoreError::NoRoom {
            needed: needed.div_ceil(MEGABYTE),
            free: free / MEGABYTE,
        });
    }
    // A copy that was broken off must not be taken for a whole one.
    let unfinished = store.with_extension("copy.part");
    let whole = || {
        fs::copy(store, &unfinished)?;
        File::open(&unfinished)?.sync_all()?;
        if to.exists() {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists));
        }
        fs::rename(&unfinished, to)?;
        File::open(folder)?.sync_all()
    };
    whole().map_err(|why| {
        let _ = fs::remove_file(&unfinished);
        failed(why)
    })
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
        let to = beside(&store, 2, "2026-11-22T12:00:01Z".parse().unwrap());
        copy(&store, &to, super::free).unwrap();
        let name = "layby.redb.schema-2.2026-11-22T12-00-01Z";
        assert_eq!(names(folder.path()), ["layby.redb", name]);
        assert_eq!(fs::read(&to).unwrap(), b"rows");
        // No copy takes another's place.
        fs::write(&store, "other rows").unwrap();
        copy(&store, &to, super::free).unwrap_err();
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
}
