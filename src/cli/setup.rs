//! What the subcommands share: how they fail, and what they need before they can begin: the store,
//! the product files, a runtime.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use crate::config::Config;
use crate::store::{Store, StoreError};

/// Why a command failed: one sentence for the operator.
pub(super) type Failure = Box<dyn std::error::Error>;

/// What is wrong with a store, and where it is.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", .path.display())]
pub(super) struct AtStore {
    pub(super) path: PathBuf,
    #[source]
    pub(super) why: StoreError,
}

pub(super) fn data_flag(data: Option<&PathBuf>) -> Vec<(String, String)> {
    data.map(|path| ("server.data".to_string(), path.display().to_string()))
        .into_iter()
        .collect()
}

pub(super) fn store_path(config: &Config) -> PathBuf {
    config.server.data.join("layby.redb")
}

/// Makes the folder of the store, for the user alone that runs the shop. One that is there keeps its
/// rights.
pub(super) fn make_data_folder(config: &Config) -> Result<(), Failure> {
    let folder = &config.server.data;
    let cant = |error| {
        format!(
            "the data folder {} can't be made: {error}",
            folder.display()
        )
    };
    let mut made = DirBuilder::new();
    Ok(made
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(cant)?)
}

/// Opens the store, making its folder first.
pub(super) fn open_store(config: &Config) -> Result<Store, Failure> {
    make_data_folder(config)?;
    let path = store_path(config);
    Store::open(&path).map_err(|why| AtStore { path, why }.into())
}

/// Where the store is, which must be there.
pub(super) fn existing_store_path(config: &Config) -> Result<PathBuf, Failure> {
    let path = store_path(config);
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("there is no store at {}", path.display()).into())
    }
}

/// Opens a store that must be there.
pub(super) fn existing_store(config: &Config) -> Result<Store, Failure> {
    existing_store_path(config)?;
    open_store(config)
}

/// Reads the product files, or says every mistake in them.
pub(super) fn load_products(config: &Config) -> Result<crate::products::Catalogue, Failure> {
    crate::products::Catalogue::load(config.products.folder.as_deref()).map_err(|mistakes| {
        let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
        lines.join("\n").into()
    })
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?)
}
