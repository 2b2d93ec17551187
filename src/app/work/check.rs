//! Whether the work that waits and the rows that call for it agree, for `layby check`.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::rows::compare::{Compare, Found, Hear, Stop, shown};
use crate::app::work::queue::JobQueue;
use crate::app::work::subject::subject;
use crate::store::tables::{self, Job, Task};
use crate::store::{AnyTable, Key, ReadTx, StoreError};

/// Compares every piece of work with the rows it is about, and every row that waits for work with the
/// work. A row that can't be read ends it.
pub(in crate::app) fn check(tx: &ReadTx, hear: Hear<'_>) -> Result<(), StoreError> {
    let mut check = Compare::new(tx, hear);
    Stop::unless_unheard(all(&mut check))
}

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

fn all(check: &mut Compare<'_>) -> Result<(), Stop> {
    let mut waiting = Waiting::default();
    for queue in JobQueue::ALL {
        check.each(queue.table(), |check, key, job: Job| {
            note(&mut waiting, &job.task);
            if JobQueue::LETTERS.contains(&queue) {
                waiting.letters.insert(key.1);
            }
            is_of(check, queue.table().name(), &key, &job.task, queue)?;
            match subject(check.tx, &job.task)? {
                // A document goes with its quote, also where it was never made.
                Some((owners, has_owner)) if !matches!(job.task, Task::MakeDocument { .. }) => {
                    check.leads_to(has_owner, queue.table().name(), owners, &key)
                }
                Some(_) | None => Ok(()),
            }
        })?;
    }
    let letters = tables::UNSENT_LETTERS;
    check.each(&letters, |check, key, letter| {
        let own = JobQueue::of(&letter.task);
        let queue = JobQueue::LETTERS.into_iter().find(|queue| *queue == own);
        let queue = queue.unwrap_or(JobQueue::PolicyLetters);
        is_of(check, letters.name(), &key, &letter.task, queue)
    })?;
    let failures = tables::LETTER_FAILURES;
    check.each(&failures, |check, id, _| {
        let waits = waiting.letters.contains(&id);
        check.leads_to(waits, failures.name(), "account_letters", &id)
    })?;
    check.each(&tables::PAYMENTS, |check, id, payment| {
        let waits = payment.status.is_open() && !waiting.ids.contains(&id);
        not_waiting(check, waits, tables::PAYMENTS.name(), JobQueue::Shop, &id)
    })?;
    check.each(&tables::REFUNDS, |check, id, refund| {
        let waits = refund.is_under_way() && !waiting.ids.contains(&id);
        not_waiting(check, waits, tables::REFUNDS.name(), JobQueue::Shop, &id)
    })?;
    check.each(&tables::DOCUMENTS, |check, id, document| {
        let waits = document.made.is_none() && !waiting.ids.contains(&id);
        let table = tables::DOCUMENTS.name();
        not_waiting(check, waits, table, JobQueue::Documents, &id)
    })?;
    check.each(&tables::QUOTE_MAILS, |check, mailbox, mails| {
        let waits = mails.waiting.is_some() && !waiting.mailboxes.contains(&mailbox);
        let table = tables::QUOTE_MAILS.name();
        not_waiting(check, waits, table, JobQueue::QuoteLetters, &mailbox)
    })
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

/// Says so where a task stands in another queue than its own.
fn is_of(
    check: &mut Compare<'_>,
    table: &str,
    key: &(DateTime<Utc>, Uuid),
    task: &Task,
    queue: JobQueue,
) -> Result<(), Stop> {
    let own = JobQueue::of(task);
    if own == queue {
        return Ok(());
    }
    let (own, key) = (own.table().name(), shown(key));
    check.say(Found::Mistake(format!(
        "a row of table {table} is work of table {own}; its key is {key}"
    )))
}

/// Says so where a row waits for work that isn't there.
fn not_waiting(
    check: &mut Compare<'_>,
    waits_in_vain: bool,
    table: &str,
    queue: JobQueue,
    key: &impl Key,
) -> Result<(), Stop> {
    if !waits_in_vain {
        return Ok(());
    }
    let (work, key) = (queue.table().name(), shown(key));
    check.say(Found::Mistake(format!(
        "a row of table {table} waits for work that isn't in table {work}; its key is {key}"
    )))
}
