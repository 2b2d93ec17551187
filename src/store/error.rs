//! Errors of the store.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

use super::database_error::DatabaseError;
use super::wrong_clock::WrongClock;
use crate::store::upgrade::migrations::SCHEMA;

#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has the file open.
    #[error("the store is in use by another layby")]
    InUse,
    /// The engine failed, and neither disk nor damage explains it. The engine's own message is only in the
    /// log, at level debug.
    #[error("the store's engine failed: {0}")]
    Engine(&'static str),
    /// The disk is full or broken, or the file isn't accessible.
    #[error("{}", disk_reason(.0))]
    Disk(#[source] Arc<std::io::Error>),
    /// The store's database can't be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The clock is wrong, so nothing is written.
    #[error(transparent)]
    Clock(#[from] WrongClock),
    /// A write read a row that is not in the cache of the database's rows. The writer will run the write
    /// again. The store never returns this error to its callers.
    #[error("what a write read is not at hand yet")]
    NotAtHand,
    /// The disk or the database failed, and the store is being reopened.
    #[error("the store is closed since the database or the disk failed, and is being opened again")]
    Closed,
    /// The file doesn't hold what was written to it.
    #[error("the store is damaged: `layby check` says what is wrong with it")]
    Damaged,
    /// The store's file is empty, but other data is beside it.
    #[error(
        "the store's file is empty, and {documents} beside it says that it was not always: put the \
         store back from a copy, or remove the empty file to begin anew"
    )]
    Emptied {
        /// The name of another file in the folder.
        documents: String,
    },
    /// The store's file is missing, but its other data exists.
    #[error(
        "there is no store, and the folder {documents} beside it says that there was one: put the \
         store back from a copy, or move {documents} away to begin anew"
    )]
    Lost {
        /// The name of the folder with the other data.
        documents: &'static str,
    },
    /// A row is missing, or can't be read or written.
    #[error("a row of table {table} is wrong: {detail}")]
    Row {
        table: &'static str,
        /// What is wrong with the row.
        detail: String,
    },
    /// A row has another version than this program's.
    #[error("a row of table {table} has version {found}, this layby supports {supported}")]
    RowVersion {
        table: &'static str,
        /// The row's version.
        found: u8,
        /// This program's version.
        supported: u8,
    },
    /// The file is not a store.
    #[error("this file is no store of layby; nothing in it was changed")]
    NoStore,
    /// The store has an unreleased shape, from before the first release.
    #[error(
        "this store was written by another build of layby before its first release, and can't be \
         upgraded; nothing in it was changed. Start with an empty folder or database: name another \
         one with `--data`, `server.data` or `store.url`"
    )]
    Unreleased,
    /// The file is newer than the program.
    #[error(
        "the store has schema {found}, written by layby {written_by}; this layby supports schema \
         {supported} and none newer. Run the newer layby; nothing in the store was changed"
    )]
    Newer {
        /// Schema of the file.
        found: u32,
        /// Version that wrote the file.
        written_by: String,
        /// Newest schema of this program.
        supported: u32,
    },
    /// The file is older than the program, and can be upgraded.
    #[error("the store has schema {found}, and this layby needs {SCHEMA}: run `layby migrate`")]
    Older {
        /// Schema of the file.
        found: u32,
    },
    /// An upgrade of the file was interrupted.
    #[error(
        "an upgrade of the store to schema {to} was interrupted: run `layby migrate`, which goes \
         on where it stopped"
    )]
    HalfMigrated {
        /// Schema after the upgrade.
        to: u32,
    },
    /// Another layby has changed the store since this upgrade read the store's description.
    #[error("another layby has changed the store meanwhile: run `layby migrate` again")]
    Changed,
    /// The target of a copy is not empty.
    #[error("there is something already where the store is to be copied to; nothing was changed")]
    NotEmpty,
    /// The database has rows but no description.
    #[error(
        "a copy of a store into this database was interrupted: do it again, or begin with an empty \
         database; nothing in it was changed"
    )]
    HalfCopied,
    /// The copy, read again, differs from the store.
    #[error("the copy of the store is not the same as the store: it can't be used")]
    CopyDiffers,
    /// The copy before an upgrade can't be made.
    #[error("the store can't be copied to {}: {why}", .to.display())]
    Copy {
        /// File of the copy.
        to: PathBuf,
        /// The system's error.
        #[source]
        why: Arc<std::io::Error>,
    },
    /// The disk is too full for an upgrade.
    #[error(
        "the disk is too full to upgrade the store: {needed} MB are needed for a copy and for the \
         rows that are written anew, and {free} MB are free"
    )]
    NoRoom {
        /// Megabytes needed.
        needed: u64,
        /// Megabytes free.
        free: u64,
    },
    /// The disk is too full for a copy of the store.
    #[error(
        "the disk is too full for a copy of the store: {needed} MB may be needed, and {free} MB are free"
    )]
    NoRoomForCopy {
        /// Megabytes of the store.
        needed: u64,
        /// Megabytes free.
        free: u64,
    },
    /// A step of an upgrade can't upgrade a row.
    #[error(
        "the step to schema {schema} met a row of table {table} that it can't upgrade: {detail}"
    )]
    Step {
        /// Schema after the step.
        schema: u32,
        /// Table's name. A removed table has only a number.
        table: String,
        /// The row's fault.
        detail: String,
    },
    /// A write panicked. None of its changes are stored.
    #[error("a write failed inside")]
    Panicked,
    /// The writer has stopped.
    #[error("the store is closing")]
    Stopped,
}

impl StoreError {
    /// Returns whether this is the error of one row that can't be read.
    #[must_use]
    pub const fn is_unreadable_row(&self) -> bool {
        matches!(self, Self::Row { .. } | Self::RowVersion { .. })
    }

    /// Returns whether a retry is useless.
    pub(super) fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Stopped | Self::Database(DatabaseError::TakenOver)
        )
    }

    pub(super) fn disk(why: std::io::Error) -> Self {
        Self::Disk(Arc::new(why))
    }
}

/// Returns the message for an error of the disk or the store's file.
fn disk_reason(why: &std::io::Error) -> String {
    match why.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk failed: it is full",
        ErrorKind::ReadOnlyFilesystem => "the disk failed: it can only be read",
        ErrorKind::UnexpectedEof => "the disk failed: the store's file ends too early",
        ErrorKind::PermissionDenied => "this user may not read and write the store's file",
        ErrorKind::NotFound => "the store's file, or its folder, is gone",
        ErrorKind::IsADirectory => "there is a folder where the store's file should be",
        _ if why.raw_os_error().is_some() => return format!("the disk failed: {why}"),
        _ => "the disk failed, and the system didn't say why",
    }
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_is_spoken_of_in_words_of_ours_and_of_the_system() {
        let message = |code| StoreError::disk(std::io::Error::from_raw_os_error(code)).to_string();
        assert_eq!(message(28), "the disk failed: it is full");
        assert_eq!(message(30), "the disk failed: it can only be read");
        assert_eq!(
            message(13),
            "this user may not read and write the store's file"
        );
        assert_eq!(message(2), "the store's file, or its folder, is gone");
        assert_eq!(
            message(5),
            "the disk failed: Input/output error (os error 5)"
        );
        let other = std::io::Error::other("somebody else's words");
        let message = StoreError::disk(other).to_string();
        assert_eq!(message, "the disk failed, and the system didn't say why");
    }
}
