//! What is remembered of payment pages, and how long the next has to wait.

use chrono::{DateTime, TimeDelta, Utc};
use moka::ops::compute::Op;
use moka::sync::Cache;
use uuid::Uuid;

use crate::app::AppError;
use crate::app::attempt_limits::too_many;
use crate::domain::payment::Payment;

/// Most mailboxes and attempts that are remembered at the same time.
const REMEMBERED: u64 = 200_000;

/// What is remembered of payment pages. A restart forgets it; the pages of a quote are counted by its
/// stored attempts.
pub(in crate::app) struct PageLimits {
    /// When the last pages of a mailbox were made.
    by_mailbox: Cache<String, Vec<DateTime<Utc>>>,
    /// Where the customer of an attempt called from.
    pub(super) clients: Cache<Uuid, String>,
}

impl PageLimits {
    pub(in crate::app) fn new() -> Self {
        let hour = std::time::Duration::from_secs(3600);
        let by_mailbox = Cache::builder().max_capacity(REMEMBERED).time_to_idle(hour);
        let clients = Cache::builder()
            .max_capacity(REMEMBERED)
            .time_to_live(hour * 24);
        Self {
            by_mailbox: by_mailbox.build(),
            clients: clients.build(),
        }
    }

    /// Counts one more page of a mailbox before it is made, so that those at the same moment are all
    /// counted.
    pub(super) fn take(
        &self,
        mailbox: &str,
        most: usize,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        let mut refused = None;
        let entry = self.by_mailbox.entry(mailbox.to_owned());
        entry.and_compute_with(|entry| {
            let mut made = entry.map(moka::Entry::into_value).unwrap_or_default();
            refused = wait(&mut made, most, now);
            if refused.is_none() {
                made.push(now);
            }
            Op::Put(made)
        });
        refused.map_or(Ok(()), |left| Err(too_many(left)))
    }
}

/// How long to wait for one more page, after those that were `made`, oldest first, if an hour has at
/// `most` so many; none where there is room. Those of more than an hour ago are forgotten.
pub(super) fn wait(
    made: &mut Vec<DateTime<Utc>>,
    most: usize,
    now: DateTime<Utc>,
) -> Option<TimeDelta> {
    // One far in the future was made by a wrong clock.
    made.retain(|at| (now - *at).abs() < TimeDelta::hours(1));
    let full = made.len().checked_sub(most).filter(|_| most > 0)?;
    made.get(full).map(|at| *at + TimeDelta::hours(1) - now)
}

/// Refuses one more attempt for a quote that has as many of this hour as it may; 0 is any number.
///
/// # Errors
/// [`AppError::TooMany`].
pub(super) fn require_room(
    attempts: &[Payment],
    most: usize,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let on_pages = attempts.iter().filter(|one| one.stored_card.is_none());
    let mut made: Vec<_> = on_pages.map(|attempt| attempt.created).collect();
    wait(&mut made, most, now).map_or(Ok(()), |left| Err(too_many(left)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)
    }

    #[test]
    fn a_mailbox_has_ten_pages_in_any_hour() {
        let limits = PageLimits::new();
        for minute in 0..10 {
            limits.take("ann", 10, at(minute)).unwrap();
        }
        let refused = limits.take("ann", 10, at(10));
        assert!(matches!(
            refused,
            Err(AppError::TooMany { retry_after: 3001 })
        ));
        assert!(limits.take("bob", 10, at(10)).is_ok());
        assert!(limits.take("ann", 10, at(59)).is_err());
        assert!(limits.take("ann", 10, at(60)).is_ok());
        assert!(limits.take("ann", 10, at(60)).is_err());
        assert!(limits.take("ann", 10, at(61)).is_ok());
        assert!(limits.take("ann", 0, at(61)).is_ok());
    }
}
