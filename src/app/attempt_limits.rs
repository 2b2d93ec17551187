//! Limits on repeated tries: a few without delay, then each after a wait that doubles. Counted in
//! memory; a restart resets the counts. Where several shops serve one store they are counted there
//! (`shared_limits.rs`).

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use moka::ops::compute::Op;
use moka::sync::Cache;

use crate::app::AppError;
use crate::config::client_network;
use crate::store::tables::Tries;

/// Longest wait between two tries, seconds.
const LONGEST_WAIT: i64 = 900;
/// Hours without a try after which the count starts again at 0.
const FORGIVEN_AFTER: i64 = 1;
/// Most counts kept at the same time.
const REMEMBERED: u64 = 200_000;

/// Where a call comes from.
#[derive(Clone, Debug)]
pub struct Client {
    /// The address, past the proxies that are trusted.
    pub address: IpAddr,
    /// The device cookie that the browser was given at its last log-in; see [`LimitKind`].
    pub device: Option<String>,
}

/// What is counted, each by itself.
///
/// A user's log-ins have two counts: those from browsers that logged in before are counted by
/// device, all others together. So a stranger's guesses delay strangers, and not the owner on a
/// known browser (OWASP's device cookies).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum LimitKind {
    /// Log-ins from a network address, under any user name.
    LoginFrom,
    /// Log-ins as a user from browsers that aren't known.
    LoginAs,
    /// Log-ins from a browser that logged in before.
    LoginOn,
    /// The old password, where somebody changes it.
    OldPassword,
    /// Requests for a mail, by address.
    MailFrom,
    /// New mail addresses of a user.
    AddressChange,
    /// Codes for a first password, by the policy in whose letter they are.
    PasswordCode,
    /// Payment pages that a network address had made.
    PaymentPages,
    /// Payments from a network address that were declined or abandoned.
    FailedPayments,
}

impl LimitKind {
    /// How many are free where no setting says it.
    pub(in crate::app) const fn free(self) -> u32 {
        match self {
            Self::PaymentPages => 60,
            Self::FailedPayments => 10,
            Self::LoginFrom => 20,
            Self::MailFrom => 10,
            Self::LoginAs
            | Self::LoginOn
            | Self::OldPassword
            | Self::AddressChange
            | Self::PasswordCode => 5,
        }
    }
}

/// The counts of all tries.
pub(in crate::app) struct Limits {
    tries: Cache<String, Tries>,
}

impl Limits {
    pub(in crate::app) fn new() -> Self {
        let tries = Cache::builder()
            .max_capacity(REMEMBERED)
            .time_to_idle(std::time::Duration::from_secs(3600))
            .build();
        Self { tries }
    }

    /// Counts a try before it is made, so that tries at the same moment are all counted.
    pub(in crate::app) fn take(
        &self,
        kind: LimitKind,
        who: &str,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        self.take_beyond(kind, kind.free(), who, now)
    }

    /// As [`Limits::take`], with another number of free tries; 0 is any number.
    pub(in crate::app) fn take_beyond(
        &self,
        kind: LimitKind,
        free: u32,
        who: &str,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        if free == 0 {
            return Ok(());
        }
        let mut refused = None;
        self.tries.entry(key(kind, who)).and_compute_with(|entry| {
            match one_more(entry.map(moka::Entry::into_value), free, now) {
                Ok(tries) => Op::Put(tries),
                Err(left) => {
                    refused = Some(left);
                    Op::Nop
                }
            }
        });
        match refused {
            None => Ok(()),
            Some(left) => Err(too_many(left)),
        }
    }

    /// Whether the next try has to wait; counts none.
    pub(in crate::app) fn look(
        &self,
        kind: LimitKind,
        who: &str,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        let known = self.tries.get(&key(kind, who));
        match known.filter(|known| counts(known, now) && now < known.until) {
            None => Ok(()),
            Some(known) => Err(too_many(known.until - now)),
        }
    }

    /// Takes a try back that succeeded.
    pub(in crate::app) fn take_back(&self, kind: LimitKind, who: &str) {
        self.tries.entry(key(kind, who)).and_compute_with(|entry| {
            match entry.map(moka::Entry::into_value) {
                Some(known) => one_less(known).map_or(Op::Remove, Op::Put),
                None => Op::Nop,
            }
        });
    }

    /// Resets the count.
    pub(in crate::app) fn forget(&self, kind: LimitKind, who: &str) {
        self.tries.invalidate(&key(kind, who));
    }
}

/// Whether the last of them is recent. One far in the future was counted by a wrong clock.
fn counts(known: &Tries, now: DateTime<Utc>) -> bool {
    (now - known.last).abs() < Duration::hours(FORGIVEN_AFTER)
}

/// Those that are `known` and one more, where so many are `free`; or how long it has to wait.
pub(in crate::app) fn one_more(
    known: Option<Tries>,
    free: u32,
    now: DateTime<Utc>,
) -> Result<Tries, Duration> {
    let known = known.filter(|known| counts(known, now));
    if let Some(known) = known.filter(|known| now < known.until) {
        return Err(known.until - now);
    }
    let count = known.map_or(0, |known| known.count).saturating_add(1);
    let until = match count.checked_sub(free) {
        Some(over) => now + wait(over),
        None => now,
    };
    Ok(Tries {
        count,
        last: now,
        until,
    })
}

/// Those that are `known` but one; none where there is none left.
pub(in crate::app) fn one_less(known: Tries) -> Option<Tries> {
    (known.count > 1).then(|| Tries {
        count: known.count - 1,
        until: known.last,
        ..known
    })
}

/// What a count is called.
pub(in crate::app) fn key(kind: LimitKind, who: &str) -> String {
    format!("{kind:?} {who}")
}

/// Come again after `left`.
pub(in crate::app) fn too_many(left: Duration) -> AppError {
    AppError::TooMany {
        retry_after: left.num_seconds().max(0).unsigned_abs() + 1,
    }
}

/// 1, 2, 4, ... seconds, up to a quarter of an hour.
fn wait(over: u32) -> Duration {
    let seconds = 2_i64.checked_pow(over.min(30)).unwrap_or(LONGEST_WAIT);
    Duration::seconds(seconds.min(LONGEST_WAIT))
}

impl Client {
    /// What is counted for it.
    pub(in crate::app) fn counted(&self) -> String {
        client_network(self.address).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    fn wait_of(limits: &Limits, seconds: i64) -> Option<u64> {
        match limits.take(LimitKind::LoginAs, "ann", at(seconds)) {
            Ok(()) => None,
            Err(AppError::TooMany { retry_after }) => Some(retry_after),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn five_tries_are_free_and_then_each_waits_twice_as_long() {
        let limits = Limits::new();
        for _ in 0..5 {
            assert_eq!(wait_of(&limits, 0), None);
        }
        assert!(wait_of(&limits, 0).is_some());
        let mut now = 0;
        for wait in [1, 2, 4, 8, 16] {
            assert!(wait_of(&limits, now + wait - 1).is_some(), "{wait}");
            now += wait;
            assert_eq!(wait_of(&limits, now), None, "{wait}");
        }
        // Others don't wait, and an hour of quiet forgives.
        assert!(limits.take(LimitKind::LoginAs, "bob", at(now)).is_ok());
        assert!(limits.take(LimitKind::LoginOn, "ann", at(now)).is_ok());
        assert_eq!(wait_of(&limits, now + 3600), None);
        assert_eq!(wait_of(&limits, now + 3600), None);
    }

    #[test]
    fn nobody_waits_longer_than_a_quarter_of_an_hour() {
        let limits = Limits::new();
        let mut now = 0;
        for _ in 0..40 {
            let _ = wait_of(&limits, now);
            now += LONGEST_WAIT;
        }
        assert_eq!(wait_of(&limits, now), None);
    }

    #[test]
    fn a_right_try_is_taken_back() {
        let limits = Limits::new();
        for _ in 0..50 {
            assert_eq!(wait_of(&limits, 0), None);
            limits.take_back(LimitKind::LoginAs, "ann");
        }
    }
}
