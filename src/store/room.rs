//! Free space on the disk.

use std::io;
use std::path::Path;

/// Returns the free bytes on the disk of a folder.
///
/// # Errors
/// If the system can't report the free space.
pub fn free_bytes(folder: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}
