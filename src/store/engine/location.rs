//! The location of a store, and how to open the store there.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::Arc;

use redb::backends::FileBackend;
use redb::{Builder, Database, TableDefinition};

use crate::store::StoreError;
use crate::store::redb::disk::{Disk, OnDisk, Watched};
use crate::store::redb::repair::Repair;
use crate::store::redb::rows::{ROWS, engine, guarded};

/// Bytes that must fit on the disk before a failed store is used again.
const ROOM: usize = 128 << 10;
/// A temporary table. It tests whether the disk has space.
const ROOM_TABLE: TableDefinition<'static, (), &'static [u8]> = TableDefinition::new("room");

/// Bytes of the engine's cache for a command. A command reads most pages once, perhaps beside a running shop.
pub(in crate::store) const COMMAND_CACHE_BYTES: usize = 32 << 20;

/// Where a store is.
#[derive(Debug)]
pub(in crate::store) enum StoreLocation {
    File {
        path: PathBuf,
        /// Size of the engine's cache, in bytes.
        cache: usize,
    },
    /// Another kind of disk, as in tests and for the verification of a file's pages.
    Disk(Arc<dyn Disk>),
}

impl StoreLocation {
    /// Returns the size of the engine's cache, in bytes.
    fn cache(&self) -> usize {
        match self {
            Self::File { cache, .. } => *cache,
            Self::Disk(_) => COMMAND_CACHE_BYTES,
        }
    }

    /// Returns the size of the store in bytes.
    pub(in crate::store) fn size(&self) -> io::Result<u64> {
        match self {
            Self::File { path, .. } => fs::metadata(path).map(|file| file.len()),
            Self::Disk(disk) => disk.size(),
        }
    }

    /// Opens the store, or creates an empty one. Repairs the store after an unclean shutdown.
    pub(in crate::store) fn open(&self, repair: &Repair) -> Result<Database, StoreError> {
        guarded(|| self.open_with(repair, true))
    }

    /// Reopens a store after a disk failure. Fails if the file is missing or empty, or if the disk can't
    /// store [`ROOM`] more bytes.
    pub(in crate::store) fn reopen(&self, repair: &Repair) -> Result<Database, StoreError> {
        self.forget_unwritten();
        let db = self.open_with(repair, false)?;
        let txn = db.begin_write().map_err(engine)?;
        {
            let mut room = txn.open_table(ROOM_TABLE).map_err(engine)?;
            room.insert((), vec![0; ROOM].as_slice()).map_err(engine)?;
        }
        txn.commit().map_err(engine)?;
        let txn = db.begin_write().map_err(engine)?;
        txn.delete_table(ROOM_TABLE).map_err(engine)?;
        txn.commit().map_err(engine)?;
        Ok(db)
    }

    fn open_with(&self, repair: &Repair, may_be_new: bool) -> Result<Database, StoreError> {
        let mut builder = Builder::new();
        builder.set_cache_size(self.cache());
        let progress = repair.clone();
        builder.set_repair_callback(move |session| progress.on_progress(session));
        let opened = match self {
            Self::File { path, .. } => {
                let mut options = OpenOptions::new();
                options.read(true).write(true).create(may_be_new);
                // Only the user that runs the shop may read a new file.
                options.mode(0o600);
                let file = options.open(path).map_err(StoreError::disk)?;
                let size = file.metadata().map_err(StoreError::disk)?.len();
                if size == 0 && !may_be_new {
                    return Err(StoreError::NoStore);
                }
                repair.opening(size);
                FileBackend::new(file).and_then(|file| {
                    let repair = repair.clone();
                    builder.create_with_backend(Watched { file, repair })
                })
            }
            Self::Disk(disk) => {
                repair.opening(disk.size().map_err(StoreError::disk)?);
                builder.create_with_backend(OnDisk(disk.clone()))
            }
        };
        repair.finish();
        let db = match opened {
            Err(_) if repair.is_stopped() => return Err(StoreError::Stopped),
            opened => opened.map_err(engine)?,
        };
        if repair.has_fallen_back() && matches!(self, Self::File { .. }) {
            tracing::error!(
                "the store's newest commit was not whole, and the one before it was taken. If the \
                 shop was killed while it wrote that commit, nothing that was acknowledged is lost; \
                 if not, a page was damaged, and what was written last is gone"
            );
        }
        Ok(db)
    }

    /// Drops the file's pages from the system's page cache. The cache may hold pages that the system failed
    /// to write. A repair must see the disk instead.
    #[cfg(target_os = "linux")]
    fn forget_unwritten(&self) {
        use rustix::fs::{Advice, fadvise};
        if let Self::File { path, .. } = self
            && let Ok(file) = File::open(path)
        {
            let _ = fadvise(&file, 0, None, Advice::DontNeed);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn forget_unwritten(&self) {}

    /// Creates the table that every store has.
    pub(in crate::store) fn with_rows(db: Database) -> Result<Database, StoreError> {
        let mut txn = db.begin_write().map_err(engine)?;
        // The commit writes redb's allocator state anew, so that the file opens fast.
        txn.set_quick_repair(true);
        txn.open_table(ROWS).map_err(engine)?;
        txn.commit().map_err(engine)?;
        Ok(db)
    }
}
