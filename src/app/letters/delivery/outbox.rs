//! `layby mail`: lists, retries and deletes letters that wait or were given up. Also lists and
//! deletes refusals of mail. An operator uses this command after a fault of the mail server is
//! fixed.

use std::ops::ControlFlow;

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::queue::{JobKey, JobQueue, delete_job, enqueue};
use crate::app::letters::delivery::quote_letters;
use crate::domain::account::username;
use crate::domain::policy::plan::PlanStatus;
use crate::store::tables::{self, Job, PolicyNotification, Task, UnsentLetter};
use crate::store::{Direction, Read, ReadTx, Store, StoreError, WriteTx};

/// The maximum number of listed rows of one table. Further rows are only counted.
const LISTED: usize = 100;
/// The maximum number of letters of one table that one transaction changes.
const BATCH_SIZE: usize = 500;
/// Retention of a letter that was given up, in days.
const KEPT_FOR: i64 = 30;

/// The operator's command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailOrder {
    /// Lists waiting letters, letters that were given up, and addresses that refused mail.
    List,
    /// Retries these letters now, or all if none is named.
    Requeue(Vec<Uuid>),
    /// Deletes these letters, and deletes the refusals of these addresses.
    Forget(Vec<String>),
}

/// Runs the command and appends its results to `lines`. The shop may be running.
///
/// # Errors
/// If the store fails. If a letter or address to delete does not exist. If letters to retry are
/// named and none of them can be retried.
pub async fn execute(
    store: &Store,
    order: &MailOrder,
    now: DateTime<Utc>,
    lines: &mut Vec<String>,
) -> Result<(), AppError> {
    match order {
        MailOrder::List => list(store, lines).await,
        MailOrder::Requeue(letters) => retry(store, letters, now, lines).await,
        MailOrder::Forget(what) => forget(store, what, lines).await,
    }
}

async fn list(store: &Store, lines: &mut Vec<String>) -> Result<(), AppError> {
    lines.extend(store.read(list_lines).await?);
    Ok(())
}

fn list_lines(tx: &ReadTx) -> Result<Vec<String>, AppError> {
    let (mut list, mut totals) = (List::default(), Vec::new());
    let mut waiting = 0;
    for queue in JobQueue::LETTERS {
        let name = queue.name();
        waiting += list.add(queue.table().rows(tx, &()), |(due, id), job| {
            let (to, due, tries) = (describe_recipient(&job.task), moment(due), job.tries);
            let line = format!("waiting  {id}  {name}  {to}  next try {due}, after {tries}");
            // The row with the reason of the last failure may be unreadable too.
            let failed = tables::LETTER_FAILURES.get(tx, &id).ok().flatten();
            let why = failed.map(|failed| format!(": {}", failed.reason));
            line + &why.unwrap_or_default()
        })?;
    }
    totals.push(format!("{waiting} letters wait"));
    let unsent = list.add(
        tables::UNSENT_LETTERS.rows(tx, &()),
        |(time, id), letter| {
            let (time, to, reason) = (
                moment(time),
                describe_recipient(&letter.task),
                letter.reason,
            );
            format!("given up {id}  {to}  {time}  {reason}")
        },
    )?;
    totals.push(format!("{unsent} were given up"));
    let refused = list.add(tables::REFUSED_ADDRESSES.rows(tx, &()), |name, note| {
        format!("refused  {name}  {}  {}", moment(note.at), note.reason)
    })?;
    totals.push(format!("{refused} addresses refused their mail"));
    let List {
        mut lines,
        unreadable,
    } = list;
    if unreadable > 0 {
        lines.push(format!(
            "{unreadable} rows can't be read: `layby check` names them"
        ));
    }
    lines.push(totals.join(", "));
    Ok(lines)
}

/// The lines of a list, and the number of unreadable rows.
#[derive(Default)]
struct List {
    lines: Vec<String>,
    unreadable: usize,
}

impl List {
    /// Adds the first [`LISTED`] rows as lines, and counts unreadable rows. Returns the number of
    /// readable rows.
    fn add<K, V>(
        &mut self,
        rows: impl Iterator<Item = Result<(K, V), StoreError>>,
        line: impl Fn(K, V) -> String,
    ) -> Result<usize, StoreError> {
        let mut count = 0;
        for row in rows {
            match row {
                Ok((key, row)) => {
                    count += 1;
                    if count <= LISTED {
                        self.lines.push(line(key, row));
                    }
                }
                Err(StoreError::Row { .. } | StoreError::RowVersion { .. }) => self.unreadable += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }
}

async fn retry(
    store: &Store,
    letters: &[Uuid],
    now: DateTime<Utc>,
    lines: &mut Vec<String>,
) -> Result<(), AppError> {
    let mut done = 0;
    loop {
        let these = letters.to_vec();
        let count = store.write(move |tx| retry_batch(tx, &these, now)).await?;
        done += count;
        if count == 0 {
            break;
        }
    }
    if done == 0 && !letters.is_empty() {
        return Err(none(
            "No such letter waits for its next try or was given up.",
        ));
    }
    lines.push(format!("{done} letters are tried now"));
    Ok(())
}

/// Queues the letters that were given up, and makes failed letters due now. Leaves a letter that is
/// due already unchanged, because it may be in delivery. Returns the number of changed letters.
fn retry_batch(
    tx: &mut WriteTx<'_>,
    letters: &[Uuid],
    now: DateTime<Utc>,
) -> Result<usize, AppError> {
    let is_meant = |id: &Uuid| letters.is_empty() || letters.contains(id);
    let unsent = matching(tables::UNSENT_LETTERS.readable_rows(&*tx, &()), is_meant);
    let unsent = unsent.take(BATCH_SIZE).collect::<Result<Vec<_>, _>>()?;
    let mut done = unsent.len();
    for (key, letter) in unsent {
        tables::UNSENT_LETTERS.delete(tx, &key)?;
        retry_letter(tx, letter, key.1, now)?;
    }
    for queue in JobQueue::LETTERS {
        let mut waiting = Vec::new();
        queue
            .table()
            .scan_readable(tx, &(), Direction::Backward, |key, job: Job| {
                if key.0 <= now {
                    return ControlFlow::Break(());
                }
                if is_meant(&key.1) && job.tries > 0 {
                    waiting.push((key, job));
                }
                if waiting.len() == BATCH_SIZE {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })?;
        done += waiting.len();
        for (key, job) in waiting {
            delete_job(tx, queue.table(), key)?;
            enqueue(tx, job.task, now, key.1)?;
        }
    }
    Ok(done)
}

/// Returns the rows whose ids match, and the errors.
fn matching<V>(
    rows: impl Iterator<Item = Result<(JobKey, V), StoreError>>,
    is_meant: impl Fn(&Uuid) -> bool,
) -> impl Iterator<Item = Result<(JobKey, V), StoreError>> {
    rows.filter(move |row| row.as_ref().map_or(true, |(key, _)| is_meant(&key.1)))
}

fn retry_letter(
    tx: &mut WriteTx<'_>,
    letter: UnsentLetter,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let Some(quote) = letter.quote else {
        return enqueue(tx, letter.task, now, id);
    };
    // A quote that was bought, claimed or deleted meanwhile needs no letter.
    let found = tables::QUOTES.get(tx, &quote)?;
    let found = found.filter(|found| found.owner.is_none() && !found.status.is_policy());
    match found.and_then(|found| found.mailbox) {
        Some(name) => quote_letters::queue(tx, &name, (quote, true), (now, now), id),
        None => Ok(()),
    }
}

async fn forget(store: &Store, what: &[String], lines: &mut Vec<String>) -> Result<(), AppError> {
    for one in what {
        let (name, id) = (username(one), Uuid::parse_str(one).ok());
        let found = store
            .write(move |tx| match id {
                Some(id) => forget_letter(tx, id),
                None => {
                    let is_there = tables::REFUSED_ADDRESSES.has(tx, &name)?;
                    tables::REFUSED_ADDRESSES.delete(tx, &name)?;
                    Ok(is_there)
                }
            })
            .await?;
        if !found {
            let what = if id.is_some() { "letter" } else { "address" };
            return Err(none(&format!(
                "{one}: there is no such {what} in `layby mail list`."
            )));
        }
        lines.push(format!("{one} is forgotten"));
    }
    Ok(())
}

fn forget_letter(tx: &mut WriteTx<'_>, id: Uuid) -> Result<bool, AppError> {
    let is_named = |own: &Uuid| *own == id;
    let unsent = matching(tables::UNSENT_LETTERS.readable_rows(&*tx, &()), is_named);
    let unsent = unsent.collect::<Result<Vec<_>, _>>()?;
    for (key, _) in &unsent {
        tables::UNSENT_LETTERS.delete(tx, key)?;
    }
    let mut is_found = !unsent.is_empty();
    for queue in JobQueue::LETTERS {
        let waiting = matching(queue.table().readable_rows(&*tx, &()), is_named);
        for (key, job) in waiting.collect::<Result<Vec<_>, _>>()? {
            is_found = true;
            delete_job(tx, queue.table(), key)?;
            if let Task::MailQuote { mailbox } = &job.task {
                quote_letters::drop_waiting(tx, mailbox)?;
            }
        }
    }
    Ok(is_found)
}

/// Stores a letter that failed for a day, for the operator. A letter about a quote is not stored if
/// it no longer waits or a newer letter has replaced it. Returns false if the newer letter still
/// waits.
pub(in crate::app) fn store_failure(
    tx: &mut WriteTx<'_>,
    task: &Task,
    why: &str,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let (is_all, quote) = match task {
        Task::MailQuote { mailbox } => {
            let (is_all, quote) = quote_letters::drop_expired(tx, mailbox, now)?;
            if quote.is_none() {
                return Ok(is_all);
            }
            (is_all, quote)
        }
        _ => (true, None),
    };
    let letter = UnsentLetter {
        task: task.clone(),
        quote,
        reason: why.to_string(),
    };
    tables::UNSENT_LETTERS.put(tx, &(now, id), &letter)?;
    Ok(is_all)
}

/// Deletes up to `limit` letters that were given up more than [`KEPT_FOR`] days ago. Keeps letters about the end
/// of cover that a plan waits for. Returns true if more old letters may exist.
pub(in crate::app) fn forget_old(
    tx: &mut WriteTx<'_>,
    now: DateTime<Utc>,
    limit: usize,
) -> Result<bool, AppError> {
    let mut old = tables::UNSENT_LETTERS.list_readable(tx, &(), Direction::Forward, limit)?;
    old.retain(|((time, _), _)| *time + Duration::days(KEPT_FOR) < now);
    for (key, letter) in &old {
        if !is_awaited(tx, &letter.task)? {
            tables::UNSENT_LETTERS.delete(tx, key)?;
        }
    }
    Ok(old.len() == limit)
}

/// Returns whether a plan waits for the letter: the days of its notice count from the letter.
fn is_awaited(tx: &impl Read, task: &Task) -> Result<bool, StoreError> {
    let Task::MailPolicy {
        policy,
        news: PolicyNotification::PlanNotice | PolicyNotification::PlanReminder,
    } = task
    else {
        return Ok(false);
    };
    let plan = tables::PLANS.get(tx, policy)?;
    Ok(plan.is_some_and(|plan| match plan.status {
        PlanStatus::Notice(notice) => !notice.is_sent,
        PlanStatus::Active | PlanStatus::Failed { .. } | PlanStatus::Ended => false,
    }))
}

/// Returns a description of the letter and its recipient.
fn describe_recipient(task: &Task) -> String {
    match task {
        Task::MailPassword { name } => format!("a password's link to {name}"),
        Task::MailConfirmation { user } => format!("an address's link to user {user}"),
        Task::MailNotice { address, .. } => format!("a notice to {address}"),
        Task::MailPolicy { policy, .. } => format!("the news of policy {policy}"),
        Task::MailQuote { mailbox } => format!("a quote's link to {mailbox}"),
        other => other.name().to_string(),
    }
}

fn moment(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn none(why: &str) -> AppError {
    AppError::Malformed(why.to_string())
}
