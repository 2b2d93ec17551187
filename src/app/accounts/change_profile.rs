//! Changes the profile and the mail address. A new address takes effect when the logged-in user
//! confirms it. The link for the confirmation is mailed to the new address.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::accounts::profile::user;
use crate::app::accounts::{ProfileView, audit, links, registered_user, user_named};
use crate::app::jobs::queue::enqueue;
use crate::app::limits::{self, Limit};
use crate::app::quotes::ownership::take_over_waiting;
use crate::app::{App, AppError, Caller, new_id};
use crate::clock::Clock;
use crate::domain::account::{LinkUse, Profile, User, username};
use crate::domain::product::form::errors::FieldErrors;
use crate::domain::quote::policyholder;
use crate::domain::uk::email;
use crate::store::tables::{self, Notice, Task};
use crate::store::{Store, WriteTx};

/// Changes of a profile. Missing fields stay unchanged.
#[derive(Clone, Debug, Default)]
pub struct ProfileChange {
    /// Changed details. If they contain the current mail address, a pending request for another
    /// address is withdrawn.
    pub details: Profile,
    /// Whether we may write about offers.
    pub marketing: Option<bool>,
}

/// Changes the caller's own profile. A new mail address waits for its confirmation.
///
/// # Errors
/// [`AppError::Invalid`] with every invalid field; nothing is changed then.
/// [`AppError::Unauthenticated`] if the caller is not logged in. [`AppError::TooMany`] after too
/// many requests for another address.
pub async fn change_profile(
    app: &App,
    caller: &Caller,
    change: ProfileChange,
) -> Result<ProfileView, AppError> {
    let before = user(&app.store, caller).await?;
    let now = app.clock.now();
    let mut errors = match app
        .person
        .apply_changes(&before.profile, change.details.clone())
    {
        Ok(_) => FieldErrors::default(),
        Err(errors) => errors,
    };
    let address = match change.details.email_primary.as_deref() {
        Some(typed) => email::check(typed),
        None => before.profile.email_primary.clone(),
    };
    if address.is_none() {
        let text = "Enter an email address in the format name@example.com";
        errors.add(policyholder::EMAIL, text);
    }
    if !errors.is_empty() {
        return Err(AppError::Invalid(errors));
    }
    let requested = change.details.email_primary.clone().and(address);
    let is_new = |user: &User| {
        let requested = requested.as_deref().map(username);
        let current = user.profile.email_primary.as_deref().map(username);
        let pending = user.email_pending.as_deref().map(username);
        requested.is_some() && requested != current && requested != pending
    };
    if is_new(&before) {
        let who = before.uuid.to_string();
        limits::count_limits(app, &[(Limit::AddressChange, &who)]).await?;
    }
    let (uuid, person) = (before.uuid, app.person.clone());
    let ids = [new_id(now), new_id(now)];
    let asked_for = requested.clone();
    let user = app
        .store
        .write(move |tx| {
            let user = tables::USERS.get(tx, &uuid)?;
            let mut user = user.ok_or(AppError::Unauthenticated)?;
            user.profile = person
                .apply_changes(&user.profile, change.details.clone())
                .map_err(AppError::Invalid)?;
            user.marketing = change.marketing.unwrap_or(user.marketing);
            if let Some(requested) = &asked_for {
                request_address(tx, &mut user, requested, ids, now)?;
            }
            tables::USERS.put(tx, &user.uuid, &user)?;
            Ok::<_, AppError>(user)
        })
        .await?;
    if is_new(&before) {
        audit::log_address_request(uuid);
    }
    Ok(user.into())
}

/// Confirms a new mail address. The caller must have the link that was mailed to the address. The
/// caller must also be logged in as the user who requested the change. A stranger may have either
/// the link or the session. Queues a letter to the old address.
///
/// # Errors
/// [`AppError::NotFound`] for an invalid link, another user's link, a withdrawn request, or an
/// address that another user has registered. [`AppError::Unauthenticated`] if the caller is not
/// logged in.
pub async fn confirm_address(
    store: &Store,
    clock: &Clock,
    caller: &Caller,
    secret: &str,
) -> Result<(), AppError> {
    let user_id = user(store, caller).await?.uuid;
    let now = clock.now();
    let ids = [new_id(now), new_id(now)];
    let secret = secret.to_string();
    store
        .write(move |tx| {
            let (_, link) = links::find(tx, &secret, now)?;
            let LinkUse::ConfirmAddress { address } = link.good_for else {
                return Err(AppError::NotFound);
            };
            let user = tables::USERS.get(tx, &link.user)?;
            let mut user = user
                .filter(|user| user.uuid == user_id)
                .filter(|user| user.email_pending.as_deref() == Some(&address))
                .ok_or(AppError::NotFound)?;
            confirm_new_address(tx, &mut user, address, ids, now)
        })
        .await?;
    audit::log_address_change(user_id);
    Ok(())
}

/// Stores a request for another mail address. Withdraws the pending request if `requested` is the
/// current address. Does nothing if `requested` is pending already.
fn request_address(
    tx: &mut WriteTx<'_>,
    user: &mut User,
    requested: &str,
    ids: [Uuid; 2],
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let current = user.profile.email_primary.clone().unwrap_or_default();
    if user.email_pending.as_deref().map(username) == Some(username(requested)) {
        return Ok(());
    }
    links::end(tx, user.uuid, |good_for| {
        matches!(good_for, LinkUse::ConfirmAddress { .. })
    })?;
    if username(requested) == username(&current) {
        // The requested address is the current address, but may differ in upper and lower case.
        user.profile.email_primary = Some(requested.to_string());
        user.email_pending = None;
        return Ok(());
    }
    user.email_pending = Some(requested.to_string());
    let confirm = Task::MailConfirmation { user: user.uuid };
    let [first, second] = ids;
    enqueue(tx, confirm, now, first)?;
    let letter = Task::MailNotice {
        address: current,
        notice: Notice::AddressChangeAsked,
    };
    enqueue(tx, letter, now, second)
}

/// Assigns the address to the user, with the quotes and policies that wait for the address. Fails
/// if another user with a password has the address.
fn confirm_new_address(
    tx: &mut WriteTx<'_>,
    user: &mut User,
    address: String,
    ids: [Uuid; 2],
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let name = username(&address);
    if registered_user(tx, &name)?.is_some() {
        return Err(AppError::NotFound);
    }
    // The address may have a user without a password. Nobody has ever logged in as that user, and
    // the caller has proved ownership of the address.
    if let Some(empty) = user_named(tx, &name)? {
        links::end(tx, empty.uuid, |_| true)?;
        tables::USERS.delete(tx, &empty.uuid)?;
    }
    let old = user.profile.email_primary.replace(address);
    user.email_pending = None;
    tables::USERS.put(tx, &user.uuid, user)?;
    // Deletes all links of the user, because some may have been mailed to the old address.
    links::end(tx, user.uuid, |_| true)?;
    let [first, second] = ids;
    take_over_waiting(tx, &name, user, first, now)?;
    if let Some(old) = old {
        let notice = Notice::AddressChanged;
        let letter = Task::MailNotice {
            address: old,
            notice,
        };
        enqueue(tx, letter, now, second)?;
    }
    Ok(())
}
