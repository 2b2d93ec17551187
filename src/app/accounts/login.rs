//! Logs users in and out.

use chrono::Duration;
use uuid::Uuid;

use crate::app::accounts::device::{known_device, new_device};
use crate::app::accounts::hashing::Verified;
use crate::app::accounts::hashing_queue::WaitsAs;
use crate::app::accounts::sessions::make_room;
use crate::app::accounts::{audit, user_named};
use crate::app::limits::{self, ClientAddress, Limit};
use crate::app::{App, AppError, Caller};
use crate::domain::account::{Session, User, username};
use crate::domain::uk::email;
use crate::secret::{Token, hash_token};
use crate::store::{Store, tables};

/// The longest password that is checked, in bytes. A longer password is refused without a check.
pub(in crate::app) const LONGEST_PASSWORD: usize = 1024;

/// A successful log-in.
#[derive(Clone, Debug)]
pub struct LoggedIn {
    /// The session's token, for the cookie.
    pub token: Token,
    /// The lifetime of the cookie, in seconds. If `None`, the cookie ends with the browser.
    pub keep_seconds: Option<u64>,
    /// The device cookie, which identifies the browser at its next log-in.
    pub device: String,
}

/// Checks a user name and password, and begins a session. A successful log-in ends an earlier
/// session of the browser.
///
/// # Errors
/// [`AppError::Refused`] with the code `wrong_login` for every wrong name or password, whether the
/// user exists or not. [`AppError::TooMany`] after too many wrong attempts.
/// [`AppError::Unavailable`] if too many requests wait for a hash.
pub async fn log_in(
    app: &App,
    name: &str,
    password: String,
    remember: bool,
    client: &ClientAddress,
    before: Option<&str>,
) -> Result<LoggedIn, AppError> {
    let mut named_user = None;
    let ended = create_session(
        app,
        name,
        password,
        (remember, before),
        client,
        &mut named_user,
    )
    .await;
    match (&ended, named_user) {
        (Ok(_), Some(user)) => audit::logged_in(user),
        (Ok(_), None) => {}
        (Err(why), user) => audit::log_refused_login(user, why),
    }
    ended
}

/// Checks the password and creates a session. Sets `named_user` to the user with the typed name, if
/// any.
async fn create_session(
    app: &App,
    name: &str,
    password: String,
    (remember, before): (bool, Option<&str>),
    client: &ClientAddress,
    named_user: &mut Option<Uuid>,
) -> Result<LoggedIn, AppError> {
    let refusal = || {
        AppError::rule(
            "wrong_login",
            "The username or password is not right. Please try again.",
        )
    };
    // A user name is a mail address. Another text is refused early, because it may be too long for
    // a key of the limits.
    let can_be = email::check(name).is_some();
    if !can_be || password.is_empty() || password.len() > LONGEST_PASSWORD {
        return Err(refusal());
    }
    let name = username(name);
    let user = app.store.read(|tx| user_named(tx, &name)).await?;
    *named_user = user.as_ref().map(|user| user.uuid);
    let address = client.network();
    let (tried, who, waits_as) = match user
        .as_ref()
        .and_then(|user| known_device(&app.device_secret, client, user))
    {
        Some(device) => (Limit::LoginOn, device, WaitsAs::Registered),
        None => (Limit::LoginAs, name, WaitsAs::Stranger),
    };
    // The attempts of other browsers at the same network address don't delay a recognised browser.
    if waits_as == WaitsAs::Stranger {
        limits::count_limits(app, &[(Limit::LoginFrom, &address)]).await?;
    }
    limits::count_limits(app, &[(tried, &who)]).await?;
    let stored = user.as_ref().and_then(|user| user.password_hash.clone());
    let verified = app.passwords.verify(password, stored, waits_as).await;
    if let Err(AppError::Unavailable) = verified {
        // The attempt does not count, because no password was checked.
        limits::forgive_attempt(&app.store, &app.counts, tried, &who).await?;
        if waits_as == WaitsAs::Stranger {
            limits::forgive_attempt(&app.store, &app.counts, Limit::LoginFrom, &address).await?;
        }
    }
    let verified = verified?;
    let user = user
        .filter(|_| verified != Verified::Wrong)
        .ok_or_else(refusal)?;
    if waits_as == WaitsAs::Stranger {
        limits::forgive_attempt(&app.store, &app.counts, Limit::LoginFrom, &address).await?;
    }
    limits::reset_attempts(&app.store, &app.counts, tried, &who).await?;
    let better = match verified {
        Verified::Outdated(better) => Some(better),
        _ => None,
    };
    let session = begin_session(app, &user, better, remember, before).await?;
    session.ok_or_else(refusal)
}

/// Stores a session. Returns `None` if the password changed or the user was deleted after the
/// check.
async fn begin_session(
    app: &App,
    user: &User,
    better_hash: Option<String>,
    remember: bool,
    before: Option<&str>,
) -> Result<Option<LoggedIn>, AppError> {
    let now = app.clock.now();
    let accounts = &app.config.accounts;
    let length = if remember {
        Duration::days(i64::from(accounts.remember_days))
    } else {
        Duration::hours(i64::from(accounts.session_hours))
    };
    let token = Token::random()?;
    let device = new_device(&app.device_secret, user)?;
    let (hash, verified) = (token.hash(), user.password_hash.clone());
    let (user, before) = (user.uuid, before.map(hash_token));
    let session = Session {
        user,
        created: now,
        expires: now + length,
    };
    let is_stored = app
        .store
        .write(move |tx| {
            let stored = tables::USERS.get(tx, &user)?;
            let Some(mut stored) = stored.filter(|stored| stored.password_hash == verified) else {
                return Ok(false);
            };
            if better_hash.is_some() {
                stored.password_hash.clone_from(&better_hash);
                tables::USERS.put(tx, &stored.uuid, &stored)?;
            }
            if let Some(before) = before {
                tables::SESSIONS.delete(tx, &before)?;
            }
            make_room(tx, user)?;
            tables::SESSIONS.put_new(tx, &hash, &session)?;
            Ok::<_, AppError>(true)
        })
        .await?;
    Ok(is_stored.then(|| LoggedIn {
        token,
        keep_seconds: remember.then(|| length.num_seconds().unsigned_abs()),
        device,
    }))
}

/// Ends the session of a [`Caller::User`]. Does nothing for every other caller, such as a visitor
/// with a quote's token.
///
/// # Errors
/// Fails if the store fails.
pub async fn log_out(store: &Store, caller: &Caller) -> Result<(), AppError> {
    let Caller::User { uuid, session } = caller else {
        return Ok(());
    };
    let session = *session;
    store
        .write(move |tx| Ok::<_, AppError>(tables::SESSIONS.delete(tx, &session)?))
        .await?;
    audit::logged_out(*uuid);
    Ok(())
}
