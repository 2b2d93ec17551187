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
use crate::store::engine::location::Place;
use crate::store::redb::disk::Untouched;
use crate::store::redb::repair::Repair;
use crate::store::redb::rows::{ROWS, engine, guarded};
use crate::store::redb::view::ReadTx;

/// A file that is open, so that nobody else can open it for writing meanwhile.
pub struct Closed {
    /// What is in it.
    pub(in crate::store) rows: ReadTx,
    db: Opened,
}

enum Opened {
    ToRead(ReadOnlyDatabase),
    /// It had to be put in order, which takes long, so it stays open for who wants to use it.
    InOrder(Database),
}

/// What the engine says of the pages of a stopped store.
pub enum Pages {
    /// Every page is what was written there.
    Whole(Closed),
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
            Place::Disk(Arc::new(Untouched::open(path)?)),
            Repair::default(),
        );
        let mut db = match place.open(&repair) {
            Err(StoreError::Damaged) => return Ok(Some(Self::Damaged)),
            opened => opened?,
        };
        let verified = guarded(|| match db.check_integrity().map_err(engine)? {
            _ if repair.fell_back() => Ok(Err(Self::Older)),
            false => Ok(Err(Self::Miscounted)),
            true => rows_of(&db).map(Ok),
        });
        if let Ok(Ok(rows)) = verified {
            let db = Opened::InOrder(db);
            return Ok(rows.map(|rows| Self::Whole(Closed { rows, db })));
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

impl Closed {
    /// Looks at the file; none when there is no file, or nothing was ever written to it. A file
    /// that was not closed properly is put in order first, which changes no row. The engine holds at
    /// most `cache` bytes of it in memory.
    pub(in crate::store) fn look(
        path: &Path,
        cache: usize,
        repair: &Repair,
    ) -> Result<Option<Self>, StoreError> {
        if is_new(path)? {
            return Ok(None);
        }
        guarded(|| Self::looked_at(path, cache, repair))
    }

    fn looked_at(path: &Path, cache: usize, repair: &Repair) -> Result<Option<Self>, StoreError> {
        let db = match Builder::new().set_cache_size(cache).open_read_only(path) {
            Err(DatabaseError::RepairAborted) if repair.is_stopped() => {
                return Err(StoreError::Stopped);
            }
            Err(DatabaseError::RepairAborted) => {
                let path = path.to_owned();
                Opened::InOrder(Place::File { path, cache }.open(repair)?)
            }
            opened => Opened::ToRead(opened.map_err(engine)?),
        };
        let rows = match &db {
            Opened::ToRead(db) => rows_of(db),
            Opened::InOrder(db) => rows_of(db),
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
            Opened::ToRead(_) => None,
            Opened::InOrder(db) => Some(db),
        }
    }
}

/// The rows; none where a file was made, and the process killed before it wrote a row.
fn rows_of(db: &impl ReadableDatabase) -> Result<Option<ReadTx>, StoreError> {
    let txn = db.begin_read().map_err(engine)?;
    match txn.open_table(ROWS) {
        Ok(rows) => Ok(Some(ReadTx::of(rows))),
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
