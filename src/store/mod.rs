//! The store: one redb file, typed tables, a single writer that shares each disk sync.
//!
//! Reads are point look-ups and index ranges and run where they are called. Writes are
//! closures over a transaction; they are acknowledged when they are on the disk. A closure
//! may be run again by another engine, so it takes no time, chance or I/O of its own: ids
//! and `now` are made outside and captured.

mod engine;
mod key;
mod registry;
mod table;
pub mod tables;
mod writer;

use std::path::Path;
use std::sync::Arc;

pub use engine::{Direction, Read, ReadTx, WriteTx};
pub use key::Key;
pub use registry::{ALL as TABLES, AnyTable};
pub use table::Table;

use engine::Engine;
use writer::Writer;

/// Version of the store's shape; a file that says a higher one is refused.
pub const SCHEMA: u32 = 1;

/// What the store says of itself, in its own first row.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct About {
    /// Shape of the tables.
    pub schema: u32,
    /// Version of layby that last wrote the shape.
    pub written_by: String,
}

/// What can go wrong below the rules.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has the file open.
    #[error("the store is in use by another layby")]
    InUse,
    /// The engine's own words; for the log, never for a client.
    #[error("the store's engine failed: {0}")]
    Engine(String),
    /// A row that can't be read or written.
    #[error("a row of table {table} can't be read: {detail}")]
    Row {
        /// Table's name.
        table: &'static str,
        /// What the decoder said.
        detail: String,
    },
    /// A row of another version than this program's.
    #[error(
        "a row of table {table} has version {found}, this layby knows {known}: run `layby migrate`"
    )]
    RowVersion {
        /// Table's name.
        table: &'static str,
        /// The row's version.
        found: u8,
        /// The version this program writes.
        known: u8,
    },
    /// The file is newer than the program.
    #[error(
        "the store has schema {found}, written by layby {written_by}; this layby knows {SCHEMA}"
    )]
    Newer {
        /// Schema of the file.
        found: u32,
        /// Version that wrote it.
        written_by: String,
    },
    /// A write panicked; nothing of it was kept.
    #[error("a write failed inside")]
    Panicked,
    /// The writer has stopped.
    #[error("the store is closing")]
    Stopped,
}

/// The store; cheap to clone.
#[derive(Clone)]
pub struct Store {
    engine: Arc<Engine>,
    writer: Arc<Writer>,
}

impl Store {
    /// Opens the file at `path`, or creates it.
    ///
    /// # Errors
    /// When it is in use, damaged, or newer than this program.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
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
        let about = tables::ABOUT.get(&engine.read()?, &())?;
        match about {
            Some(about) if about.schema > SCHEMA => {
                return Err(StoreError::Newer {
                    found: about.schema,
                    written_by: about.written_by,
                });
            }
            Some(_) => {}
            None => {
                let about = About {
                    schema: SCHEMA,
                    written_by: env!("CARGO_PKG_VERSION").to_string(),
                };
                let mut noted = Ok(());
                engine.write(|batch| {
                    noted = batch.member(|tx| tables::ABOUT.put(tx, &(), &about));
                })?;
                noted?;
            }
        }
        Ok(Self {
            writer: Arc::new(Writer::start(engine.clone())?),
            engine,
        })
    }

    /// A consistent view for reading.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn read(&self) -> Result<ReadTx, StoreError> {
        self.engine.read()
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
            return Err(StoreError::Engine("a commit failed".to_string()));
        }
        self.about().map(|_| ())
    }

    /// What the store says of itself.
    ///
    /// # Errors
    /// When its first row is missing or unreadable.
    pub fn about(&self) -> Result<About, StoreError> {
        tables::ABOUT
            .get(&self.read()?, &())?
            .ok_or(StoreError::Row {
                table: "about",
                detail: "it is missing".to_string(),
            })
    }
}
