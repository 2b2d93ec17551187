//! Backups: the rows of one moment, and the file that is written from them.
//!
//! The file is a store of its own, written in the order of the keys, so it has no unused pages. Until the
//! file is complete and compared, its name ends with `.part`.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write};
use std::ops::{Bound, ControlFlow};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use redb::{Builder, Database, Durability};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::room::free_bytes;
use crate::store::StoreError;
use crate::store::batches::{ALL, KeyValue, key_after, next_batch};
use crate::store::engine::location::COMMAND_CACHE_BYTES;
use crate::store::engine::open_error::InspectedFile;
use crate::store::engine::{Direction, Read, ReadTx};
use crate::store::redb::repair::Repair;
use crate::store::redb::rows::{ROWS, engine, guarded};

/// Longest key or value that [`read_row`] accepts, in bytes. A longer one is no row of a store.
const MAX_BYTES: u64 = 1 << 30;

/// Row count and hash of a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DumpSummary {
    /// Number of rows.
    pub rows: u64,
    /// SHA-256 of every key and value in the order of the keys, each after its length.
    pub hash: [u8; 32],
}

/// Counts and hashes rows.
#[derive(Default)]
pub struct RowHash {
    rows: u64,
    hash: Sha256,
}

impl RowHash {
    pub fn add(&mut self, key: &[u8], value: &[u8]) {
        self.rows += 1;
        for part in [key, value] {
            self.hash.update((part.len() as u64).to_be_bytes());
            self.hash.update(part);
        }
    }

    #[must_use]
    pub fn summary(self) -> DumpSummary {
        DumpSummary {
            rows: self.rows,
            hash: self.hash.finalize().into(),
        }
    }

    /// Returns the row count and the hash of all rows of a view.
    pub(super) fn hash_view(view: &ReadTx) -> Result<DumpSummary, StoreError> {
        let mut hash = Self::default();
        view.scan(ALL.0, ALL.1, Direction::Forward, &mut |key, value| {
            hash.add(key, value);
            ControlFlow::Continue(())
        })?;
        Ok(hash.summary())
    }
}

/// Returns the rows of a view in batches, in the order of the keys. The view stays open for long.
pub fn row_batches(view: ReadTx) -> impl Iterator<Item = Result<Vec<KeyValue>, StoreError>> {
    let mut start = Some(ALL.0.to_vec());
    std::iter::from_fn(move || {
        let batch = next_batch(&view, start.as_ref()?, ALL.1);
        start = match &batch {
            Ok((rows, false)) => rows.last().map(|(key, _)| key_after(key)),
            _ => None,
        };
        Some(batch.map(|(rows, _)| rows))
    })
}

/// Writes a row to a stream: key and value, each after its length. [`end_rows`] ends the rows.
///
/// # Errors
/// If the stream can't be written.
pub fn write_row(out: &mut impl Write, (key, value): &KeyValue) -> io::Result<()> {
    for part in [key, value] {
        out.write_all(&(part.len() as u64).to_be_bytes())?;
        out.write_all(part)?;
    }
    Ok(())
}

/// Writes the end of the rows: an empty key, which no row has.
///
/// # Errors
/// If the stream can't be written.
pub fn end_rows(out: &mut impl Write) -> io::Result<()> {
    out.write_all(&0u64.to_be_bytes())
}

/// Reads a row from a stream. Returns `None` at the end of the rows.
///
/// # Errors
/// If the stream ends early or can't be read, or holds no row.
pub fn read_row(from: &mut impl io::Read) -> io::Result<Option<KeyValue>> {
    let key = read_part(from)?;
    if key.is_empty() {
        return Ok(None);
    }
    Ok(Some((key, read_part(from)?)))
}

fn read_part(from: &mut impl io::Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_be_bytes(length);
    let mut part = Vec::new();
    if length > MAX_BYTES || from.take(length).read_to_end(&mut part)? as u64 != length {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(part)
}

/// A store's file that is being written. Dropping this value removes the unfinished file.
pub struct NewStoreFile {
    /// `None` once the rows are complete.
    db: Option<Database>,
    path: PathBuf,
    part: PathBuf,
    may_replace: bool,
    is_named: bool,
}

impl NewStoreFile {
    /// Creates the file beside `path`, for this user alone. Replaces the unfinished file of a killed
    /// process.
    ///
    /// # Errors
    /// If `path` exists and `may_replace` is false, or is no file. If another process writes the same file.
    /// If the folder has less than `size` free bytes, or can't be written.
    pub fn create(path: &Path, size: u64, may_replace: bool) -> Result<Self, StoreError> {
        match fs::symlink_metadata(path) {
            Ok(meta) if !meta.is_file() || !may_replace => return Err(StoreError::NotEmpty),
            _ => {}
        }
        let free = free_bytes(folder_of(path)).map_err(|why| unwritable(path, why))?;
        if free < size {
            let (needed, free) = (size.div_ceil(MEGABYTE), free / MEGABYTE);
            return Err(StoreError::NoRoomForCopy { needed, free });
        }
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(".part");
        let part = path.with_file_name(name);
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.mode(0o600).open(&part);
        let file = file.map_err(|why| unwritable(path, why))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse),
            Err(TryLockError::Error(why)) => return Err(unwritable(path, why)),
        }
        file.set_len(0).map_err(|why| unwritable(path, why))?;
        let db = guarded(|| {
            let mut builder = Builder::new();
            let builder = builder.set_cache_size(COMMAND_CACHE_BYTES);
            builder.create_file(file).map_err(engine)
        });
        Ok(Self {
            db: Some(db?),
            path: path.to_owned(),
            part,
            may_replace,
            is_named: false,
        })
    }

    /// Writes all rows. Calls `say` with the number of rows written so far. Returns count and hash of the
    /// rows.
    ///
    /// # Errors
    /// The error of a batch. If the disk fails, or the rows are not in order.
    pub fn fill<E: From<StoreError>>(
        &mut self,
        batches: impl Iterator<Item = Result<Vec<KeyValue>, E>>,
        say: &mut dyn FnMut(u64),
    ) -> Result<DumpSummary, E> {
        let mut written = RowHash::default();
        for batch in batches {
            let batch = batch?;
            self.commit(&batch, Durability::None)?;
            for (key, value) in &batch {
                written.add(key, value);
            }
            say(written.rows);
        }
        self.commit(&[], Durability::Immediate)?;
        Ok(written.summary())
    }

    fn commit(&self, rows: &[KeyValue], durability: Durability) -> Result<(), StoreError> {
        guarded(|| {
            let db = self.db.as_ref().ok_or(StoreError::Closed)?;
            let mut txn = db.begin_write().map_err(engine)?;
            txn.set_durability(durability)
                .map_err(|_| StoreError::Engine("the copy has a savepoint"))?;
            // A durable commit writes the allocator state, so that the file opens fast.
            txn.set_quick_repair(matches!(durability, Durability::Immediate));
            {
                let mut table = txn.open_table(ROWS).map_err(engine)?;
                let mut end = table
                    .upper_bound_mut(Bound::<&[u8]>::Unbounded)
                    .map_err(engine)?;
                for (key, value) in rows {
                    let inserted = end.insert_before(key.as_slice(), value.as_slice());
                    inserted.map_err(engine)?;
                }
                end.close().map_err(engine)?;
            }
            txn.commit().map_err(engine)
        })
    }

    /// Reads the file again, and compares it with `expected`. The file has all its rows.
    ///
    /// # Errors
    /// If the disk fails, or the file differs from `expected`.
    pub fn verify(&mut self, expected: &DumpSummary) -> Result<(), StoreError> {
        self.close()?;
        let file = InspectedFile::inspect(&self.part, COMMAND_CACHE_BYTES, &Repair::default())?;
        let file = file.ok_or(StoreError::CopyDiffers)?;
        if RowHash::hash_view(file.rows())? == *expected {
            Ok(())
        } else {
            Err(StoreError::CopyDiffers)
        }
    }

    /// Returns the path of the unnamed file.
    pub(super) fn part(&self) -> &Path {
        &self.part
    }

    /// Names the file durably. Returns its size in bytes.
    ///
    /// # Errors
    /// If the disk fails. If the name was taken meanwhile, unless the file may be replaced.
    pub fn name(mut self) -> Result<u64, StoreError> {
        self.close()?;
        if self.path.exists() && !self.may_replace {
            return Err(StoreError::NotEmpty);
        }
        let named = File::open(&self.part).and_then(|file| {
            file.sync_all()?;
            fs::rename(&self.part, &self.path)?;
            self.is_named = true;
            File::open(folder_of(&self.path))?.sync_all()?;
            Ok(file.metadata()?.len())
        });
        named.map_err(|why| unwritable(&self.path, why))
    }

    fn close(&mut self) -> Result<(), StoreError> {
        let db = self.db.take();
        // A failing disk can make the engine panic when it closes the file.
        guarded(|| {
            drop(db);
            Ok(())
        })
    }
}

impl Drop for NewStoreFile {
    fn drop(&mut self) {
        if !self.is_named {
            let _ = fs::remove_file(&self.part);
        }
        let _ = self.close();
    }
}

const MEGABYTE: u64 = 1_000_000;

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|name| !name.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn unwritable(path: &Path, why: io::Error) -> StoreError {
    StoreError::Copy {
        to: path.to_owned(),
        why: why.into(),
    }
}
