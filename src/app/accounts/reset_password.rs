//! Requests the letter with a link that sets a password. Sets a password with a mailed link or
//! code.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::accounts::change_password::{password_fault, set_password};
use crate::app::accounts::device::new_device;
use crate::app::accounts::{audit, links};
use crate::app::jobs::queue::enqueue;
use crate::app::limits::{self, ClientAddress, Limit};
use crate::app::quotes::ownership::{take_over_waiting, typed_person};
use crate::app::{App, AppError, new_id};
use crate::clock::Clock;
use crate::domain::account::{Link, LinkUse, Profile, password_rule, username};
use crate::domain::uk::email;
use crate::secret::hash_token;
use crate::store::tables::{self, Task};
use crate::store::{Read, Store};

/// The owner of a mailed link that sets a password.
#[derive(Clone, Debug)]
pub struct LinkOwner {
    pub user: Uuid,
    /// The user's profile. If the profile has no last name, it contains the names that were typed
    /// with the address.
    pub profile: Profile,
    /// Whether the link is for the user's first password.
    pub is_new: bool,
}

/// A request to set a new password with a mailed link or code.
pub struct Reset<'a> {
    /// The link's secret, or the secret of a code from a letter about a purchase; see
    /// [`links::code_secret`].
    pub link: &'a str,
    pub password: String,
    /// The new password, repeated.
    pub repeat: &'a str,
    /// The user name, if the page asks for it.
    pub username: Option<&'a str>,
    /// The user's id, if the page sends it.
    pub identifier: Option<&'a str>,
    /// The token of the browser's session, which may be another user's. The session ends if the
    /// password is set.
    pub before: Option<&'a str>,
}

/// Queues a job that mails a link for setting a password. The job writes only to the address of a user
/// or of an unclaimed quote or policy. Only the job looks the address up. So neither the response nor
/// its duration reveals whether the shop knows the address.
///
/// # Errors
/// [`AppError::Invalid`] for an invalid mail address. [`AppError::TooMany`] after too many
/// requests.
pub async fn request_password(
    app: &App,
    name: &str,
    client: &ClientAddress,
) -> Result<(), AppError> {
    if email::check(name).is_none() {
        return Err(AppError::field(
            "username",
            "Enter an email address in the format name@example.com",
        ));
    }
    let now = app.clock.now();
    limits::count_limits(app, &[(Limit::MailFrom, &client.network())]).await?;
    let (name, id) = (username(name), new_id(now));
    app.store
        .write(move |tx| enqueue(tx, Task::MailPassword { name: name.clone() }, now, id))
        .await
}

/// Returns the owner of a mailed link that sets a password.
///
/// # Errors
/// [`AppError::NotFound`] for a code, and for a link that is unknown, used, expired or for another
/// purpose.
pub async fn link_owner(store: &Store, clock: &Clock, secret: &str) -> Result<LinkOwner, AppError> {
    if links::policy_of_code(secret).is_some() {
        return Err(AppError::NotFound);
    }
    owner_of_link(store, clock, secret).await
}

async fn owner_of_link(store: &Store, clock: &Clock, secret: &str) -> Result<LinkOwner, AppError> {
    let now = clock.now();
    store
        .read(|tx| {
            let (_, link) = password_link(tx, secret, now)?;
            let user = tables::USERS
                .get(tx, &link.user)?
                .ok_or(AppError::NotFound)?;
            let mut profile = user.profile;
            if profile.last_name.is_none()
                && let Some(name) = profile.email_primary.as_deref().map(username)
            {
                // The owner of the address may see the name that was typed with the address.
                let typed = typed_person(tx, &name)?.unwrap_or_default();
                profile.first_name = typed.first_name;
                profile.last_name = typed.last_name;
            }
            Ok(LinkOwner {
                user: link.user,
                profile,
                is_new: link.good_for == LinkUse::FirstPassword,
            })
        })
        .await
}

/// Sets a password with a mailed link or code. Ends all sessions and links of the user. Assigns the
/// policies and quotes that wait for the address to the user. Returns a device cookie, so that
/// wrong guesses of other people don't delay the browser's next log-in.
///
/// # Errors
/// [`AppError::NotFound`] for an invalid link, or if `username` or `identifier` is not the link's
/// user. [`AppError::Invalid`] with the fault of the password. [`AppError::TooMany`] after too many
/// wrong codes. [`AppError::Unavailable`] if too many requests wait for a hash.
pub async fn reset_password(app: &App, reset: Reset<'_>) -> Result<String, AppError> {
    let Reset {
        link: secret,
        password: new,
        repeat,
        username: name,
        identifier,
        before,
    } = reset;
    let now = app.clock.now();
    let policy = links::policy_of_code(secret).map(|policy| policy.to_string());
    if let Some(policy) = &policy {
        limits::count_limits(app, &[(Limit::PasswordCode, policy)]).await?;
    }
    let owner = owner_of_link(&app.store, &app.clock, secret).await?;
    if let Some(policy) = &policy {
        limits::reset_attempts(&app.store, &app.counts, Limit::PasswordCode, policy).await?;
    }
    let owner_name = owner.profile.email_primary.as_deref().map(username);
    if name.is_some_and(|name| Some(username(name)) != owner_name)
        || identifier.is_some_and(|id| id != owner.user.to_string())
    {
        return Err(AppError::NotFound);
    }
    if let Some(fault) = password_fault(&app.config, &new, repeat) {
        let field = if fault == password_rule::MISMATCH || repeat.is_empty() && !new.is_empty() {
            "password_rpt"
        } else {
            "password"
        };
        return Err(AppError::field(field, &fault));
    }
    let hash = app.passwords.hash(new).await?;
    let secret = secret.to_string();
    let (quotes_job, notice_job) = (new_id(now), new_id(now));
    let before = before.map(hash_token);
    let user = app
        .store
        .write(move |tx| {
            let (_, link) = password_link(tx, &secret, now)?;
            let user = tables::USERS.get(tx, &link.user)?;
            let mut user = user.ok_or(AppError::NotFound)?;
            if let Some(name) = user.profile.email_primary.as_deref().map(username) {
                if user.profile.last_name.is_none()
                    && let Some(typed) = typed_person(tx, &name)?
                {
                    user.profile = Profile {
                        email_primary: user.profile.email_primary.clone(),
                        ..typed
                    };
                }
                take_over_waiting(tx, &name, &user, quotes_job, now)?;
            }
            if let Some(before) = before {
                tables::SESSIONS.delete(tx, &before)?;
            }
            set_password(tx, &mut user, hash.clone(), notice_job, now)?;
            Ok::<_, AppError>(user)
        })
        .await?;
    audit::password_set(user.uuid, "a letter");
    if let Some(name) = owner_name {
        limits::reset_attempts(&app.store, &app.counts, Limit::LoginAs, &name).await?;
    }
    new_device(&app.device_secret, &user)
}

/// Returns the link with this secret, and the hash of the secret. Fails if the link is not valid or
/// does not set a password.
fn password_link(
    tx: &impl Read,
    secret: &str,
    now: DateTime<Utc>,
) -> Result<([u8; 32], Link), AppError> {
    let found = links::find(tx, secret, now)?;
    match found.1.good_for {
        LinkUse::FirstPassword | LinkUse::ResetPassword => Ok(found),
        LinkUse::ConfirmAddress { .. } => Err(AppError::NotFound),
    }
}
