//! A rate limit with bursts: the generic cell rate algorithm (GCRA). The count of a key is its theoretical
//! arrival time.

use chrono::{DateTime, TimeDelta, Utc};

/// The tolerance for differences between the nodes' clocks, and for a wait between a call's `now` and its
/// write.
pub(super) const MAX_SKEW: TimeDelta = TimeDelta::minutes(1);

/// A number of actions in a period, with a burst.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// The time between two actions.
    interval: TimeDelta,
    /// The maximum number of actions without a wait between them.
    burst: i32,
}

impl Rate {
    /// Returns a rate of `number` actions in a `period`, with at most `burst` actions at once. Returns `None`
    /// for 0, which means no limit.
    pub(super) fn new(number: u32, period: TimeDelta, burst: u32) -> Option<Self> {
        let number = i32::try_from(number).ok().filter(|number| *number > 0)?;
        Some(Self {
            interval: period / number,
            burst: i32::try_from(burst).unwrap_or(i32::MAX),
        })
    }

    /// Returns one node's share of the rate, if `shops` nodes divide it. The share allows at least
    /// one action at a time.
    pub(super) fn divided_by(self, shops: u32) -> Self {
        let shops = i32::try_from(shops).unwrap_or(i32::MAX).max(1);
        Self {
            interval: self.interval * shops,
            burst: (self.burst / shops).max(1),
        }
    }

    /// Returns the arrival time after `number` more actions. If these are too many, fails with the wait and
    /// counts none. More actions than a burst count as one burst.
    pub(super) fn add(
        self,
        arrival: Option<DateTime<Utc>>,
        number: i32,
        now: DateTime<Utc>,
    ) -> Result<DateTime<Utc>, TimeDelta> {
        let number = number.min(self.burst);
        // Only a wrong clock stores an arrival after `latest`, so such an arrival is ignored.
        let latest = now + self.interval * self.burst + MAX_SKEW;
        let arrival = arrival.filter(|arrival| *arrival <= latest);
        let arrival = arrival.map_or(now, |arrival| now.max(arrival));
        let wait = arrival - now - self.interval * (self.burst - number);
        if wait > TimeDelta::zero() {
            return Err(wait);
        }
        Ok(arrival + self.interval * number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds_time(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    fn a_second(burst: u32) -> Rate {
        Rate::new(60, TimeDelta::minutes(1), burst).unwrap()
    }

    /// Returns how many of `tries` simultaneous tries are allowed.
    fn let_through(
        arrival: &mut Option<DateTime<Utc>>,
        rate: Rate,
        now: i64,
        tries: usize,
    ) -> usize {
        let mut take = || match rate.add(*arrival, 1, seconds_time(now)) {
            Ok(next) => {
                *arrival = Some(next);
                true
            }
            Err(_) => false,
        };
        (0..tries).filter(|_| take()).count()
    }

    #[test]
    fn some_go_at_once_and_then_one_at_a_time() {
        let (mut count, rate) = (None, a_second(120));
        assert_eq!(let_through(&mut count, rate, 0, 200), 120);
        assert_eq!(
            rate.add(count, 1, seconds_time(0)),
            Err(TimeDelta::seconds(1))
        );
        assert_eq!(let_through(&mut count, rate, 1, 5), 1);
        assert_eq!(let_through(&mut count, rate, 11, 50), 10);
        // A pause restores the whole burst.
        assert_eq!(let_through(&mut count, rate, 131, 200), 120);
    }

    #[test]
    fn three_shops_let_through_together_what_one_would() {
        let (mut count, share) = (None, a_second(120).divided_by(3));
        assert_eq!(let_through(&mut count, share, 0, 200), 40);
        assert_eq!(let_through(&mut count, share, 60, 200), 20);
        // Each node allows at least one action, whatever the number of nodes.
        let share = a_second(120).divided_by(1000);
        assert_eq!(let_through(&mut None, share, 0, 200), 1);
    }

    #[test]
    fn several_are_counted_together_or_none_of_them() {
        let (mut count, rate) = (None, a_second(10));
        let mut take = |number, now| match rate.add(count, number, seconds_time(now)) {
            Ok(next) => {
                count = Some(next);
                true
            }
            Err(_) => false,
        };
        assert!(take(6, 0));
        assert!(!take(5, 0));
        assert!(take(4, 0));
        assert!(!take(3, 2));
        assert!(take(3, 3));
        // More actions than a burst are allowed if the whole burst is left.
        assert!(!take(50, 12));
        assert!(take(50, 13));
        assert!(!take(1, 13));
    }

    #[test]
    fn a_count_of_a_wrong_clock_keeps_nobody_waiting_for_years() {
        let (mut count, rate) = (None, a_second(120));
        assert_eq!(let_through(&mut count, rate, 80_000_000, 200), 120);
        assert_eq!(let_through(&mut count, rate, 0, 200), 120);
    }

    #[test]
    fn a_full_count_of_a_clock_that_is_a_little_ahead_still_counts() {
        let (mut count, rate) = (None, a_second(120));
        assert_eq!(let_through(&mut count, rate, 1, 200), 120);
        assert_eq!(let_through(&mut count, rate, 0, 200), 0);
    }

    #[test]
    fn zero_is_any_number() {
        assert!(Rate::new(0, TimeDelta::minutes(1), 0).is_none());
    }
}
