//! Whether the work that waits and the rows that call for it agree, for `layby check`.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::jobs::queue::JobQueue;
use crate::app::jobs::subject::subject;
use crate::store::tables::{self, Task};
use crate::store::{AnyTable, Found, Key, ReadTx, StoreError, key_text};

/// The work that waits, by what it is about.
#[derive(Default)]
struct Waiting {
    /// Payments, refunds and documents; their ids are all different.
    ids: HashSet<Uuid>,
    /// Mailboxes with a letter about a quote.
    mailboxes: HashSet<String>,
    /// The ids of letters' own work.
    letters: HashSet<Uuid>,
}

/// Compares every piece of work with the rows it is about, and every row that waits for work with the
/// work. A row that can't be read ends it.
pub(in crate::app) fn check<E: From<StoreError>>(
    tx: &ReadTx,
    find: &mut dyn FnMut(Found) -> Result<(), E>,
) -> Result<(), E> {
    let mut waiting = Waiting::default();
    for queue in JobQueue::ALL {
        let table = queue.table().name();
        for row in queue.table().rows(tx, &()) {
            let (key, job) = row?;
            find(Found::Row)?;
            note(&mut waiting, &job.task);
            if JobQueue::LETTERS.contains(&queue) {
                waiting.letters.insert(key.1);
            }
            check_queue(find, table, &key, &job.task, queue)?;
            match subject(tx, &job.task)? {
                // A document goes with its quote, also where it was never made.
                Some((owners, false)) if !matches!(job.task, Task::MakeDocument { .. }) => {
                    find(Found::without_owner(table, owners, &key))?;
                }
                _ => {}
            }
        }
    }
    let letters = tables::UNSENT_LETTERS;
    for row in letters.rows(tx, &()) {
        let (key, letter) = row?;
        find(Found::Row)?;
        let own = JobQueue::of(&letter.task);
        let is_letter = JobQueue::LETTERS.contains(&own);
        let queue = if is_letter {
            own
        } else {
            JobQueue::PolicyLetters
        };
        check_queue(find, letters.name(), &key, &letter.task, queue)?;
    }
    let failures = tables::LETTER_FAILURES;
    for row in failures.rows(tx, &()) {
        let (id, _) = row?;
        find(Found::Row)?;
        if !waiting.letters.contains(&id) {
            let name = failures.name();
            find(Found::without_owner(name, "account_letters", &id))?;
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

/// Finds a task in another queue than its own.
fn check_queue<E>(
    find: &mut dyn FnMut(Found) -> Result<(), E>,
    table: &str,
    key: &(DateTime<Utc>, Uuid),
    task: &Task,
    queue: JobQueue,
) -> Result<(), E> {
    let own = JobQueue::of(task);
    if own == queue {
        return Ok(());
    }
    let (own, key) = (own.table().name(), key_text(key));
    find(Found::Mistake(format!(
        "a row of table {table} is work of table {own}; its key is {key}"
    )))
}

/// Finds a row that waits for work that isn't there.
fn check_waiting<E>(
    find: &mut dyn FnMut(Found) -> Result<(), E>,
    waits_in_vain: bool,
    table: &dyn AnyTable,
    queue: JobQueue,
    key: &impl Key,
) -> Result<(), E> {
    find(Found::Row)?;
    if !waits_in_vain {
        return Ok(());
    }
    let (table, work, key) = (table.name(), queue.table().name(), key_text(key));
    find(Found::Mistake(format!(
        "a row of table {table} waits for work that isn't in table {work}; its key is {key}"
    )))
}
