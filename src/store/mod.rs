//! The store: one redb file, typed tables, a single writer that shares each disk sync.
//!
//! Reads are point look-ups and index ranges and run where they are called. Writes are
//! closures over a transaction; they are acknowledged when they are on the disk. A closure
//! may be run again by another engine, so it takes no time, chance or I/O of its own: ids
//! and `now` are made outside and captured.

mod about;
mod engine;
mod error;
mod key;
mod look;
mod migrations;
mod registry;
mod table;
pub mod tables;
mod upgrade;
mod writer;

use std::path::Path;
use std::sync::Arc;

pub use about::{About, Progress};
pub use engine::{Direction, Read, ReadTx, WriteTx};
pub use error::StoreError;
pub use key::Key;
pub use migrations::{FIRST_SCHEMA, NewRows, OldRow, SCHEMA, STEPS, Step, Walk};
pub use registry::{ALL as TABLES, AnyTable, table_name};
pub use table::Table;
pub use upgrade::{Done, Upgrade};

use engine::Engine;
use look::{about_in, about_of};
use writer::Writer;

/// The store; cheap to clone.
#[derive(Clone)]
pub struct Store {
    engine: Arc<Engine>,
    writer: Arc<Writer>,
}

impl Store {
    /// Opens the file at `path`, or creates it. A file that is refused keeps its rows as they are;
    /// one that was not closed properly is put in order first.
    ///
    /// # Errors
    /// When it is in use or damaged, no store, a demonstration's, newer than this program, or to
    /// be upgraded first.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(about) = about_of(path)? {
            about.may_be_served(SCHEMA)?;
        }
        Self::start(Engine::open(path)?)
    }

    /// A store without a file, for tests.
    ///
    /// # Errors
    /// When the writer thread can't be started.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::start(Engine::in_memory()?)
    }

    fn start(engine: Engine) -> Result<Self, StoreError> {
        let engine = Arc::new(engine);
        if !tables::ABOUT.has(&engine.read()?, &())? {
            let about = About::whole(SCHEMA);
            let mut noted = Ok(());
            engine.write(|batch| {
                noted = batch.member(|tx| tables::ABOUT.put(tx, &(), &about));
            })?;
            noted?;
        }
        Ok(Self {
            writer: Arc::new(Writer::start(engine.clone())?),
            engine,
        })
    }

    /// Answers what `read` finds in one consistent view, which is that of the newest commit.
    /// On this engine it runs in place, without waiting. It is async so that an engine across a
    /// network can stand here: a request should read once, with everything it needs in `read`.
    ///
    /// # Errors
    /// The closure's own, or the store's.
    pub async fn read<T, E, F>(&self, read: F) -> Result<T, E>
    where
        E: From<StoreError>,
        F: FnOnce(&ReadTx) -> Result<T, E>,
    {
        read(&self.engine.read()?)
    }

    /// Runs `write` in the next batch and returns when that is durable. When it answers an
    /// error, nothing of it is kept.
    ///
    /// # Errors
    /// The closure's own, or the store's.
    pub async fn write<T, E, F>(&self, write: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Fn(&mut WriteTx<'_>) -> Result<T, E> + Send + 'static,
    {
        self.writer.write(write).await
    }

    /// Whether it can be read and written.
    ///
    /// # Errors
    /// When it can't be read, or a commit has failed.
    pub fn is_ready(&self) -> Result<(), StoreError> {
        if self.writer.has_failed() {
            return Err(StoreError::CommitFailed);
        }
        self.about().map(|_| ())
    }

    /// What the store says of itself.
    ///
    /// # Errors
    /// When its first row is missing or unreadable.
    pub fn about(&self) -> Result<About, StoreError> {
        about_in(&self.engine)
    }
}
