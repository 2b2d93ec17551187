//! Deletes users who never set a password. The first letter with a link creates such a user for an
//! address.

use chrono::{DateTime, Utc};

use crate::app::AppError;
use crate::app::accounts::user_named;
use crate::app::letters::delivery::quote_letters;
use crate::app::quotes::ownership::find_waiting;
use crate::store::{Direction, WriteTx, tables};

/// Deletes the user with the user name `name`, if the user has neither a password nor a link. Also
/// deletes the rows about quote letters to the address. Deletes nothing while a quote or policy
/// waits for the address.
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
