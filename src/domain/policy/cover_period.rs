//! The periods that a policy covers, and whether it covers a given moment.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::domain::policy::{DayRange, Policy};
use crate::domain::time::dates;
use crate::json_schema::ResponseSchema;

/// A time with cover and without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
#[serde(rename = "CoverPeriod")]
pub struct CoverPeriod {
    /// The first moment of cover.
    pub begins: DateTime<Utc>,
    /// The first moment without cover.
    pub ends: DateTime<Utc>,
}

/// The state of a policy's cover at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverNow {
    /// Events are covered.
    Covered,
    /// There is no cover now. The value is the moment at which the next period begins.
    NotYet(DateTime<Utc>),
    /// There is no cover now or later.
    Over,
}

/// Returns the periods that a live policy covers, the earliest first. They are the days of each
/// trip in `trips`. Without trips, the whole term is covered. No period starts before
/// `cover_begins`. A scheduled cancellation ends the cover at the start of its day.
#[must_use]
pub fn cover_periods(policy: &Policy, trips: &[DayRange]) -> Vec<CoverPeriod> {
    let term = DayRange {
        first: policy.inception,
        last: policy.expiry,
    };
    let days = if trips.is_empty() {
        std::slice::from_ref(&term)
    } else {
        trips
    };
    let end = policy.scheduled_end.map(|end| dates::start_of_day(end.on));
    let period = |days: &DayRange| {
        let ends = dates::start_of_day(dates::add_days(days.last, 1));
        CoverPeriod {
            begins: dates::start_of_day(days.first).max(policy.cover_begins),
            ends: end.map_or(ends, |end| end.min(ends)),
        }
    };
    let mut periods: Vec<CoverPeriod> = days.iter().map(period).collect();
    periods.retain(|period| period.begins < period.ends);
    periods.sort_by_key(|period| period.begins);
    periods
}

/// Returns the state of the cover at `now`.
#[must_use]
pub fn current_cover(periods: &[CoverPeriod], now: DateTime<Utc>) -> CoverNow {
    let mut to_come = periods.iter().filter(|period| now < period.ends);
    match to_come.next() {
        None => CoverNow::Over,
        Some(period) if period.begins <= now => CoverNow::Covered,
        Some(period) => {
            let first = to_come.fold(period.begins, |first, period| first.min(period.begins));
            CoverNow::NotYet(first)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::policy::{ScheduledEvent, tests::policy};
    use uuid::Uuid;

    fn time(moment: &str) -> DateTime<Utc> {
        moment.parse().unwrap()
    }

    fn days(first: &str, last: &str) -> DayRange {
        DayRange {
            first: first.parse().unwrap(),
            last: last.parse().unwrap(),
        }
    }

    #[test]
    fn a_year_is_covered_from_the_moment_cover_begins_to_the_end_of_its_last_day_in_london() {
        let mut year = policy("2026-06-01", "2027-05-31");
        year.cover_begins = time("2026-06-01T10:30:00Z");
        let periods = cover_periods(&year, &[]);
        for (moment, stands) in [
            (
                "2026-05-01T00:00:00Z",
                CoverNow::NotYet(time("2026-06-01T10:30:00Z")),
            ),
            (
                "2026-06-01T10:29:59Z",
                CoverNow::NotYet(time("2026-06-01T10:30:00Z")),
            ),
            ("2026-06-01T10:30:00Z", CoverNow::Covered),
            // In British summer time, midnight in London is 23:00 UTC.
            ("2027-05-31T22:59:59Z", CoverNow::Covered),
            ("2027-05-31T23:00:00Z", CoverNow::Over),
        ] {
            assert_eq!(current_cover(&periods, time(moment)), stands, "{moment}");
        }
    }

    #[test]
    fn between_two_trips_nothing_is_covered() {
        let trips = policy("2026-12-01", "2026-12-20");
        let days = [
            days("2026-12-18", "2026-12-20"),
            days("2026-12-01", "2026-12-03"),
        ];
        let periods = cover_periods(&trips, &days);
        for (moment, stands) in [
            (
                "2026-11-30T23:59:59Z",
                CoverNow::NotYet(time("2026-12-01T00:00:00Z")),
            ),
            ("2026-12-03T23:59:59Z", CoverNow::Covered),
            (
                "2026-12-04T00:00:00Z",
                CoverNow::NotYet(time("2026-12-18T00:00:00Z")),
            ),
            ("2026-12-19T12:00:00Z", CoverNow::Covered),
            ("2026-12-21T00:00:00Z", CoverNow::Over),
        ] {
            assert_eq!(current_cover(&periods, time(moment)), stands, "{moment}");
        }
    }

    #[test]
    fn a_cancellation_for_a_later_day_ends_it_as_that_day_begins() {
        let mut year = policy("2026-12-01", "2027-11-30");
        let on = |day: &str| {
            Some(ScheduledEvent {
                id: Uuid::nil(),
                on: day.parse().unwrap(),
            })
        };
        year.scheduled_end = on("2027-01-10");
        let cut = cover_periods(&year, &[]);
        assert_eq!(
            current_cover(&cut, time("2027-01-09T23:59:59Z")),
            CoverNow::Covered
        );
        assert_eq!(
            current_cover(&cut, time("2027-01-10T00:00:00Z")),
            CoverNow::Over
        );
        // A cancellation before the cover begins: nothing is covered.
        year.scheduled_end = on("2026-12-01");
        let none = cover_periods(&year, &[]);
        assert_eq!(
            current_cover(&none, time("2026-11-30T00:00:00Z")),
            CoverNow::Over
        );
    }
}
