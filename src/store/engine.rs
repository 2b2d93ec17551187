//! The narrow waist: ordered byte keys and values in one redb table, read and written
//! through `get`, `put`, `delete` and `scan`. Nothing above this file names redb, so a
//! second engine can stand behind the same few operations.

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::path::Path;

use redb::{
    Database, DatabaseError, ReadableDatabase, ReadableTable, Table, TableDefinition,
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
    db: Database,
}

impl Engine {
    /// Opens or creates the file.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let db = Database::create(path).map_err(|error| match error {
            DatabaseError::DatabaseAlreadyOpen => StoreError::InUse,
            other => StoreError::Engine(other.to_string()),
        })?;
        Self::with_rows(db)
    }

    /// A store that lives as long as the process.
    pub(super) fn in_memory() -> Result<Self, StoreError> {
        let db = Database::builder()
            .create_with_backend(InMemoryBackend::new())
            .map_err(engine)?;
        Self::with_rows(db)
    }

    fn with_rows(db: Database) -> Result<Self, StoreError> {
        let txn = db.begin_write().map_err(engine)?;
        txn.open_table(ROWS).map_err(engine)?;
        txn.commit().map_err(engine)?;
        Ok(Self { db })
    }

    pub(super) fn read(&self) -> Result<ReadTx, StoreError> {
        let txn = self.db.begin_read().map_err(engine)?;
        Ok(ReadTx {
            rows: txn.open_table(ROWS).map_err(engine)?,
        })
    }

    /// Runs `batch` over one transaction and commits it to the disk.
    pub(super) fn write(
        &self,
        batch: impl FnOnce(&mut BatchTx<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let txn = self.db.begin_write().map_err(engine)?;
        {
            let mut tx = BatchTx {
                rows: txn.open_table(ROWS).map_err(engine)?,
            };
            batch(&mut tx)?;
        }
        txn.commit().map_err(engine)
    }
}

fn engine(error: impl std::fmt::Display) -> StoreError {
    StoreError::Engine(error.to_string())
}

/// A consistent view of the store as it was when it was opened.
pub struct ReadTx {
    rows: redb::ReadOnlyTable<&'static [u8], &'static [u8]>,
}

impl Read for ReadTx {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        get(&self.rows, key, with)
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError> {
        scan(&self.rows, from, to, direction, visit)
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

/// The transaction a batch of writes shares.
pub(super) struct BatchTx<'txn> {
    rows: Rows<'txn>,
}

impl BatchTx<'_> {
    /// Runs one write of the batch. What it changes is held beside the table until it has
    /// succeeded, so that one member of a batch can fail and leave nothing behind.
    pub(super) fn member<T, E>(
        &mut self,
        run: impl FnOnce(&mut WriteTx<'_>) -> Result<T, E>,
    ) -> Result<Result<T, E>, StoreError> {
        let mut tx = WriteTx {
            rows: &self.rows,
            changes: BTreeMap::new(),
        };
        let outcome = run(&mut tx);
        let changes = tx.changes;
        if outcome.is_ok() {
            for (key, change) in changes {
                match change {
                    Some(value) => {
                        self.rows
                            .insert(key.as_slice(), value.as_slice())
                            .map_err(engine)?;
                    }
                    None => {
                        self.rows.remove(key.as_slice()).map_err(engine)?;
                    }
                }
            }
        }
        Ok(outcome)
    }
}

/// One write's view: the table as the batch has left it so far, with its own changes on top.
pub struct WriteTx<'a> {
    rows: &'a Rows<'a>,
    changes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
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
        match self.changes.get(key) {
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
        let mut own: Vec<_> = self.changes.range::<[u8], _>(bounds).collect();
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
