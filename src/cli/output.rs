//! The target of an export: standard output, or a file. A failed export leaves an existing regular file
//! unchanged.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::setup::CommandError;

pub(super) enum Output {
    Standard(io::StdoutLock<'static>),
    /// An existing path that is not a regular file, such as `/dev/null` or a pipe.
    Device(File),
    /// A new file, readable by its owner alone. The new file replaces `path` once the new file is complete.
    File {
        /// The temporary file. It is removed if the export fails.
        unfinished: NamedTempFile,
        path: PathBuf,
    },
}

impl Output {
    /// Opens the file at `path`, or standard output without a path.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, CommandError> {
        match path {
            None => Ok(Self::Standard(io::stdout().lock())),
            Some(path) => Ok(Self::open_file(path).map_err(|why| unwritable(path, &why))?),
        }
    }

    fn open_file(path: &Path) -> io::Result<Self> {
        // Follows a symbolic link, so that the export replaces the link's target and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        if fs::metadata(&path).is_ok_and(|meta| !meta.is_file()) {
            return Ok(Self::Device(File::options().write(true).open(path)?));
        }
        let unfinished = NamedTempFile::new_in(parent_folder(&path))?;
        Ok(Self::File { unfinished, path })
    }

    /// Completes the output. For [`Self::File`], returns once the new file is at `path` and on the disk.
    pub(super) fn finish(mut self) -> Result<(), CommandError> {
        self.flush()?;
        let Self::File { unfinished, path } = self else {
            return Ok(());
        };
        let written = unfinished.as_file().sync_all();
        let written = written.and_then(|()| Ok(unfinished.persist(&path)?));
        let written = written.and_then(|_| File::open(parent_folder(&path))?.sync_all());
        Ok(written.map_err(|why| unwritable(&path, &why))?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::Device(file) => file.write(bytes),
            Self::File { unfinished, .. } => unfinished.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Device(file) => file.flush(),
            Self::File { unfinished, .. } => unfinished.flush(),
        }
    }
}

fn parent_folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|name| !name.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn unwritable(path: &Path, why: &io::Error) -> String {
    format!("{} can't be written: {why}", path.display())
}
