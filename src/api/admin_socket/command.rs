//! The commands to a running shop, and the lines of its reply.

use serde::{Deserialize, Serialize};

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
    /// The last line: the command is done.
    Done,
    /// The last line: the command failed, with the reason.
    Failed(String),
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
