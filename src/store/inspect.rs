//! Looking up what a store says of itself.

use std::ops::ControlFlow;
use std::path::Path;

use crate::store::about::StoreDescription;
use crate::store::engine::location::COMMAND_CACHE_BYTES;
use crate::store::engine::open_error::InspectedFile;
use crate::store::engine::{Direction, Engine, Read, ReadTx};
use crate::store::error::StoreError;
use crate::store::redb::repair::Repair;
use crate::store::tables;

/// The socket of the process that serves a store: no data, and left where that process was killed.
const SOCKET: &str = "layby.sock";

/// The folder of documents beside a store, where the settings name no other place.
const DOCUMENTS: &str = "documents";

/// What an open store says of itself.
pub(super) fn read_description(engine: &Engine) -> Result<StoreDescription, StoreError> {
    tables::ABOUT
        .get(&engine.read()?, &())?
        .ok_or(StoreError::Row {
            table: "about",
            detail: "it is missing".to_string(),
        })
}

/// What the store at `path` says of itself; none when nothing was written to it yet.
pub(super) fn describe_file(path: &Path) -> Result<Option<StoreDescription>, StoreError> {
    match InspectedFile::inspect(path, COMMAND_CACHE_BYTES, &Repair::default())? {
        Some(file) => about_in_file(&file),
        None => Ok(None),
    }
}

/// What a store that nobody has open says of itself; none when nothing was written to it yet.
pub(super) fn about_in_file(file: &InspectedFile) -> Result<Option<StoreDescription>, StoreError> {
    about_in_rows(&file.rows, StoreError::NoStore)
}

/// What the store of a database says of itself; none when nothing was written to it yet.
pub(super) fn about_in_database(engine: &Engine) -> Result<Option<StoreDescription>, StoreError> {
    about_in_rows(&engine.read()?, StoreError::HalfCopied)
}

fn about_in_rows(
    rows: &ReadTx,
    without: StoreError,
) -> Result<Option<StoreDescription>, StoreError> {
    if let Some(description) = tables::ABOUT.get(rows, &())? {
        return Ok(Some(description));
    }
    let mut is_new = true;
    let any = &mut |_: &[u8], _: &[u8]| {
        is_new = false;
        ControlFlow::Break(())
    };
    rows.scan(&[], &[u8::MAX], Direction::Forward, any)?;
    if is_new { Ok(None) } else { Err(without) }
}

/// A store that is missing beside documents is not a new one, and would count from 1 again: its rows are
/// lost. Nor is an empty one in a folder that holds more than the store.
pub(super) fn refuse_emptied(path: &Path) -> Result<(), StoreError> {
    let (Some(folder), Some(store)) = (path.parent(), path.file_name()) else {
        return Ok(());
    };
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    if !path.exists() {
        let documents = std::fs::read_dir(folder.join(DOCUMENTS));
        let has_some = documents.is_ok_and(|mut files| files.next().is_some());
        return if has_some {
            Err(StoreError::Lost { beside: DOCUMENTS })
        } else {
            Ok(())
        };
    }
    for entry in std::fs::read_dir(folder).map_err(StoreError::disk)? {
        let entry = entry.map_err(StoreError::disk)?.file_name();
        let name = entry.to_string_lossy();
        let is_ours = entry == store || name == SOCKET || name == "lost+found";
        if !is_ours && !name.starts_with('.') {
            return Err(StoreError::Emptied {
                beside: name.into_owned(),
            });
        }
    }
    Ok(())
}
