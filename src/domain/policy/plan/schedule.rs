//! The days and amounts of instalments.

use std::iter::{once, repeat};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::domain::money::Pence;
use crate::domain::time::dates::add_months;

/// The most instalments. Credit without a charge is exempt from regulation only with at most 12
/// payments within 12 months (RAO article 60F(2)).
pub const MAX_INSTALMENTS: i32 = 12;

/// The smallest instalment, in pence. Gateways charge no less to a card.
pub const MIN_INSTALMENT: Pence = Pence(30);

/// One payment of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instalment {
    /// The London day on which it is due.
    pub due: NaiveDate,
    /// The amount, in pence.
    pub amount: Pence,
    pub is_collected: bool,
    /// How often the card was charged for it.
    pub tries: u32,
}

impl Instalment {
    /// Returns whether it is to be collected. A merged instalment has the amount zero.
    #[must_use]
    pub fn is_unpaid(&self) -> bool {
        !self.is_collected && self.amount > Pence::ZERO
    }
}

/// Returns the days of `count` instalments: the London day of purchase, and the same day of each
/// later month. If the day doesn't exist in a month, returns that month's last day. Leaves out days
/// after `expiry`, and months after [`MAX_INSTALMENTS`].
#[must_use]
pub fn instalment_days(purchased_on: NaiveDate, expiry: NaiveDate, count: i32) -> Vec<NaiveDate> {
    let months = 0..count.min(MAX_INSTALMENTS);
    months
        .map(|month| add_months(purchased_on, month))
        .take_while(|day| *day <= expiry)
        .collect()
}

/// Splits an amount into equal instalments, one for each of `days`. The first also has the odd
/// pence. If an instalment would be below [`MIN_INSTALMENT`], fewer of the days get one.
#[must_use]
pub fn split(amount: Pence, days: &[NaiveDate]) -> Vec<Instalment> {
    if amount <= Pence::ZERO {
        return Vec::new();
    }
    let max_parts = (amount.0 / MIN_INSTALMENT.0).max(1);
    let parts = (1..=max_parts).zip(days).map(|(part, _)| part).last();
    let parts = parts.unwrap_or(1);
    let each = Pence(amount.0 / parts);
    let first = each + Pence(amount.0 % parts);
    let amounts = once(first).chain(repeat(each));
    let instalments = days.iter().zip(amounts).zip(0..parts);
    instalments
        .map(|((due, amount), _)| Instalment {
            due: *due,
            amount,
            is_collected: false,
            tries: 0,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// Returns the amounts of `pence` split over `count` months.
    fn amounts(pence: i64, count: i32) -> Vec<i64> {
        let days = instalment_days(day("2026-11-23"), day("2027-11-23"), count);
        let instalments = split(Pence(pence), &days);
        instalments.iter().map(|own| own.amount.0).collect()
    }

    #[test]
    fn each_instalment_is_due_on_the_same_day_or_the_months_last() {
        let days = instalment_days(day("2027-10-31"), day("2028-10-30"), 12);
        let shown: Vec<_> = days.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "2027-10-31",
                "2027-11-30",
                "2027-12-31",
                "2028-01-31",
                "2028-02-29",
                "2028-03-31",
                "2028-04-30",
                "2028-05-31",
                "2028-06-30",
                "2028-07-31",
                "2028-08-31",
                "2028-09-30",
            ]
        );
    }

    #[test]
    fn every_instalment_is_due_within_the_term_and_before_the_anniversary() {
        for from in ["2027-01-01", "2028-02-29", "2027-12-31", "2027-03-30"] {
            let from = day(from);
            for begins in [0, 3, 30] {
                let expiry = from + chrono::Days::new(begins + 364);
                let days = instalment_days(from, expiry, 60);
                assert_eq!(days.len(), 12, "{from}");
                assert!(days.is_sorted() && days[11] <= expiry, "{from}");
                assert!(days[11] < add_months(from, 12), "{from}");
            }
        }
        let short = instalment_days(day("2027-01-10"), day("2027-03-09"), 12);
        assert_eq!(short, [day("2027-01-10"), day("2027-02-10")]);
    }

    #[test]
    fn amounts_are_equal_and_the_first_has_the_odd_pence() {
        assert_eq!(amounts(4816, 12), [vec![405], vec![401; 11]].concat());
        assert_eq!(amounts(4800, 12), [400; 12]);
        assert_eq!(amounts(101, 2), [51, 50]);
    }

    #[test]
    fn an_instalment_is_30_pence_at_least_and_the_last_ones_merge() {
        assert_eq!(amounts(361, 12), [vec![31], vec![30; 11]].concat());
        assert_eq!(amounts(359, 12), [vec![39], vec![32; 10]].concat());
        assert_eq!(amounts(100, 12), [34, 33, 33]);
        assert_eq!(amounts(59, 12), [59]);
        assert_eq!(amounts(0, 12), [0; 0]);
        assert_eq!(split(Pence(5000), &[]), []);
    }
}
