//! A policy: what a quote becomes once it is paid for.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::cancellation::Cancellation;
use super::dates;
use super::moment;
use super::money::Pence;
use super::renewal::RenewalStatus;

/// The live contract of a quote that was bought; it keeps the quote's uuid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// The quote's uuid.
    pub uuid: Uuid,
    /// Revision that was sold, or that the last change made.
    pub revision: u32,
    /// First day of the term, from 00:00 London time.
    pub inception: NaiveDate,
    /// Last day of the term, to 23:59:59 London time.
    pub expiry: NaiveDate,
    /// Moment from which what happens is covered.
    #[serde(with = "moment")]
    pub cover_begins: DateTime<Utc>,
    /// When it was paid.
    #[serde(with = "moment")]
    pub purchased: DateTime<Utc>,
    /// Payment that bought it.
    pub payment: Uuid,
    /// What it cost when it was bought, pence.
    pub paid: Pence,
    /// Whether it renews by itself, on the card that bought it.
    pub auto_renew: bool,
    /// The registration marks it covers, as they stand in the answers in force.
    pub registrations: Vec<String>,
    /// How it was ended early.
    pub cancellation: Option<Cancellation>,
    /// Where its renewal stands.
    pub renewal: RenewalStatus,
    /// The change that is agreed for a later day.
    pub coming_change: Option<Coming>,
    /// The cancellation that is asked for a later day.
    pub coming_end: Option<Coming>,
}

/// What is agreed for a later day of the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coming {
    /// The change or the cancellation.
    pub id: Uuid,
    /// The London day from whose start it counts.
    pub on: NaiveDate,
}

impl Policy {
    /// Days of the whole term, both ends counted.
    #[must_use]
    pub fn days_in_term(&self) -> i64 {
        (self.expiry - self.inception).num_days() + 1
    }

    /// The next day on which something that is agreed is to be done.
    #[must_use]
    pub fn next_coming(&self) -> Option<NaiveDate> {
        let days = [self.coming_change, self.coming_end].into_iter().flatten();
        days.map(|coming| coming.on).min()
    }

    /// Days of the term from `day` on, `day` included; all of them before its first day, none
    /// after its last.
    #[must_use]
    pub fn days_left(&self, day: NaiveDate) -> i64 {
        ((self.expiry - day).num_days() + 1).clamp(0, self.days_in_term())
    }
}

/// When cover begins: at its inception, and for new annual cover (`waits`) not before `delay_hours`
/// after the purchase. Renewals and single trips don't wait. Nothing is covered before it is paid.
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

/// Until when a visitor's token reads the whole policy; afterwards only its owner's log-in does.
#[must_use]
pub fn token_reads_until(purchased: DateTime<Utc>) -> DateTime<Utc> {
    purchased + Duration::hours(24)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A policy bought on 21 November 2026.
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
            paid: Pence(7300),
            auto_renew: false,
            registrations: Vec::new(),
            cancellation: None,
            renewal: RenewalStatus::NotRenewed,
            coming_change: None,
            coming_end: None,
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
        // A renewal paid on its first day covers from then on.
        let late: DateTime<Utc> = "2026-11-22T09:00:00Z".parse().unwrap();
        assert_eq!(cover_begins(tomorrow, late, 24, false), late);
    }
}
