//! Letters as files in a folder, for shops without a mail server.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::MailError;
use super::message::Letter;

/// The folder that letters are kept in.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn make(path: &Path) -> Result<Self, MailError> {
        private_folder(path).map_err(|error| {
            MailError::Later(format!(
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

    pub(super) async fn keep(&self, letter: Letter) -> Result<(), MailError> {
        let folder = self.0.clone();
        let kept = tokio::task::spawn_blocking(move || keep(&folder, &letter)).await;
        match kept.map_err(io::Error::other).flatten() {
            Ok(path) => {
                tracing::info!(path = %path.display(), "a letter was written to the folder");
                Ok(())
            }
            Err(error) => Err(MailError::Later(format!(
                "a letter can't be written to the folder: {error}"
            ))),
        }
    }
}

/// Writes the whole file under another name first, so that the folder never has half a letter,
/// after a power failure neither.
fn keep(folder: &Path, letter: &Letter) -> io::Result<PathBuf> {
    let written = letter.written.format("%Y%m%dT%H%M%SZ");
    let name = format!("{written}-{}", letter.id);
    let unfinished = folder.join(format!(".{name}.part"));
    let path = folder.join(format!("{name}.eml"));
    let mut file = private_file(&unfinished)?;
    file.write_all(&letter.bytes)?;
    file.sync_all()?;
    fs::rename(&unfinished, &path)?;
    File::open(folder)?.sync_all()?;
    Ok(path)
}

// Letters have links that set passwords: only the server's own user may read them.

#[cfg(unix)]
fn private_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(unix)]
fn private_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(true);
    options.mode(0o600).open(path)
}

#[cfg(not(unix))]
fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).create(path)
}

#[cfg(not(unix))]
fn private_file(path: &Path) -> io::Result<File> {
    File::create(path)
}
