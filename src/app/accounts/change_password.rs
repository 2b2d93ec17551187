//! Changes the password of a user who knows the old password. A new password ends the user's
//! sessions and links.

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use uuid::Uuid;

use crate::app::accounts::hashing::Verified;
use crate::app::accounts::hashing_queue::WaitsAs;
use crate::app::accounts::login::LONGEST_PASSWORD;
use crate::app::accounts::profile::user;
use crate::app::accounts::sessions::end_sessions;
use crate::app::accounts::{audit, links};
use crate::app::jobs::queue::enqueue;
use crate::app::limits::{self, Limit};
use crate::app::{App, AppError, Caller, new_id};
use crate::config::Config;
use crate::domain::account::{User, password_rule};
use crate::store::WriteTx;
use crate::store::tables::{self, Notice, Task};

/// Changes the password of a logged-in user who knows the old password. All sessions of the user
/// end.
///
/// # Errors
/// [`AppError::Invalid`] at `new_password` if the new password is too common, and at `password` for
/// every other fault. [`AppError::TooMany`] after too many wrong old passwords.
/// [`AppError::Unavailable`] if too many requests wait for a hash. [`AppError::Unauthenticated`] if
/// the caller is not logged in, or if the password changed after the check of the old password.
pub async fn change_password(
    app: &App,
    caller: &Caller,
    old: String,
    new: String,
    repeat: &str,
) -> Result<(), AppError> {
    let user = user(&app.store, caller).await?;
    let Caller::User { session, .. } = caller else {
        return Err(AppError::Unauthenticated);
    };
    if old.is_empty() {
        return Err(AppError::field("password", password_rule::REQUIRED));
    }
    if let Some(fault) = password_fault(&app.config, &new, repeat) {
        // For a common password, the page marks `new_password`, since the current password has no
        // fault.
        let is_common = fault == password_rule::COMMON;
        let field = if is_common {
            "new_password"
        } else {
            "password"
        };
        return Err(AppError::field(field, &fault));
    }
    let now = app.clock.now();
    let session = HEXLOWER.encode(session);
    limits::count_limits(app, &[(Limit::OldPassword, &session)]).await?;
    let stored = user.password_hash.clone();
    let right = old.len() <= LONGEST_PASSWORD && {
        let waits_as = WaitsAs::Registered;
        let verified = app.passwords.verify(old, stored.clone(), waits_as).await;
        if let Err(AppError::Unavailable) = verified {
            // The attempt does not count, because no password was checked.
            limits::forgive_attempt(&app.store, &app.counts, Limit::OldPassword, &session).await?;
        }
        verified? != Verified::Wrong
    };
    if !right {
        audit::wrong_password(user.uuid);
        return Err(AppError::field(
            "password",
            "The current password is not right.",
        ));
    }
    limits::reset_attempts(&app.store, &app.counts, Limit::OldPassword, &session).await?;
    let hash = app.passwords.hash(new).await?;
    let (uuid, notice_job) = (user.uuid, new_id(now));
    app.store
        .write(move |tx| {
            let user = tables::USERS.get(tx, &uuid)?;
            // Another request may have changed the password since the check.
            let mut user = user
                .filter(|user| user.password_hash == stored)
                .ok_or(AppError::Unauthenticated)?;
            set_password(tx, &mut user, hash.clone(), notice_job, now)
        })
        .await?;
    audit::password_set(uuid, "the old one");
    Ok(())
}

/// Returns the fault of a new password and its repeat, if any.
pub(in crate::app) fn password_fault(config: &Config, new: &str, repeat: &str) -> Option<String> {
    let (rule, brand) = (&config.accounts.password, &config.site.brand);
    password_rule::fault(rule, new, repeat, brand)
}

/// Stores the password's hash, and ends all sessions and links of the user. Queues a letter to the
/// user's address.
pub(in crate::app) fn set_password(
    tx: &mut WriteTx<'_>,
    user: &mut User,
    hash: String,
    job: Uuid,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    user.password_hash = Some(hash);
    // Withdraws the request for another mail address, because an intruder may have made the
    // request.
    user.email_pending = None;
    tables::USERS.put(tx, &user.uuid, user)?;
    end_sessions(tx, user.uuid)?;
    links::end(tx, user.uuid, |_| true)?;
    if let Some(address) = user.profile.email_primary.clone() {
        let notice = Notice::PasswordChanged;
        enqueue(tx, Task::MailNotice { address, notice }, now, job)?;
    }
    Ok(())
}
