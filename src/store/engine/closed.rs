//! A store's file that nobody has open. It is looked at before it is opened for writing, so that
//! a file that this program must leave alone keeps its rows. It stays as it is byte for byte if it
//! was closed properly. If not, after a kill or a power cut, the engine must put it in order before
//! it can be read at all, also where it is another program's.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use redb::{Database, DatabaseError, ReadOnlyDatabase, ReadableDatabase, TableError};

use super::{ROWS, ReadTx, StoreError, engine, not_opened};

/// A file that is open for reading. Nobody can open it for writing meanwhile.
pub(in crate::store) struct Closed {
    /// What is in it.
    pub(in crate::store) rows: ReadTx,
    _db: ReadOnlyDatabase,
}

impl Closed {
    /// Looks at the file; none when there is no file, or nothing was ever written to it. A file
    /// that was not closed properly is put in order first, which changes no row.
    pub(in crate::store) fn look(path: &Path) -> Result<Option<Self>, StoreError> {
        match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(engine(error)),
            Ok(found) if found.is_file() && found.len() == 0 => return Ok(None),
            Ok(_) => {}
        }
        let opened = match ReadOnlyDatabase::open(path) {
            Err(DatabaseError::RepairAborted) => {
                drop(Database::open(path).map_err(not_opened)?);
                ReadOnlyDatabase::open(path)
            }
            opened => opened,
        };
        let db = opened.map_err(not_opened)?;
        let txn = db.begin_read().map_err(engine)?;
        let rows = match txn.open_table(ROWS) {
            Ok(rows) => rows,
            Err(TableError::TableDoesNotExist(_)) => {
                // A file was made, and the process killed before it wrote a row.
                let mut others = txn.list_tables().map_err(engine)?;
                return match others.next() {
                    None => Ok(None),
                    Some(_) => Err(StoreError::NoStore),
                };
            }
            Err(TableError::Storage(error)) => return Err(engine(error)),
            Err(_) => return Err(StoreError::NoStore),
        };
        let rows = ReadTx {
            rows: Arc::new(rows),
        };
        Ok(Some(Self { rows, _db: db }))
    }
}
