//! Hashing passwords with argon2id, on a limited number of threads.

use std::sync::atomic::{AtomicU64, Ordering};

use super::hashing_queue::{HashingQueue, QueuePermit, WaitsAs};
use crate::app::AppError;
use crate::secret::Token;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params};

/// argon2id at OWASP's parameters (19 MiB, 2 passes), on a limited number of threads, so that
/// log-ins can't take all processors and memory.
pub struct Passwords {
    queue: HashingQueue,
    /// The hash that is checked for an unknown user name, so that it takes as long as a known one.
    nobody: Option<String>,
    verified: AtomicU64,
}

/// The result of checking a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum Verified {
    /// It is wrong, or there is none.
    Wrong,
    /// It is right.
    Right,
    /// It is right, and its stored hash has weaker parameters than today's; here is a new hash.
    Outdated(String),
}

impl Passwords {
    /// Hashes on at most `threads` threads at the same time.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self {
            queue: HashingQueue::new(threads),
            nobody: Token::random()
                .ok()
                .and_then(|token| hash(token.expose()).ok()),
            verified: AtomicU64::new(0),
        }
    }

    /// How many passwords were checked so far, for tests that count.
    #[must_use]
    pub fn verifications(&self) -> u64 {
        self.verified.load(Ordering::Relaxed)
    }

    /// Whether `password` is the one behind `stored`; takes as long as today's hashes do when
    /// there is none.
    ///
    /// # Errors
    /// [`AppError::Unavailable`] when too many wait for a hash; nothing was checked then.
    pub(in crate::app) async fn verify(
        &self,
        password: String,
        stored: Option<String>,
        waits_as: WaitsAs,
    ) -> Result<Verified, AppError> {
        let is_registered = stored.is_some();
        let Some(stored) = stored.or_else(|| self.nobody.clone()) else {
            return Err(AppError::Internal("no password can be checked".into()));
        };
        let turn = self.queue.acquire(waits_as).await?;
        self.verified.fetch_add(1, Ordering::Relaxed);
        run_on_thread(turn, move || {
            let Ok(parsed) = PasswordHash::new(&stored) else {
                return Ok(Verified::Wrong);
            };
            let right = Argon2::default()
                .verify_password(password.as_bytes(), &parsed)
                .is_ok();
            match (right && is_registered, is_outdated(&parsed)) {
                (false, _) => Ok(Verified::Wrong),
                (true, false) => Ok(Verified::Right),
                (true, true) => hash(&password).map(Verified::Outdated),
            }
        })
        .await
    }

    /// The hash to keep of a new password. Who may set one is known.
    ///
    /// # Errors
    /// [`AppError::Unavailable`] when too many wait for a hash.
    pub(in crate::app) async fn hash(&self, password: String) -> Result<String, AppError> {
        let turn = self.queue.acquire(WaitsAs::Registered).await?;
        run_on_thread(turn, move || hash(&password)).await
    }
}

/// Hashes on a thread of its own. The turn moves to the thread: hashing goes on when the caller hangs
/// up, and still counts.
async fn run_on_thread<T: Send + 'static>(
    turn: QueuePermit,
    work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
) -> Result<T, AppError> {
    let work = move || {
        let _turn = turn;
        work()
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| AppError::internal("the thread that hashes failed", error))?
}

/// Whether a hash was made with less work than today's are.
fn is_outdated(hash: &PasswordHash) -> bool {
    let Ok(params) = Params::try_from(hash) else {
        return true;
    };
    hash.algorithm.as_str() != Algorithm::Argon2id.as_str()
        || params.m_cost() < Params::DEFAULT_M_COST
        || params.t_cost() < Params::DEFAULT_T_COST
}

/// The PHC form of a password's argon2id hash, with a salt of its own.
///
/// # Errors
/// When there is no randomness for the salt.
pub fn hash(password: &str) -> Result<String, AppError> {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| AppError::internal("a password could not be hashed", error))
}
