//! `layby config`.

use super::print::print_line;
use super::setup::CommandError;
use crate::config::{Config, Layers};

/// Prints each setting with its source. Then checks the settings, and fails as a start would.
pub(super) fn print_settings(layers: &Layers) -> Result<(), CommandError> {
    Config::describe(layers)?.into_iter().for_each(print_line);
    Config::load(layers)?;
    Ok(())
}
