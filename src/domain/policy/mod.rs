//! Policies: contracts of quotes that were paid.

pub mod adjustment;
pub mod cancellation;
pub mod cover_period;
pub mod plan;
pub mod renewal;
pub mod term;
use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::payment::FollowUp;
use crate::domain::policy::cancellation::Cancellation;
use crate::domain::policy::renewal::RenewalStatus;
use crate::domain::time::dates;
use crate::json_schema::ResponseSchema;

/// The number of days after the first day of annual cover on which a reported payment still buys
/// the cover.
const LATE_SALE_DAYS: i64 = 3;

/// The contract of a quote that was bought. The policy has the quote's uuid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// The quote's uuid.
    pub uuid: Uuid,
    /// The quote's revision that was sold, or that the last change made.
    pub revision: u32,
    /// First day of the term, which starts at 00:00 London time.
    pub inception: NaiveDate,
    /// Last day of the term, which ends at 23:59:59 London time.
    pub expiry: NaiveDate,
    /// The moment from which events are covered.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub cover_begins: DateTime<Utc>,
    /// When the policy was bought.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub purchased: DateTime<Utc>,
    /// The payment that bought the policy.
    pub payment: Uuid,
    /// The card that pays for the renewal and the plan, if the payer consented and the gateway keeps the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<Uuid>,
    /// Who had the charges of the card stopped, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charging_stopped: Option<FollowUp>,
    /// The amount of the payment that bought the policy, in pence.
    pub paid: Pence,
    /// Whether the policy renews automatically, by the card that bought the policy.
    pub auto_renew: bool,
    /// Whether a renewal by card is paid at once, although the policy is paid monthly.
    #[serde(default)]
    pub renews_at_once: bool,
    /// The covered registration marks, as the answers in force have them.
    pub registrations: Vec<String>,
    /// The cancellation, if the policy ended early.
    pub cancellation: Option<Cancellation>,
    pub renewal: RenewalStatus,
    /// The change that is agreed for a later day.
    pub scheduled_change: Option<ScheduledEvent>,
    /// The cancellation that is scheduled for a later day.
    pub scheduled_end: Option<ScheduledEvent>,
}

/// A change or cancellation on a later day of the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledEvent {
    /// The id of the change or the cancellation.
    pub id: Uuid,
    /// The London day on which the change or the cancellation takes effect.
    pub on: NaiveDate,
}

impl Policy {
    /// Returns the number of days of the whole term, the first and the last day included.
    #[must_use]
    pub fn days_in_term(&self) -> i64 {
        (self.expiry - self.inception).num_days() + 1
    }

    /// Returns the first day on which a change agreed on `today` can take effect. This is `today`, or
    /// the first day of the term if that day is later.
    #[must_use]
    pub fn first_change_day(&self, today: NaiveDate) -> NaiveDate {
        today.max(self.inception)
    }

    /// Returns the days on which a change agreed on `today` can take effect, or `None` if there are
    /// none. The range ends on the last day of the term, or on the day before a scheduled
    /// cancellation.
    #[must_use]
    pub fn change_days(&self, today: NaiveDate) -> Option<DayRange> {
        let before = |end: ScheduledEvent| dates::add_days(end.on, -1);
        let last = self
            .scheduled_end
            .map_or(self.expiry, before)
            .min(self.expiry);
        DayRange::new(self.first_change_day(today), last)
    }

    /// Returns the last day on which an instalment falls due. A scheduled cancellation stops those from its day on.
    #[must_use]
    pub fn last_due_day(&self) -> NaiveDate {
        let end = self.scheduled_end.map(|end| dates::add_days(end.on, -1));
        end.unwrap_or(NaiveDate::MAX)
    }

    /// Returns the days after `today` for which a cancellation can be scheduled, or `None` if there
    /// are none.
    #[must_use]
    pub fn cancellation_days(&self, today: NaiveDate) -> Option<DayRange> {
        let first = dates::add_days(today, 1).max(self.inception);
        DayRange::new(first, self.expiry)
    }

    /// Returns the last day that is covered to its end, if `end` is the first day without cover.
    /// Returns `None` if the cover ends during `end`, or `end` is not after the first day of the
    /// term.
    #[must_use]
    pub fn last_day_before(&self, end: NaiveDate, is_immediate: bool) -> Option<NaiveDate> {
        let last = dates::add_days(end, -1);
        (!is_immediate && self.inception <= last).then_some(last)
    }

    /// Returns whether the policy was cancelled before its cover began.
    #[must_use]
    pub fn never_covered(&self) -> bool {
        let end = self.cancellation.as_ref().map(|ended| {
            if ended.is_at_once() {
                ended.created
            } else {
                dates::start_of_day(ended.effective)
            }
        });
        end.is_some_and(|end| end <= self.cover_begins)
    }

    /// Returns whether the cover begins before the scheduled cancellation, or no cancellation is
    /// scheduled.
    #[must_use]
    pub fn will_cover(&self) -> bool {
        let end = self.scheduled_end.map(|end| dates::start_of_day(end.on));
        end.is_none_or(|end| self.cover_begins < end)
    }

    /// Returns the earliest day of a scheduled change or cancellation, or `None` if nothing is
    /// scheduled.
    #[must_use]
    pub fn next_scheduled_day(&self) -> Option<NaiveDate> {
        let days = [self.scheduled_change, self.scheduled_end]
            .into_iter()
            .flatten();
        days.map(|scheduled| scheduled.on).min()
    }

    /// Returns the number of days of the term from `day` on, `day` included. Returns all days of
    /// the term if `day` is before the term, and 0 if `day` is after the term.
    #[must_use]
    pub fn days_left(&self, day: NaiveDate) -> i64 {
        ((self.expiry - day).num_days() + 1).clamp(0, self.days_in_term())
    }
}

/// A range of days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ResponseSchema)]
pub struct DayRange {
    /// The first day.
    pub first: NaiveDate,
    /// The last day, which is not before `first`.
    pub last: NaiveDate,
}

impl DayRange {
    /// Returns the days from `first` to `last`, or `None` if `last` is earlier.
    #[must_use]
    pub fn new(first: NaiveDate, last: NaiveDate) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    /// Returns whether `day` is in the range.
    #[must_use]
    pub fn contains(&self, day: NaiveDate) -> bool {
        (self.first..=self.last).contains(&day)
    }
}

/// Returns when cover begins: at the start of `inception`, but not before the purchase. If `waits`
/// is true, it begins `delay_hours` after the purchase at the earliest. New annual cover waits.
/// Renewals and single trips do not wait.
#[must_use]
pub fn cover_begins(
    inception: NaiveDate,
    purchased: DateTime<Utc>,
    delay_hours: i64,
    waits: bool,
) -> DateTime<Utc> {
    let start = dates::start_of_day(inception);
    let hours = if waits { delay_hours } else { 0 };
    start.max(purchased + Duration::hours(hours))
}

/// Returns the last London day on which a reported payment still buys cover from `inception` on.
/// For single trips it is the first day. For annual cover it is `LATE_SALE_DAYS` later.
#[must_use]
pub fn last_sale_day(inception: NaiveDate, is_annual: bool) -> NaiveDate {
    let days = if is_annual { LATE_SALE_DAYS } else { 0 };
    dates::add_days(inception, days)
}

/// Returns the moment until which a visitor's token can read the policy: 24 hours after the
/// purchase.
#[must_use]
pub fn token_reads_until(purchased: DateTime<Utc>) -> DateTime<Utc> {
    purchased + Duration::hours(24)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a policy that was bought on 21 November 2026.
    pub(in crate::domain) fn policy(inception: &str, expiry: &str) -> Policy {
        let inception = inception.parse().unwrap();
        Policy {
            uuid: Uuid::nil(),
            revision: 1,
            inception,
            expiry: expiry.parse().unwrap(),
            cover_begins: dates::start_of_day(inception),
            purchased: "2026-11-21T12:00:00Z".parse().unwrap(),
            payment: Uuid::nil(),
            instrument: None,
            charging_stopped: None,
            paid: Pence(7300),
            auto_renew: false,
            renews_at_once: false,
            registrations: Vec::new(),
            cancellation: None,
            renewal: RenewalStatus::NotRenewed,
            scheduled_change: None,
            scheduled_end: None,
        }
    }

    #[test]
    fn cover_waits_a_day_after_purchase_unless_it_is_a_trip() {
        let tomorrow = NaiveDate::from_ymd_opt(2026, 11, 22).unwrap();
        let bought = "2026-11-21T15:30:00Z".parse().unwrap();
        let next_day: DateTime<Utc> = "2026-11-22T15:30:00Z".parse().unwrap();
        let midnight: DateTime<Utc> = "2026-11-22T00:00:00Z".parse().unwrap();
        assert_eq!(cover_begins(tomorrow, bought, 24, true), next_day);
        assert_eq!(cover_begins(tomorrow, bought, 24, false), midnight);
        // A renewal that is paid on its first day covers from the payment on.
        let late: DateTime<Utc> = "2026-11-22T09:00:00Z".parse().unwrap();
        assert_eq!(cover_begins(tomorrow, late, 24, false), late);
    }

    #[test]
    fn cover_that_is_to_end_before_it_begins_will_never_be() {
        let mut policy = policy("2026-12-01", "2027-11-30");
        assert!(policy.will_cover());
        let end = |on| ScheduledEvent {
            id: Uuid::nil(),
            on,
        };
        policy.scheduled_end = Some(end(policy.inception));
        assert!(!policy.will_cover());
        policy.scheduled_end = Some(end(dates::add_days(policy.inception, 1)));
        assert!(policy.will_cover());
    }
}
