//! Registered users, and the look-up of a user by the name they log in with.

use crate::domain::account::{User, username};
use crate::store::{StoreError, WriteTx, tables};

/// Writes a user, new or in place of the one that is stored. The name they log in with follows
/// from their mail address. The caller must have checked that no other user has it.
pub(in crate::app) fn put(tx: &mut WriteTx<'_>, user: &User) -> Result<(), StoreError> {
    let before = tables::USERS.get(tx, &user.uuid)?;
    let (old, new) = (before.as_ref().and_then(name_of), name_of(user));
    if old != new {
        if let Some(old) = old {
            remove_name(tx, &old, user)?;
        }
        if let Some(new) = &new {
            tables::USER_BY_NAME.put(tx, new, &user.uuid)?;
        }
    }
    tables::USERS.put(tx, &user.uuid, user)
}

/// Removes a user and their name.
pub(in crate::app) fn delete(tx: &mut WriteTx<'_>, user: &User) -> Result<(), StoreError> {
    if let Some(name) = name_of(user) {
        remove_name(tx, &name, user)?;
    }
    tables::USERS.delete(tx, &user.uuid);
    Ok(())
}

pub(super) fn name_of(user: &User) -> Option<String> {
    user.profile.email_primary.as_deref().map(username)
}

/// Removes a name that is the user's; one that has become somebody else's stays.
fn remove_name(tx: &mut WriteTx<'_>, name: &String, user: &User) -> Result<(), StoreError> {
    if tables::USER_BY_NAME.get(tx, name)? == Some(user.uuid) {
        tables::USER_BY_NAME.delete(tx, name);
    }
    Ok(())
}
