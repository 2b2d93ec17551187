//! What is asked, and how it is answered.

use serde::{Deserialize, Serialize};

use crate::app::check::CheckReport;
use crate::app::commands::StoreCommand;

/// The socket's name in the data folder.
pub(super) const NAME: &str = "layby.sock";

/// What is asked of a running shop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdminCommand {
    /// Verifies the store.
    Check,
    /// What is done alike to the store of a stopped shop.
    Command(StoreCommand),
}

/// A line of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdminReply {
    /// How far it has come, for who waits for it.
    Progress(String),
    /// A line of what was asked for.
    Says(String),
    /// The last line: it is done.
    Done,
    /// The last line: it failed, with one sentence that says why.
    Failed(String),
}

impl From<CheckReport> for AdminReply {
    fn from(report: CheckReport) -> Self {
        match report {
            CheckReport::Progress(text) => Self::Progress(text),
            CheckReport::Says(text) => Self::Says(text),
        }
    }
}

/// Why a running shop gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// It answered that it can't.
    #[error("{0}")]
    Failed(String),
    /// Somebody else's shop.
    #[error("only the user that runs the shop may ask it")]
    NotAllowed,
    /// It stopped meanwhile, or something else did.
    #[error("the running shop gave no whole answer")]
    BrokenOff,
}
