//! Runs jobs: what each task does, and when a failed task is retried. The loop that runs the jobs is in
//! `worker/`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;

use chrono::{DateTime, Duration, Utc};
use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::documents::render;
use crate::app::jobs::queue::{JobKey, JobQueue};
use crate::app::jobs::set_aside::{
    MAX_FAILURES, MAX_PANICS, UnreadableJob, count_by_task, set_aside, set_aside_rows,
};
use crate::app::jobs::subject::{gateway, subject};
use crate::app::payments::{refunds, sandbox, status};
use crate::app::policies::renewals;
use crate::app::{App, AppError, idempotency, letters, payments, quotes};
use crate::clock::Clock;
use crate::integrations::payments::run_in_background;
use crate::metrics;
use crate::store::tables::{Job, Task};
use crate::store::{Direction, ReadTx, Store, StoreError};

/// The due jobs of a queue.
pub struct Due {
    /// The jobs, the earliest first.
    pub jobs: Vec<(JobKey, Job)>,
    /// When the next job becomes due. `None` if there is no later job, or if `jobs` has reached the limit.
    pub next: Option<DateTime<Utc>>,
}

/// Maximum wait between two tries, in seconds.
const LONGEST_WAIT: i64 = 3600;
/// Maximum wait between two tries while the blob store is unavailable, in seconds. A short wait lets the jobs
/// continue soon after the blob store is available again.
const BLOB_RETRY_DELAY: i64 = 30;
/// Wait between two tries of a letter that waits for its documents.
const DOCUMENT_WAIT: Duration = Duration::seconds(15);
/// Maximum wait before the next try to get a place at a gateway, in milliseconds.
const MAX_PLACE_WAIT: u32 = 10_000;
/// Maximum number of tries of a sandbox callback.
const CALLBACK_TRIES: u32 = 10;
/// The interval between checks whether the store is open again.
const REOPEN_DELAY: std::time::Duration = std::time::Duration::from_millis(200);
/// How far ahead a job may be due. The reminder of a renewal waits longest, for weeks.
const MAX_AHEAD: Duration = Duration::days(100);
/// The maximum number of jobs of a queue that are read for a metric.
const MAX_COUNTED: usize = 10_000;
/// The maximum number of answers to idempotent calls that one transaction deletes.
const FORGET_AT_ONCE: usize = 500;

/// Returns at most `limit` due jobs without another shop's lease, and when the next job is due. Sets aside
/// due jobs that can't be read. A job that is due later than [`MAX_AHEAD`] is due now: a wrong clock made it.
///
/// # Errors
/// If the store fails.
pub async fn due_jobs(
    store: &Store,
    clock: &Clock,
    queue: JobQueue,
    limit: usize,
) -> Result<Due, AppError> {
    let (now, node) = (clock.now(), store.node());
    let (due, unreadable) = store
        .read(|tx| read_due(tx, queue, (now, node), limit))
        .await?;
    if !unreadable.is_empty() {
        set_aside_rows(store, clock, queue, unreadable).await?;
    }
    Ok(due)
}

fn read_due(
    tx: &ReadTx,
    queue: JobQueue,
    (now, node): (DateTime<Utc>, Option<&str>),
    limit: usize,
) -> Result<(Due, Vec<UnreadableJob>), StoreError> {
    let (mut jobs, mut next, mut unreadable) = (Vec::new(), None, Vec::new());
    for direction in [Direction::Forward, Direction::Backward] {
        queue.table().walk(tx, &(), direction, |stored, row| {
            match row {
                Ok((key, _)) if direction == Direction::Forward && now < key.0 => {
                    next = Some(key.0);
                    return ControlFlow::Break(());
                }
                Ok((key, _)) if direction == Direction::Backward && key.0 <= now + MAX_AHEAD => {
                    return ControlFlow::Break(());
                }
                Ok((key, job)) => {
                    let others = job.lease.as_ref();
                    if !others.is_some_and(|lease| lease.is_held_by_other(node, now)) {
                        jobs.push((key, job));
                    }
                }
                Err(error) => unreadable.push(UnreadableJob {
                    key: stored.key.to_vec(),
                    value: stored.value.to_vec(),
                    reason: error.to_string(),
                }),
            }
            if jobs.len() < limit && unreadable.len() < limit {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        // Without a later job, the first walk has visited every row.
        if next.is_none() {
            break;
        }
    }
    Ok((Due { jobs, next }, unreadable))
}

/// The state of a queue.
#[derive(Debug, Serialize, Deserialize)]
pub struct QueueStatus {
    pub queue: String,
    /// The number of jobs, at most [`MAX_COUNTED`].
    pub waiting: usize,
    /// How many of these jobs failed at their last try.
    pub failing: usize,
    /// How long the oldest due job has waited, without jobs that another shop runs.
    pub lag_seconds: u64,
}

/// Returns the state of each queue, and the number of jobs that were set aside, by task.
pub(in crate::app) async fn queue_status(
    store: &Store,
    now: DateTime<Utc>,
) -> Result<(Vec<QueueStatus>, BTreeMap<&'static str, i64>), AppError> {
    let node = store.node();
    let read = store.read(|tx| {
        let mut queues = Vec::new();
        for queue in JobQueue::ALL {
            let (due, _) = read_due(tx, queue, (now, node), 1)?;
            let oldest = due.jobs.first().map(|((due, _), _)| *due);
            let waited = oldest.and_then(|due| (now - due).to_std().ok());
            let (mut waiting, mut failing) = (0, 0);
            for row in queue.table().readable_rows(tx, &()).take(MAX_COUNTED) {
                waiting += 1;
                failing += usize::from(row?.1.failure.is_some());
            }
            queues.push(QueueStatus {
                queue: queue.name().to_string(),
                waiting,
                failing,
                lag_seconds: waited.unwrap_or_default().as_secs(),
            });
        }
        Ok::<_, StoreError>((queues, count_by_task(tx)?))
    });
    Ok(read.await?)
}

/// Sets the metrics of the queues and of the jobs that were set aside.
///
/// # Errors
/// If the store fails.
pub async fn record_queues(store: &Store, clock: &Clock) -> Result<(), AppError> {
    let (queues, set_aside) = queue_status(store, clock.now()).await?;
    for (queue, status) in JobQueue::ALL.into_iter().zip(queues) {
        let name = queue.name();
        metrics::set_queue(name, status.lag_seconds, status.failing);
    }
    metrics::set_work_set_aside(set_aside);
    Ok(())
}

/// What a try of a job led to.
enum Outcome {
    Done,
    /// The task waits, which is no failure.
    Again,
    /// All places of the job's gateway are taken, so the task was not run.
    Postponed,
    Failed,
    SetAside,
}

impl Outcome {
    /// Returns the name in metrics.
    const fn name(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Again => "again",
            Self::Postponed => "postponed",
            Self::Failed => "failed",
            Self::SetAside => "set aside",
        }
    }
}

/// Runs one job. Then deletes the job, stores it for a later try, or sets it aside. If all places of the job's
/// gateway are taken, stores the job for a later try without running the task.
///
/// # Errors
/// If the queue can't be written. An error of the task itself is logged and not returned.
pub async fn run_job(app: &App, key: JobKey, job: Job) -> Result<(), AppError> {
    let (task, id) = (job.task.name(), key.1);
    if app.clock.now() + MAX_AHEAD < key.0 {
        tracing::warn!(task, %id, due = %key.0, "a job was due too far ahead: it runs now");
    }
    // If the row can't be read, the task reports the error.
    let gateway = app.store.read(|tx| gateway(tx, &job.task)).await;
    let gateway = gateway.ok().flatten().unwrap_or_default();
    let places = match JobQueue::for_task(&job.task) {
        JobQueue::Collections => &app.gateways.collection_places,
        _ => &app.gateways.job_places,
    };
    let place = places.reserve(&gateway);
    let mut retry = Job {
        lease: None,
        ..job.clone()
    };
    let (outcome, max_seconds) = if place.is_err() {
        (Outcome::Postponed, LONGEST_WAIT)
    } else {
        retry.tries += 1;
        // A panic of a task counts as a failure.
        let ran = AssertUnwindSafe(run_in_background(run_task(app, &job)));
        let ran = ran.catch_unwind().await;
        record_try(app, id, &mut retry, ran.ok()).await
    };
    drop(place);
    let waits_for_documents = matches!(
        (&outcome, &job.task),
        (Outcome::Again, Task::MailPolicy { .. })
    );
    if waits_for_documents {
        // These tries don't count: a letter whose documents are late is still tried for a day.
        retry.tries = job.tries;
    }
    metrics::count_job(task, outcome.name());
    let node = app.store.node().map(str::to_string);
    loop {
        // The task may have taken minutes, so the lease and the wait are calculated from the end of the task.
        let now = app.clock.now();
        let is_set_aside = matches!(outcome, Outcome::SetAside);
        let due = match outcome {
            Outcome::Done => None,
            Outcome::Postponed => Some(now + place_wait()),
            Outcome::Again if waits_for_documents => Some(now + DOCUMENT_WAIT),
            Outcome::Again | Outcome::Failed | Outcome::SetAside => {
                Some(now + wait(job.tries, max_seconds))
            }
        };
        let (retry, node) = (retry.clone(), node.clone());
        let written = app.store.write(move |tx| {
            let queue = JobQueue::for_task(&retry.task).table();
            // Another shop may have deleted the job meanwhile, or may run it because this shop's lease
            // expired.
            let current = queue.get(tx, &key)?;
            let is_there = current.is_some();
            let lease = current.and_then(|job| job.lease);
            if due.is_some() && lease.is_some_and(|own| own.is_held_by_other(node.as_deref(), now))
            {
                return Ok(());
            }
            queue.delete(tx, &key)?;
            let Some(due) = due.filter(|_| is_there) else {
                return Ok(());
            };
            let reason = retry
                .failure
                .as_ref()
                .map(|failure| failure.reason.as_str());
            if is_set_aside && set_aside(tx, id, &retry, reason.unwrap_or_default(), now)? {
                return Ok(());
            }
            queue.put(tx, &(due, id), &retry)?;
            Ok::<_, AppError>(())
        });
        match written.await {
            // Waits until the store is open again, so that a finished job does not run twice.
            Err(AppError::StoreClosed(_)) if app.store.is_reopening() => {
                tokio::time::sleep(REOPEN_DELAY).await;
            }
            written => return written,
        }
    }
}

/// Records the result of a try in `retry`. `None` is a panic. Returns what happens to the job, and the maximum
/// wait before its next try, in seconds.
async fn record_try(
    app: &App,
    id: Uuid,
    retry: &mut Job,
    ran: Option<Result<bool, AppError>>,
) -> (Outcome, i64) {
    let (task, tries, has_panicked) = (retry.task.name(), retry.tries, ran.is_none());
    let error = match ran {
        Some(Ok(is_done)) => {
            retry.failure = None;
            let outcome = if is_done {
                Outcome::Done
            } else {
                Outcome::Again
            };
            return (outcome, LONGEST_WAIT);
        }
        Some(Err(error)) => error,
        None => AppError::Internal("the task panicked".into()),
    };
    let mut failure = retry.failure.take().unwrap_or_default();
    failure.reason = error.log_text();
    failure.panics += u32::from(has_panicked || error.is_panic());
    let (mut max_wait, mut is_over) = (LONGEST_WAIT, failure.panics >= MAX_PANICS);
    match error {
        AppError::DocumentsUnavailable(_) => max_wait = BLOB_RETRY_DELAY,
        AppError::StoreClosed(_) => {}
        AppError::NotFound if is_subject_gone(&app.store, retry).await => {
            failure.reason = "its subject no longer exists".to_string();
            is_over = true;
        }
        _ => {
            failure.tries += 1;
            is_over |= failure.tries >= MAX_FAILURES && !has_own_limit(&retry.task);
        }
    }
    let reason = &failure.reason;
    if is_over {
        tracing::error!(error = reason, task, %id, tries, "a job was set aside: see `layby jobs list`");
    } else {
        tracing::warn!(error = reason, task, %id, tries, "a job will be retried");
    }
    retry.failure = Some(failure);
    let outcome = if is_over {
        Outcome::SetAside
    } else {
        Outcome::Failed
    };
    (outcome, max_wait)
}

/// Returns whether the task ends by itself after some days of failures: the payment is then unresolved.
const fn has_own_limit(task: &Task) -> bool {
    matches!(task, Task::AskGateway { .. } | Task::Collect { .. })
}

/// Returns whether the row of a job's subject is gone. Returns false if the store fails or the task has no
/// subject.
async fn is_subject_gone(store: &Store, job: &Job) -> bool {
    let found = store.read(|tx| subject(tx, &job.task)).await;
    matches!(found, Ok(Some((_, false))))
}

/// Runs a task. Returns true if the task is finished, and false if it must run again.
async fn run_task(app: &App, job: &Job) -> Result<bool, AppError> {
    match &job.task {
        Task::AskGateway { payment } => {
            return Ok(!status::sync_payment_status(app, *payment).await?.is_open());
        }
        Task::Collect { payment } => {
            return Ok(!payments::collect(app, *payment).await?.is_open());
        }
        Task::Refund { refund } => {
            return refunds::refund(&app.store, &app.clock, &app.gateways, *refund).await;
        }
        Task::MailPolicy { policy, news } => {
            return letters::mail_policy(app, *policy, *news).await;
        }
        Task::MailQuote { mailbox } => return letters::mail_quote(app, mailbox).await,
        // The callbacks may stop, because the shop also queries the gateway.
        Task::SandboxCallback { .. } if job.tries >= CALLBACK_TRIES => {}
        Task::SandboxCallback { payment, event } => {
            sandbox::send_sandbox_callback(app, *payment, *event).await?;
        }
        Task::ClaimPolicies { name, user } => {
            quotes::claim_rest(&app.store, &app.clock, name, *user).await?
        }
        Task::ReleaseQuotes { name, until } => {
            quotes::release_older(&app.store, name, *until).await?
        }
        Task::MailPassword { name } => letters::mail_password(app, name).await?,
        Task::MailConfirmation { user } => letters::mail_confirmation(app, *user).await?,
        Task::Renew { policy } => renewals::requote_renewal(app, *policy).await?,
        Task::RenewByCard { policy } => renewals::renew_by_card(app, *policy).await?,
        Task::RemoveCard { instrument } => payments::remove_at_gateway(app, *instrument).await?,
        Task::MakeDocument { document } => render::make_document(app, *document).await?,
        Task::MailNotice { address, notice } => letters::mail_notice(app, address, *notice).await?,
    }
    Ok(true)
}

/// Deletes the answers to calls with an `Idempotency-Key` that are older than a day.
///
/// # Errors
/// If the store fails.
pub async fn delete_old_answers(store: &Store, clock: &Clock) -> Result<(), AppError> {
    let now = clock.now();
    while store
        .write(move |tx| idempotency::forget(tx, now, FORGET_AT_ONCE))
        .await?
    {}
    Ok(())
}

/// Returns the wait before the next try: 2, 4, 8, ... seconds, up to `max_seconds`.
fn wait(tries: u32, max_seconds: i64) -> Duration {
    let seconds = 2_i64.checked_pow(tries.min(20) + 1).unwrap_or(max_seconds);
    Duration::seconds(seconds.min(max_seconds))
}

/// Returns the wait before the next try to get a place at a gateway. The wait is random, so that
/// waiting jobs do not all retry at the same time.
fn place_wait() -> Duration {
    let random = Uuid::new_v4().as_fields().0 % (MAX_PLACE_WAIT - 1000);
    Duration::milliseconds(i64::from(1000 + random))
}
