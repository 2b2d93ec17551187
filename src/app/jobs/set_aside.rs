//! Jobs that were set aside: the shop does not try them again by itself. `layby jobs` and `layby mail` list
//! them, retry them and delete them.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::documents::delete_document;
use crate::app::jobs::queue::{JobKey, JobQueue, enqueue};
use crate::app::letters::delivery::quote_letters;
use crate::clock::Clock;
use crate::domain::deterministic_id;
use crate::domain::policy::plan::PlanStatus;
use crate::store::tables::{
    self, Job, PolicyNotification, SET_ASIDE, SetAside, SetAsideWork, Task,
};
use crate::store::{Direction, Key, Read, Store, StoreError, StoredRow, WriteTx};

/// Failed tries in a row after which a job is set aside. With the waits between them, they take a day.
pub(super) const MAX_FAILURES: u32 = 35;
/// Panics in a row after which a job is set aside.
pub(super) const MAX_PANICS: u32 = 3;
/// The maximum number of jobs of one table that one transaction changes.
const BATCH_SIZE: usize = 500;
/// Retention of a letter that was set aside, in days.
const LETTER_DAYS: i64 = 30;
/// The name of an unreadable job in metrics.
const UNREADABLE: &str = "unreadable";

/// The stored row of a job that can't be read.
#[derive(Clone)]
pub(super) struct UnreadableJob {
    pub key: Vec<u8>,
    pub value: Vec<u8>,
    pub reason: String,
}

/// Sets aside jobs of `queue` that can't be read, so that the queue does not read them again.
pub(super) async fn set_aside_rows(
    store: &Store,
    clock: &Clock,
    queue: JobQueue,
    rows: Vec<UnreadableJob>,
) -> Result<(), AppError> {
    let now = clock.now();
    let count = rows.len();
    store
        .write(move |tx| {
            for UnreadableJob { key, value, reason } in rows.clone() {
                let (stored, id) = (
                    StoredRow {
                        key: &key,
                        value: &value,
                    },
                    id_of(&key),
                );
                // Another shop may have set the row aside.
                if queue.table().delete_stored(tx, stored)? {
                    let queue = queue.name().to_string();
                    let work = SetAsideWork::Row { queue, key, value };
                    put_row(tx, id, work, (0, reason), now)?;
                }
            }
            Ok::<_, AppError>(())
        })
        .await?;
    let queue = queue.name();
    tracing::error!(
        queue,
        count,
        "jobs that can't be read were set aside: see `layby jobs list`"
    );
    Ok(())
}

/// Returns the id in a job's stored key. Returns a digest of a key without an id.
fn id_of(key: &[u8]) -> Uuid {
    let read = JobKey::read(&mut &*key);
    read.map_or_else(|| deterministic_id::id_from_parts(&[key]), |(_, id)| id)
}

/// Sets a job aside. A letter about a quote is not set aside if it no longer waits, or if a newer letter
/// replaced it. Returns false if the newer letter still waits.
pub(in crate::app) fn set_aside(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    job: &Job,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let has_panicked = job
        .failure
        .as_ref()
        .is_some_and(|failure| failure.panics >= MAX_PANICS);
    let (is_all, quote) = match &job.task {
        Task::MailQuote { mailbox } => {
            let newest = if has_panicked {
                now
            } else {
                now - Duration::days(1)
            };
            let (is_all, quote) = quote_letters::drop_older(tx, mailbox, newest)?;
            if quote.is_none() {
                return Ok(is_all);
            }
            (is_all, quote)
        }
        _ => (true, None),
    };
    let task = job.task.clone();
    let work = SetAsideWork::Job { task, quote };
    put_row(tx, id, work, (job.tries, reason.to_string()), now)?;
    Ok(is_all)
}

pub(in crate::app) fn put_row(
    tx: &mut WriteTx<'_>,
    id: Uuid,
    work: SetAsideWork,
    (tries, reason): (u32, String),
    mut now: DateTime<Utc>,
) -> Result<(), AppError> {
    // A payment may have a job in two queues, with one id.
    while SET_ASIDE.has(tx, &(now, id))? {
        now += Duration::milliseconds(1);
    }
    let row = SetAside {
        work,
        tries,
        reason,
    };
    Ok(SET_ASIDE.put(tx, &(now, id), &row)?)
}

/// Returns the queue of a job that was set aside. Returns `None` if this layby has no such queue.
pub(in crate::app) fn queue_of(work: &SetAsideWork) -> Option<JobQueue> {
    match work {
        SetAsideWork::Job { task, .. } => Some(JobQueue::for_task(task)),
        SetAsideWork::Row { queue, .. } => JobQueue::by_name(queue),
    }
}

/// Returns the name of the task for lists and metrics.
pub(in crate::app) const fn task_name(work: &SetAsideWork) -> &'static str {
    match work {
        SetAsideWork::Job { task, .. } => task.name(),
        SetAsideWork::Row { .. } => UNREADABLE,
    }
}

/// Returns the number of jobs that were set aside, by task.
pub(super) fn count_by_task(tx: &impl Read) -> Result<BTreeMap<&'static str, i64>, StoreError> {
    let mut counts = BTreeMap::new();
    for row in SET_ASIDE.readable_rows(tx, &()) {
        *counts.entry(task_name(&row?.1.work)).or_default() += 1;
    }
    Ok(counts)
}

/// Queues the jobs of `queues` that were set aside, and makes failed jobs due now. Without `ids`, does this
/// for all of them. Retries each job once. Returns their number.
pub(in crate::app) async fn retry(
    store: &Store,
    queues: &'static [JobQueue],
    ids: &[Uuid],
    now: DateTime<Utc>,
) -> Result<usize, AppError> {
    // A worker may fail a retried job again meanwhile.
    let mut done = HashSet::new();
    loop {
        let (ids, tried) = (ids.to_vec(), done.clone());
        let batch = store
            .write(move |tx| retry_batch(tx, queues, (&ids, &tried), now))
            .await?;
        if batch.is_empty() {
            return Ok(done.len());
        }
        done.extend(batch);
    }
}

/// Retries some of the jobs that are not in `tried`, and returns their queues and ids. Leaves a job that is due
/// already unchanged, because it may be running. Leaves an unreadable job that still can't be read.
fn retry_batch(
    tx: &mut WriteTx<'_>,
    queues: &[JobQueue],
    (ids, tried): (&[Uuid], &HashSet<(JobQueue, Uuid)>),
    now: DateTime<Utc>,
) -> Result<Vec<(JobQueue, Uuid)>, AppError> {
    let mut ready = Vec::new();
    for row in SET_ASIDE.readable_rows(&*tx, &()) {
        let (key, row) = row?;
        let is_meant = ids.is_empty() || ids.contains(&key.1);
        let queue = queue_of(&row.work).filter(|queue| is_meant && queues.contains(queue));
        let Some(queue) = queue.filter(|queue| !tried.contains(&(*queue, key.1))) else {
            continue;
        };
        let retried = match row.work {
            SetAsideWork::Job { task, quote } => Some((task, quote)),
            SetAsideWork::Row { value, .. } => {
                let job = queue.table().decode(&value);
                job.ok().map(|job| (job.task, None))
            }
        };
        ready.extend(retried.map(|retried| (key, queue, retried)));
        if ready.len() == BATCH_SIZE {
            break;
        }
    }
    let mut done = Vec::new();
    for (key, queue, (task, quote)) in ready {
        done.push((queue, key.1));
        SET_ASIDE.delete(tx, &key)?;
        match quote {
            Some(quote) => requeue_quote_letter(tx, quote, key.1, now)?,
            None => enqueue(tx, task, now, key.1)?,
        }
    }
    for queue in queues {
        let mut failed = Vec::new();
        let is_meant = |key: &JobKey, job: &Job| match ids {
            _ if tried.contains(&(*queue, key.1)) => false,
            [] => job.failure.is_some(),
            ids => job.tries > 0 && ids.contains(&key.1),
        };
        queue
            .table()
            .scan_readable(tx, &(), Direction::Backward, |key, job| {
                if key.0 <= now || failed.len() == BATCH_SIZE {
                    return ControlFlow::Break(());
                }
                if is_meant(&key, &job) {
                    failed.push((key, job.task));
                }
                ControlFlow::Continue(())
            })?;
        for (key, task) in failed {
            done.push((*queue, key.1));
            queue.table().delete(tx, &key)?;
            enqueue(tx, task, now, key.1)?;
        }
    }
    Ok(done)
}

/// Queues a letter about a quote again. A quote that was bought, claimed or deleted meanwhile needs no letter.
fn requeue_quote_letter(
    tx: &mut WriteTx<'_>,
    quote: Uuid,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let found = tables::QUOTES.get(tx, &quote)?;
    let found = found.filter(|found| found.owner.is_none() && !found.status.is_policy());
    match found.and_then(|found| found.mailbox) {
        Some(name) => quote_letters::queue(tx, &name, (quote, true), (now, now), id),
        None => Ok(()),
    }
}

/// Deletes the jobs of `queues` with this id that were set aside. Returns whether there was one.
pub(in crate::app) fn forget(
    tx: &mut WriteTx<'_>,
    queues: &[JobQueue],
    id: Uuid,
) -> Result<bool, AppError> {
    let mut found = Vec::new();
    for row in SET_ASIDE.readable_rows(&*tx, &()) {
        let (key, row) = row?;
        let is_meant = queue_of(&row.work).is_none_or(|queue| queues.contains(&queue));
        if key.1 == id && is_meant {
            found.push(key);
        }
    }
    for key in &found {
        SET_ASIDE.delete(tx, key)?;
    }
    let document = tables::DOCUMENTS.get(tx, &id)?;
    if !found.is_empty() && document.is_some_and(|document| document.made.is_none()) {
        // No job renders the document any more.
        delete_document(tx, &id)?;
    }
    Ok(!found.is_empty())
}

/// Returns whether a refund or a payment waits for the job with this id. An unreadable job has the id of its
/// refund or payment.
pub(super) fn is_owed(tx: &impl Read, id: Uuid) -> Result<bool, StoreError> {
    let mut subjects = vec![id];
    for row in SET_ASIDE.readable_rows(tx, &()) {
        let (key, row) = row?;
        if let SetAsideWork::Job {
            task:
                Task::Refund { refund: subject }
                | Task::AskGateway { payment: subject }
                | Task::Collect { payment: subject },
            ..
        } = row.work
            && key.1 == id
        {
            subjects.push(subject);
        }
    }
    for subject in &subjects {
        let refund = tables::REFUNDS.get(tx, subject)?;
        let payment = tables::PAYMENTS.get(tx, subject)?;
        if refund.is_some_and(|refund| refund.is_under_way())
            || payment.is_some_and(|payment| payment.status.is_open())
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Deletes up to `limit` letters that were set aside more than [`LETTER_DAYS`] days ago. Keeps letters about
/// the end of cover that a plan waits for. Returns true if more old letters may exist.
pub(in crate::app) fn forget_old_letters(
    tx: &mut WriteTx<'_>,
    now: DateTime<Utc>,
    limit: usize,
) -> Result<bool, AppError> {
    let mut old = Vec::new();
    for row in SET_ASIDE.readable_rows(&*tx, &()) {
        let (key, row) = row?;
        if now <= key.0 + Duration::days(LETTER_DAYS) || old.len() == limit {
            break;
        }
        let is_letter = queue_of(&row.work).is_some_and(|queue| JobQueue::LETTERS.contains(&queue));
        if is_letter && !is_awaited(tx, &row.work)? {
            old.push(key);
        }
    }
    for key in &old {
        SET_ASIDE.delete(tx, key)?;
    }
    Ok(old.len() == limit)
}

/// Returns whether a plan waits for the letter: the days of its notice count from the letter.
fn is_awaited(tx: &impl Read, work: &SetAsideWork) -> Result<bool, StoreError> {
    let SetAsideWork::Job {
        task:
            Task::MailPolicy {
                policy,
                news: PolicyNotification::PlanNotice | PolicyNotification::PlanReminder,
            },
        ..
    } = work
    else {
        return Ok(false);
    };
    let plan = tables::PLANS.get(tx, policy)?;
    Ok(plan.is_some_and(|plan| match plan.status {
        PlanStatus::Notice(notice) => !notice.is_sent,
        PlanStatus::Active | PlanStatus::Failed { .. } | PlanStatus::Ended => false,
    }))
}
