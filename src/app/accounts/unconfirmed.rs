//! Deletes users who never set a password. An address becomes such a user with its first letter.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::accounts::user_named;
use crate::app::letters::delivery::quote_letters;
use crate::app::quotes::ownership::find_waiting;
use crate::store::{Direction, WriteTx, tables};

/// Deletes the passwordless user of an address, given as a user name, and the rows of its letters.
/// The user stays while a quote, a policy or a password link waits for the address.
pub(in crate::app) fn forget_unconfirmed(
    tx: &mut WriteTx<'_>,
    name: &String,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    if find_waiting(tx, name)?.is_some() {
        return Ok(());
    }
    quote_letters::forget(tx, name, now)?;
    if let Some(user) = user_named(tx, name)?.filter(|user| user.password_hash.is_none()) {
        let links = tables::LINK_BY_USER.list(tx, &user.uuid, Direction::Forward, 1)?;
        if links.is_empty() {
            tables::USERS.delete(tx, &user.uuid)?;
        }
    }
    Ok(())
}
