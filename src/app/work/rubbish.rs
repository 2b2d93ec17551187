//! Deleting what belongs to nobody: quotes that no account has taken over, drafts, and what partners sent.
//! Each part goes with everything that hangs on it, a bounded number of rows in a transaction.

use std::collections::HashSet;
use std::ops::ControlFlow;

use chrono::{DateTime, Duration, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::accounts::forget_unconfirmed;
use crate::app::mail::outbox;
use crate::app::payments::attempts;
use crate::app::{App, AppError, rows};
use crate::domain::dates;
use crate::domain::payment::PaymentStatus;
use crate::domain::quote::Quote;
use crate::store::{Direction, WriteTx, tables};

/// Quotes, requests or addresses looked at in one transaction.
const AT_ONCE: usize = 100;
/// Older revisions and addresses of quotes removed in one transaction.
const PARTS_AT_ONCE: usize = 1000;

/// What became of a quote that was due.
enum Fate {
    /// It is deleted.
    Deleted,
    /// It has so many parts that the next transaction goes on.
    Begun,
    /// It stays: money was paid for it, or may still be.
    Kept,
}

impl App {
    /// Deletes what is due by `[retention]`.
    pub(super) async fn delete_rubbish(&self, today: NaiveDate) -> Result<(), AppError> {
        let retention = &self.config.retention;
        let saved = dates::add_days(today, -i64::from(retention.unclaimed_days));
        let mut kept = HashSet::new();
        while self.delete_quotes(saved, &mut kept).await? {}
        let made = self.clock.now() - Duration::days(i64::from(retention.partner_days));
        while self.delete_requests(made).await? {}
        while self.delete_clicks(made).await? {}
        while self.delete_lookups().await? {}
        let now = self.clock.now();
        while self
            .store
            .write(move |tx| outbox::forget_old(tx, now, AT_ONCE))
            .await?
        {}
        Ok(())
    }

    /// Deletes look-ups whose time is over; true when there may be more.
    async fn delete_lookups(&self) -> Result<bool, AppError> {
        let now = self.clock.now();
        let mut due = self
            .store
            .read(|tx| tables::LOOKUPS.list(tx, &(), Direction::Forward, AT_ONCE))
            .await?;
        due.retain(|(_, looked_up)| rows::lookups::is_over(looked_up, now));
        let more = due.len() == AT_ONCE;
        self.store
            .write(move |tx| {
                for (id, _) in &due {
                    rows::lookups::delete(tx, *id);
                }
                Ok::<_, AppError>(())
            })
            .await?;
        Ok(more)
    }

    /// Deletes quotes that were last saved before a day; true when there may be more.
    async fn delete_quotes(
        &self,
        before: NaiveDate,
        kept: &mut HashSet<Uuid>,
    ) -> Result<bool, AppError> {
        let now = self.clock.now();
        let mut due = Vec::new();
        self.store
            .read(|tx| {
                tables::QUOTE_BY_SAVED.scan(tx, &(), Direction::Forward, |key, ()| {
                    if before <= key.0 || due.len() == AT_ONCE {
                        return ControlFlow::Break(());
                    }
                    if !kept.contains(&key.1) {
                        due.push(key);
                    }
                    ControlFlow::Continue(())
                })
            })
            .await?;
        if due.is_empty() {
            return Ok(false);
        }
        let stay = self
            .store
            .write(move |tx| {
                let (mut parts, mut stay) = (PARTS_AT_ONCE, Vec::new());
                for key in &due {
                    match delete_quote(tx, key, &mut parts, now)? {
                        Fate::Deleted => {}
                        Fate::Begun => break,
                        Fate::Kept => stay.push(key.1),
                    }
                }
                Ok::<_, AppError>(stay)
            })
            .await?;
        kept.extend(stay);
        Ok(true)
    }

    /// Deletes partners' requests of quotes that were made before a moment; true when there may be more.
    async fn delete_requests(&self, before: DateTime<Utc>) -> Result<bool, AppError> {
        let index = &tables::PARTNER_REQUEST_BY_QUOTE;
        let mut due = self
            .store
            .read(|tx| index.list(tx, &(), Direction::Forward, AT_ONCE))
            .await?;
        due.retain(|(quote, _)| made(*quote) < before);
        let more = due.len() == AT_ONCE;
        self.store
            .write(move |tx| {
                for (quote, _) in &due {
                    rows::partners::delete_request_of(tx, *quote)?;
                }
                Ok::<_, AppError>(())
            })
            .await?;
        Ok(more)
    }

    /// Deletes the addresses of quotes that were made before a moment; true when there may be more.
    async fn delete_clicks(&self, before: DateTime<Utc>) -> Result<bool, AppError> {
        let index = &tables::CLICK_BY_QUOTE;
        let mut due = self
            .store
            .read(|tx| index.list(tx, &(), Direction::Forward, AT_ONCE))
            .await?;
        due.retain(|((quote, _), ())| made(*quote) < before);
        let more = due.len() == AT_ONCE;
        self.store
            .write(move |tx| {
                for (key, ()) in &due {
                    rows::partners::delete_click(tx, key);
                }
                Ok::<_, AppError>(())
            })
            .await?;
        Ok(more)
    }
}

/// When a quote was made, which its id tells.
fn made(quote: Uuid) -> DateTime<Utc> {
    let (seconds, _) = quote.get_timestamp().map_or((0, 0), |time| time.to_unix());
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

/// Deletes the quote at `key`, of which at most `parts` older revisions and addresses.
fn delete_quote(
    tx: &mut WriteTx<'_>,
    key: &(NaiveDate, Uuid),
    parts: &mut usize,
    now: DateTime<Utc>,
) -> Result<Fate, AppError> {
    let uuid = key.1;
    let quote = tables::QUOTES.get(tx, &uuid)?;
    let is_due = |quote: &Quote| quote.is_deleted_in_time() && quote.saved_on() == key.0;
    let Some(quote) = quote.filter(is_due) else {
        // It was saved, bought or taken over since the list was read: then the row is gone already.
        rows::quotes::remove_stale_saved(tx, key);
        return Ok(Fate::Deleted);
    };
    let attempts = attempts(tx, uuid)?;
    let is_free = |status: PaymentStatus| status == PaymentStatus::Failed;
    // One that was undone before it began stands beside quotes that were never bought.
    let was_sold = tables::POLICIES.has(tx, &uuid)?;
    if was_sold || !attempts.iter().all(|attempt| is_free(attempt.status)) {
        return Ok(Fate::Kept);
    }
    let revisions = tables::REVISIONS.list(tx, &uuid, Direction::Forward, *parts)?;
    *parts -= revisions.len();
    for (revision, _) in &revisions {
        rows::quotes::delete_revision(tx, revision);
    }
    let clicks = tables::CLICK_BY_QUOTE.list(tx, &uuid, Direction::Forward, *parts)?;
    *parts -= clicks.len();
    for (click, ()) in &clicks {
        rows::partners::delete_click(tx, click);
    }
    if *parts == 0 {
        return Ok(Fate::Begun);
    }
    for attempt in &attempts {
        rows::payments::delete(tx, attempt)?;
        rows::sandbox::delete(tx, attempt.id);
    }
    let documents = tables::DOCUMENT_BY_POLICY.list(tx, &uuid, Direction::Forward, usize::MAX)?;
    for ((_, id), ()) in documents {
        if let Some(document) = tables::DOCUMENTS.get(tx, &id)? {
            rows::documents::delete(tx, &document)?;
        }
    }
    rows::partners::delete_request_of(tx, uuid)?;
    rows::quotes::delete(tx, &quote)?;
    match &quote.mailbox {
        Some(name) if quote.owner.is_none() => forget_unconfirmed(tx, name, now)?,
        _ => {}
    }
    Ok(Fate::Deleted)
}
