//! The storage engines: a redb file, or a database with PostgreSQL's protocol.

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

/// The open store, and the means to reopen it.
pub(in crate::store) enum Engine {
    /// In a file, or on a test's disk.
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

    /// Opens the store, or creates an empty one. Reports the progress of a repair to `repair`.
    pub(in crate::store) fn open_at(
        place: StoreLocation,
        repair: Repair,
    ) -> Result<Self, StoreError> {
        FileEngine::open(place, repair).map(Self::File)
    }

    /// Creates a store in memory. The store is lost with the engine.
    pub(in crate::store) fn in_memory() -> Result<Self, StoreError> {
        let memory = StoreLocation::Disk(Arc::new(Memory::default()));
        Self::open_at(memory, Repair::default())
    }

    /// Builds an engine from a file that was opened for inspection.
    pub(in crate::store) fn over(
        db: Database,
        place: StoreLocation,
        repair: Repair,
    ) -> Result<Self, StoreError> {
        FileEngine::from_database(db, place, repair).map(Self::File)
    }

    /// Opens the store in a database, or creates an empty one. With `joining`, this process shares the
    /// store with other nodes.
    pub(in crate::store) fn in_database(
        url: &str,
        settings: &StoreSettings,
        joining: Option<&JoinRequest>,
    ) -> Result<Self, StoreError> {
        let opened = Postgres::open(url, settings, joining)?;
        Ok(Self::Postgres(Box::new(opened)))
    }

    /// Returns the database if several nodes may serve the store.
    pub(in crate::store) fn shared(&self) -> Option<&Postgres> {
        match self {
            Self::Postgres(database) if database.name().is_some() => Some(database),
            _ => None,
        }
    }

    /// Returns the progress of a repair. A database has no repair.
    pub(in crate::store) fn repair(&self) -> &Repair {
        match self {
            Self::File(file) => file.repair(),
            Self::Postgres(database) => database.repair(),
        }
    }

    /// Returns a view of the newest commit. Over a database, waits for the network.
    pub(in crate::store) fn read(&self) -> Result<ReadTx, StoreError> {
        match self {
            Self::File(file) => file.read(),
            Self::Postgres(database) => database.read(),
        }
    }

    /// Returns a view of the newest commit that may stay open for long.
    pub(in crate::store) fn inspect(&self) -> Result<ReadTx, StoreError> {
        match self {
            Self::File(file) => file.read(),
            Self::Postgres(database) => database.inspect(),
        }
    }

    /// Runs `batch` over one transaction and returns when the commit is durable. Runs `batch` again while
    /// one of its writes has missed the cache (see [`BatchTx::run_write`]).
    pub(in crate::store) fn write(
        &self,
        batch: impl FnMut(&mut BatchTx<'_>),
    ) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.write(batch),
            Self::Postgres(database) => database.write(batch),
        }
    }

    /// Runs one write in its own batch.
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

    /// Returns whether the store would open fast after a crash now. Over a database, returns whether this
    /// node's heartbeat is recent.
    pub(in crate::store) fn opens_at_once(&self) -> bool {
        match self {
            Self::File(file) => file.opens_at_once(),
            Self::Postgres(database) => database.is_known_to_live(),
        }
    }

    /// Returns whether a write can begin. After a disk failure the store must be reopened first.
    pub(in crate::store) fn takes_writes(&self) -> bool {
        match self {
            Self::File(file) => file.can_write(),
            Self::Postgres(database) => database.takes_writes(),
        }
    }

    /// Closes a store in a file for good. Later reads and writes return an error. Does nothing over a
    /// database: dropping the engine ends this node's heartbeats.
    pub(in crate::store) fn close(&self) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.close(),
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Closes the store and opens the store again. Over a database, reconnects. If reopening fails, the
    /// store stays closed, and the caller may try again. While a file is closed, new reads return
    /// [`StoreError::Closed`] at once.
    pub(in crate::store) fn reopen(&self) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.reopen(),
            Self::Postgres(database) => database.reopen(),
        }
    }
}
