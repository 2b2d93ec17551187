//! `layby restore`: a copy becomes a shop that is held. Nothing that may have happened after the copy happens
//! a second time, and nobody gets in by an old log-in.

use std::fmt::Debug;

use chrono::{DateTime, Utc};
use serde::{Serialize, de::DeserializeOwned};

use crate::app::accounts;
use crate::app::backups::backup;
use crate::app::jobs::batches::each;
use crate::app::jobs::queue::JobQueue;
use crate::app::jobs::set_aside::put_row;
use crate::app::jobs::write_each;
use crate::app::letters::delivery::quote_letters;
use crate::app::{AppError, counters};
use crate::domain::payment::refund::RefundCalls;
use crate::secret::Token;
use crate::store::tables::{self, HeldShop, SetAsideWork, Task};
use crate::store::{AnyTable, Direction, Key, Read, Store, StoreError, Table, WriteTx};

/// References that are skipped, so that a reference given after the copy is given to nobody else.
const SKIPPED_REFERENCES: u32 = 10_000;
/// Rows that one transaction changes.
const BATCH_SIZE: usize = 1000;
/// The reason of a letter that a restore set aside.
const MAYBE_SENT: &str = "it waited when the backup was made, and may have been sent since";

/// Prepares the rows of a copy for a new shop, and returns the moment of the copy. Ends every log-in, visitor's
/// token and mailed link, locks passwords, sets waiting letters aside, skips references, and marks the shop held.
/// Leaves an unreadable row as it is.
///
/// # Errors
/// If the store fails.
pub async fn prepare(store: &Store, now: DateTime<Utc>) -> Result<DateTime<Utc>, AppError> {
    let copied = store.read(|tx| copy_time(tx, now)).await?;
    delete_all(store, &tables::SESSIONS).await?;
    delete_all(store, &tables::LINKS).await?;
    end_quote_links(store, now).await?;
    // Nobody knows this password, so the hash locks an account until a mailed link sets a password.
    let lock = accounts::hash(Token::random()?.expose())?;
    change_rows(store, &tables::USERS, |user| {
        user.password_hash
            .as_mut()
            .map(|hash| hash.clone_from(&lock))
            .is_some()
    })
    .await?;
    // The gateway may have been asked since. A gateway without a list of refunds then leaves it to a person.
    let calls = RefundCalls {
        first: copied,
        last: copied,
    };
    change_rows(store, &tables::REFUNDS, |refund| {
        let is_unasked = refund.is_under_way() && refund.requested.is_none();
        refund.requested = refund.requested.or(is_unasked.then_some(calls));
        is_unasked
    })
    .await?;
    for queue in JobQueue::LETTERS {
        while store
            .write(move |tx| set_letters_aside(tx, queue, now))
            .await?
        {}
    }
    store.write(move |tx| hold(tx, copied, now)).await?;
    Ok(copied)
}

/// Returns the moment of the rows. The backup of a held shop lacks what was sold since the first copy.
fn copy_time(tx: &impl Read, now: DateTime<Utc>) -> Result<DateTime<Utc>, StoreError> {
    match tables::HELD_SHOP.get_readable(tx, &())? {
        Some(held) => Ok(held.copied),
        None => Ok(backup::moment_of(tx)?.unwrap_or(now)),
    }
}

/// Ends visitors' tokens, mailed links to quotes and documents, and partners' click-through addresses. After the
/// copy, a claim or a change may have ended them.
async fn end_quote_links(store: &Store, now: DateTime<Utc>) -> Result<(), AppError> {
    change_rows(store, &tables::QUOTES, |quote| {
        let links = [
            &mut quote.tokens,
            &mut quote.resume,
            &mut quote.document_links,
        ];
        let has_some = links.iter().any(|hashes| !hashes.is_empty());
        links.into_iter().for_each(Vec::clear);
        has_some
    })
    .await?;
    change_rows(store, &tables::CLICKS, |click| {
        let is_unused = click.used.is_none();
        click.used = click.used.or(Some(now));
        is_unused
    })
    .await
}

async fn delete_all<K, V>(store: &Store, table: &'static Table<K, V>) -> Result<(), AppError>
where
    K: Key + Send + Sync + 'static,
    V: Serialize + DeserializeOwned,
{
    let delete_some = |tx: &mut WriteTx<'_>| {
        let rows = table.list_readable(tx, &(), Direction::Forward, BATCH_SIZE)?;
        for (key, _) in &rows {
            table.delete(tx, key)?;
        }
        Ok::<_, AppError>(!rows.is_empty())
    };
    while store.write(delete_some).await? {}
    Ok(())
}

/// Stores the rows that `change` changes. `change` returns whether it changed the row.
async fn change_rows<K, V>(
    store: &Store,
    table: &'static Table<K, V>,
    change: impl Fn(&mut V) -> bool,
) -> Result<(), AppError>
where
    K: Key + Clone + Debug + Send + Sync + 'static,
    V: Serialize + DeserializeOwned + Clone + Send + Sync + 'static,
{
    let mut last: Option<K> = None;
    loop {
        let page = |tx: &_| table.list_readable_after(tx, last.as_ref(), BATCH_SIZE);
        let mut rows = store.read(page).await?;
        let Some((key, _)) = rows.last() else {
            return Ok(());
        };
        last = Some(key.clone());
        rows.retain_mut(|(_, row)| change(row));
        let put = each(|tx, key, row| Ok(table.put(tx, key, row)?));
        write_each(store, table.name(), rows, put).await?;
    }
}

/// Takes letters out of their queue, so that none is sent twice. `layby mail` lists and retries them. A letter
/// with a link is dropped, because its user may request another. Returns whether the queue may have more.
fn set_letters_aside(
    tx: &mut WriteTx<'_>,
    queue: JobQueue,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let jobs = queue
        .table()
        .list_readable(tx, &(), Direction::Forward, BATCH_SIZE)?;
    // A letter whose time had not come was not sent.
    let jobs: Vec<_> = jobs
        .into_iter()
        .filter(|((due, _), _)| *due <= now)
        .collect();
    for (key, job) in &jobs {
        queue.table().delete(tx, key)?;
        let quote = match &job.task {
            Task::MailPassword { .. } | Task::MailConfirmation { .. } => continue,
            Task::MailQuote { mailbox } => {
                let mails = tables::QUOTE_MAILS.get_readable(tx, mailbox)?;
                let waiting = mails.and_then(|mails| mails.waiting);
                quote_letters::drop_waiting(tx, mailbox)?;
                waiting.map(|waiting| waiting.quote)
            }
            _ => None,
        };
        let task = job.task.clone();
        let work = SetAsideWork::Job { task, quote };
        put_row(tx, key.1, work, (job.tries, MAYBE_SENT.to_string()), now)?;
    }
    Ok(!jobs.is_empty())
}

fn hold(
    tx: &mut WriteTx<'_>,
    copied: DateTime<Utc>,
    restored: DateTime<Utc>,
) -> Result<(), AppError> {
    counters::add(tx, counters::REFERENCE, SKIPPED_REFERENCES)?;
    tables::HELD_SHOP.put(tx, &(), &HeldShop { copied, restored })?;
    // The clock guard of a shop compares its clock with this moment.
    Ok(tables::NEWEST_WRITE.put(tx, &(), &restored)?)
}
