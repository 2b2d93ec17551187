//! Compares the queued jobs with the rows that need them, for `layby check`.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::jobs::queue::JobQueue;
use crate::app::jobs::subject::subject;
use crate::store::tables::{self, SetAsideWork, Task};
use crate::store::{AnyTable, Finding, Key, ReadTx, StoreError, key_text};

/// The subjects of queued jobs, and of jobs that were set aside.
#[derive(Default)]
struct Waiting {
    /// The ids of payments, refunds and documents, which are all different.
    ids: HashSet<Uuid>,
    /// Mailboxes with a queued letter about a quote.
    mailboxes: HashSet<String>,
}

/// Checks that each queued job's subject exists and that the job is in the right queue. Checks that each row
/// that needs a job has one, in a queue or set aside. An unreadable row ends the check.
pub(in crate::app) fn check<E: From<StoreError>>(
    tx: &ReadTx,
    find: &mut dyn FnMut(Finding) -> Result<(), E>,
) -> Result<(), E> {
    let mut waiting = Waiting::default();
    for queue in JobQueue::ALL {
        let table = queue.table().name();
        for row in queue.table().rows(tx, &()) {
            let (key, job) = row?;
            find(Finding::Row)?;
            note(&mut waiting, &job.task);
            check_queue(find, table, &key, &job.task, queue)?;
            match subject(tx, &job.task)? {
                // A document may be deleted with its quote before a job renders the document. The job then
                // remains.
                Some((owners, false)) if !matches!(job.task, Task::MakeDocument { .. }) => {
                    find(Finding::orphan_row(table, owners, &key))?;
                }
                _ => {}
            }
        }
    }
    for row in tables::SET_ASIDE.rows(tx, &()) {
        let ((_, id), row) = row?;
        find(Finding::Row)?;
        match &row.work {
            SetAsideWork::Job { task, .. } => note(&mut waiting, task),
            // A job of a payment, a refund or a document has its id.
            SetAsideWork::Row { .. } => {
                waiting.ids.insert(id);
            }
        }
    }
    for row in tables::PAYMENTS.rows(tx, &()) {
        let (id, payment) = row?;
        let waits = payment.status.is_open() && !waiting.ids.contains(&id);
        check_waiting(find, waits, &tables::PAYMENTS, JobQueue::Shop, &id)?;
    }
    for row in tables::REFUNDS.rows(tx, &()) {
        let (id, refund) = row?;
        let waits = refund.is_under_way() && !waiting.ids.contains(&id);
        check_waiting(find, waits, &tables::REFUNDS, JobQueue::Shop, &id)?;
    }
    for row in tables::DOCUMENTS.rows(tx, &()) {
        let (id, document) = row?;
        let waits = document.made.is_none() && !waiting.ids.contains(&id);
        check_waiting(find, waits, &tables::DOCUMENTS, JobQueue::Documents, &id)?;
    }
    let mails = tables::QUOTE_MAILS;
    for row in mails.rows(tx, &()) {
        let (mailbox, mail) = row?;
        let waits = mail.waiting.is_some() && !waiting.mailboxes.contains(&mailbox);
        check_waiting(find, waits, &mails, JobQueue::QuoteLetters, &mailbox)?;
    }
    Ok(())
}

fn note(waiting: &mut Waiting, task: &Task) {
    match task {
        Task::AskGateway { payment: id }
        | Task::Collect { payment: id }
        | Task::Refund { refund: id }
        | Task::MakeDocument { document: id } => {
            waiting.ids.insert(*id);
        }
        Task::MailQuote { mailbox } => {
            waiting.mailboxes.insert(mailbox.clone());
        }
        _ => {}
    }
}

/// Reports a task in the wrong queue.
fn check_queue<E>(
    find: &mut dyn FnMut(Finding) -> Result<(), E>,
    table: &str,
    key: &(DateTime<Utc>, Uuid),
    task: &Task,
    queue: JobQueue,
) -> Result<(), E> {
    let own = JobQueue::for_task(task);
    if own == queue {
        return Ok(());
    }
    let (own, key) = (own.table().name(), key_text(key));
    find(Finding::Mistake(format!(
        "a row of table {table} is work of table {own}; its key is {key}"
    )))
}

/// Counts a row, and reports a missing job if `waits_in_vain`.
fn check_waiting<E>(
    find: &mut dyn FnMut(Finding) -> Result<(), E>,
    waits_in_vain: bool,
    table: &dyn AnyTable,
    queue: JobQueue,
    key: &impl Key,
) -> Result<(), E> {
    find(Finding::Row)?;
    if !waits_in_vain {
        return Ok(());
    }
    let (table, work, key) = (table.name(), queue.table().name(), key_text(key));
    find(Finding::Mistake(format!(
        "a row of table {table} waits for work that isn't in table {work}; its key is {key}"
    )))
}
