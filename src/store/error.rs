//! What can go wrong in the store.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

use super::database_error::DatabaseError;
use super::wrong_clock::WrongClock;
use crate::store::upgrade::migrations::SCHEMA;

/// What can go wrong below the rules.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has the file open.
    #[error("the store is in use by another layby")]
    InUse,
    /// The engine failed in a way that no disk and no damage explains. Its own words are in the log,
    /// at level debug, and nowhere else.
    #[error("the store's engine failed: {0}")]
    Engine(&'static str),
    /// The disk is full or broken, or doesn't let us at the file.
    #[error("{}", of_disk(.0))]
    Disk(#[source] Arc<std::io::Error>),
    /// The database that the store is in doesn't serve us.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The clock is wrong, so nothing is written.
    #[error(transparent)]
    Clock(#[from] WrongClock),
    /// A write has read what was not fetched of the database yet, and will be run again. Nobody
    /// outside the store hears of it.
    #[error("what a write read is not at hand yet")]
    NotAtHand,
    /// The disk or the database failed, and the store is being opened again.
    #[error("the store is closed since the database or the disk failed, and is being opened again")]
    Closed,
    /// What is in the file is not what was written there.
    #[error("the store is damaged: `layby check` says what is wrong with it")]
    Damaged,
    /// The store's file is empty, and something is beside it.
    #[error(
        "the store's file is empty, and {beside} beside it says that it was not always: put the \
         store back from a copy, or remove the empty file to begin anew"
    )]
    Emptied {
        /// What is beside it.
        beside: String,
    },
    /// The store's file is gone, and what belonged to it is not.
    #[error(
        "there is no store, and the folder {beside} beside it says that there was one: put the \
         store back from a copy, or move {beside} away to begin anew"
    )]
    Lost {
        /// What is beside it.
        beside: &'static str,
    },
    /// A row that can't be read or written, or is missing.
    #[error("a row of table {table} is wrong: {detail}")]
    Row {
        /// Table's name.
        table: &'static str,
        /// What is wrong with it.
        detail: String,
    },
    /// A row of another version than this program's.
    #[error("a row of table {table} has version {found}, this layby knows {known}")]
    RowVersion {
        /// Table's name.
        table: &'static str,
        /// The row's version.
        found: u8,
        /// The version this program writes.
        known: u8,
    },
    /// The file is something else.
    #[error("this file is no store of layby; nothing in it was changed")]
    NoStore,
    /// The store has another shape than this program's, from before the first release.
    #[error(
        "this store was written by another build of layby before its first release, and can't be \
         upgraded; nothing in it was changed. Start with an empty folder or database: name another \
         one with `--data`, `server.data` or `store.url`"
    )]
    Unreleased,
    /// The file is newer than the program.
    #[error(
        "the store has schema {found}, written by layby {written_by}; this layby knows schema \
         {known} and none after it. Run the newer layby; nothing in the store was changed"
    )]
    Newer {
        /// Schema of the file.
        found: u32,
        /// Version that wrote it.
        written_by: String,
        /// Newest schema of this program.
        known: u32,
    },
    /// The file is older than the program, and can be upgraded.
    #[error("the store has schema {found}, and this layby needs {SCHEMA}: run `layby migrate`")]
    Older {
        /// Schema of the file.
        found: u32,
    },
    /// An upgrade of the file was broken off.
    #[error(
        "an upgrade of the store to schema {to} was broken off: run `layby migrate`, which goes \
         on where it stopped"
    )]
    HalfMigrated {
        /// Schema that the upgrade leads to.
        to: u32,
    },
    /// The file is not what it was when an upgrade of it was begun.
    #[error("another layby has changed the store meanwhile: run `layby migrate` again")]
    Changed,
    /// A store is copied into an empty one only.
    #[error("there is something already where the store is to be copied to; nothing was changed")]
    NotEmpty,
    /// Rows are there, and what says that they are a store's is not.
    #[error(
        "a copy of a store into this database was broken off: do it again, or begin with an empty \
         database; nothing in it was changed"
    )]
    HalfCopied,
    /// What was copied, read again, is not what was there.
    #[error("the copy of the store is not the same as the store: it can't be used")]
    CopyDiffers,
    /// The copy that an upgrade makes first can't be made.
    #[error("the store can't be copied to {}: {why}", .to.display())]
    Copy {
        /// File that was to be the copy.
        to: PathBuf,
        /// What the system said.
        #[source]
        why: Arc<std::io::Error>,
    },
    /// The disk is too full for an upgrade.
    #[error(
        "the disk is too full to upgrade the store: {needed} MB are needed for a copy and for the \
         rows that are written anew, and {free} MB are free"
    )]
    NoRoom {
        /// Megabytes that are needed.
        needed: u64,
        /// Megabytes that are free.
        free: u64,
    },
    /// A step of an upgrade met a row that it can't upgrade.
    #[error(
        "the step to schema {schema} met a row of table {table} that it can't upgrade: {detail}"
    )]
    Step {
        /// Schema that the step leads to.
        schema: u32,
        /// Table's name; a table that is no more has a number only.
        table: String,
        /// What is wrong with the row.
        detail: String,
    },
    /// A write panicked; nothing of it was kept.
    #[error("a write failed inside")]
    Panicked,
    /// The writer has stopped.
    #[error("the store is closing")]
    Stopped,
}

impl StoreError {
    /// Whether waiting and trying again is of no use.
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

/// What the system said of the disk or the store's file.
fn of_disk(why: &std::io::Error) -> String {
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
        let said = |code| StoreError::disk(std::io::Error::from_raw_os_error(code)).to_string();
        assert_eq!(said(28), "the disk failed: it is full");
        assert_eq!(said(30), "the disk failed: it can only be read");
        assert_eq!(
            said(13),
            "this user may not read and write the store's file"
        );
        assert_eq!(said(2), "the store's file, or its folder, is gone");
        assert_eq!(said(5), "the disk failed: Input/output error (os error 5)");
        let other = std::io::Error::other("somebody else's words");
        let said = StoreError::disk(other).to_string();
        assert_eq!(said, "the disk failed, and the system didn't say why");
    }
}
