//! Looking up what a store says of itself.

use std::ops::ControlFlow;
use std::path::Path;

use super::about::About;
use super::engine::closed::Closed;
use super::engine::{Direction, Engine, Read};
use super::error::StoreError;
use super::tables;

/// What an open store says of itself.
pub(super) fn about_in(engine: &Engine) -> Result<About, StoreError> {
    tables::ABOUT
        .get(&engine.read()?, &())?
        .ok_or(StoreError::Row {
            table: "about",
            detail: "it is missing".to_string(),
        })
}

/// What the store at `path` says of itself; none when nothing was written to it yet.
pub(super) fn about_of(path: &Path) -> Result<Option<About>, StoreError> {
    match Closed::look(path)? {
        Some(file) => about_in_file(&file),
        None => Ok(None),
    }
}

/// What a store that nobody has open says of itself; none when nothing was written to it yet.
pub(super) fn about_in_file(file: &Closed) -> Result<Option<About>, StoreError> {
    if let Some(about) = tables::ABOUT.get(&file.rows, &())? {
        return Ok(Some(about));
    }
    let mut is_new = true;
    let any = &mut |_: &[u8], _: &[u8]| {
        is_new = false;
        ControlFlow::Break(())
    };
    file.rows.scan(&[], &[u8::MAX], Direction::Forward, any)?;
    if is_new {
        Ok(None)
    } else {
        Err(StoreError::NoStore)
    }
}
