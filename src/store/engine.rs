//! The engines behind the waist: a file of redb's, or a database that speaks PostgreSQL's protocol.
//! Nothing outside this folder names either.

mod batch;
pub(super) mod closed;
pub(super) mod disk;
mod file;
pub(super) mod place;
pub(super) mod postgres;
pub(super) mod repair;
mod rows;
#[cfg(test)]
mod tests;
mod view;
mod waist;

use std::path::Path;
use std::sync::Arc;

use redb::Database;

use super::StoreError;
use super::nodes::Joining;
use crate::config::StoreSettings;
pub(super) use batch::BatchTx;
pub use batch::WriteTx;
use disk::Memory;
use file::FileEngine;
use place::{COMMAND_CACHE_BYTES, Place};
use postgres::Postgres;
use repair::Repair;
pub use view::ReadTx;
pub use waist::{Direction, Read};

/// The open store, and the way to open it again.
pub(super) enum Engine {
    /// In a file, or on a disk of a test's own.
    File(FileEngine),
    /// In a database.
    Postgres(Box<Postgres>),
}

impl Engine {
    /// Opens or creates a file for a command.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let (path, cache) = (path.to_owned(), COMMAND_CACHE_BYTES);
        Self::at(Place::File { path, cache }, Repair::default())
    }

    /// Opens the store that is there, or makes an empty one; `repair` tells how far it has come
    /// with a store that has to be put in order first.
    pub(super) fn at(place: Place, repair: Repair) -> Result<Self, StoreError> {
        FileEngine::at(place, repair).map(Self::File)
    }

    /// A store that lives as long as the process.
    pub(super) fn in_memory() -> Result<Self, StoreError> {
        let memory = Place::Disk(Arc::new(Memory::default()));
        Self::at(memory, Repair::default())
    }

    /// A store that was opened, to be looked at, before it is used.
    pub(super) fn over(db: Database, place: Place, repair: Repair) -> Result<Self, StoreError> {
        FileEngine::over(db, place, repair).map(Self::File)
    }

    /// Opens the store of a database, or makes an empty one: alone, or beside others.
    pub(super) fn in_database(
        url: &str,
        settings: &StoreSettings,
        joining: Option<&Joining>,
    ) -> Result<Self, StoreError> {
        let opened = Postgres::open(url, settings, joining)?;
        Ok(Self::Postgres(Box::new(opened)))
    }

    /// The database, where several may serve the store.
    pub(super) fn shared(&self) -> Option<&Postgres> {
        match self {
            Self::Postgres(database) if database.name().is_some() => Some(database),
            _ => None,
        }
    }

    /// How far it has come, when it is being put in order.
    pub(super) fn repair(&self) -> &Repair {
        match self {
            Self::File(file) => file.repair(),
            Self::Postgres(database) => database.repair(),
        }
    }

    /// A view of the newest commit. Where the store is in a database this waits for the network.
    pub(super) fn read(&self) -> Result<ReadTx, StoreError> {
        match self {
            Self::File(file) => file.read(),
            Self::Postgres(database) => database.read(),
        }
    }

    /// A view of the newest commit that may be read for long.
    pub(super) fn inspect(&self) -> Result<ReadTx, StoreError> {
        match self {
            Self::File(file) => file.read(),
            Self::Postgres(database) => database.inspect(),
        }
    }

    /// Runs `batch` over one transaction and returns when that is durable. It is called again as
    /// long as a member of it has read what is not at hand (see [`BatchTx::member`]).
    pub(super) fn write(&self, batch: impl FnMut(&mut BatchTx<'_>)) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.write(batch),
            Self::Postgres(database) => database.write(batch),
        }
    }

    /// Runs one write by itself.
    pub(super) fn write_one<T>(
        &self,
        write: impl Fn(&mut WriteTx<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut outcome = None;
        self.write(|batch| {
            if let Some(done) = batch.member(&write) {
                outcome = Some(done);
            }
        })?;
        outcome.unwrap_or(Err(StoreError::NotAtHand))
    }

    /// Whether nothing has to be written down for a shop that is killed now to be open at once
    /// when it starts again. In a database it is what tells others that this shop lives.
    pub(super) fn opens_at_once(&self) -> bool {
        match self {
            Self::File(file) => file.opens_at_once(),
            Self::Postgres(database) => database.is_known_to_live(),
        }
    }

    /// Whether it can begin a write. After a failure of the disk it can't until it is opened
    /// again.
    pub(super) fn takes_writes(&self) -> bool {
        match self {
            Self::File(file) => file.takes_writes(),
            Self::Postgres(database) => database.takes_writes(),
        }
    }

    /// Closes the store for good: who reads or writes it afterwards hears that it is closed. A database
    /// hears from this shop no more once this is dropped.
    pub(super) fn close(&self) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.close(),
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Closes the store, which ends every view of it that is still read, and opens it again. When
    /// that fails it is closed, and this may be called again. Nobody who reads is kept waiting
    /// meanwhile: they hear that it is closed.
    pub(super) fn reopen(&self) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.reopen(),
            Self::Postgres(database) => database.reopen(),
        }
    }
}
