//! Leases due jobs, runs and completes them. `app/jobs/` implements the jobs.

mod supervise;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use supervise::supervise;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::app::backups::schedule;
use crate::app::jobs::{self, JobKey, JobQueue, RENEWED};
use crate::app::{App, AppError, accounts, limits};

/// Longest sleep while nothing is due. It is short, because the clock may be set forward meanwhile.
const IDLE_WAIT: Duration = Duration::from_secs(1);

/// Returns the maximum number of jobs of a queue that run at the same time.
const fn max_concurrent_jobs(queue: JobQueue) -> usize {
    match queue {
        // Four jobs of each of three gateways, and four others.
        JobQueue::Shop => 16,
        _ => 8,
    }
}

/// Runs the background loops until `stop` is true, and then lets the running jobs finish. Each loop
/// and each queue is a separate task, so a slow mail server or a panic delays no payment.
pub async fn run(app: Arc<App>, stop: watch::Receiver<bool>) {
    let mut loops = Loops {
        app,
        stop,
        tasks: JoinSet::new(),
    };
    for queue in JobQueue::ALL {
        loops.begin(queue.name(), move |app, stop| run_queue(app, queue, stop));
    }
    let seconds = Duration::from_secs;
    loops.every("daily round", seconds(60), run_day);
    loops.every("collection", seconds(60), run_collection);
    loops.every("backup", seconds(60), run_backup);
    // This loop warns if the disk gets short of space, even without requests.
    loops.every("disk", seconds(10), |app| async move {
        app.disk_space.is_short();
    });
    // This loop notices if the blob store becomes available or unavailable, even without requests.
    loops.every("documents' place", seconds(10), |app| async move {
        app.contents.probe().await;
    });
    loops.every("store", seconds(1), checkpoint_when_idle);
    loops.every("expired rows", seconds(3600), delete_expired);
    while loops.tasks.join_next().await.is_some() {}
}

/// The running loops.
struct Loops {
    app: Arc<App>,
    stop: watch::Receiver<bool>,
    tasks: JoinSet<()>,
}

impl Loops {
    /// Starts a loop, which restarts after a panic.
    fn begin<F>(
        &mut self,
        name: &'static str,
        run: impl Fn(Arc<App>, watch::Receiver<bool>) -> F + Send + 'static,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        let (app, stop) = (self.app.clone(), self.stop.clone());
        let begin = move || run(app.clone(), stop.clone());
        self.tasks.spawn(supervise(name, self.stop.clone(), begin));
    }

    /// Runs `work` every `period`.
    fn every<F>(
        &mut self,
        name: &'static str,
        period: Duration,
        work: impl Fn(Arc<App>) -> F + Copy + Send + 'static,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        self.begin(name, move |app, mut stop| async move {
            let mut round = tokio::time::interval(period);
            while !*stop.borrow() {
                tokio::select! {
                    _ = stop.changed() => {}
                    _ = round.tick() => work(app.clone()).await,
                }
            }
        });
    }
}

/// Compares the clock again with the database's clock, or with the newest write of the store's file.
/// Returns whether the clock is right and the shop is not held. A daily run by a wrong clock would end valid
/// policies and delete valid data.
async fn may_run(app: &App) -> bool {
    // The store logs its own failures, and no work runs without the store.
    let _ = app.refresh_cluster_state().await;
    app.wrong_clock().is_none() && !app.is_held()
}

/// Writes a checkpoint unless the last commit has a checkpoint, so that the store opens fast after a
/// crash. Also counts the nodes and compares the clock.
async fn checkpoint_when_idle(app: Arc<App>) {
    // The store logs a failing disk itself.
    let _ = app.checkpoint_store().await;
    let _ = app.refresh_cluster_state().await;
}

/// Runs the daily jobs if they may run and the run of this London day is not done. The next round
/// repeats a failed run.
async fn run_day(app: Arc<App>) {
    if may_run(&app).await
        && let Err(error) = jobs::daily(&app).await
    {
        tracing::error!(error = error.log_text(), "the daily round failed");
    }
}

/// Charges the instalments that are due, if the clock is right. Returns at once if nothing is due.
async fn run_collection(app: Arc<App>) {
    if may_run(&app).await
        && let Err(error) = jobs::collect(&app).await
    {
        tracing::error!(error = error.log_text(), "the collection failed");
    }
}

/// Makes the daily backup if it is due.
async fn run_backup(app: Arc<App>) {
    if may_run(&app).await
        && let Err(error) = schedule::make_if_due(&app).await
    {
        tracing::error!(error = error.log_text(), "the daily backup failed");
    }
}

/// Deletes expired rows if the clock is right. Also deletes anonymous quotes early while the disk is
/// nearly full.
async fn delete_expired(app: Arc<App>) {
    if !may_run(&app).await {
        return;
    }
    for (rows, done) in [
        (
            "answers",
            jobs::delete_old_answers(&app.store, &app.clock).await,
        ),
        (
            "counts",
            limits::forget_counts(&app.store, &app.clock).await,
        ),
        (
            "log-ins",
            accounts::delete_ended_sessions(&app.store, &app.clock).await,
        ),
        (
            "anonymous quotes",
            jobs::delete_anonymous_quotes(&app).await,
        ),
    ] {
        if let Err(error) = done {
            tracing::error!(error = error.log_text(), rows, "old rows can't be deleted");
        }
    }
}

async fn run_queue(app: Arc<App>, queue: JobQueue, mut stop: watch::Receiver<bool>) {
    let mut running: JoinSet<JobKey> = JoinSet::new();
    let mut leased: HashSet<JobKey> = HashSet::new();
    let mut renew = tokio::time::interval(RENEWED);
    while !*stop.borrow() {
        let sleep = match lease(&app, queue, &mut running, &mut leased).await {
            Ok(sleep) => sleep,
            // Reopening the store logs the failure.
            Err(_) if app.store.is_reopening() => IDLE_WAIT,
            Err(error) => {
                tracing::error!(error = error.log_text(), "the list of jobs can't be read");
                IDLE_WAIT
            }
        };
        tokio::select! {
            _ = stop.changed() => {}
            // Only the queue of the shop's jobs wakes immediately. The other queues wait for their
            // timer.
            () = app.work_added.notified(), if queue == JobQueue::Shop => {}
            () = tokio::time::sleep(sleep) => {}
            _ = renew.tick() => renew_all(&app, queue, &leased).await,
            Some(done) = running.join_next(), if !running.is_empty() => release(done, &mut leased),
        }
    }
    loop {
        tokio::select! {
            _ = renew.tick() => renew_all(&app, queue, &leased).await,
            done = running.join_next() => match done {
                Some(done) => release(done, &mut leased),
                None => return,
            },
        }
    }
}

/// Renews the leases of the running jobs, so that other nodes don't take the jobs. Renews no lease
/// while the clock is wrong, because the lease's new end would be wrong too.
async fn renew_all(app: &App, queue: JobQueue, leased: &HashSet<JobKey>) {
    if app.wrong_clock().is_some() {
        return;
    }
    let keys = leased.iter().copied().collect();
    if let Err(error) = jobs::renew_leases(&app.store, &app.clock, queue, keys).await
        && !app.store.is_reopening()
    {
        tracing::error!(error = error.log_text(), "leases can't be renewed");
    }
}

/// Starts due jobs that don't run yet. Starts none while the clock is wrong or the
/// shop is held. Returns the time until
/// the next check.
async fn lease(
    app: &Arc<App>,
    queue: JobQueue,
    running: &mut JoinSet<JobKey>,
    leased: &mut HashSet<JobKey>,
) -> Result<Duration, AppError> {
    // A held shop only mails the links that set passwords.
    let waits = app.is_held() && queue != JobQueue::AccountLetters;
    if waits || app.wrong_clock().is_some() {
        return Ok(IDLE_WAIT);
    }
    let max_jobs = max_concurrent_jobs(queue);
    let due = jobs::due_jobs(&app.store, &app.clock, queue, max_jobs * 2).await?;
    let mut free = due.jobs;
    free.retain(|(key, _)| !leased.contains(key));
    free.truncate(max_jobs.saturating_sub(running.len()));
    for (key, job) in jobs::claim_jobs(&app.store, &app.clock, queue, free).await? {
        leased.insert(key);
        let app = app.clone();
        running.spawn(async move {
            if let Err(error) = jobs::run_job(&app, key, job).await {
                tracing::error!(error = error.log_text(), "a job could not be put back");
                // The job keeps its lease during this wait, so that a completed job isn't run again
                // immediately.
                tokio::time::sleep(IDLE_WAIT).await;
            }
            key
        });
    }
    let until_next = due
        .next
        .and_then(|next| (next - app.clock.now()).to_std().ok());
    Ok(until_next.map_or(IDLE_WAIT, |wait| wait.min(IDLE_WAIT)))
}

fn release(done: Result<JobKey, tokio::task::JoinError>, leased: &mut HashSet<JobKey>) {
    match done {
        Ok(key) => {
            leased.remove(&key);
        }
        // A job that panicked keeps its lease until the next start of the process, so that it
        // doesn't panic repeatedly.
        Err(error) => tracing::error!(%error, "a job failed"),
    }
}
