//! `layby jobs`: lists, retries and deletes jobs that were set aside.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::JobQueue;
use crate::app::jobs::set_aside::{forget, is_owed, queue_of, retry, task_name};
use crate::domain::text::option_text;
use crate::store::tables::SET_ASIDE;
use crate::store::{ReadTx, Store, StoreError};

/// The maximum number of listed rows of one table. Further rows are only counted.
const LISTED: usize = 100;

/// The operator's command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobsOrder {
    /// Lists the jobs that were set aside or failed, of one queue or of all.
    List(Option<JobQueue>),
    /// Retries these jobs now, or all if none is named.
    Retry(Vec<Uuid>),
    /// Deletes a job that was set aside.
    Forget { id: Uuid, why: String },
}

/// Runs the command and appends its results to `lines`. The shop may be running.
///
/// # Errors
/// If the store fails. If none of the named jobs can be retried or deleted. If the job to delete is of a
/// payment or a refund that is owed.
pub async fn execute(
    store: &Store,
    order: &JobsOrder,
    now: DateTime<Utc>,
    lines: &mut Vec<String>,
) -> Result<(), AppError> {
    match order {
        JobsOrder::List(queue) => {
            let queues = queue
                .as_ref()
                .map_or(&JobQueue::ALL[..], std::slice::from_ref);
            lines.extend(store.read(|tx| list(tx, queues)).await?);
        }
        JobsOrder::Retry(ids) => {
            let done = retry(store, &JobQueue::ALL, ids, now).await?;
            if done == 0 && !ids.is_empty() {
                return Err(AppError::Malformed(
                    "No such job was set aside or waits for its next try, or it still can't be read."
                        .to_string(),
                ));
            }
            lines.push(format!("{done} jobs are tried now"));
        }
        JobsOrder::Forget { id, why } => {
            let (id, why) = (*id, option_text("--why", why).map_err(AppError::Malformed)?);
            store.write(move |tx| {
                if is_owed(tx, id)? {
                    return Err(AppError::Malformed(format!(
                        "{id} is of a payment or a refund that is not over: `layby jobs retry {id}` tries it \
                         again, and `layby resolve` closes it in another way."
                    )));
                }
                if forget(tx, &JobQueue::ALL, id)? {
                    return Ok(());
                }
                Err(AppError::Malformed(format!("{id}: no such job was set aside.")))
            })
            .await?;
            tracing::warn!(%id, why, "a job that was set aside is forgotten");
            lines.push(format!("{id} is forgotten"));
        }
    }
    Ok(())
}

fn list(tx: &ReadTx, queues: &[JobQueue]) -> Result<Vec<String>, AppError> {
    let mut list = List::default();
    let is_listed = |queue: Option<JobQueue>| queue.is_none_or(|queue| queues.contains(&queue));
    let set_aside = list.add(SET_ASIDE.rows(tx, &()), |(since, id), row| {
        let queue = queue_of(&row.work);
        let name = queue.map_or("unknown", JobQueue::name);
        let (task, since) = (task_name(&row.work), format_time(since));
        is_listed(queue).then(|| {
            let (tries, reason) = (row.tries, row.reason);
            format!("set aside  {id}  {name}  {task}  {since}, after {tries}: {reason}")
        })
    })?;
    let mut failed = 0;
    for queue in queues {
        let name = queue.name();
        failed += list.add(queue.table().rows(tx, &()), |(due, id), job| {
            let (task, due, tries) = (job.task.name(), format_time(due), job.tries);
            let reason = job.failure?.reason;
            Some(format!(
                "failed     {id}  {name}  {task}  next try {due}, after {tries}: {reason}"
            ))
        })?;
    }
    Ok(list.end(format!(
        "{set_aside} jobs were set aside, {failed} failed and wait for their next try"
    )))
}

/// The lines of a list, and the number of unreadable rows.
#[derive(Default)]
pub(in crate::app) struct List {
    lines: Vec<String>,
    unreadable: usize,
}

impl List {
    /// Adds the first [`LISTED`] rows for which `line` returns a line, and counts unreadable rows. Returns the
    /// number of rows with a line.
    pub fn add<K, V>(
        &mut self,
        rows: impl Iterator<Item = Result<(K, V), StoreError>>,
        line: impl Fn(K, V) -> Option<String>,
    ) -> Result<usize, StoreError> {
        let mut count = 0;
        for row in rows {
            match row {
                Ok((key, row)) => {
                    let Some(line) = line(key, row) else { continue };
                    count += 1;
                    if count <= LISTED {
                        self.lines.push(line);
                    }
                }
                Err(error) if error.is_unreadable_row() => self.unreadable += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    /// Returns the lines, the number of unreadable rows, and then `totals`.
    pub fn end(self, totals: String) -> Vec<String> {
        let Self {
            mut lines,
            unreadable,
        } = self;
        if unreadable > 0 {
            lines.push(format!(
                "{unreadable} rows can't be read: `layby check` names them"
            ));
        }
        lines.push(totals);
        lines
    }
}

/// Returns a time to the second, for lists.
pub(in crate::app) fn format_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
