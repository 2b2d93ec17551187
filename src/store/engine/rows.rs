//! The one table of a store, reading it, and the engine's errors in words of ours.

use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use redb::{ReadableDatabase, ReadableTable, Table, TableDefinition};

use crate::store::StoreError;

pub(super) const ROWS: TableDefinition<'static, &'static [u8], &'static [u8]> =
    TableDefinition::new("rows");

pub(super) type Rows<'txn> = Table<'txn, &'static [u8], &'static [u8]>;

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

/// A consistent view of the store as it was at a commit.
#[derive(Clone)]
pub struct ReadTx {
    rows: Arc<redb::ReadOnlyTable<&'static [u8], &'static [u8]>>,
}

impl ReadTx {
    pub(super) fn begin(db: &impl ReadableDatabase) -> Result<Self, StoreError> {
        let txn = db.begin_read().map_err(engine)?;
        Ok(Self::of(txn.open_table(ROWS).map_err(engine)?))
    }

    pub(super) fn of(rows: redb::ReadOnlyTable<&'static [u8], &'static [u8]>) -> Self {
        Self {
            rows: Arc::new(rows),
        }
    }
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

pub(super) fn get(
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

pub(super) fn scan(
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

/// An error of the engine in words of ours. Its own are in the log, at level debug, and nowhere else.
pub(super) fn engine(error: impl Into<redb::Error>) -> StoreError {
    use redb::Error as E;

    let error = error.into();
    tracing::debug!(%error, "the store's engine failed");
    match error {
        E::Io(why) if why.kind() == ErrorKind::InvalidData => StoreError::NoStore,
        E::Io(why) if why.raw_os_error().is_some() => StoreError::disk(why),
        // The engine's own words are left behind.
        E::Io(why) => StoreError::disk(why.kind().into()),
        E::PreviousIo | E::DatabaseClosed => StoreError::Closed,
        E::Corrupted(_) => StoreError::Damaged,
        E::RepairAborted => StoreError::Stopped,
        E::DatabaseAlreadyOpen => StoreError::InUse,
        E::UpgradeRequired(_) => StoreError::NoStore,
        E::TableDoesNotExist(_)
        | E::TableTypeMismatch { .. }
        | E::TypeDefinitionChanged { .. }
        | E::TableIsMultimap(_) => StoreError::Engine("its only table is missing, or another's"),
        E::LockPoisoned(_) | E::TransactionPoisoned => {
            StoreError::Engine("what it did was broken off")
        }
        E::ValueTooLarge(_) => StoreError::Engine("a row is larger than 3 GiB"),
        _ => StoreError::Engine("nobody foresaw how; a log at level debug has more"),
    }
}

/// Does something with the engine, which panics where a damaged page misleads it.
pub(super) fn guarded<T>(with: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(with)).unwrap_or(Err(StoreError::Damaged))
}
