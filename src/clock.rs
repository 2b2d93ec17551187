//! The clock: the system's clock, a clock with another start, or a clock that a test moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::Europe::London;

/// A clock. All clones show one time.
#[derive(Clone, Debug)]
pub struct Clock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Whether time passes by itself.
    runs: bool,
    /// Microseconds to add to the system's time, or since 1970 if the clock does not run.
    offset: AtomicI64,
}

impl Clock {
    /// Returns the system's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::new(true, 0)
    }

    /// Returns a clock that shows `start` now and runs from there.
    #[must_use]
    pub fn starting_at(start: DateTime<Utc>) -> Self {
        let ahead = start.timestamp_micros() - Utc::now().timestamp_micros();
        Self::new(true, ahead)
    }

    /// Returns a clock that shows `time` until it is set or moved.
    #[must_use]
    pub fn fixed(time: DateTime<Utc>) -> Self {
        Self::new(false, time.timestamp_micros())
    }

    fn new(runs: bool, offset: i64) -> Self {
        let offset = AtomicI64::new(offset);
        Self(Arc::new(Inner { runs, offset }))
    }

    /// Returns the time, in whole microseconds.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        let offset = self.0.offset.load(Ordering::SeqCst);
        let micros = self.base().saturating_add(offset);
        // The fallback is only for a time outside the years -262143 to 262142, which has no date.
        DateTime::from_timestamp_micros(micros).unwrap_or_else(Utc::now)
    }

    /// Returns the date in London.
    #[must_use]
    pub fn today(&self) -> NaiveDate {
        self.now().with_timezone(&London).date_naive()
    }

    pub fn set(&self, to: DateTime<Utc>) {
        let offset = to.timestamp_micros().saturating_sub(self.base());
        self.0.offset.store(offset, Ordering::SeqCst);
    }

    /// Moves the clock forward, or back if `by` is negative.
    pub fn advance(&self, by: TimeDelta) {
        let micros = by.num_microseconds().unwrap_or(i64::MAX);
        self.0.offset.fetch_add(micros, Ordering::SeqCst);
    }

    fn base(&self) -> i64 {
        if self.0.runs {
            Utc::now().timestamp_micros()
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn the_system_clock_tells_the_system_time() {
        let before = Utc::now() - TimeDelta::milliseconds(1);
        let now = Clock::system().now();
        assert!(before < now && now <= Utc::now());
    }

    #[test]
    fn a_clock_that_starts_elsewhere_runs_on() {
        let start = time("2027-10-30T09:00:00Z");
        let clock = Clock::starting_at(start);
        let first = clock.now();
        std::thread::sleep(std::time::Duration::from_millis(5));
        let second = clock.now();
        assert!(first >= start && first < start + TimeDelta::seconds(60));
        assert!(second - first >= TimeDelta::milliseconds(5));
    }

    #[test]
    fn a_fixed_clock_moves_only_when_moved_and_its_clones_with_it() {
        let clock = Clock::fixed(time("2026-11-21T10:00:00Z"));
        let other = clock.clone();
        assert_eq!(clock.now(), time("2026-11-21T10:00:00Z"));
        clock.advance(TimeDelta::days(364));
        assert_eq!(other.now(), time("2027-11-20T10:00:00Z"));
        other.set(time("2026-01-01T00:00:00Z"));
        assert_eq!(clock.now(), time("2026-01-01T00:00:00Z"));
    }
}
