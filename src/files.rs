//! Folders that only the user of this process may read.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Makes a folder and its parents. An existing folder keeps its permissions.
///
/// # Errors
/// If the folder cannot be made.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}
