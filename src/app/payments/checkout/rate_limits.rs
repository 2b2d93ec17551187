//! Limits the number of payment pages: somebody who tests stolen cards needs many pages.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::app::limits::{self, Limit, too_many};
use crate::app::{App, AppError, ClientAddress};
use crate::config::Config;
use crate::domain::payment::{FailureClass, Payment};

/// Returns the maximum number of pages for one quote or one change in an hour. 0 means no limit.
pub(in crate::app::payments) fn max_pages_per_hour(config: &Config) -> usize {
    usize::try_from(config.limits.payment_pages_per_hour).unwrap_or(usize::MAX)
}

/// Counts the page of an attempt before the page is created. Does not count the same attempt again.
///
/// # Errors
/// [`AppError::TooMany`] if the mailbox had too many pages in an hour. The same error if the client
/// must wait after too many pages, or after too many failed payments.
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

/// Counts a failed attempt for the client that requested the attempt's page. Does not count a
/// failure of unknown class.
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

/// Checks whether another attempt may start now. Counts the `attempts` of the last hour that charge
/// no stored card. `attempts` must be sorted oldest first. 0 for `max_pages` means no limit.
///
/// # Errors
/// [`AppError::TooMany`] if the last hour has `max_pages` or more of these attempts.
pub(in crate::app::payments) fn ensure_page_quota(
    attempts: &[Payment],
    max_pages: usize,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let hour = TimeDelta::hours(1);
    let on_pages = attempts.iter().filter(|one| one.stored_card.is_none());
    // An attempt far in the future was created under a wrong clock, so it does not count.
    let recent = on_pages.filter(|one| (now - one.created).abs() < hour);
    let made: Vec<_> = recent.map(|attempt| attempt.created).collect();
    let full = made.len().checked_sub(max_pages).filter(|_| max_pages > 0);
    match full.and_then(|full| made.get(full)) {
        Some(started) => Err(too_many(*started + hour - now)),
        None => Ok(()),
    }
}
