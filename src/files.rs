//! Folders that only the user of this process may read.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Creates a folder and its missing parents for the user of this process alone. An existing folder
/// keeps its permissions.
///
/// # Errors
/// Fails if the folder can't be created.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
