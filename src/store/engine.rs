//! The narrow waist: ordered byte keys and values in one redb table, read and written
//! through `get`, `put`, `delete` and `scan`. Nothing above this file names redb, so a
//! second engine can stand behind the same few operations.

pub(super) mod closed;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::ops::{Bound, ControlFlow};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use redb::{
    Database, DatabaseError, ReadableDatabase, ReadableTable, StorageError, Table, TableDefinition,
    backends::InMemoryBackend,
};

use super::StoreError;

const ROWS: TableDefinition<'static, &'static [u8], &'static [u8]> = TableDefinition::new("rows");

type Rows<'txn> = Table<'txn, &'static [u8], &'static [u8]>;

/// Which way a scan walks the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Smallest key first.
    Forward,
    /// Largest key first.
    Backward,
}

/// What a scan hands each row to: key, value, and whether to go on.
pub type Visit<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// Reading, inside a read or a write transaction.
pub trait Read {
    /// Hands the value at `key` to `with`, without copying it; `None` when there is none.
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError>;
    /// Visits the rows with `from <= key < to` until the visitor breaks.
    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError>;
}

/// The open file, or a store in memory.
pub(super) struct Engine {
    /// The view of the newest commit, which every reader shares until the next: beginning one
    /// for each read costs as much as the look-up. It goes before the file is closed.
    newest: RwLock<Option<ReadTx>>,
    db: Database,
}

impl Engine {
    /// Opens or creates the file.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        Self::with_rows(Database::create(path).map_err(not_opened)?)
    }

    /// A store that lives as long as the process.
    pub(super) fn in_memory() -> Result<Self, StoreError> {
        let db = Database::builder()
            .create_with_backend(InMemoryBackend::new())
            .map_err(engine)?;
        Self::with_rows(db)
    }

    /// A store on a backend of a test's own.
    #[cfg(test)]
    pub(super) fn on(backend: impl redb::StorageBackend) -> Result<Self, StoreError> {
        let db = Database::builder().create_with_backend(backend);
        Self::with_rows(db.map_err(engine)?)
    }

    fn with_rows(db: Database) -> Result<Self, StoreError> {
        let txn = db.begin_write().map_err(engine)?;
        txn.open_table(ROWS).map_err(engine)?;
        txn.commit().map_err(engine)?;
        let opened = Self {
            newest: RwLock::new(None),
            db,
        };
        opened.renew();
        Ok(opened)
    }

    pub(super) fn read(&self) -> Result<ReadTx, StoreError> {
        let newest = self.newest.read().unwrap_or_else(PoisonError::into_inner);
        newest.clone().map_or_else(|| self.begin(), Ok)
    }

    fn begin(&self) -> Result<ReadTx, StoreError> {
        let txn = self.db.begin_read().map_err(engine)?;
        let rows = txn.open_table(ROWS).map_err(engine)?;
        Ok(ReadTx {
            rows: Arc::new(rows),
        })
    }

    /// What is read from now on is what was committed last. Where no view can be begun, each
    /// reader tries by itself, and hears why.
    fn renew(&self) {
        let view = self.begin().ok();
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = view;
    }

    /// Runs `batch` over one transaction and commits it to the disk.
    pub(super) fn write(&self, batch: impl FnOnce(&mut BatchTx<'_>)) -> Result<(), StoreError> {
        let txn = self.db.begin_write().map_err(engine)?;
        {
            let mut tx = BatchTx {
                rows: txn.open_table(ROWS).map_err(engine)?,
                changes: Changes::new(),
            };
            batch(&mut tx);
            tx.flush()?;
        }
        let committed = txn.commit().map_err(engine);
        self.renew();
        committed
    }
}

fn engine(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Engine(Arc::new(error))
}

/// Why a file can't be opened.
fn not_opened(error: DatabaseError) -> StoreError {
    match error {
        DatabaseError::DatabaseAlreadyOpen => StoreError::InUse,
        DatabaseError::Storage(StorageError::Io(why)) if why.kind() == ErrorKind::InvalidData => {
            StoreError::NoStore
        }
        other => engine(other),
    }
}

/// A consistent view of the store as it was at a commit.
#[derive(Clone)]
pub struct ReadTx {
    rows: Arc<redb::ReadOnlyTable<&'static [u8], &'static [u8]>>,
}

impl Read for ReadTx {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        get(&*self.rows, key, with)
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError> {
        scan(&*self.rows, from, to, direction, visit)
    }
}

fn get(
    rows: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
    with: &mut dyn FnMut(&[u8]),
) -> Result<bool, StoreError> {
    match rows.get(key).map_err(engine)? {
        Some(value) => {
            with(value.value());
            Ok(true)
        }
        None => Ok(false),
    }
}

fn scan(
    rows: &impl ReadableTable<&'static [u8], &'static [u8]>,
    from: &[u8],
    to: &[u8],
    direction: Direction,
    visit: Visit<'_>,
) -> Result<(), StoreError> {
    let mut range = rows.range::<&[u8]>(from..to).map_err(engine)?;
    loop {
        let next = match direction {
            Direction::Forward => range.next(),
            Direction::Backward => range.next_back(),
        };
        let Some(row) = next else { return Ok(()) };
        let (key, value) = row.map_err(engine)?;
        if visit(key.value(), value.value()).is_break() {
            return Ok(());
        }
    }
}

/// What is to be set, and what is to be removed.
type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// The transaction a batch of writes shares. What its members change is held beside the table
/// and goes into it once, in order: a row that each of them changes is written once.
pub(super) struct BatchTx<'txn> {
    rows: Rows<'txn>,
    changes: Changes,
}

impl BatchTx<'_> {
    /// Runs one write of the batch. What it changes joins the batch's changes once it has
    /// succeeded, so that one member of a batch can fail and leave nothing behind.
    pub(super) fn member<T, E>(
        &mut self,
        run: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut tx = WriteTx {
            rows: &self.rows,
            batch: &self.changes,
            changes: Changes::new(),
        };
        let outcome = run(&mut tx);
        let changes = tx.changes;
        if outcome.is_ok() {
            self.changes.extend(changes);
        }
        outcome
    }

    fn flush(self) -> Result<(), StoreError> {
        let mut rows = self.rows;
        for (key, change) in self.changes {
            match change {
                Some(value) => {
                    rows.insert(key.as_slice(), value.as_slice())
                        .map_err(engine)?;
                }
                None => {
                    rows.remove(key.as_slice()).map_err(engine)?;
                }
            }
        }
        Ok(())
    }
}

/// One write's view: the table, with what the batch has changed so far and its own changes on
/// top.
pub struct WriteTx<'a> {
    rows: &'a Rows<'a>,
    batch: &'a Changes,
    changes: Changes,
}

impl WriteTx<'_> {
    /// Sets the value at `key`.
    pub fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.changes.insert(key, Some(value));
    }

    /// Removes `key`; removing what isn't there is no error.
    pub fn delete(&mut self, key: Vec<u8>) {
        self.changes.insert(key, None);
    }
}

impl Read for WriteTx<'_> {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        match self.changes.get(key).or_else(|| self.batch.get(key)) {
            Some(Some(value)) => {
                with(value);
                Ok(true)
            }
            Some(None) => Ok(false),
            None => get(self.rows, key, with),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError> {
        let bounds = (Bound::Included(from), Bound::Excluded(to));
        let batch = self.batch.range::<[u8], _>(bounds);
        let own = self.changes.range::<[u8], _>(bounds);
        // Of the same key, its own change counts.
        let own: BTreeMap<_, _> = batch.chain(own).collect();
        let mut own: Vec<_> = own.into_iter().collect();
        if direction == Direction::Backward {
            own.reverse();
        }
        let mut own = own.into_iter().peekable();
        let comes_first = |own: &[u8], stored: &[u8]| match direction {
            Direction::Forward => own < stored,
            Direction::Backward => own > stored,
        };
        let mut stopped = false;
        scan(self.rows, from, to, direction, &mut |key, value| {
            while let Some((own_key, change)) = own.next_if(|(k, _)| comes_first(k, key)) {
                if let Some(value) = change
                    && visit(own_key, value).is_break()
                {
                    stopped = true;
                    return ControlFlow::Break(());
                }
            }
            let flow = match own.next_if(|(k, _)| k.as_slice() == key) {
                Some((_, Some(value))) => visit(key, value),
                Some((_, None)) => ControlFlow::Continue(()),
                None => visit(key, value),
            };
            stopped = flow.is_break();
            flow
        })?;
        if !stopped {
            for (key, change) in own {
                if let Some(value) = change
                    && visit(key, value).is_break()
                {
                    break;
                }
            }
        }
        Ok(())
    }
}
