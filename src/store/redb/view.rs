//! A view of the store at one commit.

use std::sync::Arc;

use redb::{ReadOnlyTable, ReadableDatabase};

use crate::store::StoreError;
use crate::store::engine::kv::{Direction, Read, Visit};
use crate::store::postgres::snapshot::Snapshot;
use crate::store::redb::rows::{ROWS, engine, get, scan};

/// A consistent view of the store at one commit.
#[derive(Clone)]
pub struct ReadTx(View);

#[derive(Clone)]
enum View {
    File(Arc<ReadOnlyTable<&'static [u8], &'static [u8]>>),
    Database(Arc<Snapshot>),
}

impl ReadTx {
    pub(in crate::store) fn begin(db: &impl ReadableDatabase) -> Result<Self, StoreError> {
        let txn = db.begin_read().map_err(engine)?;
        Ok(Self::from_file(txn.open_table(ROWS).map_err(engine)?))
    }

    pub(in crate::store) fn from_file(rows: ReadOnlyTable<&'static [u8], &'static [u8]>) -> Self {
        Self(View::File(Arc::new(rows)))
    }

    pub(in crate::store) fn from_snapshot(snapshot: Snapshot) -> Self {
        Self(View::Database(Arc::new(snapshot)))
    }
}

impl Read for ReadTx {
    fn get(&self, key: &[u8], with: &mut dyn FnMut(&[u8])) -> Result<bool, StoreError> {
        match &self.0 {
            View::File(rows) => get(&**rows, key, with),
            View::Database(snapshot) => snapshot.get(key, with),
        }
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        direction: Direction,
        visit: Visit<'_>,
    ) -> Result<(), StoreError> {
        match &self.0 {
            View::File(rows) => scan(&**rows, from, to, direction, visit),
            View::Database(snapshot) => snapshot.scan(from, to, direction, visit),
        }
    }
}
