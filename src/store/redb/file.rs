//! The store in one redb table, in a file or on a test's disk.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};

use redb::Database;

use crate::store::StoreError;
use crate::store::engine::batch::BatchTx;
use crate::store::engine::location::StoreLocation;
use crate::store::redb::repair::Repair;
use crate::store::redb::rows::{ROWS, engine, guarded};
use crate::store::redb::view::ReadTx;

/// Maximum number of rows that two successive commits of an idle shop change together.
const CALM: usize = 32;

/// The open store, and the means to reopen it.
pub(in crate::store) struct FileEngine {
    /// The view of the newest commit, which all readers share. A new view for each read would cost as
    /// much as the look-up. The engine clears this field before it closes the file.
    newest: RwLock<Option<ReadTx>>,
    /// `None` while the store is closed: after a failure, or for good.
    db: RwLock<Option<Database>>,
    location: StoreLocation,
    repair: Repair,
    /// Rows of the newest commit.
    wrote: AtomicUsize,
    /// Whether the store would open fast if the process were killed now.
    opens_at_once: AtomicBool,
    /// Whether the store was closed for good.
    is_ended: AtomicBool,
}

impl FileEngine {
    /// Opens the store, or creates an empty one. Reports the progress of a repair to `repair`.
    pub(in crate::store) fn open(place: StoreLocation, repair: Repair) -> Result<Self, StoreError> {
        let db = place.open(&repair)?;
        Self::from_database(db, place, repair)
    }

    /// Builds an engine from an open database.
    pub(in crate::store) fn from_database(
        db: Database,
        place: StoreLocation,
        repair: Repair,
    ) -> Result<Self, StoreError> {
        let opened = Self {
            newest: RwLock::new(None),
            db: RwLock::new(Some(guarded(|| StoreLocation::with_rows(db))?)),
            location: place,
            repair,
            wrote: AtomicUsize::new(0),
            opens_at_once: AtomicBool::new(true),
            is_ended: AtomicBool::new(false),
        };
        opened.renew();
        Ok(opened)
    }

    pub(in crate::store) fn repair(&self) -> &Repair {
        &self.repair
    }

    pub(in crate::store) fn read(&self) -> Result<ReadTx, StoreError> {
        let newest = self
            .newest
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        newest.map_or_else(|| self.begin(), Ok)
    }

    fn begin(&self) -> Result<ReadTx, StoreError> {
        let db = self.db.read().unwrap_or_else(PoisonError::into_inner);
        ReadTx::begin(db.as_ref().ok_or(StoreError::Closed)?)
    }

    /// Replaces the shared view by a view of the newest commit. If the new view can't be made, each reader
    /// tries to make its own view and gets the error.
    fn renew(&self) {
        let view = self.begin().ok();
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = view;
    }

    /// Runs `batch` over one transaction and commits it to the disk.
    ///
    /// If the shop is idle, also writes redb's allocator state, so that the store opens fast after a
    /// crash. This state needs a second sync, so a busy shop omits it (docs/decisions/0017).
    ///
    /// A damaged page can make the engine panic. The panic becomes an error.
    pub(in crate::store) fn write(
        &self,
        mut batch: impl FnMut(&mut BatchTx<'_>),
    ) -> Result<(), StoreError> {
        let committed = guarded(|| {
            let db = self.db.read().unwrap_or_else(PoisonError::into_inner);
            let mut txn = (db.as_ref().ok_or(StoreError::Closed)?.begin_write()).map_err(engine)?;
            let rows = {
                let mut tx = BatchTx::new(txn.open_table(ROWS).map_err(engine)?);
                batch(&mut tx);
                tx.flush()?
            };
            let is_calm = rows + self.wrote.swap(rows, Relaxed) <= CALM;
            txn.set_quick_repair(is_calm);
            self.opens_at_once.store(false, Relaxed);
            txn.commit().map_err(engine)?;
            self.opens_at_once.store(is_calm, Relaxed);
            Ok(())
        });
        self.renew();
        committed
    }

    /// Returns the size of the file in bytes. Returns `None` if the disk fails.
    pub(in crate::store) fn size(&self) -> Option<u64> {
        self.location.size().ok()
    }

    /// Returns whether the store would open fast if the process were killed now.
    pub(in crate::store) fn opens_at_once(&self) -> bool {
        self.opens_at_once.load(Relaxed)
    }

    /// Returns whether a write can begin. After a disk failure the store must be reopened first.
    pub(in crate::store) fn can_write(&self) -> bool {
        let transaction = guarded(|| {
            let db = self.db.read().unwrap_or_else(PoisonError::into_inner);
            let txn = (db.as_ref().ok_or(StoreError::Closed)?.begin_write()).map_err(engine)?;
            txn.abort().map_err(engine)
        });
        transaction.is_ok()
    }

    /// Closes the store and opens the store again. Reads of open views may then fail. If reopening fails,
    /// the store stays closed, and the caller may try again. While the store is closed, new reads return
    /// [`StoreError::Closed`] at once.
    pub(in crate::store) fn reopen(&self) -> Result<(), StoreError> {
        if self.is_ended.load(Relaxed) {
            return Err(StoreError::Stopped);
        }
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = None;
        let closed = self.set(None);
        let reopened = guarded(|| {
            drop(closed);
            self.location
                .reopen(&self.repair)
                .and_then(StoreLocation::with_rows)
        });
        self.set(Some(reopened?));
        self.renew();
        Ok(())
    }

    /// Closes the store for good, after the current write.
    pub(in crate::store) fn close(&self) -> Result<(), StoreError> {
        self.is_ended.store(true, Relaxed);
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = None;
        guarded(|| {
            drop(self.set(None));
            Ok(())
        })
    }

    fn set(&self, db: Option<Database>) -> Option<Database> {
        let mut place = self.db.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *place, db)
    }
}
