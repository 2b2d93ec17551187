//! The sessions of a user, and the removal of those that have ended.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::accounts::links;
use crate::app::{App, AppError, rows};
use crate::store::{Direction, WriteTx, tables};

/// Most sessions of one user at the same time.
const SESSIONS_KEPT: usize = 50;

/// How many rows are removed in one transaction.
const SWEPT_AT_ONCE: usize = 500;

impl App {
    /// Removes sessions and mailed links that have expired.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_ended(&self) -> Result<(), AppError> {
        let now = self.clock.now();
        while self
            .store
            .write(move |tx| {
                let sessions = forget_sessions(tx, now)?;
                let links = links::forget(tx, now, SWEPT_AT_ONCE)?;
                Ok::<_, AppError>(sessions || links)
            })
            .await?
        {}
        Ok(())
    }
}

/// Ends a user's oldest session where there are too many.
pub(in crate::app) fn make_room(tx: &mut WriteTx<'_>, user: Uuid) -> Result<(), AppError> {
    let hashes = tables::SESSION_BY_USER.list(tx, &user, Direction::Forward, SESSIONS_KEPT)?;
    if hashes.len() < SESSIONS_KEPT {
        return Ok(());
    }
    let mut oldest: Option<(DateTime<Utc>, [u8; 32])> = None;
    for ((_, hash), ()) in hashes {
        if let Some(session) = tables::SESSIONS.get(tx, &hash)? {
            let found = (session.created, hash);
            oldest = Some(oldest.map_or(found, |known| known.min(found)));
        }
    }
    if let Some((_, hash)) = oldest {
        rows::sessions::delete(tx, hash)?;
    }
    Ok(())
}

/// Ends every session of a user, after the password was changed.
pub(in crate::app) fn end_sessions(tx: &mut WriteTx<'_>, user: Uuid) -> Result<(), AppError> {
    let sessions = tables::SESSION_BY_USER.list(tx, &user, Direction::Forward, usize::MAX)?;
    for ((_, hash), ()) in sessions {
        rows::sessions::delete(tx, hash)?;
    }
    Ok(())
}

/// Removes expired sessions; true when there may be more.
fn forget_sessions(tx: &mut WriteTx<'_>, now: DateTime<Utc>) -> Result<bool, AppError> {
    let mut ended = tables::SESSION_BY_END.list(tx, &(), Direction::Forward, SWEPT_AT_ONCE)?;
    ended.retain(|((at, _), ())| *at <= now);
    for (key, ()) in &ended {
        rows::sessions::delete_ended(tx, key)?;
    }
    Ok(ended.len() == SWEPT_AT_ONCE)
}
