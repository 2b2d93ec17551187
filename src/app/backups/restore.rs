//! `layby restore`: a copy becomes a shop that is held. Nothing that may have happened after the copy happens
//! a second time, and nobody gets in by an old log-in.

use chrono::{DateTime, Utc};

use crate::app::accounts;
use crate::app::backups::backup;
use crate::app::jobs::queue::JobQueue;
use crate::app::jobs::set_aside::put_row;
use crate::app::letters::delivery::quote_letters;
use crate::app::{AppError, counters};
use crate::domain::account::User;
use crate::secret::Token;
use crate::store::tables::{self, HeldShop, SetAsideWork, Task};
use crate::store::{Direction, Key, ReadTx, Store, Table, WriteTx};

/// References that are skipped, so that a reference given after the copy is given to nobody else.
const SKIPPED_REFERENCES: u32 = 10_000;
/// Rows that one transaction changes.
const BATCH_SIZE: usize = 1000;
/// The reason of a letter that a restore set aside.
const MAYBE_SENT: &str = "it waited when the backup was made, and may have been sent since";

/// Prepares the rows of a copy for a new shop, and returns the moment of the copy. Ends every log-in and mailed
/// link, locks passwords, sets waiting letters aside, skips references, and marks the shop held.
///
/// # Errors
/// If the store fails.
pub async fn prepare(store: &Store, now: DateTime<Utc>) -> Result<DateTime<Utc>, AppError> {
    // Nobody knows this password, so the hash locks an account until a mailed link sets a password.
    let lock = accounts::hash(Token::random()?.expose())?;
    delete_all(store, &tables::SESSIONS).await?;
    delete_all(store, &tables::LINKS).await?;
    lock_passwords(store, lock).await?;
    for queue in JobQueue::LETTERS {
        while store
            .write(move |tx| set_letters_aside(tx, queue, now))
            .await?
        {}
    }
    store.write(move |tx| hold(tx, now)).await
}

async fn delete_all<K, V>(store: &Store, table: &'static Table<K, V>) -> Result<(), AppError>
where
    K: Key + Send + Sync + 'static,
    V: serde::Serialize + serde::de::DeserializeOwned,
{
    let delete_some = |tx: &mut WriteTx<'_>| {
        let rows = table.list(tx, &(), Direction::Forward, BATCH_SIZE)?;
        for (key, _) in &rows {
            table.delete(tx, key)?;
        }
        Ok::<_, AppError>(!rows.is_empty())
    };
    while store.write(delete_some).await? {}
    Ok(())
}

async fn lock_passwords(store: &Store, lock: String) -> Result<(), AppError> {
    let users = |tx: &ReadTx| tables::USERS.list(tx, &(), Direction::Forward, usize::MAX);
    let users = store.read(users).await?;
    let has_password = |user: &User| user.password_hash.is_some();
    let users: Vec<_> = users
        .into_iter()
        .filter(|(_, user)| has_password(user))
        .collect();
    for batch in users.chunks(BATCH_SIZE) {
        let (batch, lock) = (batch.to_vec(), lock.clone());
        let write = move |tx: &mut WriteTx<'_>| {
            for (id, user) in &batch {
                let user = User {
                    password_hash: Some(lock.clone()),
                    ..user.clone()
                };
                tables::USERS.put(tx, id, &user)?;
            }
            Ok::<_, AppError>(())
        };
        store.write(write).await?;
    }
    Ok(())
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
        .list(tx, &(), Direction::Forward, BATCH_SIZE)?;
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
                let mails = tables::QUOTE_MAILS.get(tx, mailbox)?;
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

fn hold(tx: &mut WriteTx<'_>, now: DateTime<Utc>) -> Result<DateTime<Utc>, AppError> {
    counters::add(tx, counters::REFERENCE, SKIPPED_REFERENCES)?;
    let held = tables::HELD_SHOP.get(tx, &())?;
    let copied = match held {
        // The backup is of a held shop, which lacks what was sold since the first copy.
        Some(held) => held.copied,
        None => backup::moment_of(tx)?.unwrap_or(now),
    };
    let restored = now;
    tables::HELD_SHOP.put(tx, &(), &HeldShop { copied, restored })?;
    // The clock guard of a shop compares its clock with this moment.
    tables::NEWEST_WRITE.put(tx, &(), &now)?;
    Ok(copied)
}
