//! Inspects a store before it is opened for writing, so that a refused file keeps its rows.
//!
//! After a clean shutdown the file stays the same, byte for byte. After a kill or a power cut the engine
//! must repair the file before the first read. The engine also repairs a file of another program.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use redb::{Builder, Database, DatabaseError, ReadOnlyDatabase, ReadableDatabase, TableError};

use crate::store::StoreError;
use crate::store::engine::location::StoreLocation;
use crate::store::redb::disk::Untouched;
use crate::store::redb::repair::Repair;
use crate::store::redb::rows::{ROWS, engine, guarded};
use crate::store::redb::view::ReadTx;

/// An open file. While it is open, no other process can open the file for writing.
pub struct InspectedFile {
    pub(in crate::store) rows: ReadTx,
    db: OpenedFile,
}

enum OpenedFile {
    ToRead(ReadOnlyDatabase),
    /// The engine has repaired the file, which takes long. So the file stays open for later use.
    InOrder(Database),
}

/// The engine's result for the pages of a stopped store.
pub enum Pages {
    /// Every page is as it was written.
    Whole(InspectedFile),
    /// A page of the newest commit is damaged. The next start uses the commit before it.
    Older,
    /// A page is damaged that every commit needs.
    Damaged,
    /// The rows' pages are intact. The engine's own counts are wrong.
    Miscounted,
}

impl Pages {
    /// Verifies every page of the file. Returns `None` if nothing was ever written to the file. The file
    /// stays the same: the engine's repair stays in memory.
    pub(in crate::store) fn verify(path: &Path) -> Result<Option<Self>, StoreError> {
        if is_new(path)? {
            return Ok(None);
        }
        let (place, repair) = (
            StoreLocation::Disk(Arc::new(Untouched::open(path)?)),
            Repair::default(),
        );
        let mut db = match place.open(&repair) {
            Err(StoreError::Damaged) => return Ok(Some(Self::Damaged)),
            opened => opened?,
        };
        let verified = guarded(|| match db.check_integrity().map_err(engine)? {
            _ if repair.has_fallen_back() => Ok(Err(Self::Older)),
            false => Ok(Err(Self::Miscounted)),
            true => rows_of(&db).map(Ok),
        });
        if let Ok(Ok(rows)) = verified {
            let db = OpenedFile::InOrder(db);
            return Ok(rows.map(|rows| Self::Whole(InspectedFile { rows, db })));
        }
        // A damaged page may also make the engine panic when the engine closes the file.
        let _ = guarded(|| {
            drop(db);
            Ok(())
        });
        match verified {
            Ok(wrong) => Ok(wrong.err()),
            Err(StoreError::Damaged) => Ok(Some(Self::Damaged)),
            Err(why) => Err(why),
        }
    }
}

/// Returns whether the file is missing or empty.
fn is_new(path: &Path) -> Result<bool, StoreError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        found => {
            let found = found.map_err(StoreError::disk)?;
            Ok(found.is_file() && found.len() == 0)
        }
    }
}

impl InspectedFile {
    /// Opens the file for reading. Returns `None` if the file is missing, empty or without a row table.
    /// First repairs the file after an unclean shutdown, which changes no row. The engine's cache has at
    /// most `cache` bytes.
    pub(in crate::store) fn inspect(
        path: &Path,
        cache: usize,
        repair: &Repair,
    ) -> Result<Option<Self>, StoreError> {
        if is_new(path)? {
            return Ok(None);
        }
        guarded(|| Self::inspect_unlocked(path, cache, repair))
    }

    fn inspect_unlocked(
        path: &Path,
        cache: usize,
        repair: &Repair,
    ) -> Result<Option<Self>, StoreError> {
        let db = match Builder::new().set_cache_size(cache).open_read_only(path) {
            Err(DatabaseError::RepairAborted) if repair.is_stopped() => {
                return Err(StoreError::Stopped);
            }
            Err(DatabaseError::RepairAborted) => {
                let path = path.to_owned();
                OpenedFile::InOrder(StoreLocation::File { path, cache }.open(repair)?)
            }
            opened => OpenedFile::ToRead(opened.map_err(engine)?),
        };
        let rows = match &db {
            OpenedFile::ToRead(db) => rows_of(db),
            OpenedFile::InOrder(db) => rows_of(db),
        };
        Ok(rows?.map(|rows| Self { rows, db }))
    }

    /// Returns the file's rows.
    #[must_use]
    pub fn rows(&self) -> &ReadTx {
        &self.rows
    }

    /// Returns the open database if the inspection had to open the file for writing.
    pub(in crate::store) fn into_open(self) -> Option<Database> {
        match self.db {
            OpenedFile::ToRead(_) => None,
            OpenedFile::InOrder(db) => Some(db),
        }
    }
}

/// Returns the rows. Returns `None` if the process was killed before it created the row table.
fn rows_of(db: &impl ReadableDatabase) -> Result<Option<ReadTx>, StoreError> {
    let txn = db.begin_read().map_err(engine)?;
    match txn.open_table(ROWS) {
        Ok(rows) => Ok(Some(ReadTx::from_file(rows))),
        Err(TableError::TableDoesNotExist(_)) => {
            let mut others = txn.list_tables().map_err(engine)?;
            match others.next() {
                None => Ok(None),
                Some(_) => Err(StoreError::NoStore),
            }
        }
        Err(TableError::Storage(error)) => Err(engine(error)),
        Err(_) => Err(StoreError::NoStore),
    }
}
