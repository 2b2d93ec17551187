//! Shared parts of the subcommands: their errors, and the store, folder and runtime that they need.

use std::path::{Path, PathBuf};

use super::memory;
use crate::app::AppError;
use crate::config::Config;
use crate::files::make_private_folder;
use crate::products::Catalogue;
use crate::store::{JoinRequest, Repair, Store, StoreError};

/// Why a command failed, as a text for the operator.
pub(super) type CommandError = Box<dyn std::error::Error>;

/// Returns the error text for the operator. For an [`AppError`], returns the text of the log, not the
/// message to the customer.
pub(super) fn error_text(error: &CommandError) -> String {
    let fault = error.downcast_ref::<AppError>();
    fault.map_or_else(|| error.to_string(), AppError::log_text)
}

/// An error of a store, with the store's location.
#[derive(Debug, thiserror::Error)]
#[error("{location}: {why}")]
pub(super) struct AtStore {
    location: String,
    #[source]
    why: StoreError,
}

impl AtStore {
    pub(super) fn new(config: &Config, why: StoreError) -> Self {
        let location = store_place(config);
        Self { location, why }
    }
}

/// Returns the store's location for messages. Leaves out the address of a database, because the address may
/// contain a password.
pub(super) fn store_place(config: &Config) -> String {
    match &config.store.url {
        Some(_) => "store.url".to_string(),
        None => store_path(config).display().to_string(),
    }
}

pub(super) fn store_path(config: &Config) -> PathBuf {
    config.server.data.join("layby.redb")
}

/// Creates the data folder. Only the system user that runs the command may use a new folder. An existing
/// folder keeps its permissions.
pub(super) fn make_data_folder(config: &Config) -> Result<(), CommandError> {
    let folder = &config.server.data;
    Ok(make_private_folder(folder).map_err(|error| {
        let folder = folder.display();
        format!("the data folder {folder} can't be made: {error}")
    })?)
}

/// Opens the store, and guards it against a wrong clock. Creates a missing data folder first.
pub(super) fn open_store(config: &Config) -> Result<Store, CommandError> {
    make_data_folder(config)?;
    let opened = match &config.store.url {
        Some(url) => Store::open_database(url, &config.store),
        None => Store::open(&store_path(config)),
    };
    let store = opened.map_err(|why| AtStore::new(config, why))?;
    guard_clock(config, &store)?;
    Ok(store)
}

/// Guards the store against a wrong clock, unless the settings set the clock.
pub(super) fn guard_clock(config: &Config, store: &Store) -> Result<(), CommandError> {
    if config.clock_start.is_none() {
        let guarded = store.guard_clock(config.clock());
        guarded.map_err(|why| AtStore::new(config, why))?;
    }
    Ok(())
}

/// Opens the store for `serve`. Other shops may share a store in a database. `repair` gets the progress of a
/// repair of a store in a file.
pub(super) fn open_to_serve(
    config: &Config,
    catalogue: &Catalogue,
    repair: Repair,
) -> Result<Store, StoreError> {
    let Some(url) = &config.store.url else {
        return Store::open_watched(&store_path(config), store_cache(config), repair);
    };
    let joining = JoinRequest {
        build: env!("CARGO_PKG_VERSION").to_string(),
        products: catalogue.hashes(),
        checks_clock: config.clock_start.is_none(),
    };
    Store::join_database(url, &config.store, &joining)
}

/// Returns the number of bytes of the store's file that the shop may cache in memory. Logs a warning if the
/// memory limits this number.
fn store_cache(config: &Config) -> usize {
    let cache = memory::limit_cache(config.store.cache, memory::memory_bytes(Path::new("/")));
    if cache < config.store.cache {
        tracing::warn!(
            megabytes = cache >> 20,
            "store.cache is more than an eighth of this machine's memory, of which an eighth is used"
        );
    }
    cache
}

/// Checks that the store's file exists. Does not check a store in a database.
pub(super) fn require_store(config: &Config) -> Result<(), CommandError> {
    let path = store_path(config);
    if config.store.url.is_some() || path.exists() {
        Ok(())
    } else {
        Err(format!("there is no store at {}", path.display()).into())
    }
}

/// Opens a store that must exist.
pub(super) fn existing_store(config: &Config) -> Result<Store, CommandError> {
    require_store(config)?;
    open_store(config)
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, CommandError> {
    Ok(tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?)
}
