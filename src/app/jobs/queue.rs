//! The queues of background jobs, and how to add a job.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::AppError;
use crate::store::WriteTx;
use crate::store::tables::{self, Job, Task, Work};

/// When a job is due, and its id.
pub type JobKey = (DateTime<Utc>, Uuid);

/// A queue of jobs. A job waits only for jobs of its own queue. So a slow mail server or a broken template
/// delays no payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobQueue {
    /// Payments, refunds, renewals, the sandbox's callbacks, and quotes that change their owner.
    Shop,
    /// Charges of instalments.
    Collections,
    /// Letters about accounts. The customer waits for such a letter.
    AccountLetters,
    /// Letters about policies.
    PolicyLetters,
    /// Letters about quotes. Anybody can cause such a letter by a save.
    QuoteLetters,
    Documents,
}

impl JobQueue {
    pub const ALL: [Self; 6] = [
        Self::Shop,
        Self::Collections,
        Self::AccountLetters,
        Self::PolicyLetters,
        Self::QuoteLetters,
        Self::Documents,
    ];

    pub(in crate::app) const LETTERS: [Self; 3] = [
        Self::AccountLetters,
        Self::PolicyLetters,
        Self::QuoteLetters,
    ];

    #[must_use]
    pub const fn for_task(task: &Task) -> Self {
        match task {
            Task::AskGateway { .. }
            | Task::Refund { .. }
            | Task::SandboxCallback { .. }
            | Task::ClaimPolicies { .. }
            | Task::ReleaseQuotes { .. }
            | Task::Renew { .. }
            | Task::RenewByCard { .. }
            | Task::RemoveCard { .. } => Self::Shop,
            Task::Collect { .. } => Self::Collections,
            Task::MakeDocument { .. } => Self::Documents,
            Task::MailPassword { .. } | Task::MailConfirmation { .. } | Task::MailNotice { .. } => {
                Self::AccountLetters
            }
            Task::MailPolicy { .. } => Self::PolicyLetters,
            Task::MailQuote { .. } => Self::QuoteLetters,
        }
    }

    /// Returns the queue's name in metrics and logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shop => "shop",
            Self::Collections => "collections",
            Self::AccountLetters => "account_letters",
            Self::PolicyLetters => "policy_letters",
            Self::QuoteLetters => "quote_letters",
            Self::Documents => "documents",
        }
    }

    /// Returns the queue with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|queue| queue.name() == name)
    }

    #[must_use]
    pub const fn table(self) -> &'static Work {
        match self {
            Self::Shop => &tables::JOBS,
            Self::Collections => &tables::COLLECTIONS,
            Self::AccountLetters => &tables::ACCOUNT_LETTERS,
            Self::PolicyLetters => &tables::POLICY_LETTERS,
            Self::QuoteLetters => &tables::QUOTE_LETTERS,
            Self::Documents => &tables::DOCUMENTS_TO_MAKE,
        }
    }
}

/// Adds a job that is due at `due`. `id` distinguishes jobs that are due at the same time. The job replaces
/// an earlier job of its queue with the same id and time.
pub(in crate::app) fn enqueue(
    tx: &mut WriteTx<'_>,
    task: Task,
    due: DateTime<Utc>,
    id: Uuid,
) -> Result<(), AppError> {
    let queue = JobQueue::for_task(&task);
    Ok(queue.table().put(tx, &(due, id), &Job::new(task))?)
}
