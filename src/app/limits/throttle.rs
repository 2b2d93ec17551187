//! A throttle for repeated tries: a few tries have no wait, and then each wait doubles.

use chrono::{DateTime, TimeDelta, Utc};

use crate::store::tables::Tries;

/// The maximum wait between two tries, in seconds.
const MAX_WAIT: i64 = 900;
/// The time without a try after which the count restarts at 0.
const FORGET_AFTER: TimeDelta = TimeDelta::hours(1);

/// Returns the wait before the next try, or `None` if the next try needs no wait.
pub(super) fn wait(tries: &Tries, now: DateTime<Utc>) -> Option<TimeDelta> {
    (is_recent(tries, now) && now < tries.until).then(|| tries.until - now)
}

/// Returns the tries after one more try. Fails with the remaining wait if the try is too early. The
/// first `free` tries have no wait.
pub(super) fn add_attempt(
    tries: Option<Tries>,
    free: u32,
    now: DateTime<Utc>,
) -> Result<Tries, TimeDelta> {
    let tries = tries.filter(|tries| is_recent(tries, now));
    if let Some(wait) = tries.and_then(|tries| wait(&tries, now)) {
        return Err(wait);
    }
    let count = tries.map_or(0, |tries| tries.count).saturating_add(1);
    let over = count.checked_sub(free);
    Ok(Tries {
        count,
        last: now,
        until: over.map_or(now, |over| now + delay(over)),
    })
}

/// Returns the tries without the last try and its wait, or `None` if no try is left.
pub(super) fn step_back(tries: Tries) -> Option<Tries> {
    (tries.count > 1).then(|| Tries {
        count: tries.count - 1,
        until: tries.last,
        ..tries
    })
}

/// Returns whether the count has expired.
pub(super) fn is_over(tries: &Tries, now: DateTime<Utc>) -> bool {
    tries.last.max(tries.until) < now - FORGET_AFTER
}

/// Returns whether less than [`FORGET_AFTER`] lies between the last try and `now`. Only a wrong
/// clock stores a try that is far in the future.
fn is_recent(tries: &Tries, now: DateTime<Utc>) -> bool {
    (now - tries.last).abs() < FORGET_AFTER
}

/// Returns the wait after the last free try and `over` further tries: 1, 2, 4, ... seconds, at most
/// [`MAX_WAIT`].
fn delay(over: u32) -> TimeDelta {
    let seconds = 2_i64.checked_pow(over.min(30)).unwrap_or(MAX_WAIT);
    TimeDelta::seconds(seconds.min(MAX_WAIT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds_time(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    fn is_allowed(tries: &mut Option<Tries>, seconds: i64) -> bool {
        let next = add_attempt(*tries, 5, seconds_time(seconds));
        *tries = next.ok().or(*tries);
        next.is_ok()
    }

    #[test]
    fn five_tries_are_free_and_then_each_waits_twice_as_long() {
        let mut tries = None;
        for _ in 0..5 {
            assert!(is_allowed(&mut tries, 0));
        }
        assert!(!is_allowed(&mut tries, 0));
        let mut now = 0;
        for wait in [1, 2, 4, 8, 16] {
            assert!(!is_allowed(&mut tries, now + wait - 1), "{wait}");
            now += wait;
            assert!(is_allowed(&mut tries, now), "{wait}");
        }
        // An hour without a try resets the count.
        assert!(is_allowed(&mut tries, now + 3600));
        assert!(is_allowed(&mut tries, now + 3600));
    }

    #[test]
    fn nobody_waits_longer_than_a_quarter_of_an_hour() {
        let (mut tries, mut now) = (None, 0);
        for _ in 0..40 {
            let _ = is_allowed(&mut tries, now);
            now += MAX_WAIT;
        }
        assert!(is_allowed(&mut tries, now));
    }

    #[test]
    fn a_right_try_is_taken_back() {
        let mut tries = None;
        for _ in 0..50 {
            assert!(is_allowed(&mut tries, 0));
            tries = tries.and_then(step_back);
        }
    }

    #[test]
    fn a_count_is_over_an_hour_after_it_counts_whatever_its_moments_are() {
        let now = DateTime::UNIX_EPOCH;
        let tries = |last: DateTime<Utc>, until| Tries {
            count: 1,
            last,
            until,
        };
        let hour = now - FORGET_AFTER;
        let before = hour - TimeDelta::milliseconds(1);
        assert!(!is_over(&tries(hour, hour), now));
        assert!(is_over(&tries(before, before), now));
        assert!(!is_over(&tries(before, hour), now));
        let (last, first) = (DateTime::<Utc>::MAX_UTC, DateTime::<Utc>::MIN_UTC);
        assert!(!is_over(&tries(last, last), now));
        assert!(is_over(&tries(first, first), now));
    }
}
