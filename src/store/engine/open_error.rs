//! A store that nobody has open. It is looked at before it is opened for writing, so that a file
//! that this program must leave alone keeps its rows. It stays as it is byte for byte if it was
//! closed properly. If not, after a kill or a power cut, the engine must put it in order before it
//! can be read at all, also where it is another program's.

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

/// A file that is open, so that nobody else can open it for writing meanwhile.
pub struct InspectedFile {
    /// What is in it.
    pub(in crate::store) rows: ReadTx,
    db: OpenedFile,
}

enum OpenedFile {
    ToRead(ReadOnlyDatabase),
    /// It had to be put in order, which takes long, so it stays open for who wants to use it.
    InOrder(Database),
}

/// What the engine says of the pages of a stopped store.
pub enum Pages {
    /// Every page is what was written there.
    Whole(InspectedFile),
    /// A page of the newest commit is damaged. The commit before it is whole, and the next start takes it.
    Older,
    /// A page is damaged that no commit can do without.
    Damaged,
    /// The rows' pages are whole, and the engine's own counts are wrong.
    Miscounted,
}

impl Pages {
    /// Has the engine verify every page of the file; none where nothing was ever written to it. The file
    /// stays as it is: the engine repairs what it finds, and that is kept in memory.
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
        // A damaged page may mislead the engine while it closes, too.
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

/// Whether there is no file, or nothing was ever written to it.
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
    /// Looks at the file; none when there is no file, or nothing was ever written to it. A file
    /// that was not closed properly is put in order first, which changes no row. The engine holds at
    /// most `cache` bytes of it in memory.
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

    /// Its rows.
    #[must_use]
    pub fn rows(&self) -> &ReadTx {
        &self.rows
    }

    /// The store for writing, where it is open for that already.
    pub(in crate::store) fn into_open(self) -> Option<Database> {
        match self.db {
            OpenedFile::ToRead(_) => None,
            OpenedFile::InOrder(db) => Some(db),
        }
    }
}

/// The rows; none where a file was made, and the process killed before it wrote a row.
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
