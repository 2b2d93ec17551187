//! What is asked, and how it is answered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::app::books::reconcile::Reconciliation;
use crate::app::books::resolve::Resolution;
use crate::app::mail::outbox::MailOrder;

/// The socket's name in the data folder.
pub(super) const NAME: &str = "layby.sock";

/// What is asked of a running shop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    /// Verifies the store.
    Check,
    /// Looks at the letters that wait or were given up, or does something with them.
    Mail {
        /// What.
        mail: MailOrder,
    },
    /// Compares a report of what a gateway paid out with the books.
    Reconcile {
        /// The report.
        reconciliation: Reconciliation,
    },
    /// Writes down how a refund was settled that the gateway can't make, or what a payout's line is.
    Resolve {
        /// What a person has done.
        resolution: Resolution,
    },
    /// Refuses product files that changed and kept their version.
    Products {
        /// The hash of each product's files, by its identifier and version.
        hashes: BTreeMap<String, String>,
    },
    /// Confirms that the clock is right, whatever the store's newest write says.
    ResumeClock,
    /// Names what of the money needs a person; each line of the answer is a JSON object.
    Unresolved,
}

/// A line of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// How far it has come, for who waits for it.
    Progress(String),
    /// A line of what was asked for.
    Says(String),
    /// The last line: it is done.
    Done,
    /// The last line: it failed, with one sentence that says why.
    Failed(String),
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
