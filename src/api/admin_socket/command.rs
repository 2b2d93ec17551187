//! The commands to a running shop, and the lines of its reply.

use std::io::{self, Write};
use std::os::unix::net::UnixStream;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::app::backups::DumpSummary;
use crate::app::check::CheckReport;
use crate::app::commands::StoreCommand;

/// The socket's name in the data folder.
pub(super) const NAME: &str = "layby.sock";

/// A command to a running shop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdminCommand {
    /// Verifies the store and its documents.
    Check,
    /// Sends every row of the store.
    Backup {
        /// Whether the shop sends at half its usual pace.
        is_slow: bool,
    },
    /// A command that also runs on the store of a stopped shop.
    Command(StoreCommand),
}

/// A line of the reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdminReply {
    /// Progress, for the user who waits.
    Progress(String),
    /// A line of the result.
    Text(String),
    /// The rows of a backup follow this line.
    Rows(BackupStart),
    /// All rows of a backup were sent.
    Copied(DumpSummary),
    /// The last line: the command is done.
    Done,
    /// The last line: the command failed, with the reason.
    Failed(String),
}

/// What the shop knows before it sends the rows of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupStart {
    /// The copy has the rows of this moment.
    pub moment: DateTime<Utc>,
    /// Size of the store's file, in bytes. Zero for a database. The copy is not larger.
    pub size: u64,
}

impl From<CheckReport> for AdminReply {
    fn from(report: CheckReport) -> Self {
        match report {
            CheckReport::Progress(text) => Self::Progress(text),
            CheckReport::Text(text) => Self::Text(text),
        }
    }
}

/// Why a running shop did not execute a command.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The shop replied that the command failed.
    #[error("{0}")]
    Failed(String),
    /// The socket's permissions exclude the user of this process.
    #[error("only the user that runs the shop may ask it")]
    NotAllowed,
    /// The connection ended before the last line, or a line was not valid.
    #[error("the running shop gave no whole answer")]
    BrokenOff,
}

/// Writes a command, or a line of a reply.
pub(super) fn write_line(mut stream: &UnixStream, line: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    stream.write_all(&line)
}
