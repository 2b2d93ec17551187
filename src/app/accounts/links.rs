//! Mailed links and codes. A link or code has one purpose, works once, and is stored as a hash.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::accounts::unconfirmed::forget_unconfirmed;
use crate::domain::account::{Link, LinkUse, username};
use crate::secret::hash_token;
use crate::store::{Direction, Read, WriteTx, tables};

/// Stores a link under the hash of its secret.
pub(in crate::app) fn insert_link(
    tx: &mut WriteTx<'_>,
    hash: [u8; 32],
    user: Uuid,
    good_for: LinkUse,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let expires = now + good_for.lifetime();
    let link = Link {
        user,
        good_for,
        created: now,
        expires,
    };
    Ok(tables::LINKS.put_new(tx, &hash, &link)?)
}

/// Returns the valid link with this secret.
///
/// # Errors
/// [`AppError::NotFound`] for a link that is unknown, used or expired.
pub(in crate::app) fn find(
    tx: &impl Read,
    secret: &str,
    now: DateTime<Utc>,
) -> Result<([u8; 32], Link), AppError> {
    let hash = hash_token(secret);
    tables::LINKS
        .get(tx, &hash)?
        .filter(|link| now < link.expires)
        .map(|link| (hash, link))
        .ok_or(AppError::NotFound)
}

/// Returns the secret of a code that a letter about a purchase contains. The store has the hash of
/// this secret. The secret contains the policy's id, so a guessed code works for one policy only.
pub(in crate::app) fn code_secret(policy: Uuid, code: &str) -> String {
    format!("{policy}.{code}")
}

/// Returns the policy of a code's secret. Returns `None` for the secret of a link, which has no
/// dot.
pub(in crate::app) fn policy_of_code(secret: &str) -> Option<Uuid> {
    let (policy, _) = secret.split_once('.')?;
    Uuid::parse_str(policy).ok()
}

/// Returns a user's links, with the hashes of their secrets.
pub(in crate::app) fn user_links(
    tx: &impl Read,
    user: Uuid,
) -> Result<Vec<([u8; 32], Link)>, AppError> {
    Ok(tables::LINK_BY_USER.follow(tx, &user, &tables::LINKS)?)
}

/// Deletes the links of a user for which `which` returns true.
pub(in crate::app) fn end(
    tx: &mut WriteTx<'_>,
    user: Uuid,
    which: impl Fn(&LinkUse) -> bool,
) -> Result<(), AppError> {
    for (hash, link) in user_links(tx, user)? {
        if which(&link.good_for) {
            tables::LINKS.delete(tx, &hash)?;
        }
    }
    Ok(())
}

/// Deletes up to `limit` expired links. Also deletes a link's user who has no password, no other
/// link, and no waiting quote or policy. Returns true if there may be more expired links.
pub(in crate::app) fn forget(
    tx: &mut WriteTx<'_>,
    now: DateTime<Utc>,
    limit: usize,
) -> Result<bool, AppError> {
    let mut ended = tables::LINK_BY_END.list_readable(tx, &(), Direction::Forward, limit)?;
    ended.retain(|((time, _), ())| *time <= now);
    for (key, ()) in &ended {
        let link = tables::LINKS.get_readable(tx, &key.1)?;
        tables::LINKS.delete(tx, &key.1)?;
        tables::LINK_BY_END.remove_stray(tx, key);
        let user = link
            .map(|link| tables::USERS.get_readable(tx, &link.user))
            .transpose()?;
        let address = user.flatten().and_then(|user| user.profile.email_primary);
        if let Some(name) = address.as_deref().map(username) {
            forget_unconfirmed(tx, &name, now)?;
        }
    }
    Ok(ended.len() == limit)
}
