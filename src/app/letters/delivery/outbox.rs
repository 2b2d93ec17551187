//! `layby mail`: lists, retries and deletes letters that wait or were given up. Also lists and
//! deletes refusals of mail. An operator uses this command after a fault of the mail server is
//! fixed.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::jobs::orders::{List, format_time};
use crate::app::jobs::queue::JobQueue;
use crate::app::jobs::set_aside::{self, queue_of};
use crate::app::letters::delivery::quote_letters;
use crate::domain::account::username;
use crate::store::tables::{self, SetAsideWork, Task};
use crate::store::{ReadTx, Store, WriteTx};

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
    let mut list = List::default();
    let mut waiting = 0;
    for queue in JobQueue::LETTERS {
        let name = queue.name();
        waiting += list.add(queue.table().rows(tx, &()), |(due, id), job| {
            let (to, due, tries) = (describe_recipient(&job.task), format_time(due), job.tries);
            let line = format!("waiting  {id}  {name}  {to}  next try {due}, after {tries}");
            let why = job.failure.map(|failure| format!(": {}", failure.reason));
            Some(line + &why.unwrap_or_default())
        })?;
    }
    let given_up = list.add(tables::SET_ASIDE.rows(tx, &()), |(time, id), row| {
        queue_of(&row.work).filter(|queue| JobQueue::LETTERS.contains(queue))?;
        let (time, reason) = (format_time(time), row.reason);
        let to = match &row.work {
            SetAsideWork::Job { task, .. } => describe_recipient(task),
            SetAsideWork::Row { queue, .. } => format!("an unreadable row of {queue}"),
        };
        Some(format!("given up {id}  {to}  {time}  {reason}"))
    })?;
    let refused = list.add(tables::REFUSED_ADDRESSES.rows(tx, &()), |name, note| {
        let (time, reason) = (format_time(note.at), note.reason);
        Some(format!("refused  {name}  {time}  {reason}"))
    })?;
    Ok(list.end(format!(
        "{waiting} letters wait, {given_up} were given up, {refused} addresses refused their mail"
    )))
}

async fn retry(
    store: &Store,
    letters: &[Uuid],
    now: DateTime<Utc>,
    lines: &mut Vec<String>,
) -> Result<(), AppError> {
    let done = set_aside::retry(store, &JobQueue::LETTERS, letters, now).await?;
    if done == 0 && !letters.is_empty() {
        return Err(none(
            "No such letter waits for its next try or was given up.",
        ));
    }
    lines.push(format!("{done} letters are tried now"));
    Ok(())
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
    let mut is_found = set_aside::forget(tx, &JobQueue::LETTERS, id)?;
    for queue in JobQueue::LETTERS {
        let waiting = queue.table().readable_rows(&*tx, &());
        let waiting = waiting.filter(|row| row.as_ref().map_or(true, |(key, _)| key.1 == id));
        for (key, job) in waiting.collect::<Result<Vec<_>, _>>()? {
            is_found = true;
            queue.table().delete(tx, &key)?;
            if let Task::MailQuote { mailbox } = &job.task {
                quote_letters::drop_waiting(tx, mailbox)?;
            }
        }
    }
    Ok(is_found)
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

fn none(why: &str) -> AppError {
    AppError::Malformed(why.to_string())
}
