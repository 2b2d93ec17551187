//! Who is at work on what, where several shops serve one store. A lease is a row, or part of one,
//! that others respect until it runs out; its owner makes it longer as long as it lives. What a killed
//! shop was at work on is done by another after [`Lease::LENGTH`]. That the same work is done twice, by one that
//! was thought dead, must do no harm, and does none after a kill either.
//!
//! Where one process has the store, it knows by itself what it is at work on, and writes no lease.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::app::jobs::queue::{JobKey, JobQueue};
use crate::app::{App, AppError};
use crate::clock::Clock;
use crate::store::tables::{self, Job, Lease};
use crate::store::{Store, WriteTx};

/// How often a lease is made longer.
pub const RENEWED: Duration = Duration::from_secs(5);

/// A lease of this shop from now on; none where it has the store alone.
fn lease(store: &Store, clock: &Clock) -> Option<(Lease, DateTime<Utc>)> {
    let now = clock.now();
    let lease = Lease {
        owner: store.node()?.to_string(),
        until: now + Lease::LENGTH,
    };
    Some((lease, now))
}

/// Takes pieces of work that are due; answers those that no other shop has taken.
///
/// # Errors
/// When the store fails.
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

/// Makes the leases of work under way longer.
///
/// # Errors
/// When the store fails.
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
        // It was done a moment ago, or this machine was held up.
        tracing::debug!(lost, queue = queue.name(), "work is another shop's now");
    }
    Ok(())
}

/// Does `work` unless another shop is doing it; breaks it off where another has taken it over.
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

/// Takes the lease called `name`, or makes it longer; false where another shop has it.
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

/// Writes the lease into the row of a piece of work, which it answers; none where it is gone or
/// another shop's.
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
