//! The store in one redb table, in a file or on a disk of a test's own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};

use redb::Database;

use crate::store::StoreError;
use crate::store::engine::batch::BatchTx;
use crate::store::engine::location::StoreLocation;
use crate::store::redb::repair::Repair;
use crate::store::redb::rows::{ROWS, engine, guarded};
use crate::store::redb::view::ReadTx;

/// Most rows that two commits after one another write while the shop is calm.
const CALM: usize = 32;

/// The open store, and the way to open it again.
pub(in crate::store) struct FileEngine {
    /// The view of the newest commit, which every reader shares until the next: beginning one
    /// for each read costs as much as the look-up. It goes before the file is closed.
    newest: RwLock<Option<ReadTx>>,
    /// None while it is closed because of a failure.
    db: RwLock<Option<Database>>,
    location: StoreLocation,
    repair: Repair,
    /// Rows that the newest commit wrote.
    wrote: AtomicUsize,
    /// Whether the store would be open at once if the process were killed now.
    opens_at_once: AtomicBool,
    /// Whether it was closed for good.
    is_ended: AtomicBool,
}

impl FileEngine {
    /// Opens the store that is there, or makes an empty one; `repair` tells how far it has come
    /// with a store that has to be put in order first.
    pub(in crate::store) fn open(place: StoreLocation, repair: Repair) -> Result<Self, StoreError> {
        let db = place.open(&repair)?;
        Self::from_database(db, place, repair)
    }

    /// A store that was opened, to be looked at, before it is used.
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

    /// How far it has come, when it is being put in order.
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

    /// What is read from now on is what was committed last. Where no view can be begun, each
    /// reader tries by itself, and hears why.
    fn renew(&self) {
        let view = self.begin().ok();
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = view;
    }

    /// Runs `batch` over one transaction and commits it to the disk. While the shop is calm, what
    /// opens the store at once after a kill is written with it, which takes a second sync; a busy
    /// shop does without (docs/decisions/0017). A panic of the engine, which a damaged page can
    /// cause, is a failure like others.
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

    /// Whether the store would be open at once if the process were killed now.
    pub(in crate::store) fn opens_at_once(&self) -> bool {
        self.opens_at_once.load(Relaxed)
    }

    /// Whether it can begin a write. After a failure of the disk it can't until it is opened
    /// again.
    pub(in crate::store) fn can_write(&self) -> bool {
        let transaction = guarded(|| {
            let db = self.db.read().unwrap_or_else(PoisonError::into_inner);
            let txn = (db.as_ref().ok_or(StoreError::Closed)?.begin_write()).map_err(engine)?;
            txn.abort().map_err(engine)
        });
        transaction.is_ok()
    }

    /// Closes the store, which ends every view of it that is still read, and opens it again. When
    /// that fails it is closed, and this may be called again. Nobody who reads is kept waiting
    /// meanwhile: they hear that it is closed.
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

    /// Closes the store for good, once the write that is under way has ended.
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
