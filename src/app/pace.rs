//! How often something may be done: so many times in a period, and some of them at once. Counted in
//! memory, by client or for all together; a restart begins the counts anew. Of several shops that serve
//! one store each lets its share through, so that all together let through what one would.

use chrono::{DateTime, TimeDelta, Utc};
use moka::ops::compute::Op;
use moka::sync::Cache;

use crate::app::AppError;

/// Most counts kept at the same time.
const REMEMBERED: u64 = 200_000;

/// What is counted, each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Paced {
    /// Saves of quotes by somebody who isn't logged in.
    Saves,
    /// Prices and forms for answers that aren't saved.
    Prices,
    /// Letters about quotes.
    QuoteLetters,
    /// Questions whether there is cover, by client and in all.
    CoverChecks,
    /// The same about one registration or policy number.
    CoverChecksOfOne,
    /// Look-ups of vehicles, by client and in all.
    VehicleLookups,
    /// The same of addresses.
    AddressLookups,
}

/// How often it may be done.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Pace {
    /// The time in which one more may be done.
    each: TimeDelta,
    /// How many may be done at once.
    at_once: i32,
}

impl Pace {
    /// `number` times in `period`, of which `at_once` at the same moment; none where `number` is 0,
    /// which means any number.
    pub(in crate::app) fn of(number: u32, period: TimeDelta, at_once: u32) -> Option<Self> {
        let number = i32::try_from(number).ok().filter(|number| *number > 0)?;
        Some(Self {
            each: period / number,
            at_once: i32::try_from(at_once).unwrap_or(i32::MAX),
        })
    }

    /// What one of so many shops lets through of it.
    pub(in crate::app) fn share_of(self, shops: u32) -> Self {
        let shops = i32::try_from(shops).unwrap_or(i32::MAX).max(1);
        Self {
            each: self.each * shops,
            at_once: (self.at_once / shops).max(1),
        }
    }
}

/// The counts. Of each is kept from when on nothing would be counted: the moment at which all that was
/// done would have been done evenly.
pub(in crate::app) struct Paces(Cache<String, DateTime<Utc>>);

impl Paces {
    pub(in crate::app) fn new() -> Self {
        let cache = Cache::builder()
            .max_capacity(REMEMBERED)
            .time_to_idle(std::time::Duration::from_secs(3600));
        Self(cache.build())
    }

    /// Counts one more before it is done, so that those at the same moment are all counted. `who` is
    /// empty for all together.
    ///
    /// # Errors
    /// [`AppError::TooMany`] for one too many, which isn't counted.
    pub(in crate::app) fn take(
        &self,
        what: Paced,
        who: &str,
        pace: Option<Pace>,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        self.take_many(what, who, pace, 1, now)
    }

    /// Counts `number` at once, all of them or none. More than may be done at once count as so many.
    ///
    /// # Errors
    /// As [`Paces::take`].
    pub(in crate::app) fn take_many(
        &self,
        what: Paced,
        who: &str,
        pace: Option<Pace>,
        number: i32,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        let Some(pace) = pace else {
            return Ok(());
        };
        let number = number.min(pace.at_once);
        let mut refused = None;
        self.0
            .entry(format!("{what:?} {who}"))
            .and_compute_with(|entry| {
                // A later moment than any that this makes was stored by a wrong clock.
                let latest = now + pace.each * pace.at_once;
                let known = entry.map(moka::Entry::into_value);
                let known = known.filter(|known| *known <= latest);
                let even = known.map_or(now, |known| now.max(known));
                let early = even - now - pace.each * (pace.at_once - number);
                if early > TimeDelta::zero() {
                    refused = Some(early);
                    return Op::Nop;
                }
                Op::Put(even + pace.each * number)
            });
        match refused {
            None => Ok(()),
            Some(left) => Err(AppError::TooMany {
                retry_after: left.num_seconds().max(0).unsigned_abs() + 1,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    /// How many of `tries` at once are let through.
    fn let_through(paces: &Paces, who: &str, pace: Option<Pace>, now: i64, tries: u32) -> usize {
        let take = |_| paces.take(Paced::QuoteLetters, who, pace, at(now));
        (0..tries).map(take).filter(Result::is_ok).count()
    }

    #[test]
    fn some_go_at_once_and_then_one_at_a_time() {
        let (paces, pace) = (Paces::new(), Pace::of(60, TimeDelta::minutes(1), 120));
        assert_eq!(let_through(&paces, "a", pace, 0, 200), 120);
        assert_eq!(let_through(&paces, "a", pace, 0, 1), 0);
        let refused = paces.take(Paced::QuoteLetters, "a", pace, at(0));
        assert!(matches!(
            refused,
            Err(AppError::TooMany { retry_after: 1 | 2 })
        ));
        assert_eq!(let_through(&paces, "a", pace, 1, 5), 1);
        assert_eq!(let_through(&paces, "a", pace, 11, 50), 10);
        // Others are counted by themselves, and quiet brings all of it back.
        assert_eq!(let_through(&paces, "b", pace, 11, 200), 120);
        assert_eq!(let_through(&paces, "a", pace, 131, 200), 120);
    }

    #[test]
    fn three_shops_let_through_together_what_one_would() {
        let pace = Pace::of(60, TimeDelta::minutes(1), 120);
        let share = pace.map(|pace| pace.share_of(3));
        let paces = Paces::new();
        assert_eq!(let_through(&paces, "a", share, 0, 200), 40);
        assert_eq!(let_through(&paces, "a", share, 60, 200), 20);
        // However many they are, each lets one through.
        let share = pace.map(|pace| pace.share_of(1000));
        assert_eq!(let_through(&paces, "b", share, 0, 200), 1);
    }

    #[test]
    fn several_are_counted_together_or_none_of_them() {
        let (paces, pace) = (Paces::new(), Pace::of(60, TimeDelta::minutes(1), 10));
        let take = |number, now| paces.take_many(Paced::Prices, "a", pace, number, at(now));
        assert!(take(6, 0).is_ok());
        assert!(take(5, 0).is_err());
        assert_eq!(let_through(&paces, "b", pace, 0, 20), 10);
        assert!(take(4, 0).is_ok());
        assert!(take(3, 2).is_err());
        assert!(take(3, 3).is_ok());
        // Those that never fit at once are let through when nothing else was done.
        assert!(take(50, 12).is_err());
        assert!(take(50, 13).is_ok());
        assert!(take(1, 13).is_err());
    }

    #[test]
    fn a_count_of_a_wrong_clock_keeps_nobody_waiting_for_years() {
        let (paces, pace) = (Paces::new(), Pace::of(60, TimeDelta::minutes(1), 120));
        assert_eq!(let_through(&paces, "a", pace, 80_000_000, 200), 120);
        assert_eq!(let_through(&paces, "a", pace, 0, 200), 120);
    }

    #[test]
    fn nothing_is_counted_where_any_number_is_allowed() {
        let (paces, pace) = (Paces::new(), Pace::of(0, TimeDelta::minutes(1), 0));
        assert_eq!(let_through(&paces, "a", pace, 0, 1000), 1000);
    }
}
