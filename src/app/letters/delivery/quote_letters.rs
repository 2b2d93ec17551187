//! Queues and limits letters about quotes. At most one letter waits for each mailbox. Limits apply
//! to each client, each mailbox and all clients together. `letters/quote.rs` writes and sends a
//! letter.

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use crate::app::jobs::queue::enqueue;
use crate::app::limits::{self, ALL, ClientAddress, Limit};
use crate::app::{App, AppError};
use crate::domain::uk::email;
use crate::store::WriteTx;
use crate::store::tables::{self, QuoteMails, RefusedAddress, SentAt, Task, WaitingLetter};

/// The maximum number of letters about quotes to one mailbox within 24 hours.
const A_DAY: usize = 3;

/// Days without letters about quotes to an address that refused mail.
const REFUSED_FOR: i64 = 30;

/// Counts a letter that `client` causes about a quote.
///
/// # Errors
/// [`AppError::TooMany`] if the client, or all clients together, caused too many within an hour.
pub(in crate::app) async fn count_quote_letter(
    app: &App,
    client: &ClientAddress,
) -> Result<(), AppError> {
    let client = client.network();
    limits::count_limits(
        app,
        &[
            (Limit::QuoteLetters, client.as_str()),
            (Limit::TotalQuoteLetters, ALL),
        ],
    )
    .await
}

/// Queues a letter about `quote` for the mailbox of the address `name`. The letter replaces a
/// waiting letter. The job of the replaced letter then sends the new letter. A letter that the
/// customer requested also gets a job that is due at `due`.
pub(in crate::app) fn queue(
    tx: &mut WriteTx<'_>,
    name: &str,
    (quote, is_asked): (Uuid, bool),
    (now, due): (DateTime<Utc>, DateTime<Utc>),
    job: Uuid,
) -> Result<(), AppError> {
    let mailbox = email::mailbox(name);
    let mut mails = tables::QUOTE_MAILS.get(tx, &mailbox)?.unwrap_or_default();
    let waiting = WaitingLetter { quote, since: now };
    let is_first = mails.waiting.replace(waiting).is_none();
    tables::QUOTE_MAILS.put(tx, &mailbox, &mails)?;
    // A job that finds no waiting letter does nothing.
    if is_first || is_asked {
        enqueue(tx, Task::MailQuote { mailbox }, due, job)?;
    }
    Ok(())
}

/// Returns whether the mailbox has received [`A_DAY`] letters within the last 24 hours.
pub(in crate::app::letters) fn is_over_quota(mails: &QuoteMails, now: DateTime<Utc>) -> bool {
    let today = mails
        .sent
        .iter()
        .filter(|sent| is_within_a_day(sent.0, now));
    today.count() >= A_DAY
}

/// Stores the time of a sent letter.
pub(in crate::app::letters) fn record_sent(
    tx: &mut WriteTx<'_>,
    mailbox: &String,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let mut mails = tables::QUOTE_MAILS.get(tx, mailbox)?.unwrap_or_default();
    mails.sent.retain(|sent| is_within_a_day(sent.0, now));
    mails.sent.push(SentAt(now));
    Ok(tables::QUOTE_MAILS.put(tx, mailbox, &mails)?)
}

/// Removes the waiting letter about `quote`, which was sent or will never be sent. Returns whether
/// no letter waits now. A letter about another quote may have replaced this letter, and still
/// waits.
pub(in crate::app::letters) fn remove_waiting(
    tx: &mut WriteTx<'_>,
    mailbox: &String,
    quote: Uuid,
) -> Result<bool, AppError> {
    let Some(mut mails) = tables::QUOTE_MAILS.get(tx, mailbox)? else {
        return Ok(true);
    };
    if mails.waiting.as_ref().is_some_and(|own| own.quote == quote) {
        mails.waiting = None;
        tables::QUOTE_MAILS.put(tx, mailbox, &mails)?;
    }
    Ok(mails.waiting.is_none())
}

/// Removes the waiting letter of a mailbox, unless the letter was requested after `newest`. Such a
/// letter may be newer than the letter that failed. Returns whether no letter waits now, and the
/// quote of the removed letter.
pub(in crate::app) fn drop_older(
    tx: &mut WriteTx<'_>,
    mailbox: &String,
    newest: DateTime<Utc>,
) -> Result<(bool, Option<Uuid>), AppError> {
    let mails = tables::QUOTE_MAILS.get(tx, mailbox)?;
    match mails.and_then(|mails| mails.waiting) {
        Some(waiting) if newest < waiting.since => Ok((false, None)),
        Some(waiting) => {
            let is_all = remove_waiting(tx, mailbox, waiting.quote)?;
            Ok((is_all, Some(waiting.quote)))
        }
        None => Ok((true, None)),
    }
}

pub(in crate::app) fn drop_waiting(tx: &mut WriteTx<'_>, mailbox: &String) -> Result<(), AppError> {
    if let Some(mut mails) = tables::QUOTE_MAILS.get_readable(tx, mailbox)? {
        mails.waiting = None;
        tables::QUOTE_MAILS.put(tx, mailbox, &mails)?;
    }
    Ok(())
}

/// Deletes the rows about letters to the address `name` and to its mailbox. The caller has checked
/// that no quote or policy waits for the address. Keeps the mailbox's row if a letter waits or
/// counts towards the daily limit. Keeps a refusal of mail that is younger than [`REFUSED_FOR`]
/// days.
pub(in crate::app) fn forget(
    tx: &mut WriteTx<'_>,
    name: &String,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let mailbox = email::mailbox(name);
    if let Some(mails) = tables::QUOTE_MAILS.get(tx, &mailbox)?
        && mails.waiting.is_none()
        && !mails.sent.iter().any(|sent| is_within_a_day(sent.0, now))
    {
        tables::QUOTE_MAILS.delete(tx, &mailbox)?;
    }
    let refused = tables::REFUSED_ADDRESSES.get(tx, name)?;
    if refused.is_some_and(|refused| !is_opted_out(&refused, now)) {
        tables::REFUSED_ADDRESSES.delete(tx, name)?;
    }
    Ok(())
}

/// Returns whether an address gets no letters about quotes because it refused mail within
/// [`REFUSED_FOR`] days.
pub(in crate::app::letters) fn is_opted_out(refused: &RefusedAddress, now: DateTime<Utc>) -> bool {
    now < refused.at + Duration::days(REFUSED_FOR)
}

fn is_within_a_day(time: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now < time + Duration::days(1)
}
