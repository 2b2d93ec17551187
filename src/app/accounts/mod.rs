//! Accounts: log in, log out, and the profile a page shows.

mod address;
mod device;
mod hashing;
pub(in crate::app) mod links;
mod password;

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use super::limits::{Client, LimitKind};
use super::{App, AppError, Caller, rows};
use crate::domain::account::{Profile, Session, User, username};
use crate::domain::answers::Answers;
use crate::domain::uk::email;
use crate::secret::{Token, hash_token};
use crate::store::{Direction, Read, WriteTx, tables};
pub use address::ProfileChange;
use hashing::Verified;
pub use hashing::{Passwords, hash};
pub use password::{LinkOwner, Reset};

/// Longest password looked at, bytes; longer ones can't be right.
const LONGEST_PASSWORD: usize = 1024;

/// A log-in that succeeded.
#[derive(Clone, Debug)]
pub struct LoggedIn {
    /// The session's token, for the cookie.
    pub token: Token,
    /// How long it counts, seconds; none to end it with the browser.
    pub keep_seconds: Option<u64>,
    /// What the browser keeps to be known as one that logged in before.
    pub device: String,
}

/// A profile, and whose it is.
#[derive(Clone, Debug)]
pub struct ProfileView {
    /// The details.
    pub profile: Profile,
    /// The user, where somebody is logged in.
    pub user: Option<User>,
}

impl App {
    /// Checks a user name and password, and begins a session; one that the browser had
    /// before ends.
    ///
    /// # Errors
    /// One refusal for every wrong pair, known user or not; [`AppError::TooMany`] after too
    /// many of them.
    pub async fn log_in(
        &self,
        name: &str,
        password: String,
        remember: bool,
        client: &Client,
        before: Option<&str>,
    ) -> Result<LoggedIn, AppError> {
        let refusal = || {
            AppError::refused(
                "wrong_login",
                "The username or password is not right. Please try again.",
            )
        };
        // What is no mail address is nobody's user name, and is too long to be counted under.
        let can_be = email::check(name).is_some();
        if !can_be || password.is_empty() || password.len() > LONGEST_PASSWORD {
            return Err(refusal());
        }
        let name = username(name);
        let now = self.clock.now();
        let user = {
            let tx = self.store.read()?;
            match tables::USER_BY_NAME.get(&tx, &name)? {
                Some(uuid) => tables::USERS.get(&tx, &uuid)?,
                None => None,
            }
        };
        let address = client.counted();
        let (tried, who) = match user
            .as_ref()
            .and_then(|user| self.known_device(client, user))
        {
            Some(device) => (LimitKind::LoginOn, device),
            None => (LimitKind::LoginAs, name),
        };
        // A known browser doesn't wait for what its neighbours behind the same address do.
        if tried != LimitKind::LoginOn {
            self.limits.take(LimitKind::LoginFrom, &address, now)?;
        }
        self.limits.take(tried, &who, now)?;
        let stored = user.as_ref().and_then(|user| user.password_hash.clone());
        let verified = self.passwords.verify(password, stored.clone()).await?;
        let user = user
            .filter(|_| verified != Verified::Wrong)
            .ok_or_else(refusal)?;
        if tried != LimitKind::LoginOn {
            self.limits.give_back(LimitKind::LoginFrom, &address);
        }
        self.limits.forget(tried, &who);
        let better = match verified {
            Verified::Outdated(better) => Some(better),
            _ => None,
        };
        let begun = self.begin_session(&user, better, remember, before).await?;
        begun.ok_or_else(refusal)
    }

    /// None when the password was changed while it was being checked.
    async fn begin_session(
        &self,
        user: &User,
        better_hash: Option<String>,
        remember: bool,
        before: Option<&str>,
    ) -> Result<Option<LoggedIn>, AppError> {
        let now = self.clock.now();
        let accounts = &self.config.accounts;
        let length = if remember {
            Duration::days(i64::from(accounts.remember_days))
        } else {
            Duration::hours(i64::from(accounts.session_hours))
        };
        let token = Token::random()?;
        let device = self.new_device(user)?;
        let (hash, verified) = (token.hash(), user.password_hash.clone());
        let (user, before) = (user.uuid, before.map(hash_token));
        let session = Session {
            user,
            created: now,
            expires: now + length,
        };
        let begun = self
            .store
            .write(move |tx| {
                let known = tables::USERS.get(tx, &user)?;
                let Some(mut known) = known.filter(|known| known.password_hash == verified) else {
                    return Ok(false);
                };
                if better_hash.is_some() {
                    known.password_hash.clone_from(&better_hash);
                    rows::users::put(tx, &known)?;
                }
                if let Some(before) = before {
                    rows::sessions::delete(tx, before)?;
                }
                make_room(tx, user)?;
                rows::sessions::insert(tx, hash, &session)?;
                Ok::<_, AppError>(true)
            })
            .await?;
        Ok(begun.then(|| LoggedIn {
            token,
            keep_seconds: remember.then(|| length.num_seconds().unsigned_abs()),
            device,
        }))
    }

    /// Ends the caller's session; who has none is logged out already.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn log_out(&self, caller: &Caller) -> Result<(), AppError> {
        let Caller::User { session, .. } = caller else {
            return Ok(());
        };
        let session = *session;
        self.store
            .write(move |tx| Ok::<_, AppError>(rows::sessions::delete(tx, session)?))
            .await
    }

    /// Forgets log-ins and mailed links that no longer count.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_ended(&self) -> Result<(), AppError> {
        let now = self.clock.now();
        while self
            .store
            .write(move |tx| {
                let sessions = forget_sessions(tx, now)?;
                let links = links::forget(tx, now)?;
                Ok::<_, AppError>(sessions || links)
            })
            .await?
        {}
        Ok(())
    }

    /// The user who calls.
    ///
    /// # Errors
    /// [`AppError::Unauthenticated`] for everybody else.
    pub(super) fn user(&self, caller: &Caller) -> Result<User, AppError> {
        let Caller::User { uuid, .. } = caller else {
            return Err(AppError::Unauthenticated);
        };
        tables::USERS
            .get(&self.store.read()?, uuid)?
            .ok_or(AppError::Unauthenticated)
    }

    /// The caller's profile: a user's own, or what was typed as the quote's policyholder. A
    /// quote says nothing of whether its mail address belongs to a user.
    ///
    /// # Errors
    /// [`AppError::Unauthenticated`] for nobody.
    pub fn profile(&self, caller: &Caller) -> Result<ProfileView, AppError> {
        match caller {
            Caller::Nobody | Caller::Stranger => Err(AppError::Unauthenticated),
            Caller::Visitor { quote, .. } => {
                let view = self.read_quote(caller, *quote)?;
                Ok(ProfileView {
                    profile: typed_profile(&view.revision().answers),
                    user: None,
                })
            }
            Caller::User { .. } => {
                let user = self.user(caller)?;
                Ok(ProfileView {
                    profile: user.profile.clone(),
                    user: Some(user),
                })
            }
        }
    }
}

/// The user of an address. One who never set a password doesn't count: anybody can type an
/// address into a quote.
pub(super) fn holder_of(tx: &impl Read, name: &String) -> Result<Option<User>, AppError> {
    let Some(uuid) = tables::USER_BY_NAME.get(tx, name)? else {
        return Ok(None);
    };
    let user = tables::USERS.get(tx, &uuid)?;
    Ok(user.filter(|user| user.password_hash.is_some()))
}

/// Log-ins of one user that count at once.
const SESSIONS_KEPT: usize = 50;

/// Ends a user's oldest log-in where there are too many.
fn make_room(tx: &mut WriteTx<'_>, user: Uuid) -> Result<(), AppError> {
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

/// Ends every log-in of a user: the password is another now.
fn end_sessions(tx: &mut WriteTx<'_>, user: Uuid) -> Result<(), AppError> {
    let sessions = tables::SESSION_BY_USER.list(tx, &user, Direction::Forward, usize::MAX)?;
    for ((_, hash), ()) in sessions {
        rows::sessions::delete(tx, hash)?;
    }
    Ok(())
}

/// How many rows are swept out in one write.
const SWEPT_AT_ONCE: usize = 500;

/// True when there may be more.
fn forget_sessions(tx: &mut WriteTx<'_>, now: DateTime<Utc>) -> Result<bool, AppError> {
    let mut ended = tables::SESSION_BY_END.list(tx, &(), Direction::Forward, SWEPT_AT_ONCE)?;
    ended.retain(|((at, _), ())| *at <= now);
    for ((_, hash), ()) in &ended {
        rows::sessions::delete(tx, *hash)?;
    }
    Ok(ended.len() == SWEPT_AT_ONCE)
}

/// The policyholder's fields that every product names alike.
pub(super) fn typed_profile(answers: &Answers) -> Profile {
    let text = |name: &str| {
        let value = answers.values.get(name)?.as_str()?.trim();
        (!value.is_empty()).then(|| value.to_string())
    };
    Profile {
        title_id: answers
            .values
            .get("title")
            .and_then(serde_json::Value::as_u64)
            .and_then(|id| u32::try_from(id).ok()),
        first_name: text("first_name"),
        middle_name: text("middle_name"),
        last_name: text("last_name"),
        email_primary: text("email_primary"),
        address_primary: text("address_primary"),
        postcode_primary: text("postcode_primary"),
        tel_primary: text("tel_primary"),
        gsm_primary: text("gsm_primary"),
        fax_primary: None,
        country_id: None,
    }
}
