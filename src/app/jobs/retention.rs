//! Retention: deletes quotes in no account, drafts, partners' requests, click-through addresses, expired
//! look-ups and letters that were set aside. A quote is deleted with all its parts. A transaction deletes a bounded number
//! of quotes.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::accounts::forget_unconfirmed;
use crate::app::documents::delete_document;
use crate::app::jobs::batches::{each, write_due};
use crate::app::jobs::leases::with_lease;
use crate::app::jobs::set_aside::forget_old_letters;
use crate::app::payments::checkout::attempts::attempts;
use crate::app::{App, AppError};
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::payment::{Payment, PaymentStatus};
use crate::domain::quote::Quote;
use crate::domain::time::dates;
use crate::store::{Direction, Store, StoreError, WriteTx, tables};

/// The name of the lease. One shop at a time runs the early deletion.
const EARLY_DELETION: &str = "the early deletion of quotes";
/// The maximum number of anonymous quotes, or of letters that were set aside, deleted in one transaction.
const BATCH_SIZE: usize = 100;
/// The maximum number of older revisions and click-through addresses deleted in one transaction.
const PARTS_AT_ONCE: usize = 1000;

/// The result for a due quote.
enum DeleteOutcome {
    Deleted,
    /// The quote has more parts, which the next transaction deletes.
    Partial,
    /// The quote stays, because it was sold or has a payment that may have taken money. Failed payments don't
    /// count. Unresolved payments that were refunded at the gateway don't count either.
    Retained,
}

/// Deletes quotes, partners' requests and click-through addresses whose retention by the settings
/// `[retention]` is over. Also deletes expired look-ups and letters that were set aside, whose retention is fixed.
pub(super) async fn apply_retention(
    store: &Store,
    clock: &Clock,
    config: &Config,
    today: NaiveDate,
) -> Result<(), AppError> {
    let retention = &config.retention;
    let saved = dates::add_days(today, -i64::from(retention.unclaimed_days));
    delete_quotes(store, clock, saved).await?;
    let made = clock.now() - Duration::days(i64::from(retention.partner_days));
    delete_requests(store, made).await?;
    delete_clicks(store, made).await?;
    delete_lookups(store, clock).await?;
    let now = clock.now();
    while store
        .write(move |tx| forget_old_letters(tx, now, BATCH_SIZE))
        .await?
    {}
    Ok(())
}

/// Deletes anonymous quotes early if the disk has less than twice `server.min_free_disk` of free space.
///
/// # Errors
/// If the store fails. The next call deletes the rest.
pub async fn delete_anonymous_quotes(app: &App) -> Result<(), AppError> {
    if !app.disk_space.is_low() {
        return Ok(());
    }
    let work = Box::pin(delete_anonymous_until_kept(
        &app.store,
        &app.clock,
        &app.config,
    ));
    with_lease(app, EARLY_DELETION, work).await
}

async fn delete_anonymous_until_kept(
    store: &Store,
    clock: &Clock,
    config: &Config,
) -> Result<(), AppError> {
    let days = i64::from(config.retention.unclaimed_days_low_disk);
    let before = dates::add_days(clock.today(), -days);
    let index = &tables::QUOTE_BY_SAVED;
    let oldest = store
        .read(|tx| index.list_readable(tx, &(), Direction::Forward, 1))
        .await?;
    let Some(((oldest, _), ())) = oldest.first() else {
        return Ok(());
    };
    for day in oldest.iter_days().take_while(|day| *day < before) {
        let saved = store
            .read(|tx| index.list_readable(tx, &day, Direction::Forward, usize::MAX))
            .await?;
        for batch in saved.chunks(BATCH_SIZE) {
            loop {
                match delete_anonymous(store, clock, batch).await {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error @ AppError::StoreClosed(_)) => return Err(error),
                    // An error prevents the deletion of the rest of this batch, but of no other batch.
                    Err(error) => {
                        tracing::error!(error = error.log_text(), %day, "old quotes can't be deleted");
                        break;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Deletes the anonymous quotes of a batch. Returns true if a quote has parts left.
async fn delete_anonymous(
    store: &Store,
    clock: &Clock,
    batch: &[((NaiveDate, Uuid), ())],
) -> Result<bool, AppError> {
    let (batch, now) = (batch.to_vec(), clock.now());
    store
        .write(move |tx| {
            let mut parts = PARTS_AT_ONCE;
            for (key, ()) in &batch {
                let quote = tables::QUOTES.get_readable(tx, &key.1)?;
                if quote.is_some_and(|quote| quote.is_anonymous())
                    && matches!(
                        delete_quote(tx, key, &mut parts, now)?,
                        DeleteOutcome::Partial
                    )
                {
                    return Ok(true);
                }
            }
            Ok::<_, AppError>(false)
        })
        .await
}

/// Deletes expired look-ups.
async fn delete_lookups(store: &Store, clock: &Clock) -> Result<(), AppError> {
    let now = clock.now();
    write_due(
        store,
        &tables::LOOKUPS,
        |_, looked_up| looked_up.is_over(now),
        each(|tx, id, ()| Ok(tables::LOOKUPS.delete(tx, id)?)),
    )
    .await
}

/// Deletes quotes that are subject to retention and were last saved before the day `before`.
async fn delete_quotes(store: &Store, clock: &Clock, before: NaiveDate) -> Result<(), AppError> {
    let now = clock.now();
    write_due(
        store,
        &tables::QUOTE_BY_SAVED,
        |(saved, _), ()| *saved < before,
        move |tx, due| {
            let (mut parts, mut stay) = (PARTS_AT_ONCE, Vec::new());
            for (key, ()) in due {
                match delete_quote(tx, key, &mut parts, now)? {
                    DeleteOutcome::Deleted => {}
                    DeleteOutcome::Partial => break,
                    DeleteOutcome::Retained => stay.push(*key),
                }
            }
            Ok(stay)
        },
    )
    .await
}

/// Deletes partners' requests whose quotes were created before the time `before`.
async fn delete_requests(store: &Store, before: DateTime<Utc>) -> Result<(), AppError> {
    write_due(
        store,
        &tables::PARTNER_REQUEST_BY_QUOTE,
        |quote, _| creation_time(*quote) < before,
        each(|tx, quote, ()| Ok(delete_request(tx, *quote)?)),
    )
    .await
}

/// Deletes the click-through addresses of quotes that were created before the time `before`.
async fn delete_clicks(store: &Store, before: DateTime<Utc>) -> Result<(), AppError> {
    write_due(
        store,
        &tables::CLICK_BY_QUOTE,
        |(quote, _), ()| creation_time(*quote) < before,
        each(|tx, key, ()| Ok(delete_click(tx, key)?)),
    )
    .await
}

fn delete_request(tx: &mut WriteTx<'_>, quote: Uuid) -> Result<(), StoreError> {
    let index = &tables::PARTNER_REQUEST_BY_QUOTE;
    if let Some(key) = index.get(tx, &quote)? {
        tables::PARTNER_REQUESTS.delete(tx, &key)?;
        index.remove_stray(tx, &quote);
    }
    Ok(())
}

fn delete_click(tx: &mut WriteTx<'_>, key: &(Uuid, [u8; 32])) -> Result<(), StoreError> {
    tables::CLICKS.delete(tx, &key.1)?;
    tables::CLICK_BY_QUOTE.remove_stray(tx, key);
    Ok(())
}

/// Returns when a quote was created, from the time in its id.
fn creation_time(quote: Uuid) -> DateTime<Utc> {
    let (seconds, _) = quote.get_timestamp().map_or((0, 0), |time| time.to_unix());
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

/// Deletes at most `parts` older revisions and click-through addresses of the quote at `key`. Subtracts their
/// number from `parts`. Then deletes the quote itself if `parts` is not zero. Deletes nothing if the quote is
/// retained.
fn delete_quote(
    tx: &mut WriteTx<'_>,
    key: &(NaiveDate, Uuid),
    parts: &mut usize,
    now: DateTime<Utc>,
) -> Result<DeleteOutcome, AppError> {
    let uuid = key.1;
    let quote = tables::QUOTES.get(tx, &uuid)?;
    let is_due = |quote: &Quote| quote.is_deleted_in_time() && quote.saved_on() == key.0;
    let Some(quote) = quote.filter(is_due) else {
        // A save, a purchase or a claim has already removed the index row. So this call removes only a stray
        // row.
        tables::QUOTE_BY_SAVED.remove_stray(tx, key);
        return Ok(DeleteOutcome::Deleted);
    };
    let attempts = attempts(tx, uuid)?;
    let is_free =
        |attempt: &Payment| attempt.status == PaymentStatus::Failed || attempt.is_given_back();
    // The index also has policies without an owner that were not taken up.
    let was_sold = tables::POLICIES.has(tx, &uuid)?;
    if was_sold || !attempts.iter().all(is_free) {
        return Ok(DeleteOutcome::Retained);
    }
    let revisions = tables::REVISIONS.list(tx, &uuid, Direction::Forward, *parts)?;
    *parts -= revisions.len();
    for (revision, _) in &revisions {
        tables::REVISIONS.delete(tx, revision)?;
    }
    let clicks = tables::CLICK_BY_QUOTE.list(tx, &uuid, Direction::Forward, *parts)?;
    *parts -= clicks.len();
    for (click, ()) in &clicks {
        delete_click(tx, click)?;
    }
    if *parts == 0 {
        return Ok(DeleteOutcome::Partial);
    }
    for attempt in &attempts {
        tables::PAYMENTS.delete(tx, &attempt.id)?;
        tables::SANDBOX.delete(tx, &attempt.id)?;
    }
    let documents = tables::DOCUMENT_BY_POLICY.list(tx, &uuid, Direction::Forward, usize::MAX)?;
    for ((_, id), ()) in documents {
        delete_document(tx, &id)?;
    }
    delete_request(tx, uuid)?;
    tables::QUOTES.delete(tx, &quote.uuid)?;
    match &quote.mailbox {
        Some(name) if quote.owner.is_none() => forget_unconfirmed(tx, name, now)?,
        _ => {}
    }
    Ok(DeleteOutcome::Deleted)
}
