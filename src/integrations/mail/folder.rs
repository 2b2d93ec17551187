//! Writes letters as files into a folder, for shops without a mail server.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::MailError;
use super::message::EncodedLetter;
use crate::files::make_private_folder;

pub(super) struct MailFolder(PathBuf);

impl MailFolder {
    pub(super) fn make(path: &Path) -> Result<Self, MailError> {
        make_private_folder(path).map_err(|error| {
            MailError::Unavailable(format!(
                "the folder {} can't be made: {error}",
                path.display()
            ))
        })?;
        tracing::info!(
            folder = %path.display(),
            "no mail server is set: letters are written to a folder, and nobody is sent any"
        );
        Ok(Self(path.to_owned()))
    }

    pub(super) async fn write_letter(&self, letter: EncodedLetter) -> Result<(), MailError> {
        let folder = self.0.clone();
        let path = tokio::task::spawn_blocking(move || keep(&folder, &letter)).await;
        match path.map_err(io::Error::other).flatten() {
            Ok(path) => {
                tracing::info!(path = %path.display(), "a letter was written to the folder");
                Ok(())
            }
            Err(error) => Err(MailError::Unavailable(format!(
                "a letter can't be written to the folder: {error}"
            ))),
        }
    }
}

/// Writes the file under another name first, and then renames it. So an `.eml` file is never
/// incomplete, even after a power failure.
fn keep(folder: &Path, letter: &EncodedLetter) -> io::Result<PathBuf> {
    let written = letter.written.format("%Y%m%dT%H%M%SZ");
    let name = format!("{written}-{}", letter.id);
    let unfinished = folder.join(format!(".{name}.part"));
    let path = folder.join(format!("{name}.eml"));
    // Letters have links that set passwords, so only the server's own user may read them.
    let mut file = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&unfinished)?;
    file.write_all(&letter.bytes)?;
    file.sync_all()?;
    fs::rename(&unfinished, &path)?;
    File::open(folder)?.sync_all()?;
    Ok(path)
}
