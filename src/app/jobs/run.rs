//! Runs jobs: what each task does, and when a failed task is retried. The loop that runs the jobs is in
//! `worker/`.

use std::panic::AssertUnwindSafe;

use chrono::{DateTime, Duration, Utc};
use futures_util::FutureExt;
use uuid::Uuid;

use crate::app::documents::render;
use crate::app::jobs::queue::{JobKey, JobQueue, delete_job};
use crate::app::jobs::subject::{gateway, subject};
use crate::app::letters::delivery::outbox;
use crate::app::payments::{refunds, sandbox, status};
use crate::app::policies::renewals;
use crate::app::{App, AppError, idempotency, letters, payments, quotes};
use crate::clock::Clock;
use crate::metrics;
use crate::store::Store;
use crate::store::tables::{self, Job, LetterFailure, Task};

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
/// Maximum number of retries of a mail. With [`LONGEST_WAIT`], they take about 25 hours.
const MAIL_TRIES: u32 = 35;
/// The maximum number of answers to idempotent calls that one transaction deletes.
const FORGET_AT_ONCE: usize = 500;

/// Returns at most `limit` due jobs without another shop's lease, and when the next job is due.
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
    let (mut jobs, mut next) = (Vec::new(), None);
    store
        .read(|tx| {
            for row in queue.table().readable_rows(tx, &()) {
                let (key, job) = row?;
                if now < key.0 {
                    next = Some(key.0);
                    break;
                }
                let others = job.lease.as_ref();
                if !others.is_some_and(|lease| lease.is_held_by_other(node, now)) {
                    jobs.push((key, job));
                }
                if jobs.len() >= limit {
                    break;
                }
            }
            Ok::<_, AppError>(())
        })
        .await?;
    Ok(Due { jobs, next })
}

/// Sets the metric of each queue's lag: how long the oldest due job of the queue has waited. Skips jobs with
/// another shop's lease.
///
/// # Errors
/// If the store fails.
pub async fn record_queue_lag(store: &Store, clock: &Clock) -> Result<(), AppError> {
    let now = clock.now();
    for queue in JobQueue::ALL {
        let oldest = due_jobs(store, clock, queue, 1)
            .await?
            .jobs
            .first()
            .map(|((due, _), _)| *due);
        let waited = oldest.and_then(|due| (now - due).to_std().ok());
        metrics::late(queue.name(), waited.unwrap_or_default());
    }
    Ok(())
}

/// Runs one job. Then deletes the job, or stores it for a later try. A letter that failed too often is stored
/// as unsent. If all places of the job's gateway are taken, stores the job for a later try without running
/// the task.
///
/// # Errors
/// If the queue can't be written. An error of the task itself is logged and not returned.
pub async fn run_job(app: &App, key: JobKey, job: Job) -> Result<(), AppError> {
    // If the row can't be read, the task reports the error.
    let gateway = app.store.read(|tx| gateway(tx, &job.task)).await;
    let gateway = gateway.ok().flatten().unwrap_or_default();
    let places = match JobQueue::for_task(&job.task) {
        JobQueue::Collections => &app.gateways.collection_places,
        _ => &app.gateways.job_places,
    };
    let place = places.reserve(&gateway);
    let is_postponed = place.is_err();
    let ran = if is_postponed {
        Ok(false)
    } else {
        // A panic of a task counts as a failure.
        let ran = AssertUnwindSafe(run_task(app, &job)).catch_unwind().await;
        ran.unwrap_or_else(|_| Err(AppError::Internal("a task panicked".into())))
    };
    drop(place);
    let (task, tries) = (job.task.name(), job.tries);
    let id = key.1;
    // These tries don't count: a letter whose documents are late is still tried for a day.
    let waits_for_documents =
        matches!((&ran, &job.task), (Ok(false), Task::MailPolicy { .. })) && !is_postponed;
    let (mut unsent, mut failed, mut max_seconds) = (None, None, LONGEST_WAIT);
    let (again, outcome) = match ran {
        Ok(true) => (false, "done"),
        Ok(false) if is_postponed => (true, "postponed"),
        Ok(false) => (true, "again"),
        Err(AppError::NotFound) if is_subject_gone(&app.store, &job).await => {
            tracing::error!(task, %id, "the subject of this job no longer exists");
            (false, "given up")
        }
        Err(AppError::ServiceUnavailable(why)) if job.tries >= MAIL_TRIES => {
            tracing::error!(why, task, %id, "this mail is dead: no more tries");
            unsent = Some(why);
            (false, "given up")
        }
        Err(error) => {
            if matches!(error, AppError::DocumentsUnavailable(_)) {
                max_seconds = BLOB_RETRY_DELAY;
            }
            let reason = error.log_text();
            tracing::warn!(error = reason, task, %id, tries, "a job will be retried");
            let is_letter = JobQueue::LETTERS.contains(&JobQueue::for_task(&job.task));
            failed = is_letter.then_some(reason);
            (true, "failed")
        }
    };
    metrics::count_job(task, outcome);
    let retry = Job {
        tries: job.tries + u32::from(!is_postponed && !waits_for_documents),
        task: job.task,
        lease: None,
    };
    let node = app.store.node().map(str::to_string);
    loop {
        // The task may have taken minutes, so the lease and the wait are calculated from the end of the task.
        let now = app.clock.now();
        let due = if is_postponed {
            now + place_wait()
        } else if waits_for_documents {
            now + DOCUMENT_WAIT
        } else {
            now + wait(job.tries, max_seconds)
        };
        let (retry, unsent, failed) = (retry.clone(), unsent.clone(), failed.clone());
        let node = node.clone();
        let written = app.store.write(move |tx| {
            let queue = JobQueue::for_task(&retry.task).table();
            // Another shop may have deleted the job meanwhile, or may run it because this shop's lease
            // expired.
            let current = queue.get(tx, &key)?;
            let is_there = current.is_some();
            let lease = current.and_then(|job| job.lease);
            if again && lease.is_some_and(|lease| lease.is_held_by_other(node.as_deref(), now)) {
                return Ok(());
            }
            delete_job(tx, queue, key)?;
            let waits_still = match &unsent {
                Some(why) => !outbox::store_failure(tx, &retry.task, why, key.1, now)?,
                None => false,
            };
            if is_there && (again || waits_still) {
                queue.put(tx, &(due, key.1), &retry)?;
                if let Some(reason) = failed.clone() {
                    let failure = LetterFailure { at: now, reason };
                    tables::LETTER_FAILURES.put(tx, &key.1, &failure)?;
                }
            }
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
