//! The ownership of quotes. A logged-in user owns a new quote at once. A quote of a visitor without a
//! log-in belongs to no account. The owner of the quote's mail address can claim the quote after setting a
//! password or confirming the address. The visitor can claim the quote after a log-in. A claim revokes all
//! earlier tokens and mailed links. A sale gives a quote without an owner to an account that has the quote's
//! mail address. A sale revokes no token.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::access::{self, Caller};
use crate::app::jobs::queue::enqueue;
use crate::app::letters::delivery::{self, quote_letters};
use crate::app::quotes::underwrite::Assessed;
use crate::app::{App, AppError, ClientAddress, new_id};
use crate::clock::Clock;
use crate::domain::account::{Profile, User};
use crate::domain::quote::{Quote, policyholder};
use crate::secret::Secret;
use crate::store::tables::{self, Task};
use crate::store::{Direction, Read, Store, WriteTx};

/// Maximum number of policies that a user claims in one write. A job claims the remaining policies, so that
/// one write stays short.
const TAKEN_AT_ONCE: usize = 100;

/// Maximum number of waiting quotes that the owner of a mailbox can see and claim. These are the newest
/// quotes.
pub(in crate::app) const CLAIMED_AT_MOST: usize = 20;

/// Gives the quote or policy of the caller's token to the logged-in user, who may have another mail
/// address. A quote of another account stays in that account.
///
/// # Errors
/// [`AppError::Unauthenticated`] for an anonymous caller and for invalid credentials.
/// [`AppError::NotFound`] for a token without a log-in, for a log-in without a valid token, and for somebody
/// else's quote.
pub async fn claim_own_quote(
    store: &Store,
    clock: &Clock,
    caller: &Caller,
    uuid: Uuid,
) -> Result<(), AppError> {
    let now = clock.now();
    let user = match caller {
        Caller::Visitor {
            user: Some(user), ..
        } => *user,
        Caller::Anonymous | Caller::InvalidCredentials => {
            return Err(AppError::Unauthenticated);
        }
        Caller::Visitor { .. } | Caller::User { .. } => return Err(AppError::NotFound),
    };
    let caller = caller.clone();
    store
        .write(move |tx| {
            // The caller is logged in, so a request to log in would not help. An invalid token gets the
            // error of somebody else's quote.
            let found = access::quote_of(tx, &caller, uuid, now);
            let mut quote = found.map_err(|error| match error {
                AppError::Unauthenticated => AppError::NotFound,
                other => other,
            })?;
            match quote.owner {
                Some(owner) if owner != user => Err(AppError::NotFound),
                // The user has claimed the quote already.
                Some(_) if !quote.is_owned_by_sale() => Ok(()),
                _ => {
                    if quote.is_shown_to(&caller.reader_keys()) {
                        quote.note_shown(&user.to_string());
                    }
                    quote.take_over(user);
                    Ok(tables::QUOTES.put(tx, &quote.uuid, &quote)?)
                }
            }
        })
        .await
}

/// Returns the quote that a mailed link resumes, and a new token for the quote.
///
/// # Errors
/// [`AppError::NotFound`] for an invalid or expired link.
pub async fn resume_quote(
    store: &Store,
    clock: &Clock,
    secret: &str,
) -> Result<(Uuid, Secret), AppError> {
    let now = clock.now();
    let (uuid, token_hash) = access::resume_link(secret).ok_or(AppError::NotFound)?;
    let (token, hash) = access::new_quote_token(uuid)?;
    store
        .write(move |tx| {
            let mut quote = access::quote_by_link(tx, uuid, &token_hash, now)?;
            quote.give_token(hash.clone());
            Ok::<_, AppError>(tables::QUOTES.put(tx, &quote.uuid, &quote)?)
        })
        .await?;
    Ok((uuid, token))
}

/// Drops the letter about a save if `client`, or all clients together, caused too many letters. A save
/// causes a letter if its mail address differs from `current`.
///
/// # Errors
/// If several nodes share the store, and the store fails.
pub(in crate::app) async fn limit_letter(
    app: &App,
    client: &ClientAddress,
    assessed: &mut Assessed,
    current: Option<&String>,
) -> Result<(), AppError> {
    let name = assessed.username();
    if name.is_none() || name.as_ref() == current {
        return Ok(());
    }
    match delivery::count_quote_letter(app, client).await {
        Err(AppError::TooMany { .. }) => assessed.mail_at = None,
        counted => counted?,
    }
    Ok(())
}

/// Gives the user further policies that were sold to the mail address `name`, if the address is still the
/// user's. A new job claims the remaining policies.
pub(in crate::app) async fn claim_rest(
    store: &Store,
    clock: &Clock,
    name: &str,
    user: Uuid,
) -> Result<(), AppError> {
    let (now, name) = (clock.now(), name.to_string());
    let job = new_id(now);
    store
        .write(move |tx| {
            if tables::USER_BY_NAME.get(tx, &name)? == Some(user) {
                claim_sold(tx, &name, user, job, now)?;
            }
            Ok::<_, AppError>(())
        })
        .await
}

/// Sets the mail address whose owner may claim a quote without an owner. `name` is the address as a user
/// name. If `mail_at` is given, queues a letter with the quote's link, due at `mail_at`. Does nothing if the
/// quote has an owner or has this address already. The caller stores the quote.
pub(in crate::app) fn await_mailbox(
    tx: &mut WriteTx<'_>,
    quote: &mut Quote,
    name: Option<String>,
    (now, mail_at): (DateTime<Utc>, Option<DateTime<Utc>>),
) -> Result<(), AppError> {
    if quote.owner.is_some() || name == quote.mailbox {
        return Ok(());
    }
    quote.mailbox.clone_from(&name);
    if let (Some(name), Some(mail_at)) = (name, mail_at) {
        let quote = quote.uuid;
        quote_letters::queue(tx, &name, (quote, false), (now, mail_at), quote)?;
    }
    Ok(())
}

/// Gives the user every policy that was sold to the mail address `name`. Also gives the user the waiting
/// quotes, if all waiting policies and quotes name one person. `is_named` must accept this person. Anybody
/// can type an address into any number of quotes. So the user chooses among other waiting quotes
/// (`quotes/waiting.rs`).
pub(in crate::app) fn take_over_waiting(
    tx: &mut WriteTx<'_>,
    name: &String,
    user: &User,
    job: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let typed = typed_person(tx, name)?;
    claim_sold(tx, name, user.uuid, job, now)?;
    if typed.is_some_and(|typed| is_named(&user.profile, &typed)) {
        let index = &tables::UNCLAIMED_BY_NAME;
        for ((_, quote), ()) in index.list(tx, name, Direction::Backward, CLAIMED_AT_MOST)? {
            claim(tx, quote, user.uuid)?;
        }
    }
    Ok(())
}

/// Returns whether the typed name is the account's name. Returns true if the account has no last name.
fn is_named(account: &Profile, typed: &Profile) -> bool {
    let same = |one: &Option<String>, other: &Option<String>| {
        let plain = |name: &Option<String>| name.as_deref().map(|name| name.trim().to_lowercase());
        plain(one) == plain(other)
    };
    account.last_name.is_none()
        || same(&account.first_name, &typed.first_name)
            && same(&account.last_name, &typed.last_name)
}

/// Returns the person in all policies and quotes that wait for the mail address `name`. Returns `None` for
/// different persons, or for more policies or quotes than [`CLAIMED_AT_MOST`]: other people may have typed
/// the address. Also returns `None` if nothing waits.
pub(in crate::app) fn typed_person(
    tx: &impl Read,
    name: &String,
) -> Result<Option<Profile>, AppError> {
    let mut person = None;
    for index in [&tables::POLICY_BY_MAILBOX, &tables::UNCLAIMED_BY_NAME] {
        let waiting = index.list(tx, name, Direction::Backward, CLAIMED_AT_MOST + 1)?;
        if waiting.len() > CLAIMED_AT_MOST {
            return Ok(None);
        }
        for ((_, quote), ()) in waiting {
            let Some(quote) = tables::QUOTES.get(tx, &quote)? else {
                continue;
            };
            let answers = &quote.current.answers;
            // After a sale, the newest revision may have another address than the sold revision.
            if policyholder::username(answers).as_ref() != Some(name) {
                continue;
            }
            // The address may be spelled in several ways, such as with capitals.
            let typed = Profile {
                email_primary: None,
                ..policyholder::profile(answers)
            };
            if person.as_ref().is_some_and(|current| *current != typed) {
                return Ok(None);
            }
            person = Some(typed);
        }
    }
    Ok(person)
}

/// Gives the user the newest policies without an owner that were sold to the mail address `name`. A job
/// claims the remaining policies.
fn claim_sold(
    tx: &mut WriteTx<'_>,
    name: &String,
    user: Uuid,
    job: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let sold = tables::POLICY_BY_MAILBOX.list(tx, name, Direction::Backward, TAKEN_AT_ONCE)?;
    for ((_, policy), ()) in &sold {
        claim(tx, *policy, user)?;
    }
    if sold.len() == TAKEN_AT_ONCE {
        let name = name.clone();
        enqueue(tx, Task::ClaimPolicies { name, user }, now, job)?;
    }
    Ok(())
}

pub(in crate::app) fn claim(tx: &mut WriteTx<'_>, quote: Uuid, user: Uuid) -> Result<(), AppError> {
    if let Some(mut quote) = tables::QUOTES.get(tx, &quote)?
        && quote.owner.is_none()
    {
        quote.take_over(user);
        tables::QUOTES.put(tx, &quote.uuid, &quote)?;
    }
    Ok(())
}

/// Returns the newest policy that waits for the mail address `name`, or the newest quote if no policy waits.
pub(in crate::app) fn find_waiting(
    tx: &impl Read,
    name: &String,
) -> Result<Option<Quote>, AppError> {
    for index in [&tables::POLICY_BY_MAILBOX, &tables::UNCLAIMED_BY_NAME] {
        let newest = index.list(tx, name, Direction::Backward, 1)?;
        if let Some(((_, quote), ())) = newest.first() {
            return Ok(tables::QUOTES.get(tx, quote)?);
        }
    }
    Ok(None)
}
