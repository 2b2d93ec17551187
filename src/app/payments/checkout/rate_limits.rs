//! How many payment pages may be made: whoever tries stolen cards wants many.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::app::limits::{self, Limit, too_many};
use crate::app::{App, AppError, ClientAddress};
use crate::config::Config;
use crate::domain::payment::{FailureClass, Payment};

/// Pages that one quote may have in an hour; 0 is any number.
pub(in crate::app::payments) fn max_pages_per_hour(config: &Config) -> usize {
    usize::try_from(config.limits.payment_pages_per_hour).unwrap_or(usize::MAX)
}

/// Counts the page of an attempt before it is made. The same attempt again isn't counted again.
///
/// # Errors
/// [`AppError::TooMany`] where its mailbox had too many this hour, or its caller too many, or too
/// many that were declined or abandoned.
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
    limits::note_page(&app.store, &app.clock, &app.counts, attempt, client).await
}

/// Counts an attempt that failed, by whoever had its page made.
///
/// # Errors
/// When several shops serve the store, and it fails.
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
            // One that comes while its client has to wait anyway doesn't make the wait longer.
            Ok(()) | Err(AppError::TooMany { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    limits::forget_page(&app.store, &app.counts, attempt).await
}

/// Refuses one more attempt for a quote that has as many of this hour as it may; 0 is any number. The
/// stored attempts are counted, oldest first.
///
/// # Errors
/// [`AppError::TooMany`].
pub(in crate::app::payments) fn ensure_page_quota(
    attempts: &[Payment],
    max_pages: usize,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let hour = TimeDelta::hours(1);
    let on_pages = attempts.iter().filter(|one| one.stored_card.is_none());
    // One far in the future was made by a wrong clock.
    let recent = on_pages.filter(|one| (now - one.created).abs() < hour);
    let made: Vec<_> = recent.map(|attempt| attempt.created).collect();
    let full = made.len().checked_sub(max_pages).filter(|_| max_pages > 0);
    match full.and_then(|full| made.get(full)) {
        Some(started) => Err(too_many(*started + hour - now)),
        None => Ok(()),
    }
}
