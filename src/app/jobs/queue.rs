//! The queues of background jobs, and how to add a job.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::store::tables::{self, Job, Task, Work};
use crate::store::{StoreError, WriteTx};

/// When a job is due, and its id.
pub type JobKey = (DateTime<Utc>, Uuid);

/// A queue of jobs. A job waits only for jobs of its own queue. So a slow mail server or a broken template
/// delays no payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Deletes a job, and the stored reason of its last failure.
pub(in crate::app) fn delete_job(
    tx: &mut WriteTx<'_>,
    queue: &Work,
    key: JobKey,
) -> Result<(), StoreError> {
    queue.delete(tx, &key)?;
    if tables::LETTER_FAILURES.has(tx, &key.1)? {
        tables::LETTER_FAILURES.delete(tx, &key.1)?;
    }
    Ok(())
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
    let job = Job {
        task,
        tries: 0,
        lease: None,
    };
    Ok(queue.table().put(tx, &(due, id), &job)?)
}
