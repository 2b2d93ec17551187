//! The single table of a store's file, its reads, and the engine's errors mapped to ours.

use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};

use redb::{ReadableTable, Table, TableDefinition};

use crate::store::StoreError;
use crate::store::engine::kv::{Direction, Visit};

pub(in crate::store) const ROWS: TableDefinition<'static, &'static [u8], &'static [u8]> =
    TableDefinition::new("rows");

pub(in crate::store) type Rows<'txn> = Table<'txn, &'static [u8], &'static [u8]>;

pub(in crate::store) fn get(
    rows: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
    with: &mut dyn FnMut(&[u8]),
) -> Result<bool, StoreError> {
    match guarded(|| rows.get(key).map_err(engine))? {
        Some(value) => {
            with(value.value());
            Ok(true)
        }
        None => Ok(false),
    }
}

pub(in crate::store) fn scan(
    rows: &impl ReadableTable<&'static [u8], &'static [u8]>,
    from: &[u8],
    to: &[u8],
    direction: Direction,
    visit: Visit<'_>,
) -> Result<(), StoreError> {
    if from >= to {
        return Ok(());
    }
    let mut range = guarded(|| rows.range::<&[u8]>(from..to).map_err(engine))?;
    loop {
        let next = guarded(|| {
            let next = match direction {
                Direction::Forward => range.next(),
                Direction::Backward => range.next_back(),
            };
            next.transpose().map_err(engine)
        })?;
        let Some((key, value)) = next else {
            return Ok(());
        };
        if visit(key.value(), value.value()).is_break() {
            return Ok(());
        }
    }
}

/// Maps an engine error to ours. The engine's message is only in the log, at level debug.
pub(in crate::store) fn engine(error: impl Into<redb::Error>) -> StoreError {
    use redb::Error as E;

    let error = error.into();
    tracing::debug!(%error, "the store's engine failed");
    match error {
        E::Io(why) if why.kind() == ErrorKind::InvalidData => StoreError::NoStore,
        E::Io(why) if why.raw_os_error().is_some() => StoreError::disk(why),
        // Omits the engine's own message.
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
            StoreError::Engine("what it did was interrupted")
        }
        E::ValueTooLarge(_) => StoreError::Engine("a row is larger than 3 GiB"),
        _ => StoreError::Engine("nobody foresaw how; a log at level debug has more"),
    }
}

/// Runs an engine call and maps a panic to [`StoreError::Damaged`]. A damaged page makes redb panic.
pub(in crate::store) fn guarded<T>(
    with: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(with)).unwrap_or(Err(StoreError::Damaged))
}
