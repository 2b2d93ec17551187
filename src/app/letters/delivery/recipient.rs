//! Finds the address and the user of a letter.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::AppError;
use crate::app::accounts::user_named;
use crate::domain::account::{Profile, User, username};
use crate::domain::quote::policyholder;
use crate::domain::quote::{Quote, Revision};
use crate::store::{Read, WriteTx, tables};

/// Returns the address `name` as the customer typed it in the quote. Returns `name` if the newest
/// answers have another address.
pub(in crate::app) fn as_typed<'a>(quote: &'a Quote, name: &'a str) -> &'a str {
    let typed = policyholder::email(&quote.current.answers);
    typed
        .filter(|typed| username(typed) == name)
        .unwrap_or(name)
}

/// Returns the address of a quote's owner. Without an owner or an owner's address, returns the
/// address in the revision's answers.
pub(in crate::app) fn address_of(
    tx: &impl Read,
    quote: &Quote,
    revision: &Revision,
) -> Result<Option<String>, AppError> {
    let owner = match quote.owner {
        Some(owner) => tables::USERS.get(tx, &owner)?,
        None => None,
    };
    let own = owner.and_then(|user| user.profile.email_primary);
    let typed = || policyholder::email(&revision.answers).map(str::to_string);
    Ok(own.or_else(typed))
}

/// Returns the user with the user name `name`. Creates a user without a password for a new address.
/// Does not copy the customer's names from the quote, because anybody can type any address into a quote.
pub(in crate::app) fn user_of_address(
    tx: &mut WriteTx<'_>,
    name: &String,
    quote: &Quote,
    new_user_id: Uuid,
    now: DateTime<Utc>,
) -> Result<User, AppError> {
    if let Some(user) = user_named(tx, name)? {
        return Ok(user);
    }
    let user = User {
        uuid: new_user_id,
        password_hash: None,
        profile: Profile {
            email_primary: Some(as_typed(quote, name).to_string()),
            ..Profile::default()
        },
        marketing: false,
        email_pending: None,
        created: now,
    };
    tables::USERS.put(tx, &user.uuid, &user)?;
    Ok(user)
}
