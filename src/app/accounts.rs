//! Accounts: log in, log out, and the profile a page shows.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use chrono::Duration;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{App, AppError, Caller};
use crate::domain::account::{Profile, Session, User, username};
use crate::domain::answers::Answers;
use crate::secret::{Token, hash_token};
use crate::store::tables;

/// Longest password looked at, bytes; longer ones can't be right.
const LONGEST_PASSWORD: usize = 1024;

/// A log-in that succeeded.
#[derive(Clone, Debug)]
pub struct LoggedIn {
    /// The session's token, for the cookie.
    pub token: Token,
    /// How long it counts, seconds; none to end it with the browser.
    pub keep_seconds: Option<u64>,
}

/// A profile, and whose it is.
#[derive(Clone, Debug)]
pub struct ProfileView {
    /// The details.
    pub profile: Profile,
    /// The user, where somebody is logged in.
    pub user: Option<Uuid>,
}

/// argon2id at OWASP's parameters (19 MiB, 2 passes), on so many threads at the most that
/// log-ins can't take the machine.
pub struct Passwords {
    threads: Arc<Semaphore>,
    /// Checked for users who don't exist, so that they take as long.
    nobody: Option<String>,
}

impl Passwords {
    /// Prepares `threads` places.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self {
            threads: Arc::new(Semaphore::new(threads.max(1))),
            nobody: Token::random()
                .ok()
                .and_then(|token| hash(token.expose()).ok()),
        }
    }

    /// Whether `password` is the one behind `stored`; takes alike long when there is none.
    async fn verify(&self, password: String, stored: Option<String>) -> Result<bool, AppError> {
        let known = stored.is_some();
        let Some(hash) = stored.or_else(|| self.nobody.clone()) else {
            return Err(AppError::Internal("no password can be checked".to_string()));
        };
        let _place = self
            .threads
            .clone()
            .acquire_owned()
            .await
            .map_err(|_| AppError::Unavailable)?;
        let right = tokio::task::spawn_blocking(move || {
            PasswordHash::new(&hash).is_ok_and(|hash| {
                Argon2::default()
                    .verify_password(password.as_bytes(), &hash)
                    .is_ok()
            })
        })
        .await
        .map_err(|error| AppError::Internal(error.to_string()))?;
        Ok(right && known)
    }
}

/// The PHC form of a password's argon2id hash, with a salt of its own.
///
/// # Errors
/// When there is no randomness for the salt.
pub fn hash(password: &str) -> Result<String, AppError> {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| AppError::Internal(error.to_string()))
}

impl App {
    /// Checks a user name and password, and begins a session.
    ///
    /// # Errors
    /// One refusal for every wrong pair, known user or not.
    pub async fn log_in(
        &self,
        name: &str,
        password: String,
        remember: bool,
    ) -> Result<LoggedIn, AppError> {
        let refusal = || {
            AppError::refused(
                "wrong_login",
                "The username or password is not right. Please try again.",
            )
        };
        if name.trim().is_empty() || password.is_empty() || password.len() > LONGEST_PASSWORD {
            return Err(refusal());
        }
        let user = {
            let tx = self.store.read()?;
            match tables::USER_BY_NAME.get(&tx, &username(name))? {
                Some(uuid) => tables::USERS.get(&tx, &uuid)?,
                None => None,
            }
        };
        let stored = user.as_ref().and_then(|user| user.password_hash.clone());
        let right = self.passwords.verify(password, stored).await?;
        let user = user.filter(|_| right).ok_or_else(refusal)?;
        self.begin_session(&user, remember).await
    }

    async fn begin_session(&self, user: &User, remember: bool) -> Result<LoggedIn, AppError> {
        let now = self.clock.now();
        let accounts = &self.config.accounts;
        let length = if remember {
            Duration::days(i64::from(accounts.remember_days))
        } else {
            Duration::hours(i64::from(accounts.session_hours))
        };
        let token = Token::random()?;
        let (hash, user) = (token.hash(), user.uuid);
        let session = Session {
            user,
            created: now,
            expires: now + length,
        };
        self.store
            .write(move |tx| {
                tables::SESSIONS.put(tx, &hash, &session)?;
                tables::SESSION_BY_USER.put(tx, &(user, hash), &())
            })
            .await
            .map_err(AppError::from)?;
        Ok(LoggedIn {
            token,
            keep_seconds: remember.then(|| length.num_seconds().unsigned_abs()),
        })
    }

    /// Ends the session whose token this is; one that isn't there is ended already.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn log_out(&self, token: &str) -> Result<(), AppError> {
        let hash = hash_token(token);
        self.store
            .write(move |tx| {
                if let Some(session) = tables::SESSIONS.get(tx, &hash)? {
                    tables::SESSIONS.delete(tx, &hash);
                    tables::SESSION_BY_USER.delete(tx, &(session.user, hash));
                }
                Ok(())
            })
            .await
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
            Caller::User { uuid, .. } => {
                let tx = self.store.read()?;
                let user = tables::USERS
                    .get(&tx, uuid)?
                    .ok_or(AppError::Unauthenticated)?;
                Ok(ProfileView {
                    profile: user.profile,
                    user: Some(user.uuid),
                })
            }
        }
    }
}

/// The policyholder's fields that every product names alike.
fn typed_profile(answers: &Answers) -> Profile {
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
