//! Removes the unfinished files of processes that were killed during a write. Such a file is beside
//! the blob. Its name is the blob's name, `#` and a number. A list of blobs skips the file.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Minimum age of a removed file. A process may still write to a younger file.
const DELETE_GRACE: Duration = Duration::from_secs(24 * 3600);

/// Removes unfinished files older than a day. Returns their number. Keeps files with other names.
pub(super) fn remove_leftovers(folder: &Path) -> io::Result<u64> {
    let mut removed = 0;
    for shard in fs::read_dir(folder)? {
        let shard = shard?;
        if !shard.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(shard.path())? {
            let file = file?;
            if is_leftover(&file.file_name().to_string_lossy()) && is_old(&file)? {
                fs::remove_file(file.path())?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}

fn is_leftover(name: &str) -> bool {
    name.split_once('#').is_some_and(|(content, number)| {
        content.len() == 64
            && content.chars().all(|c| c.is_ascii_hexdigit())
            && number.parse::<u32>().is_ok()
    })
}

fn is_old(file: &fs::DirEntry) -> io::Result<bool> {
    let written = file.metadata()?.modified()?;
    let age = SystemTime::now().duration_since(written);
    Ok(age.is_ok_and(|age| age > DELETE_GRACE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_begun_a_day_ago_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let shard = folder.path().join("ab");
        fs::create_dir(&shard).unwrap();
        let name = format!("ab{}", "0".repeat(62));
        let yesterday = SystemTime::now() - DELETE_GRACE - Duration::from_secs(60);
        let write = |name: &str, is_old: bool| {
            let file = fs::File::create(shard.join(name)).unwrap();
            if is_old {
                file.set_modified(yesterday).unwrap();
            }
        };
        write(&name, true);
        write(&format!("{name}#1"), true);
        write(&format!("{name}#2"), false);
        write("notes#1", true);
        assert_eq!(remove_leftovers(folder.path()).unwrap(), 1);
        let left = fs::read_dir(&shard).unwrap().count();
        assert_eq!(left, 3);
    }
}
