//! Limits the number of payment pages: somebody who tests stolen cards needs many.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::app::limits::{self, Limit, too_many};
use crate::app::{App, AppError, ClientAddress};
use crate::config::Config;
use crate::domain::payment::{FailureClass, Payment};

/// Returns the number of pages that one quote may have in an hour. 0 means no limit.
pub(in crate::app::payments) fn max_pages_per_hour(config: &Config) -> usize {
    usize::try_from(config.limits.payment_pages_per_hour).unwrap_or(usize::MAX)
}

/// Counts an attempt's page before it is created. The same attempt is not counted again.
///
/// # Errors
/// [`AppError::TooMany`] if the mailbox or the client had too many pages this hour. The same error
/// if too many of the client's payments were declined or abandoned.
pub(in crate::app::payments) async fn count_page(
    app: &App,
    attempt: Uuid,
    mailbox: Option<&str>,
    from: &ClientAddress,
) -> Result<(), AppError> {
    if limits::page_client(&app.store, &app.counts, attempt)
        .await?
        .is_some()
    {
        return Ok(());
    }
    let client = from.network();
    limits::require_no_wait(
        &app.store,
        &app.clock,
        &app.counts,
        Limit::FailedPayments,
        &client,
    )
    .await?;
    let mailbox = mailbox.map(|mailbox| (Limit::MailboxPages, mailbox));
    let pages = [Some((Limit::ClientPages, client.as_str())), mailbox];
    limits::count_limits(app, &pages.into_iter().flatten().collect::<Vec<_>>()).await?;
    limits::record_page(&app.store, &app.clock, &app.counts, attempt, client).await
}

/// Counts a failed attempt against the client that had its page created.
///
/// # Errors
/// If several nodes share the store, and the store fails.
pub(in crate::app::payments) async fn count_failed(
    app: &App,
    attempt: Uuid,
    class: FailureClass,
) -> Result<(), AppError> {
    let Some(client) = limits::page_client(&app.store, &app.counts, attempt).await? else {
        return Ok(());
    };
    if class != FailureClass::Unknown {
        match limits::count_limits(app, &[(Limit::FailedPayments, &client)]).await {
            // A failure during the client's wait does not extend the wait.
            Ok(()) | Err(AppError::TooMany { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    limits::forget_page(&app.store, &app.counts, attempt).await
}

/// Checks that a quote may have another attempt this hour. It counts the stored `attempts`, which
/// must be sorted oldest first. `most` is the limit, and 0 means no limit.
///
/// # Errors
/// [`AppError::TooMany`] if the quote has reached the limit.
pub(in crate::app::payments) fn ensure_page_quota(
    attempts: &[Payment],
    max_pages: usize,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let hour = TimeDelta::hours(1);
    let on_pages = attempts.iter().filter(|one| one.stored_card.is_none());
    // An attempt far in the future was created under a wrong clock.
    let recent = on_pages.filter(|one| (now - one.created).abs() < hour);
    let made: Vec<_> = recent.map(|attempt| attempt.created).collect();
    let full = made.len().checked_sub(max_pages).filter(|_| max_pages > 0);
    match full.and_then(|full| made.get(full)) {
        Some(started) => Err(too_many(*started + hour - now)),
        None => Ok(()),
    }
}
