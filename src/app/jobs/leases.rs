//! Leases: which shop runs which job, if several shops serve one store. A lease is a row of its own, or a
//! part of a job's row. A shop extends its leases while it runs. After a shop was killed, other shops wait at
//! most [`Lease::LENGTH`] before they take its jobs. Jobs are idempotent, because a job may run twice if its
//! lease expires.
//!
//! A process that has the store alone writes no lease.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::app::jobs::queue::{JobKey, JobQueue};
use crate::app::{App, AppError};
use crate::clock::Clock;
use crate::store::tables::{self, Job, Lease};
use crate::store::{Store, WriteTx};

/// The interval between extensions of a lease.
pub const RENEWED: Duration = Duration::from_secs(5);

/// Returns a new lease of this shop, and the current time. Returns `None` if this shop has the store alone.
fn lease(store: &Store, clock: &Clock) -> Option<(Lease, DateTime<Utc>)> {
    let now = clock.now();
    let lease = Lease {
        owner: store.node()?.to_string(),
        until: now + Lease::LENGTH,
    };
    Some((lease, now))
}

/// Claims due jobs. Returns the jobs that still exist and that no other shop has claimed. If this shop has
/// the store alone, returns all of `due`.
///
/// # Errors
/// If the store fails.
pub async fn claim_jobs(
    store: &Store,
    clock: &Clock,
    queue: JobQueue,
    due: Vec<(JobKey, Job)>,
) -> Result<Vec<(JobKey, Job)>, AppError> {
    let Some((lease, now)) = lease(store, clock).filter(|_| !due.is_empty()) else {
        return Ok(due);
    };
    store
        .write(move |tx| {
            let mut taken = Vec::with_capacity(due.len());
            for (key, _) in &due {
                if let Some(job) = write_lease(tx, queue, *key, &lease, now)? {
                    taken.push((*key, job));
                }
            }
            Ok(taken)
        })
        .await
}

/// Extends the leases of running jobs.
///
/// # Errors
/// If the store fails.
pub async fn renew_leases(
    store: &Store,
    clock: &Clock,
    queue: JobQueue,
    keys: Vec<JobKey>,
) -> Result<(), AppError> {
    let Some((lease, now)) = lease(store, clock).filter(|_| !keys.is_empty()) else {
        return Ok(());
    };
    let count = keys.len();
    let write = store.write(move |tx| {
        let mut renewed = 0;
        for key in &keys {
            renewed += usize::from(write_lease(tx, queue, *key, &lease, now)?.is_some());
        }
        Ok::<_, AppError>(renewed)
    });
    let lost = count - write.await?;
    if lost > 0 {
        // The job has ended, or its lease has expired and another shop has taken the lease. The lease expires
        // if, for example, this machine is suspended.
        tracing::debug!(lost, queue = queue.name(), "work is another shop's now");
    }
    Ok(())
}

/// Runs `work` unless another shop has the lease `name`. Stops `work` if another shop takes the lease, the
/// clock is wrong, or the lease can't be extended.
pub(in crate::app) async fn with_lease(
    app: &App,
    name: &'static str,
    work: impl Future<Output = Result<(), AppError>> + Send,
) -> Result<(), AppError> {
    let mut work = std::pin::pin!(work);
    if app.store.node().is_none() {
        return work.await;
    }
    if !acquire_lease(&app.store, &app.clock, name).await? {
        return Ok(());
    }
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            () = tokio::time::sleep(RENEWED) => {
                if app.wrong_clock().is_some() {
                    tracing::warn!(name, "stopped: the clock is wrong");
                    return release_lease(&app.store, &app.clock, name).await;
                }
                if !acquire_lease(&app.store, &app.clock, name).await? {
                    tracing::warn!(name, "another shop took over this shop's jobs");
                    return Ok(());
                }
            }
        }
    };
    release_lease(&app.store, &app.clock, name).await?;
    done
}

/// Acquires or extends the lease called `name`. Returns false if another shop has it.
async fn acquire_lease(store: &Store, clock: &Clock, name: &'static str) -> Result<bool, AppError> {
    let Some((lease, now)) = lease(store, clock) else {
        return Ok(true);
    };
    store
        .write(move |tx| {
            let current = tables::LEASES.get(tx, &name.to_string())?;
            if current.is_some_and(|current| current.is_held_by_other(Some(&lease.owner), now)) {
                return Ok(false);
            }
            tables::LEASES.put(tx, &name.to_string(), &lease)?;
            Ok(true)
        })
        .await
}

async fn release_lease(store: &Store, clock: &Clock, name: &'static str) -> Result<(), AppError> {
    let Some((lease, _)) = lease(store, clock) else {
        return Ok(());
    };
    store
        .write(move |tx| {
            let current = tables::LEASES.get(tx, &name.to_string())?;
            if current.is_some_and(|current| current.owner == lease.owner) {
                tables::LEASES.delete(tx, &name.to_string())?;
            }
            Ok(())
        })
        .await
}

/// Writes the lease into a job's row, and returns the job. Returns `None` if the row is gone or another shop
/// holds its lease.
fn write_lease(
    tx: &mut WriteTx<'_>,
    queue: JobQueue,
    key: JobKey,
    lease: &Lease,
    now: DateTime<Utc>,
) -> Result<Option<Job>, AppError> {
    let Some(mut job) = queue.table().get(tx, &key)? else {
        return Ok(None);
    };
    let others = job.lease.as_ref();
    if others.is_some_and(|others| others.is_held_by_other(Some(&lease.owner), now)) {
        return Ok(None);
    }
    job.lease = Some(lease.clone());
    queue.table().put(tx, &key, &job)?;
    Ok(Some(job))
}
