//! Who may see and do what: the one place that decides. A caller that isn't allowed gets
//! the same answer as for what doesn't exist.

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use super::{App, AppError};
use crate::domain::policy;
use crate::domain::quote::Quote;
use crate::secret::hash_token;
use crate::store::{Read, tables};

/// Who is calling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Nobody we know.
    Nobody,
    /// Someone who showed a token or a session that doesn't count.
    Stranger,
    /// A visitor who holds the token of one quote.
    Visitor {
        /// The quote.
        quote: Uuid,
    },
    /// A logged-in user.
    User {
        /// The user.
        uuid: Uuid,
        /// Hash of the session's token.
        session: [u8; 32],
    },
}

impl Caller {
    /// What tells one caller's repeated calls from another's.
    #[must_use]
    pub fn scope(&self) -> String {
        match self {
            Self::Nobody | Self::Stranger => "nobody".to_string(),
            Self::Visitor { quote } => format!("visitor:{quote}"),
            Self::User { uuid, .. } => format!("user:{uuid}"),
        }
    }
}

/// How long after its last save a visitor may still come back to a quote. Its price may
/// have run out sooner; the answers are still theirs to change.
const VISIT_DAYS: i64 = 30;

impl App {
    /// Who showed `bearer` or the session cookie `cookie`. A bearer goes first: a page about
    /// one quote sends its token even where somebody is logged in.
    ///
    /// # Errors
    /// When the store fails.
    pub fn caller(&self, bearer: Option<&str>, cookie: Option<&str>) -> Result<Caller, AppError> {
        if bearer.is_none() && cookie.is_none() {
            return Ok(Caller::Nobody);
        }
        let tx = self.store.read()?;
        let now = self.clock.now();
        if let Some(token) = bearer {
            let hash = hash_token(token);
            if let Some(token) = tables::TOKENS.get(&tx, &hash)? {
                return Ok(Caller::Visitor { quote: token.quote });
            }
            if let Some(user) = user_of(&tx, hash, now)? {
                return Ok(user);
            }
        }
        if let Some(token) = cookie
            && let Some(user) = user_of(&tx, hash_token(token), now)?
        {
            return Ok(user);
        }
        Ok(Caller::Stranger)
    }
}

fn user_of(
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

/// The quote `uuid`, if `caller` may read and change it.
///
/// # Errors
/// [`AppError::Unauthenticated`] for nobody and for a token out of time,
/// [`AppError::NotFound`] for what isn't there or isn't theirs.
pub fn quote_of(
    tx: &impl Read,
    caller: &Caller,
    uuid: Uuid,
    now: DateTime<Utc>,
) -> Result<Quote, AppError> {
    let theirs = match caller {
        Caller::Nobody | Caller::Stranger => return Err(AppError::Unauthenticated),
        Caller::Visitor { quote } => *quote == uuid,
        Caller::User { .. } => true,
    };
    if !theirs {
        return Err(AppError::NotFound);
    }
    let quote = tables::QUOTES.get(tx, &uuid)?.ok_or(AppError::NotFound)?;
    match caller {
        Caller::User { uuid: user, .. } if quote.owner == Some(*user) => Ok(quote),
        Caller::User { .. } => Err(AppError::NotFound),
        _ => {
            let until = match tables::POLICIES.get(tx, &uuid)? {
                Some(policy) => policy::token_reads_until(policy.purchased),
                None => quote.updated + Duration::days(VISIT_DAYS),
            };
            if now < until {
                Ok(quote)
            } else {
                Err(AppError::Unauthenticated)
            }
        }
    }
}
