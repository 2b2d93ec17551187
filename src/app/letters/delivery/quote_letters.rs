//! Which letters about quotes there are: at most one waits for each mailbox, and each client, each
//! mailbox and all together have so many. What one says, and how it is sent, is in `mail/quote.rs`.

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use crate::app::jobs::queue::enqueue;
use crate::app::limits::{self, ALL, ClientAddress, Limit};
use crate::app::{App, AppError};
use crate::domain::uk::email;
use crate::store::WriteTx;
use crate::store::tables::{self, QuoteMails, RefusedAddress, SentAt, Task, WaitingLetter};

/// Letters about quotes to one mailbox within a day.
const A_DAY: usize = 3;

/// Days without letters about quotes to an address that refused its mail.
const REFUSED_FOR: i64 = 30;

/// Counts a letter about a quote that `client` causes.
///
/// # Errors
/// [`AppError::TooMany`] when the client, or all together, have caused too many in an hour.
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

/// Has a letter about `quote` wait for its mailbox, whose address is `name`, in place of one that waits
/// already; it is sent when that one would have been. One that was asked for is sent at `due` at the
/// latest.
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
    // Work that finds no letter waiting does nothing.
    if is_first || is_asked {
        enqueue(tx, Task::MailQuote { mailbox }, due, job)?;
    }
    Ok(())
}

/// Whether the mailbox has had as many letters as there may be in a day.
pub(in crate::app::letters) fn is_over_quota(mails: &QuoteMails, now: DateTime<Utc>) -> bool {
    let today = mails
        .sent
        .iter()
        .filter(|sent| is_within_a_day(sent.0, now));
    today.count() >= A_DAY
}

/// Notes that the letter about `quote` was sent.
pub(in crate::app::letters) fn note_sent(
    tx: &mut WriteTx<'_>,
    mailbox: &String,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let mut mails = tables::QUOTE_MAILS.get(tx, mailbox)?.unwrap_or_default();
    mails.sent.retain(|sent| is_within_a_day(sent.0, now));
    mails.sent.push(SentAt(now));
    Ok(tables::QUOTE_MAILS.put(tx, mailbox, &mails)?)
}

/// Notes that the letter about `quote` waits no more: it was sent, or will never be. Answers whether
/// nothing waits now: another may have taken its place.
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

/// Gives up the letter that waits for a mailbox, unless it hasn't waited for a day yet: it may have
/// taken the place of one that did. Answers whether nothing waits now, and the quote that it was about.
pub(in crate::app::letters) fn drop_expired(
    tx: &mut WriteTx<'_>,
    mailbox: &String,
    now: DateTime<Utc>,
) -> Result<(bool, Option<Uuid>), AppError> {
    let mails = tables::QUOTE_MAILS.get(tx, mailbox)?;
    match mails.and_then(|mails| mails.waiting) {
        Some(waiting) if is_within_a_day(waiting.since, now) => Ok((false, None)),
        Some(waiting) => {
            let is_all = remove_waiting(tx, mailbox, waiting.quote)?;
            Ok((is_all, Some(waiting.quote)))
        }
        None => Ok((true, None)),
    }
}

/// Has no letter wait for a mailbox.
pub(in crate::app::letters) fn drop_waiting(
    tx: &mut WriteTx<'_>,
    mailbox: &String,
) -> Result<(), AppError> {
    if let Some(mut mails) = tables::QUOTE_MAILS.get(tx, mailbox)? {
        mails.waiting = None;
        tables::QUOTE_MAILS.put(tx, mailbox, &mails)?;
    }
    Ok(())
}

/// Removes what is kept of a mailbox, given by an address of it, to which no quote belongs any more: the
/// letters that still count today are kept.
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

/// Whether an address gets no letters about quotes because it refused its mail.
pub(in crate::app::letters) fn is_opted_out(refused: &RefusedAddress, now: DateTime<Utc>) -> bool {
    now < refused.at + Duration::days(REFUSED_FOR)
}

fn is_within_a_day(time: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now < time + Duration::days(1)
}
