//! Opens a store.

use std::path::Path;
use std::sync::Arc;

use super::backup::NewStoreFile;
use super::description::StoreDescription;
use super::nodes::JoinRequest;
use super::writer::Writer;
use crate::config::StoreSettings;
use crate::metrics;
use crate::secret::Secret;
use crate::store::engine::Engine;
use crate::store::engine::location::{COMMAND_CACHE_BYTES, StoreLocation};
use crate::store::engine::open_error::{InspectedFile, Pages};
use crate::store::inspect::{about_in_database, about_in_file, refuse_emptied};
use crate::store::redb::disk::Disk;
use crate::store::redb::repair::Repair;
use crate::store::reopen::{MAX_OUTAGE, UNLIMITED_OUTAGE};
use crate::store::upgrade::migrations::SCHEMA;
use crate::store::{Store, StoreError, TABLES, tables};

impl Store {
    /// Opens the file at `path`, or creates the file. First repairs the file after an unclean shutdown.
    /// The rows of a refused file stay the same.
    ///
    /// # Errors
    /// If the file is in use, damaged, no store, or can't be read or written. If an old store was
    /// probably lost (`refuse_emptied`). If the schema is not this program's, or an upgrade was
    /// interrupted.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_watched(path, COMMAND_CACHE_BYTES, Repair::default())
    }

    /// Opens a new file before it is named, to change its rows. The caller closes the store before it names
    /// the file.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_new(file: &NewStoreFile) -> Result<Self, StoreError> {
        Self::open(file.part())
    }

    /// Opens the file with a cache of at most `cache` bytes. The caller reads the progress of a repair
    /// from `repair`, or stops the repair there.
    ///
    /// # Errors
    /// As [`Store::open`]. [`StoreError::Stopped`] if the caller stops the repair.
    pub fn open_watched(path: &Path, cache: usize, repair: Repair) -> Result<Self, StoreError> {
        let opened = Self::inspect_file(path, cache, &repair)?.and_then(InspectedFile::into_open);
        let path = path.to_owned();
        let place = StoreLocation::File { path, cache };
        Self::start(match opened {
            Some(db) => Engine::over(db, place, repair)?,
            None => Engine::open_at(place, repair)?,
        })
    }

    /// Checks whether a shop could serve the file at `path`, and changes nothing. Returns `None` if the
    /// file is missing, empty or without a row table. Also returns `None` if a shop has the file open, or
    /// if the file needs a repair.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn preview(path: &Path) -> Result<Option<InspectedFile>, StoreError> {
        let repair = Repair::default();
        repair.stop();
        match Self::inspect_file(path, COMMAND_CACHE_BYTES, &repair) {
            Err(StoreError::InUse | StoreError::Stopped) => Ok(None),
            seen => seen,
        }
    }

    /// Verifies every page of the file at `path`, and changes nothing. While the caller has a
    /// [`Pages::Whole`], no other process can open the file for writing. Returns `None` if nothing was ever
    /// written to the file.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn verify(path: &Path) -> Result<Option<Pages>, StoreError> {
        let pages = Pages::verify(path)?;
        let description = match &pages {
            Some(Pages::Whole(file)) => about_in_file(file)?,
            Some(_) => return Ok(pages),
            None => None,
        };
        match description {
            Some(description) => description.may_be_served(SCHEMA)?,
            None => refuse_emptied(path)?,
        }
        Ok(pages)
    }

    fn inspect_file(
        path: &Path,
        cache: usize,
        repair: &Repair,
    ) -> Result<Option<InspectedFile>, StoreError> {
        let file = InspectedFile::inspect(path, cache, repair)?;
        let description = file.as_ref().map(about_in_file).transpose()?;
        match description.flatten() {
            Some(description) => description.may_be_served(SCHEMA)?,
            None => refuse_emptied(path)?,
        }
        Ok(file)
    }

    /// Creates a store without a file, for tests.
    ///
    /// # Errors
    /// When the writer thread can't be started.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::start(Engine::in_memory()?)
    }

    /// Opens the store in the database at `url` for this process alone, or creates an empty one. If another
    /// process holds the store, waits until that process releases it, dies or proves to be alive.
    ///
    /// # Errors
    /// If the database can't be used, or has tables or rows that are no store. If the schema is not this
    /// program's, or an upgrade was interrupted.
    pub fn open_database(url: &Secret, settings: &StoreSettings) -> Result<Self, StoreError> {
        Self::over_database(Engine::in_database(url.expose(), settings, None)?)
    }

    /// Opens the store in the database at `url` and joins its other nodes.
    ///
    /// # Errors
    /// As [`Store::open_database`]. Also if this node is incompatible with another node, or if its clock
    /// differs from the database's clock.
    pub fn join_database(
        url: &Secret,
        settings: &StoreSettings,
        joining: &JoinRequest,
    ) -> Result<Self, StoreError> {
        Self::over_database(Engine::in_database(url.expose(), settings, Some(joining))?)
    }

    fn over_database(engine: Engine) -> Result<Self, StoreError> {
        if let Some(description) = about_in_database(&engine)? {
            description.may_be_served(SCHEMA)?;
        }
        Self::start(engine)
    }

    /// Opens a store on a test's disk, or creates the store. First repairs the store after an unclean
    /// shutdown.
    ///
    /// # Errors
    /// When the disk fails or is damaged.
    pub fn on_disk(disk: Arc<dyn Disk>) -> Result<Self, StoreError> {
        Self::start(Engine::open_at(
            StoreLocation::Disk(disk),
            Repair::default(),
        )?)
    }

    fn start(engine: Engine) -> Result<Self, StoreError> {
        for table in TABLES {
            metrics::add_table(table.name());
        }
        let engine = Arc::new(engine);
        if !tables::DESCRIPTION.has(&engine.read()?, &())? {
            tracing::warn!("the store is new");
            let description = StoreDescription::complete(SCHEMA);
            engine.write_one(|tx| tables::DESCRIPTION.put(tx, &(), &description))?;
        }
        let max_wait = match &*engine {
            Engine::File(_) => MAX_OUTAGE,
            Engine::Postgres(_) => UNLIMITED_OUTAGE,
        };
        Ok(Self {
            writer: Arc::new(Writer::start(engine.clone(), max_wait)?),
            engine,
            clock_guard: Arc::default(),
        })
    }
}
