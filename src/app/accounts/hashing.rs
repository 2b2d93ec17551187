//! Hashes passwords with argon2id, on a limited number of threads.

use std::sync::atomic::{AtomicU64, Ordering};

use super::hashing_queue::{HashingQueue, QueuePermit, WaitsAs};
use crate::app::AppError;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params};

/// Hashes passwords with argon2id at OWASP's parameters (19 MiB, 2 passes). A limited number of
/// threads bounds the memory and the processors that log-ins use.
pub struct Passwords {
    queue: HashingQueue,
    verified: AtomicU64,
}

/// The hash that is checked if a user name has no stored hash. So this check takes as long as the check of a
/// stored hash. It is the hash of random bytes that nobody knows, and no match counts.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$hY3eZNbhp6nLpQ1QcpgzbA$3ADwGAUyIFZn2QhBVEJN+LJjvnjsXGjsnKKKe7r3vjY";

/// The result of a password check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum Verified {
    /// The password is wrong, or there is no stored hash that can be read.
    Wrong,
    /// The password is right.
    Right,
    /// The password is right, but the stored hash has another algorithm or weaker parameters than a
    /// new hash. Contains a new hash.
    Outdated(String),
}

impl Passwords {
    /// Creates a hasher for at most `threads` hashes at the same time.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        Self {
            queue: HashingQueue::new(threads),
            verified: AtomicU64::new(0),
        }
    }

    /// Returns the number of passwords checked so far, for tests.
    #[must_use]
    pub fn verifications(&self) -> u64 {
        self.verified.load(Ordering::Relaxed)
    }

    /// Checks `password` against the hash `stored`. Without a stored hash, the check takes as long
    /// as the check of a new hash.
    ///
    /// # Errors
    /// [`AppError::Unavailable`] if too many requests wait for a hash; nothing was checked then.
    /// [`AppError::Internal`] if hashing fails.
    pub(in crate::app) async fn verify(
        &self,
        password: String,
        stored: Option<String>,
        waits_as: WaitsAs,
    ) -> Result<Verified, AppError> {
        let is_registered = stored.is_some();
        let stored = stored.unwrap_or_else(|| NOBODY.to_owned());
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

    /// Returns the hash of a new password. The request waits with the priority of a registered
    /// user. So the caller must have checked a session or a mailed link.
    ///
    /// # Errors
    /// [`AppError::Unavailable`] if too many requests wait for a hash. [`AppError::Internal`] if
    /// hashing fails.
    pub(in crate::app) async fn hash(&self, password: String) -> Result<String, AppError> {
        let turn = self.queue.acquire(WaitsAs::Registered).await?;
        run_on_thread(turn, move || hash(&password)).await
    }
}

/// Runs `work` on a separate thread, which owns the permit. If the caller disconnects, `work`
/// continues and keeps the permit.
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

/// Returns whether a hash has another algorithm, weaker parameters than a new hash, or unreadable
/// parameters.
fn is_outdated(hash: &PasswordHash) -> bool {
    let Ok(params) = Params::try_from(hash) else {
        return true;
    };
    hash.algorithm.as_str() != Algorithm::Argon2id.as_str()
        || params.m_cost() < Params::DEFAULT_M_COST
        || params.t_cost() < Params::DEFAULT_T_COST
}

/// Returns the password's argon2id hash in PHC format, with its own salt.
///
/// # Errors
/// If the password can't be hashed, for example without randomness for the salt.
pub fn hash(password: &str) -> Result<String, AppError> {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| AppError::internal("a password could not be hashed", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_nobody_takes_as_long_as_a_new_hash() {
        let parameters = |hash: &str| {
            let hash = PasswordHash::new(hash).unwrap();
            (
                hash.algorithm,
                hash.version,
                hash.params,
                hash.salt.map(|salt| salt.len()),
            )
        };
        assert_eq!(
            parameters(NOBODY),
            parameters(&hash("Layby-demo-2026").unwrap())
        );
    }
}
