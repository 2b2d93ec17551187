//! What a store's bytes lie on: a file, or whatever a test puts in a file's place.

use std::fmt::Debug;
use std::io;
use std::ops::Bound;
use std::sync::Arc;

use redb::backends::{FileBackend, InMemoryBackend};
use redb::{BackendError, StorageBackend};

use super::repair::Repair;

/// Where the bytes of a store are kept that isn't a file. It outlives the store that is open on
/// it, so that the store can be closed and opened again.
///
/// # Errors
/// Each function fails as a disk does.
pub trait Disk: Debug + Send + Sync + 'static {
    /// Bytes there are.
    fn size(&self) -> io::Result<u64>;
    /// Reads what lies from `offset` on; an error where that is past the end.
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()>;
    /// Makes it longer, with zeros, or shorter.
    fn resize(&self, size: u64) -> io::Result<()>;
    /// Writes within the bytes there are.
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Returns when all that was written would survive a power cut.
    fn sync(&self) -> io::Result<()>;
}

/// The machine's memory.
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

/// A disk as the engine wants it. Nobody else can have it open, so it needs no locks.
#[derive(Debug)]
pub(super) struct OnDisk(pub(super) Arc<dyn Disk>);

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

/// A file whose repair can be watched: what is read of it meanwhile says how far that has come.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) file: FileBackend,
    pub(super) repair: Repair,
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
