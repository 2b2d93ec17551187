//! The queues of work that outlives a request, and how work is put into them.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::store::tables::{self, Job, Task, Work};
use crate::store::{StoreError, WriteTx};

/// When a piece of work is due, and which.
pub type JobKey = (DateTime<Utc>, Uuid);

/// A queue. Work waits for other work of its own queue only: a mail server that hangs, or a
/// template with a mistake, delays no payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobQueue {
    /// Payments, renewals and everything else that is none of the others.
    Shop,
    /// Letters about accounts: whoever asked for one waits for it.
    AccountLetters,
    /// Letters about policies.
    PolicyLetters,
    /// Letters about quotes, which anybody may cause by saving one.
    QuoteLetters,
    /// Documents.
    Documents,
}

impl JobQueue {
    /// Every queue.
    pub const ALL: [Self; 5] = [
        Self::Shop,
        Self::AccountLetters,
        Self::PolicyLetters,
        Self::QuoteLetters,
        Self::Documents,
    ];

    /// Those of letters.
    pub(in crate::app) const LETTERS: [Self; 3] = [
        Self::AccountLetters,
        Self::PolicyLetters,
        Self::QuoteLetters,
    ];

    /// The queue that a task waits in.
    #[must_use]
    pub const fn of(task: &Task) -> Self {
        match task {
            Task::AskGateway { .. }
            | Task::Refund { .. }
            | Task::SandboxCallback { .. }
            | Task::TakeOverQuotes { .. }
            | Task::ReleaseQuotes { .. }
            | Task::Renew { .. }
            | Task::RenewByCard { .. } => Self::Shop,
            Task::MakeDocument { .. } => Self::Documents,
            Task::MailPassword { .. } | Task::MailConfirmation { .. } | Task::MailNotice { .. } => {
                Self::AccountLetters
            }
            Task::MailPolicy { .. } => Self::PolicyLetters,
            Task::MailQuote { .. } => Self::QuoteLetters,
        }
    }

    /// What the metrics call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shop => "shop",
            Self::AccountLetters => "account_letters",
            Self::PolicyLetters => "policy_letters",
            Self::QuoteLetters => "quote_letters",
            Self::Documents => "documents",
        }
    }

    /// Where its jobs are stored.
    #[must_use]
    pub const fn table(self) -> &'static Work {
        match self {
            Self::Shop => &tables::JOBS,
            Self::AccountLetters => &tables::ACCOUNT_LETTERS,
            Self::PolicyLetters => &tables::POLICY_LETTERS,
            Self::QuoteLetters => &tables::QUOTE_LETTERS,
            Self::Documents => &tables::DOCUMENTS_TO_MAKE,
        }
    }
}

/// Removes a job, and why its last try has failed.
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

/// Adds work, due at `due`; `id` tells it apart from other work due at the same moment.
/// The same task under the same id and moment is one piece of work.
pub(in crate::app) fn enqueue(
    tx: &mut WriteTx<'_>,
    task: Task,
    due: DateTime<Utc>,
    id: Uuid,
) -> Result<(), AppError> {
    let queue = JobQueue::of(&task);
    let job = Job {
        task,
        tries: 0,
        lease: None,
    };
    Ok(queue.table().put(tx, &(due, id), &job)?)
}
