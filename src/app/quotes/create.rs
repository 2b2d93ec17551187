//! Creates quotes.

use chrono::Duration;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::idempotency::{self, IdempotencyKey, Once};
use crate::app::policies::cover::live_cover::already_covered;
use crate::app::quotes::ownership::limit_letter;
use crate::app::quotes::save::{SaveOutcome, count_save, count_total_save, new_quote, save};
use crate::app::quotes::underwrite::{Submission, underwrite};
use crate::app::{App, AppError, Caller, ClientAddress, access, lookups, new_id};
use crate::clock::Clock;
use crate::domain::time::dates;
use crate::secret::Secret;
use crate::store::{Store, WriteTx, tables};

#[derive(Clone, Debug)]
pub struct Created {
    pub uuid: Uuid,
    /// The number that the customer sees.
    pub reference: String,
    /// The token with which the visitor reads and changes the quote.
    pub consumer_token: Secret,
    pub outcome: SaveOutcome,
}

/// The stored result of a create with an `Idempotency-Key`.
#[derive(Serialize, Deserialize)]
struct Remembered {
    uuid: Uuid,
    reference: String,
    outcome: SaveOutcome,
    /// The client's network, if the caller had no valid log-in and no token.
    #[serde(default)]
    client: Option<String>,
}

/// Hours after the creation of a quote in which a repeated create by an unknown caller gets a new token.
/// Later, another person may use the same network.
const ANSWERED_AGAIN_HOURS: i64 = 1;

/// Saves a new quote and returns the visitor's token for the quote.
///
/// # Errors
/// [`AppError::Invalid`] with every wrong field. [`AppError::NotFound`] for an unknown product.
/// [`AppError::TooMany`] above a rate limit. A conflict if the key was used for another request. Also a
/// conflict if an unknown caller repeats the request from another network, or after an hour.
/// [`AppError::NotFound`] for a repeated request if the quote's owner has changed.
/// [`AppError::InsufficientStorage`] while the disk is short of space.
pub async fn create_quote(
    app: &App,
    caller: &Caller,
    from: &ClientAddress,
    mut submission: Submission,
    key: Option<IdempotencyKey>,
) -> Result<Created, AppError> {
    count_save(app, caller, from)?;
    let now = app.clock.now();
    let (owner, creator) = (caller.user(), caller.clone());
    let client = caller.is_unknown().then(|| from.network());
    let called_from = client.clone();
    let uuid = new_id(now);
    let (token, token_hash) = access::new_quote_token(uuid)?;
    // The future is boxed, because Rust copies a large future several times.
    let prepare = Box::pin(async {
        app.disk_space.ensure()?;
        let lookups =
            lookups::load_lookups_of_quote(&app.store, &app.products, &mut submission, now).await?;
        let mut assessed = Box::new(underwrite(&app.config, &app.products, submission, now)?);
        count_total_save(app, &creator, 0)?;
        assessed.lookups = lookups;
        assessed.shown_to = creator.reader_keys();
        assessed.shown_to.push(token_hash.clone());
        if owner.is_none() {
            limit_letter(app, from, &mut assessed, None).await?;
        }
        let product = app
            .products
            .find(&assessed.product, dates::london_date(now))?;
        let prefix = product.product.reference_prefix().to_string();
        Ok(move |tx: &mut WriteTx<'_>| {
            // This read comes before the read of the counter, so that a database gets both reads in one
            // round trip.
            let covered = already_covered(tx, &creator, &assessed.registrations, None, now);
            let mut quote = new_quote(tx, uuid, owner, &prefix, &assessed, now)?;
            quote.give_token(token_hash.clone());
            let mut outcome = save(tx, &mut quote, &assessed, now)?;
            if quote.status.can_continue() {
                outcome.notices = covered?;
            }
            Ok(Remembered {
                uuid,
                reference: quote.reference,
                outcome,
                client: client.clone(),
            })
        })
    });
    match idempotency::once(&app.store, key, now, prepare).await? {
        Once::First(made) => Ok(made.with(token)),
        Once::Repeated(first) => {
            repeat_answer(&app.store, &app.clock, caller, called_from, first).await
        }
    }
}

/// Returns the first answer with a new token. `client` is the network of an unknown caller. Other people may
/// read the key in a log or guess the key. So an unknown caller gets a token only in the first hour, from the
/// same network as the first call.
///
/// # Errors
/// [`AppError::NotFound`] if the quote's owner has changed. A conflict for an unknown caller from another
/// network or after the first hour.
async fn repeat_answer(
    store: &Store,
    clock: &Clock,
    caller: &Caller,
    client: Option<String>,
    first: Remembered,
) -> Result<Created, AppError> {
    let (uuid, revision) = (first.uuid, first.outcome.revision);
    let now = clock.now();
    let (unknown, same) = (client.is_some(), client == first.client);
    let user = caller.user();
    let (token, hash) = access::new_quote_token(uuid)?;
    store
        .write(move |tx| {
            let quote = tables::QUOTES.get(tx, &uuid)?;
            let mut quote = quote
                .filter(|quote| quote.owner == user)
                .ok_or(AppError::NotFound)?;
            let late = quote.created + Duration::hours(ANSWERED_AGAIN_HOURS) <= now;
            if unknown && (late || !same) {
                return Err(AppError::conflict(
                    "idempotency_key_reused",
                    "This Idempotency-Key came before from elsewhere, or more than an hour ago.",
                ));
            }
            quote.give_token(hash.clone());
            if quote.current.number == revision {
                quote.note_shown(&hash);
            }
            tables::QUOTES.put(tx, &quote.uuid, &quote)?;
            Ok::<_, AppError>(())
        })
        .await?;
    Ok(first.with(token))
}

impl Remembered {
    fn with(self, consumer_token: Secret) -> Created {
        Created {
            uuid: self.uuid,
            reference: self.reference,
            consumer_token,
            outcome: self.outcome,
        }
    }
}
