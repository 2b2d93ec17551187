//! Reads a store's description, and refuses to replace a lost store.

use std::ops::ControlFlow;
use std::path::Path;

use crate::store::description::StoreDescription;
use crate::store::engine::location::COMMAND_CACHE_BYTES;
use crate::store::engine::open_error::InspectedFile;
use crate::store::engine::{Direction, Engine, Read, ReadTx};
use crate::store::error::StoreError;
use crate::store::redb::repair::Repair;
use crate::store::tables;

/// The admin socket beside a store. The socket is no data, and remains after a kill.
const SOCKET: &str = "layby.sock";

/// The folder of documents beside a store, unless the settings name another folder.
const DOCUMENTS: &str = "documents";

/// Returns the description of an open store.
pub(super) fn read_description(engine: &Engine) -> Result<StoreDescription, StoreError> {
    tables::DESCRIPTION
        .get(&engine.read()?, &())?
        .ok_or(StoreError::Row {
            table: "description",
            detail: "it is missing".to_string(),
        })
}

/// Returns the description of the store at `path`. Returns `None` if nothing was ever written to the
/// store.
pub(super) fn describe_file(path: &Path) -> Result<Option<StoreDescription>, StoreError> {
    match InspectedFile::inspect(path, COMMAND_CACHE_BYTES, &Repair::default())? {
        Some(file) => about_in_file(&file),
        None => Ok(None),
    }
}

/// Returns the description in an inspected file. Returns `None` if the file has no rows.
pub(super) fn about_in_file(file: &InspectedFile) -> Result<Option<StoreDescription>, StoreError> {
    about_in_rows(&file.rows, StoreError::NoStore)
}

/// Returns the description of the store in a database. Returns `None` if the database has no rows.
pub(super) fn about_in_database(engine: &Engine) -> Result<Option<StoreDescription>, StoreError> {
    about_in_rows(&engine.read()?, StoreError::HalfCopied)
}

fn about_in_rows(
    rows: &ReadTx,
    without: StoreError,
) -> Result<Option<StoreDescription>, StoreError> {
    if let Some(description) = tables::DESCRIPTION.get(rows, &())? {
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

/// Refuses to create a new store if an old store was probably lost. The signs are documents beside a missing
/// file, and other files beside a file without rows. A new store would count references from 1 again.
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
            Err(StoreError::Lost {
                documents: DOCUMENTS,
            })
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
                documents: name.into_owned(),
            });
        }
    }
    Ok(())
}
