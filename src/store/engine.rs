//! The engines behind the waist: a file of redb's, or a database that speaks PostgreSQL's protocol.
//! Nothing outside this folder names either.

pub(in crate::store) mod batch;
pub(crate) mod kv;
pub(in crate::store) mod location;
pub(in crate::store) mod open_error;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use redb::Database;

use super::StoreError;
use super::nodes::JoinRequest;
use super::postgres::Postgres;
use super::redb::disk::Memory;
use super::redb::file::FileEngine;
use super::redb::repair::Repair;
pub use super::redb::view::ReadTx;
use crate::config::StoreSettings;
pub(in crate::store) use batch::BatchTx;
pub use batch::WriteTx;
pub use kv::{Direction, Read};
use location::{COMMAND_CACHE_BYTES, StoreLocation};

/// The open store, and the way to open it again.
pub(in crate::store) enum Engine {
    /// In a file, or on a disk of a test's own.
    File(FileEngine),
    /// In a database.
    Postgres(Box<Postgres>),
}

impl Engine {
    /// Opens or creates a file for a command.
    pub(in crate::store) fn open(path: &Path) -> Result<Self, StoreError> {
        let (path, cache) = (path.to_owned(), COMMAND_CACHE_BYTES);
        Self::open_at(StoreLocation::File { path, cache }, Repair::default())
    }

    /// Opens the store that is there, or makes an empty one; `repair` tells how far it has come
    /// with a store that has to be put in order first.
    pub(in crate::store) fn open_at(
        place: StoreLocation,
        repair: Repair,
    ) -> Result<Self, StoreError> {
        FileEngine::open(place, repair).map(Self::File)
    }

    /// A store that lives as long as the process.
    pub(in crate::store) fn in_memory() -> Result<Self, StoreError> {
        let memory = StoreLocation::Disk(Arc::new(Memory::default()));
        Self::open_at(memory, Repair::default())
    }

    /// A store that was opened, to be looked at, before it is used.
    pub(in crate::store) fn over(
        db: Database,
        place: StoreLocation,
        repair: Repair,
    ) -> Result<Self, StoreError> {
        FileEngine::from_database(db, place, repair).map(Self::File)
    }

    /// Opens the store of a database, or makes an empty one: alone, or beside others.
    pub(in crate::store) fn in_database(
        url: &str,
        settings: &StoreSettings,
        joining: Option<&JoinRequest>,
    ) -> Result<Self, StoreError> {
        let opened = Postgres::open(url, settings, joining)?;
        Ok(Self::Postgres(Box::new(opened)))
    }

    /// The database, where several may serve the store.
    pub(in crate::store) fn shared(&self) -> Option<&Postgres> {
        match self {
            Self::Postgres(database) if database.name().is_some() => Some(database),
            _ => None,
        }
    }

    /// How far it has come, when it is being put in order.
    pub(in crate::store) fn repair(&self) -> &Repair {
        match self {
            Self::File(file) => file.repair(),
            Self::Postgres(database) => database.repair(),
        }
    }

    /// A view of the newest commit. Where the store is in a database this waits for the network.
    pub(in crate::store) fn read(&self) -> Result<ReadTx, StoreError> {
        match self {
            Self::File(file) => file.read(),
            Self::Postgres(database) => database.read(),
        }
    }

    /// A view of the newest commit that may be read for long.
    pub(in crate::store) fn inspect(&self) -> Result<ReadTx, StoreError> {
        match self {
            Self::File(file) => file.read(),
            Self::Postgres(database) => database.inspect(),
        }
    }

    /// Runs `batch` over one transaction and returns when that is durable. It is called again as
    /// long as a member of it has read what is not at hand (see [`BatchTx::member`]).
    pub(in crate::store) fn write(
        &self,
        batch: impl FnMut(&mut BatchTx<'_>),
    ) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.write(batch),
            Self::Postgres(database) => database.write(batch),
        }
    }

    /// Runs one write by itself.
    pub(in crate::store) fn write_one<T>(
        &self,
        write: impl Fn(&mut WriteTx<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut outcome = None;
        self.write(|batch| {
            if let Some(done) = batch.run_write(&write) {
                outcome = Some(done);
            }
        })?;
        outcome.unwrap_or(Err(StoreError::NotAtHand))
    }

    /// Whether nothing has to be written down for a shop that is killed now to be open at once
    /// when it starts again. In a database it is what tells others that this shop lives.
    pub(in crate::store) fn opens_at_once(&self) -> bool {
        match self {
            Self::File(file) => file.opens_at_once(),
            Self::Postgres(database) => database.is_known_to_live(),
        }
    }

    /// Whether it can begin a write. After a failure of the disk it can't until it is opened
    /// again.
    pub(in crate::store) fn takes_writes(&self) -> bool {
        match self {
            Self::File(file) => file.can_write(),
            Self::Postgres(database) => database.takes_writes(),
        }
    }

    /// Closes the store for good: who reads or writes it afterwards hears that it is closed. A database
    /// hears from this shop no more once this is dropped.
    pub(in crate::store) fn close(&self) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.close(),
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Closes the store, which ends every view of it that is still read, and opens it again. When
    /// that fails it is closed, and this may be called again. Nobody who reads is kept waiting
    /// meanwhile: they hear that it is closed.
    pub(in crate::store) fn reopen(&self) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.reopen(),
            Self::Postgres(database) => database.reopen(),
        }
    }
}
