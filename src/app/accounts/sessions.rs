//! Lists and ends a user's sessions. Deletes expired sessions and expired mailed links.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::app::accounts::{audit, links};
use crate::app::{AppError, Caller};
use crate::clock::Clock;
use crate::domain::account::Session;
use crate::json_schema::ResponseSchema;
use crate::store::{Direction, Read, Store, WriteTx, tables};

/// The maximum number of sessions of one user at the same time.
const SESSIONS_KEPT: usize = 50;

/// The maximum number of expired sessions, and of expired links, that one transaction deletes.
const SWEPT_AT_ONCE: usize = 500;

/// A session of a logged-in user.
#[derive(Clone, Copy, Debug, Serialize, ResponseSchema)]
#[serde(rename = "SessionItem")]
pub struct SessionView {
    /// When the session began.
    pub began: DateTime<Utc>,
    /// When the session expires.
    pub ends: DateTime<Utc>,
    /// Whether this is the session of the request.
    #[serde(rename = "own")]
    pub is_own: bool,
}

/// Returns the caller's active sessions, newest first.
///
/// # Errors
/// [`AppError::Unauthenticated`] if the caller is not logged in.
pub async fn sessions(
    store: &Store,
    clock: &Clock,
    caller: &Caller,
) -> Result<Vec<SessionView>, AppError> {
    let (user, own) = logged_in(caller)?;
    let now = clock.now();
    let found = store.read(|tx| sessions_of(tx, user)).await?;
    let found = found
        .into_iter()
        .filter(|(_, session)| now < session.expires);
    let mut views: Vec<_> = found
        .map(|(hash, session)| SessionView {
            began: session.created,
            ends: session.expires,
            is_own: hash == own,
        })
        .collect();
    views.sort_by_key(|view| std::cmp::Reverse(view.began));
    Ok(views)
}

/// Ends all sessions of the caller except the session of this request.
///
/// # Errors
/// [`AppError::Unauthenticated`] if the caller is not logged in.
pub async fn end_other_sessions(store: &Store, caller: &Caller) -> Result<(), AppError> {
    let (user, own) = logged_in(caller)?;
    store
        .write(move |tx| {
            for (hash, _) in sessions_of(tx, user)? {
                if hash != own {
                    tables::SESSIONS.delete(tx, &hash)?;
                }
            }
            Ok::<_, AppError>(())
        })
        .await?;
    audit::log_other_logouts(user);
    Ok(())
}

/// Deletes expired sessions and expired mailed links. Also deletes users without a password whom no
/// quote, policy or link needs.
///
/// # Errors
/// Fails if the store fails.
pub async fn delete_ended_sessions(store: &Store, clock: &Clock) -> Result<(), AppError> {
    let now = clock.now();
    while store
        .write(move |tx| {
            let sessions = forget_sessions(tx, now)?;
            let links = links::forget(tx, now, SWEPT_AT_ONCE)?;
            Ok::<_, AppError>(sessions || links)
        })
        .await?
    {}
    Ok(())
}

/// Returns the caller's user id, and the hash of the session's token. Fails if the caller is not
/// logged in.
fn logged_in(caller: &Caller) -> Result<(Uuid, [u8; 32]), AppError> {
    match caller {
        Caller::User { uuid, session } => Ok((*uuid, *session)),
        _ => Err(AppError::Unauthenticated),
    }
}

/// Returns a user's sessions with the hashes of their tokens.
fn sessions_of(tx: &impl Read, user: Uuid) -> Result<Vec<([u8; 32], Session)>, AppError> {
    Ok(tables::SESSION_BY_USER.follow(tx, &user, &tables::SESSIONS)?)
}

/// Ends a user's oldest session if the user has the maximum number of sessions.
pub(in crate::app) fn make_room(tx: &mut WriteTx<'_>, user: Uuid) -> Result<(), AppError> {
    let sessions = sessions_of(tx, user)?;
    let oldest = sessions
        .iter()
        .min_by_key(|(hash, session)| (session.created, *hash));
    if let Some((hash, _)) = oldest.filter(|_| sessions.len() >= SESSIONS_KEPT) {
        tables::SESSIONS.delete(tx, hash)?;
    }
    Ok(())
}

/// Ends all sessions of a user, after a change of the password.
pub(in crate::app) fn end_sessions(tx: &mut WriteTx<'_>, user: Uuid) -> Result<(), AppError> {
    let sessions = tables::SESSION_BY_USER.list(tx, &user, Direction::Forward, usize::MAX)?;
    for ((_, hash), ()) in sessions {
        tables::SESSIONS.delete(tx, &hash)?;
    }
    Ok(())
}

/// Deletes at most [`SWEPT_AT_ONCE`] expired sessions. Returns true if there may be more.
fn forget_sessions(tx: &mut WriteTx<'_>, now: DateTime<Utc>) -> Result<bool, AppError> {
    let mut ended =
        tables::SESSION_BY_END.list_readable(tx, &(), Direction::Forward, SWEPT_AT_ONCE)?;
    ended.retain(|((time, _), ())| *time <= now);
    for (key, ()) in &ended {
        tables::SESSIONS.delete(tx, &key.1)?;
        tables::SESSION_BY_END.remove_stray(tx, key);
    }
    Ok(ended.len() == SWEPT_AT_ONCE)
}
