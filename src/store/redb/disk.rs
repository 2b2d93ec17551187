//! The disk under a store: a file, or a replacement for tests and for the verification of pages.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Debug;
use std::fs::{File, TryLockError};
use std::io;
use std::ops::Bound;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::backends::{FileBackend, InMemoryBackend};
use redb::{BackendError, StorageBackend};

use crate::store::StoreError;
use crate::store::redb::repair::Repair;

/// A disk for a store that isn't a file. The disk outlives the open store, so that the store can be
/// reopened.
///
/// # Errors
/// Each function returns an error if the disk fails.
pub trait Disk: Debug + Send + Sync + 'static {
    /// Returns the size in bytes.
    fn size(&self) -> io::Result<u64>;
    /// Reads from `offset` on. Fails if the range passes the end.
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()>;
    /// Extends the disk with zeros, or shortens it.
    fn resize(&self, size: u64) -> io::Result<()>;
    /// Writes within the current size.
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Returns when all writes would survive a power cut.
    fn sync(&self) -> io::Result<()>;
}

/// A disk in memory.
#[derive(Debug, Default)]
pub struct Memory(InMemoryBackend);

impl Disk for Memory {
    fn size(&self) -> io::Result<u64> {
        self.0.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, out)
    }
    fn resize(&self, size: u64) -> io::Result<()> {
        self.0.set_len(size)
    }
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write(offset, bytes)
    }
    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }
}

/// Bytes of a block in [`Untouched`].
const BLOCK: usize = 4096;

/// A read-only file: the engine's writes stay in memory. While this value exists, no other layby can open
/// the file for writing.
#[derive(Debug)]
pub(in crate::store) struct Untouched {
    file: File,
    size: AtomicU64,
    /// The written blocks, by number.
    written: Mutex<HashMap<u64, Vec<u8>>>,
}

impl Untouched {
    pub(in crate::store) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::open(path).map_err(StoreError::disk)?;
        match file.try_lock_shared() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse),
            Err(TryLockError::Error(why)) => return Err(StoreError::disk(why)),
        }
        let size = file.metadata().map_err(StoreError::disk)?.len();
        Ok(Self {
            file,
            size: AtomicU64::new(size),
            written: Mutex::default(),
        })
    }

    fn lock_written(&self) -> MutexGuard<'_, HashMap<u64, Vec<u8>>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills `out` from the file, and with zeros past the file's end.
    fn read_file(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut filled = 0;
        while let Some(rest) = out.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.file.read_at(rest, offset + filled as u64)? {
                0 => {
                    rest.fill(0);
                    return Ok(());
                }
                read => filled += read,
            }
        }
        Ok(())
    }
}

/// Splits `length` bytes from `offset` into parts by block. Each part has the block's number, the offset
/// in the block, and the length.
fn parts(offset: u64, length: usize) -> impl Iterator<Item = (u64, usize, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let position = offset + done as u64;
        let (block, place) = (position / BLOCK as u64, (position % BLOCK as u64) as usize);
        let take = (length - done).min(BLOCK - place);
        done += take;
        (take > 0).then_some((block, place, take))
    })
}

impl Disk for Untouched {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size.load(Relaxed))
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if offset + out.len() as u64 > self.size.load(Relaxed) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.read_file(offset, out)?;
        let (written, length, mut rest) = (self.lock_written(), out.len(), out);
        for (block, place, take) in parts(offset, length) {
            let (part, others) = rest.split_at_mut(take);
            let block = written.get(&block);
            if let Some(block) = block.and_then(|block| block.get(place..place + take)) {
                part.copy_from_slice(block);
            }
            rest = others;
        }
        Ok(())
    }
    fn resize(&self, size: u64) -> io::Result<()> {
        self.size.store(size, Relaxed);
        Ok(())
    }
    fn write(&self, offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        let mut written = self.lock_written();
        for (number, place, take) in parts(offset, bytes.len()) {
            let (part, others) = bytes.split_at(take);
            let block = match written.entry(number) {
                Entry::Occupied(block) => block.into_mut(),
                Entry::Vacant(new) => {
                    let mut block = vec![0; BLOCK];
                    self.read_file(number * BLOCK as u64, &mut block)?;
                    new.insert(block)
                }
            };
            if let Some(within) = block.get_mut(place..place + take) {
                within.copy_from_slice(part);
            }
            bytes = others;
        }
        Ok(())
    }
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Adapts a disk to the engine. No other process can open the disk, so the adapter needs no locks.
#[derive(Debug)]
pub(in crate::store) struct OnDisk(pub(in crate::store) Arc<dyn Disk>);

impl StorageBackend for OnDisk {
    fn len(&self) -> io::Result<u64> {
        self.0.size()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.resize(len)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.0.sync()
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)
    }
}

/// A file that counts the bytes read during a repair, as a measure of the repair's progress.
#[derive(Debug)]
pub(in crate::store) struct Watched {
    pub(in crate::store) file: FileBackend,
    pub(in crate::store) repair: Repair,
}

type Locked = Result<bool, BackendError>;

impl StorageBackend for Watched {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.repair.has_read(out.len())?;
        self.file.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.file.write(offset, data)
    }
    fn close(&self) -> io::Result<()> {
        self.file.close()
    }
    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked {
        self.file.try_lock_range(start, end)
    }
    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked {
        self.file.try_lock_shared_range(start, end)
    }
    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_range(start, end)
    }
    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }
    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }
    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked {
        self.file.query_lock_range(start, end)
    }
}
