//! Renewals: their status, the notice that each renewal includes, and the effect of policy changes
//! on their answers.

mod status;

pub use status::{CardCharge, QuotedRenewal, RenewalEvent, RenewalLetter, RenewalStatus, apply};

use chrono::NaiveDate;

use crate::domain::quote::answers::Answers;
use crate::domain::time::dates::{add_days, add_working_days};

/// Days from the first try of the stored card to the last day of cover. The last try leaves days in which
/// the customer can still pay in another way.
pub const FIRST_TRY: i64 = 10;
/// Working days from the renewal's letter to the first try, at least (the card schemes' notice of an amount, as
/// Worldpay documents it).
const NOTICE: u32 = 7;
/// Days from a renewal's quote to the last day of cover, at least. At the end of a year, [`NOTICE`] lasts 14 days.
pub const MIN_LEAD_DAYS: i64 = FIRST_TRY + 14;
/// Days from each failed try to the next: the tries are 3 and 7 days after the first.
const RETRIES: [i64; 2] = [3, 4];

/// The notice that every renewal includes (ICOBS 6.5.1).
pub const COMPARE: &str = "Please check that this cover still suits you. You may be able to get the \
    cover you want at a better price if you shop around.";

/// Returns the day on which the stored card is first charged. `notified` is the day of the letter. Returns
/// `None` if the cover ends before: the customer then pays for the renewal in another way.
#[must_use]
pub fn charge_day(expiry: NaiveDate, notified: NaiveDate) -> Option<NaiveDate> {
    let first = add_days(expiry, -FIRST_TRY).max(add_working_days(notified, NOTICE));
    (first <= expiry).then_some(first)
}

/// Returns the day of the next try after `failed` tries, the last of them today. Returns `None` if no try is
/// left, or the cover ends before that day.
#[must_use]
pub fn next_try(failed: usize, today: NaiveDate, expiry: NaiveDate) -> Option<NaiveDate> {
    let wait = RETRIES.get(failed.checked_sub(1)?)?;
    let day = add_days(today, *wait);
    (day <= expiry).then_some(day)
}

/// Returns the answers of a renewal after its policy's answers changed from `before` to `after`. A
/// changed answer replaces or removes the renewal's answer. A changed repeatable dataset replaces
/// the renewal's whole dataset. All other answers of the renewal stay, also those that the customer
/// changed in the renewal.
#[must_use]
pub fn merge_changes(before: &Answers, after: &Answers, mut renewal: Answers) -> Answers {
    for name in before.values.keys().chain(after.values.keys()) {
        let now = after.values.get(name);
        if before.values.get(name) == now {
            continue;
        }
        match now {
            Some(value) => renewal.values.insert(name.clone(), value.clone()),
            None => renewal.values.remove(name),
        };
    }
    for name in before.multi.keys().chain(after.multi.keys()) {
        let now = after.rows(name);
        if before.rows(name) != now {
            renewal.multi.insert(name.clone(), now.to_vec());
        }
    }
    renewal
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answers(values: serde_json::Value, rows: serde_json::Value) -> Answers {
        serde_json::from_value(json!({ "values": values, "multi": { "things": rows } })).unwrap()
    }

    #[test]
    fn a_card_is_tried_three_times_after_the_notice_and_before_the_last_day() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let expiry = day("2027-11-24");
        for (notified, first) in [
            ("2027-10-27", Some("2027-11-14")),
            ("2027-11-08", Some("2027-11-17")),
            ("2027-11-15", Some("2027-11-24")),
            ("2027-11-16", None),
        ] {
            assert_eq!(
                charge_day(expiry, day(notified)),
                first.map(day),
                "{notified}"
            );
        }
        // On every day of the year, the shortest lead time leaves the whole notice.
        for expiry in day("2026-01-01").iter_days().take(3 * 366) {
            let notified = add_days(expiry, -MIN_LEAD_DAYS);
            let expected = add_days(expiry, -FIRST_TRY);
            assert_eq!(charge_day(expiry, notified), Some(expected), "{expiry}");
        }
        assert_eq!(
            next_try(1, day("2027-11-14"), expiry),
            Some(day("2027-11-17"))
        );
        assert_eq!(
            next_try(2, day("2027-11-17"), expiry),
            Some(day("2027-11-21"))
        );
        assert_eq!(next_try(3, day("2027-11-21"), expiry), None);
        assert_eq!(next_try(1, day("2027-11-22"), expiry), None);
        assert_eq!(next_try(0, day("2027-11-14"), expiry), None);
    }

    #[test]
    fn what_changed_on_the_policy_changes_on_the_renewal_and_nothing_else() {
        let before = answers(
            json!({ "level": 3, "excess": 2, "note": "x" }),
            json!([{ "a": 1 }]),
        );
        let chosen = answers(
            json!({ "level": 5, "excess": 2, "note": "x" }),
            json!([{ "a": 1 }, { "a": 2 }]),
        );
        let after = answers(
            json!({ "level": 3, "excess": 1, "new": true }),
            json!([{ "a": 1 }]),
        );
        let carried = merge_changes(&before, &after, chosen.clone());
        let expected = answers(
            json!({ "level": 5, "excess": 1, "new": true }),
            json!([{ "a": 1 }, { "a": 2 }]),
        );
        assert_eq!(carried, expected);
        let after = answers(after.values.into(), json!([{ "a": 3 }]));
        let carried = merge_changes(&before, &after, chosen);
        assert_eq!(carried.rows("things"), after.rows("things"));
    }
}
