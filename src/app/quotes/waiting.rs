//! Quotes that wait for the logged-in user's mailbox, and the user's choice among them.

use tokio::sync::Notify;
use uuid::Uuid;

use crate::app::jobs::queue::enqueue;
use crate::app::products::ProductRegistry;
use crate::app::quotes::list::{ListItem, list_item};
use crate::app::quotes::ownership::{CLAIMED_AT_MOST, claim};
use crate::app::{AppError, Caller, accounts, new_id};
use crate::clock::Clock;
use crate::domain::account::username;
use crate::store::tables::{self, Task};
use crate::store::{Direction, Read, Store, WriteTx};

/// Maximum number of quotes released in one transaction.
const BATCH_SIZE: usize = 100;

/// Returns the newest quotes in no account that wait for the user's mailbox, at most `CLAIMED_AT_MOST`.
///
/// # Errors
/// [`AppError::Unauthenticated`] without a log-in.
pub async fn waiting_quotes(
    store: &Store,
    clock: &Clock,
    products: &ProductRegistry,
    caller: &Caller,
) -> Result<Vec<ListItem>, AppError> {
    let user = accounts::user(store, caller).await?;
    let Some(name) = user.profile.email_primary.as_deref().map(username) else {
        return Ok(Vec::new());
    };
    let now = clock.now();
    let found = store.read(|tx| {
        let mut found = Vec::new();
        for uuid in newest_waiting(tx, &name)? {
            found.extend(tables::QUOTES.get(tx, &uuid)?);
        }
        Ok::<_, AppError>(found)
    });
    let found = found.await?.into_iter();
    Ok(found
        .map(|quote| {
            let (entry, status) = (quote.list_entry(None), quote.status_at(now));
            list_item(clock, products, quote.uuid, entry, status)
        })
        .collect())
}

/// Claims the quotes `theirs`, which wait for the user's mailbox. Releases the other listed quotes, and
/// queues a job that releases older quotes. Released quotes are not listed again, and their visitors can
/// still use them.
///
/// # Errors
/// [`AppError::Unauthenticated`] without a log-in. [`AppError::NotFound`] if one of `theirs` isn't listed, or
/// the user has no mail address.
pub async fn claim_waiting(
    store: &Store,
    clock: &Clock,
    work_added: &Notify,
    caller: &Caller,
    theirs: Vec<Uuid>,
) -> Result<(), AppError> {
    let user = accounts::user(store, caller).await?;
    let name = user.profile.email_primary.as_deref().map(username);
    let name = name.ok_or(AppError::NotFound)?;
    let now = clock.now();
    let (user, job) = (user.uuid, new_id(now));
    store
        .write(move |tx| {
            let waiting = newest_waiting(tx, &name)?;
            if !theirs.iter().all(|quote| waiting.contains(quote)) {
                return Err(AppError::NotFound);
            }
            for quote in &waiting {
                if theirs.contains(quote) {
                    claim(tx, *quote, user)?;
                } else {
                    release(tx, *quote)?;
                }
            }
            if let Some(until) = waiting.first().copied() {
                let name = name.clone();
                enqueue(tx, Task::ReleaseQuotes { name, until }, now, job)?;
            }
            Ok(())
        })
        .await?;
    work_added.notify_one();
    Ok(())
}

/// Releases the quotes that wait for a mailbox and are not newer than `until`.
pub(in crate::app) async fn release_older(
    store: &Store,
    name: &str,
    until: Uuid,
) -> Result<(), AppError> {
    loop {
        let name = name.to_string();
        let released = store
            .write(move |tx| {
                let index = &tables::UNCLAIMED_BY_NAME;
                let mut rest = index.list(tx, &name, Direction::Forward, BATCH_SIZE)?;
                rest.retain(|((_, quote), ())| *quote <= until);
                for ((_, quote), ()) in &rest {
                    release(tx, *quote)?;
                }
                Ok::<_, AppError>(rest.len())
            })
            .await?;
        if released < BATCH_SIZE {
            return Ok(());
        }
    }
}

/// Returns the newest quotes that wait for the mailbox `name`, at most [`CLAIMED_AT_MOST`], newest first.
fn newest_waiting(tx: &impl Read, name: &String) -> Result<Vec<Uuid>, AppError> {
    let index = &tables::UNCLAIMED_BY_NAME;
    let newest = index.list(tx, name, Direction::Backward, CLAIMED_AT_MOST)?;
    Ok(newest.into_iter().map(|((_, quote), ())| quote).collect())
}

/// Removes the mailbox of a quote in no account. Revokes the links that were mailed to the mailbox.
fn release(tx: &mut WriteTx<'_>, quote: Uuid) -> Result<(), AppError> {
    if let Some(mut quote) = tables::QUOTES.get(tx, &quote)?
        && quote.owner.is_none()
    {
        quote.mailbox = None;
        quote.resume.clear();
        tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    }
    Ok(())
}
