//! Limits the number of payment pages: somebody who tests stolen cards needs many pages.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::limits::{self, Limit};
use crate::config::LimitSettings;
use crate::domain::payment::{FailureClass, Payment};
use crate::store::{WriteTx, tables};

/// Counts the page of a new attempt, in the write that stores the attempt.
///
/// # Errors
/// [`AppError::TooMany`] if the quote, the change or the account had too many pages in an hour. The same
/// error if the client must wait after too many pages, or after too many failed payments.
pub(in crate::app::payments) fn count_page(
    tx: &mut WriteTx<'_>,
    set: &LimitSettings,
    attempt: &Payment,
    client: String,
) -> Result<(), AppError> {
    let now = attempt.created;
    limits::require_no_wait(tx, Limit::FailedPayments, &client, now)?;
    let target = attempt
        .purpose
        .change()
        .unwrap_or(attempt.quote)
        .to_string();
    let quote = tables::QUOTES.get(tx, &attempt.quote)?;
    let mut pages = vec![
        (Limit::TargetPages, target),
        (Limit::ClientPages, client.clone()),
    ];
    // An address that a visitor types proves nothing. Anybody could use up the pages of its holder.
    let owner = quote.and_then(|quote| quote.owner);
    pages.extend(owner.map(|user| (Limit::AccountPages, user.to_string())));
    limits::count_rows(tx, set, &pages, now)?;
    Ok(limits::put_page_client(tx, attempt.id, client, now)?)
}

/// Counts a failed attempt for the client that requested the attempt's page, in the write that stores
/// the failure. Counts an attempt once, and counts no failure of unknown class.
///
/// # Errors
/// If the store fails.
pub(in crate::app::payments) fn count_failed(
    tx: &mut WriteTx<'_>,
    set: &LimitSettings,
    attempt: Uuid,
    class: FailureClass,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let client = limits::take_page_client(tx, attempt)?;
    let Some(client) = client.filter(|_| class != FailureClass::Unknown) else {
        return Ok(());
    };
    match limits::count_rows(tx, set, &[(Limit::FailedPayments, client)], now) {
        // A failure during the client's wait does not extend the wait.
        Err(AppError::TooMany { .. }) => Ok(()),
        counted => counted,
    }
}
