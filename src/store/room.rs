//! Room on the disk.

use std::io;
use std::path::Path;

/// Bytes that are free on the disk of a folder.
///
/// # Errors
/// When the system doesn't say.
pub fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}
