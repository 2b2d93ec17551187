//! A partner's click-through addresses. A quote may have several addresses, and only one of them opens the
//! quote, once.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::jobs::queue::enqueue;
use crate::app::letters::delivery::{self, quote_letters};
use crate::app::limits::{self, ClientAddress, Limit};
use crate::app::quotes::read::QuoteView;
use crate::app::{App, AppError, access, new_id, quotes};
use crate::domain::quote::Quote;
use crate::secret::{NoRandomness, Secret, hash_token};
use crate::store::WriteTx;
use crate::store::tables::{self, Click, Task};

/// Opens a partner's quote at the first click on any of its click-through addresses. Returns the quote, and a
/// new token for the quote. `user` is the logged-in user.
///
/// # Errors
/// [`AppError::NotFound`] for an unknown address, and for a claimed or expired quote. A conflict if the
/// address was used, or if the quote was opened, changed or bought.
pub async fn click_through(
    app: &App,
    click: &str,
    user: Option<Uuid>,
) -> Result<(QuoteView, Secret), AppError> {
    let now = app.clock.now();
    let hash = click_hash(click)?;
    let stored = app.store.read(|tx| tables::CLICKS.get(tx, &hash)).await?;
    let (token, token_hash) = access::new_quote_token(stored.ok_or(AppError::NotFound)?.quote)?;
    let quote = app
        .store
        .write(move |tx| {
            let mut click = tables::CLICKS.get(tx, &hash)?.ok_or(AppError::NotFound)?;
            let mut quote = open_quote(tx, click.quote, now)?;
            if click.used.is_some() || !is_unopened(&quote) {
                return Err(AppError::conflict(
                    "click_used",
                    "This link was used before. We can send you a new one by email.",
                ));
            }
            click.used = Some(now);
            tables::CLICKS.put(tx, &hash, &click)?;
            quote.give_token(token_hash.clone());
            quote.note_shown(&token_hash);
            tables::QUOTES.put(tx, &quote.uuid, &quote)?;
            Ok(quote)
        })
        .await?;
    let view = app
        .store
        .read(|tx| quotes::view(&app.clock, &app.config, &app.products, tx, quote, user))
        .await?;
    Ok((view, token))
}

/// Finds the quote of a click-through address, even if the address was used. Queues a letter to the quote's
/// mailbox with a link that opens the quote. After a sale, the link sets a password. Requests are throttled,
/// even for an unknown address.
///
/// # Errors
/// [`AppError::TooMany`] after too many requests. [`AppError::NotFound`] for an unknown address, and for a
/// claimed or expired quote. A refusal if the quote has no mail address.
pub async fn mail_click(app: &App, click: &str, client: &ClientAddress) -> Result<(), AppError> {
    let now = app.clock.now();
    limits::count_limits(app, &[(Limit::MailFrom, &client.network())]).await?;
    delivery::count_quote_letter(app, client).await?;
    let (hash, job) = (click_hash(click)?, new_id(now));
    app.store
        .write(move |tx| {
            let click = tables::CLICKS.get(tx, &hash)?.ok_or(AppError::NotFound)?;
            let quote = open_quote(tx, click.quote, now)?;
            let Some(name) = quote.mailbox.clone() else {
                return Err(AppError::rule(
                    "no_address",
                    "We have no email address for this quote. Please call us.",
                ));
            };
            if quote.status.is_policy() {
                return enqueue(tx, Task::MailPassword { name }, now, job);
            }
            let letter_key = (quote.uuid, true);
            quote_letters::queue(tx, &name, letter_key, (now, now), job)
        })
        .await
}

/// Returns the quote. Fails if the quote has an owner, or if its tokens have expired.
fn open_quote(tx: &WriteTx<'_>, uuid: Uuid, now: DateTime<Utc>) -> Result<Quote, AppError> {
    let quote = tables::QUOTES.get(tx, &uuid)?.ok_or(AppError::NotFound)?;
    if quote.owner.is_some() || !access::is_token_valid(tx, &quote, now)? {
        return Err(AppError::NotFound);
    }
    Ok(quote)
}

/// Returns whether nobody has opened, changed, claimed or bought a partner's quote.
pub(in crate::app) fn is_unopened(quote: &Quote) -> bool {
    // A click on a click-through address, or on a letter's link, creates a token.
    let untouched = quote.current.number == 1 && quote.tokens.is_empty();
    untouched && quote.owner.is_none() && !quote.status.may_be_policy()
}

pub(in crate::app) fn store_click(
    tx: &mut WriteTx<'_>,
    hash: [u8; 32],
    quote: Uuid,
    used: Option<DateTime<Utc>>,
) -> Result<(), AppError> {
    Ok(tables::CLICKS.put_new(tx, &hash, &Click { quote, used })?)
}

/// Returns a click-through id: 128 random bits, written as a uuid.
pub(in crate::app) fn new_click() -> Result<Uuid, AppError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(Uuid::from_bytes(bytes))
}

pub(in crate::app) fn click_hash(click: &str) -> Result<[u8; 32], AppError> {
    let click = Uuid::parse_str(click).map_err(|_| AppError::NotFound)?;
    Ok(hash_token(&click.to_string()))
}
