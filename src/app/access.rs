//! Access control: decides which caller may read or change a quote or policy. An error does not reveal to a
//! refused caller whether the row exists.

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use serde::Serialize;
use uuid::Uuid;

use crate::app::AppError;
use crate::clock::Clock;
use crate::domain::account::username;
use crate::domain::policy::{self, Policy};
use crate::domain::quote::Quote;
use crate::json_schema::ResponseSchema;
use crate::secret::{Secret, Token, hash_token, same_bytes};
use crate::store::{Read, Store, tables};

/// The caller of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    Anonymous,
    /// A caller with an invalid token or session.
    InvalidCredentials,
    /// A visitor with a token of one quote. [`quote_of`] checks the token when it reads the quote.
    Visitor {
        quote: Uuid,
        /// Hash of the token, hexadecimal.
        token: String,
        /// The user who is logged in in the same browser. An owner can read the quote even if the token has
        /// expired.
        user: Option<Uuid>,
    },
    /// A logged-in user.
    User {
        uuid: Uuid,
        /// Hash of the session's token.
        session: [u8; 32],
    },
}

impl Caller {
    /// Returns the part of an idempotency key that distinguishes callers. All anonymous callers have the same
    /// text, and so have all visitors of one quote.
    #[must_use]
    pub fn scope(&self) -> String {
        match self {
            Self::Anonymous | Self::InvalidCredentials => "nobody".to_string(),
            Self::Visitor { quote, .. } => format!("visitor:{quote}"),
            Self::User { uuid, .. } => format!("user:{uuid}"),
        }
    }

    /// Returns the caller's keys in [`Quote::shown_to`]: the token's hash, and the user's id.
    pub(in crate::app) fn reader_keys(&self) -> Vec<String> {
        let token = match self {
            Self::Visitor { token, .. } => Some(token.clone()),
            _ => None,
        };
        let user = self.logged_in().map(|user| user.to_string());
        token.into_iter().chain(user).collect()
    }

    /// Returns whether the caller has neither a valid log-in nor a quote's token.
    pub(in crate::app) const fn is_unknown(&self) -> bool {
        matches!(self, Self::Anonymous | Self::InvalidCredentials)
    }

    /// Returns the logged-in user. Returns `None` for a caller with a quote's token.
    #[must_use]
    pub const fn user(&self) -> Option<Uuid> {
        match self {
            Self::User { uuid, .. } => Some(*uuid),
            _ => None,
        }
    }

    /// Returns the logged-in user, even if the caller has a quote's token.
    #[must_use]
    pub const fn logged_in(&self) -> Option<Uuid> {
        match self {
            Self::User { uuid, .. } => Some(*uuid),
            Self::Visitor { user, .. } => *user,
            Self::Anonymous | Self::InvalidCredentials => None,
        }
    }
}

/// The account of a quote or policy, for its reader. `mine`: the reader's account. `auto_claimable`: no
/// account, and the reader is logged in with the quote's mail address. `claimable`: no account, and the
/// reader is logged in with another address. `other_account`: another account. `unclaimed`: no account, and
/// the reader is not logged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename = "Ownership", rename_all = "snake_case")]
pub enum Ownership {
    /// In the account of the logged-in reader.
    Mine,
    /// In no account. The logged-in reader has the quote's mail address, so the website adds the quote
    /// without a question.
    AutoClaimable,
    /// In no account. The reader is logged in with another mail address.
    Claimable,
    /// In another account.
    OtherAccount,
    /// In no account. The reader is not logged in.
    Unclaimed,
}

/// Returns the ownership of `quote` for its reader: the logged-in `user`, or an anonymous reader. For a
/// quote, the result does not reveal whether the mailbox has an account. For a policy, the result reveals an
/// account to the buyer (docs/decisions/0007-whose-a-quote-is.md).
///
/// # Errors
/// If the store fails.
pub(in crate::app) fn ownership_for(
    tx: &impl Read,
    quote: &Quote,
    user: Option<Uuid>,
) -> Result<Ownership, AppError> {
    Ok(match (quote.owner, user) {
        (Some(owner), Some(user)) if owner == user => Ownership::Mine,
        (Some(_), _) => Ownership::OtherAccount,
        (None, None) => Ownership::Unclaimed,
        (None, Some(user)) => {
            let user = tables::USERS.get(tx, &user)?;
            let own = user.and_then(|user| user.profile.email_primary);
            if own.is_some() && own.as_deref().map(username) == quote.mailbox {
                Ownership::AutoClaimable
            } else {
                Ownership::Claimable
            }
        }
    })
}

/// Returns the caller with `bearer` or the session cookie `cookie`. `bearer` has priority, because the page
/// of a quote sends the quote's token even if somebody is logged in. If `bearer` is neither a quote's token
/// nor a valid session, `cookie` counts.
///
/// # Errors
/// If the store fails.
pub async fn caller(
    store: &Store,
    clock: &Clock,
    bearer: Option<&str>,
    cookie: Option<&str>,
) -> Result<Caller, AppError> {
    if bearer.is_none() && cookie.is_none() {
        return Ok(Caller::Anonymous);
    }
    let now = clock.now();
    store.read(|tx| authenticate(tx, bearer, cookie, now)).await
}

fn authenticate(
    tx: &impl Read,
    bearer: Option<&str>,
    cookie: Option<&str>,
    now: DateTime<Utc>,
) -> Result<Caller, AppError> {
    let user = |token: &str| session_user(tx, hash_token(token), now);
    if let Some(token) = bearer {
        if let Some(quote) = quote_in_token(token) {
            return Ok(Caller::Visitor {
                quote,
                token: hash_text(token),
                user: match cookie.map(user).transpose()?.flatten() {
                    Some(Caller::User { uuid, .. }) => Some(uuid),
                    _ => None,
                },
            });
        }
        if let Some(user) = user(token)? {
            return Ok(user);
        }
    }
    if let Some(token) = cookie
        && let Some(user) = user(token)?
    {
        return Ok(user);
    }
    Ok(Caller::InvalidCredentials)
}

/// Returns a new token for a quote's visitor, and the token's hash. The token contains the quote's id and a
/// secret. So the quote's row, which a request reads anyway, is enough to check the token.
///
/// # Errors
/// If the system has no random numbers.
pub(in crate::app) fn new_quote_token(quote: Uuid) -> Result<(Secret, String), AppError> {
    let secret = Token::random()?;
    let token = format!("{}.{}", quote.simple(), secret.expose());
    let hash = hash_text(&token);
    Ok((Secret::from(token), hash))
}

/// Returns the id of the quote in a mailed link's secret, and the secret's hash. Returns `None` if the secret
/// contains no id.
pub(in crate::app) fn resume_link(secret: &str) -> Option<(Uuid, String)> {
    Some((quote_in_token(secret)?, hash_text(secret)))
}

/// Returns the quote `uuid`, if a mailed link with this hash resumes it.
///
/// # Errors
/// [`AppError::NotFound`] for an invalid or expired link.
pub(in crate::app) fn quote_by_link(
    tx: &impl Read,
    uuid: Uuid,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<Quote, AppError> {
    let quote = tables::QUOTES.get(tx, &uuid)?.ok_or(AppError::NotFound)?;
    if owns_any(&quote.resume, token_hash) && is_token_valid(tx, &quote, now)? {
        Ok(quote)
    } else {
        Err(AppError::NotFound)
    }
}

fn quote_in_token(token: &str) -> Option<Uuid> {
    let (quote, _) = token.split_once('.')?;
    Uuid::parse_str(quote).ok()
}

fn hash_text(token: &str) -> String {
    HEXLOWER.encode(&hash_token(token))
}

fn session_user(
    tx: &impl Read,
    session: [u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<Caller>, AppError> {
    Ok(tables::SESSIONS
        .get(tx, &session)?
        .filter(|found| now < found.expires)
        .map(|found| Caller::User {
            uuid: found.user,
            session,
        }))
}

/// Returns the quote `uuid`, if `caller` may read the quote. The caller may also change a quote that isn't
/// bought. For a policy, see [`owned_policy`].
///
/// # Errors
/// [`AppError::Unauthenticated`] for an anonymous caller and for an invalid or expired token.
/// [`AppError::NotFound`] for an unknown quote, and for every other caller who may not read the quote.
pub fn quote_of(
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
    now: DateTime<Utc>,
) -> Result<Quote, AppError> {
    let counts = |own: &Quote| is_token_valid(tx, own, now);
    can_read(tx, caller, uuid, &own_tokens, &counts)
}

/// Returns whether `caller` may read the quote or policy `uuid`.
///
/// # Errors
/// If the store fails.
pub(in crate::app) fn may_read(
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    match quote_of(tx, caller, uuid, now) {
        Ok(_) => Ok(true),
        Err(AppError::NotFound | AppError::Unauthenticated) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns the quote `uuid`, if `caller` may read its documents. The conditions are those of [`quote_of`],
/// but a visitor's token of a policy doesn't expire. The token counts until somebody claims or changes the
/// policy. So does the token of a mailed link to the documents.
///
/// # Errors
/// The errors of [`quote_of`].
pub(in crate::app) fn documents_of(
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
    now: DateTime<Utc>,
) -> Result<Quote, AppError> {
    let tokens =
        |own: &Quote, token: &str| own_tokens(own, token) || owns_any(&own.document_links, token);
    can_read(tx, caller, uuid, &tokens, &|own| {
        Ok(own.status.is_policy() || is_token_valid(tx, own, now)?)
    })
}

fn own_tokens(quote: &Quote, token: &str) -> bool {
    owns_any(&quote.tokens, token)
}

/// Returns the quote `uuid`, if the logged-in caller owns the quote. A visitor who does not own the quote
/// needs a token that `has_token` accepts, and `counts` must accept the quote.
fn can_read(
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
    has_token: &dyn Fn(&Quote, &str) -> bool,
    counts: &dyn Fn(&Quote) -> Result<bool, AppError>,
) -> Result<Quote, AppError> {
    let row = |uuid: Uuid| tables::QUOTES.get(tx, &uuid);
    match caller {
        Caller::Anonymous | Caller::InvalidCredentials => Err(AppError::Unauthenticated),
        Caller::User { uuid: user, .. } => row(uuid)?
            .filter(|quote| quote.owner == Some(*user))
            .ok_or(AppError::NotFound),
        Caller::Visitor { quote, token, user } => {
            let own = row(*quote)?.filter(|own| has_token(own, token));
            let own = match own {
                Some(own) if token_grants_access(tx, &own, *user)? => Some(own),
                _ => None,
            };
            let is_owner = |quote: &Quote| user.is_some() && quote.owner == *user;
            match own {
                Some(own) if own.uuid == uuid && counts(&own)? => Ok(own),
                own => match row(uuid)?.filter(is_owner) {
                    Some(owned) => Ok(owned),
                    None if own.is_some_and(|own| own.uuid != uuid) => Err(AppError::NotFound),
                    None => Err(AppError::Unauthenticated),
                },
            }
        }
    }
}

/// Returns whether a token of `own` grants access to the logged-in `user`, or to an anonymous reader.
///
/// If the quote has no owner, the token grants access to every reader. If it has an owner, only the owner has
/// access. But if a sale set the owner, every reader has access until somebody claims or changes the policy.
fn token_grants_access(tx: &impl Read, own: &Quote, user: Option<Uuid>) -> Result<bool, AppError> {
    if own.owner.is_none() || own.owner == user {
        return Ok(true);
    }
    if !own.is_owned_by_sale() {
        return Ok(false);
    }
    let policy = tables::policy_of(tx, own)?;
    let sold = own.accepted.as_ref().map(|accepted| accepted.revision);
    Ok(policy.is_some_and(|policy| Some(policy.revision) == sold))
}

/// Returns the policy `uuid`, if the logged-in caller owns the policy. A visitor's token can read a policy
/// but not change it.
///
/// # Errors
/// The errors of [`quote_of`]. [`AppError::Unauthenticated`] for a visitor who isn't logged in as the
/// policy's owner. [`AppError::NotFound`] if the quote is no policy.
pub(in crate::app) fn owned_policy(
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
    now: DateTime<Utc>,
) -> Result<(Quote, Policy), AppError> {
    let quote = quote_of(tx, caller, uuid, now)?;
    let user = caller.logged_in();
    if user.is_none() || quote.owner != user {
        return Err(AppError::Unauthenticated);
    }
    let policy = tables::policy_of(tx, &quote)?.ok_or(AppError::NotFound)?;
    Ok((quote, policy))
}

/// Returns whether a quote's tokens and mailed links have not expired yet.
pub(in crate::app) fn is_token_valid(
    tx: &impl Read,
    quote: &Quote,
    now: DateTime<Utc>,
) -> Result<bool, AppError> {
    let until = match tables::policy_of(tx, quote)? {
        Some(policy) => policy::token_reads_until(policy.purchased),
        None => quote.expires_at(),
    };
    Ok(now < until)
}

fn owns_any(hashes: &[String], token_hash: &str) -> bool {
    hashes
        .iter()
        .any(|hash| same_bytes(hash.as_bytes(), token_hash.as_bytes()))
}
