//! Opening a store, or saying why it can't be opened.

use std::path::Path;
use std::sync::Arc;

use super::about::StoreDescription;
use super::nodes::JoinRequest;
use super::writer::Writer;
use crate::config::StoreSettings;
use crate::secret::Secret;
use crate::store::engine::Engine;
use crate::store::engine::location::{COMMAND_CACHE_BYTES, StoreLocation};
use crate::store::engine::open_error::{InspectedFile, Pages};
use crate::store::inspect::{about_in_database, about_in_file, refuse_emptied};
use crate::store::redb::disk::Disk;
use crate::store::redb::repair::Repair;
use crate::store::reopen::{MAX_OUTAGE, UNLIMITED_OUTAGE};
use crate::store::upgrade::migrations::SCHEMA;
use crate::store::{Store, StoreError, tables};

impl Store {
    /// Opens the file at `path`, or creates it. A file that is refused keeps its rows as they are;
    /// one that was not closed properly is put in order first.
    ///
    /// # Errors
    /// When it is in use or damaged, no store, empty beside other data, of a shape that was not released, newer
    /// than this program, or to be upgraded first.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_watched(path, COMMAND_CACHE_BYTES, Repair::default())
    }

    /// The same with at most `cache` bytes of the file in memory, for those who want to see how far a
    /// repair has come, or to stop it.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_watched(path: &Path, cache: usize, repair: Repair) -> Result<Self, StoreError> {
        let opened = Self::inspect_file(path, cache, &repair)?.and_then(InspectedFile::into_open);
        let path = path.to_owned();
        let place = StoreLocation::File { path, cache };
        Self::start(match opened {
            Some(db) => Engine::over(db, place, repair)?,
            None => Engine::open_at(place, repair)?,
        })
    }

    /// Says why no shop could serve the file at `path`, and changes nothing. A file that a shop has open, or
    /// that a start has to put in order first, is not looked into: the answer is none.
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

    /// Has every page of the file at `path` verified, and changes nothing; none where nothing was ever written
    /// to it. Nobody can open it for writing meanwhile.
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

    /// A store without a file, for tests.
    ///
    /// # Errors
    /// When the writer thread can't be started.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::start(Engine::in_memory()?)
    }

    /// Opens the store of the database that `url` names for this process alone, or makes an empty one
    /// there. Where another has it, this waits until that has let it go, or is seen to live.
    ///
    /// # Errors
    /// When the database doesn't serve us or holds something else; as [`Store::open`].
    pub fn open_database(url: &Secret, settings: &StoreSettings) -> Result<Self, StoreError> {
        Self::over_database(Engine::in_database(url.expose(), settings, None)?)
    }

    /// The same, beside other shops that have joined.
    ///
    /// # Errors
    /// As [`Store::open_database`]; when this shop can't stand beside one that is there, or its
    /// clock is not the database's.
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

    /// A store on a disk of a test's own. One that is there already is put in order first.
    ///
    /// # Errors
    /// When the disk fails, or what is on it is damaged.
    pub fn on_disk(disk: Arc<dyn Disk>) -> Result<Self, StoreError> {
        Self::start(Engine::open_at(
            StoreLocation::Disk(disk),
            Repair::default(),
        )?)
    }

    fn start(engine: Engine) -> Result<Self, StoreError> {
        let engine = Arc::new(engine);
        if !tables::ABOUT.has(&engine.read()?, &())? {
            let description = StoreDescription::complete(SCHEMA);
            engine.write_one(|tx| tables::ABOUT.put(tx, &(), &description))?;
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
