//! The caller's profile, and the search for a user by name.

use serde::Serialize;
use uuid::Uuid;

use crate::app::{App, AppError, Caller, quotes};
use crate::domain::account::{Profile, User};
use crate::domain::quote::policyholder;
use crate::json_schema::ResponseSchema;
use crate::store::{Read, Store, tables};

/// A person's details.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
#[serde(rename = "ProfileRead")]
pub struct ProfileView {
    /// The user's id. Null with a quote's token.
    user_id: Option<Uuid>,
    /// The same as `user_id`.
    user_uuid: Option<Uuid>,
    user_username: Option<String>,
    #[serde(flatten)]
    profile: Profile,
    /// Whether the shop may write about offers. Null with a quote's token.
    marketing_contact: Option<bool>,
    /// A new mail address that the user has not confirmed yet. Null if there is none.
    email_pending: Option<String>,
}

impl From<Profile> for ProfileView {
    /// Converts a person's details. The mail address becomes the user name. The other fields of a
    /// user stay empty.
    fn from(profile: Profile) -> Self {
        Self {
            user_id: None,
            user_uuid: None,
            user_username: profile.email_primary.clone(),
            profile,
            marketing_contact: None,
            email_pending: None,
        }
    }
}

impl From<User> for ProfileView {
    fn from(user: User) -> Self {
        Self {
            user_id: Some(user.uuid),
            user_uuid: Some(user.uuid),
            marketing_contact: Some(user.marketing),
            email_pending: user.email_pending,
            ..Self::from(user.profile)
        }
    }
}

/// Returns the logged-in user.
///
/// # Errors
/// [`AppError::Unauthenticated`] for other callers, or if the user was deleted.
pub(in crate::app) async fn user(store: &Store, caller: &Caller) -> Result<User, AppError> {
    let Caller::User { uuid, .. } = caller else {
        return Err(AppError::Unauthenticated);
    };
    let user = store.read(|tx| tables::USERS.get(tx, uuid)).await?;
    user.ok_or(AppError::Unauthenticated)
}

/// Returns the caller's profile: the user's own, or the policyholder in a visitor's quote. A quote
/// does not reveal whether its mail address belongs to a user.
///
/// # Errors
/// [`AppError::Unauthenticated`] for anonymous callers, invalid credentials and deleted users. For
/// a visitor, the errors of [`quotes::read_quote`].
pub async fn profile(app: &App, caller: &Caller) -> Result<ProfileView, AppError> {
    match caller {
        Caller::Anonymous | Caller::InvalidCredentials => Err(AppError::Unauthenticated),
        Caller::Visitor { quote, .. } => {
            let view = quotes::read_quote(app, caller, *quote).await?;
            Ok(policyholder::profile(&view.revision().answers).into())
        }
        Caller::User { .. } => Ok(user(&app.store, caller).await?.into()),
    }
}

/// Returns the user with the user name `name`, if the user has a password. A user without a
/// password does not count, because anybody can type any address into a quote.
pub(in crate::app) fn registered_user(
    tx: &impl Read,
    name: &String,
) -> Result<Option<User>, AppError> {
    Ok(user_named(tx, name)?.filter(|user| user.password_hash.is_some()))
}

/// Returns the user with the user name `name`, with or without a password.
pub(in crate::app) fn user_named(tx: &impl Read, name: &String) -> Result<Option<User>, AppError> {
    match tables::USER_BY_NAME.get(tx, name)? {
        Some(uuid) => Ok(tables::USERS.get(tx, &uuid)?),
        None => Ok(None),
    }
}
