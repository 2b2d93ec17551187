//! The formats of dates, the start of a day in London, and calculations with dates.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeZone, Utc};
use chrono_tz::Europe::London;

use crate::domain::time::bank_holidays::is_working_day;

/// Days from inception to expiry of annual cover (specification, part 9).
pub const TERM_DAYS: i64 = 364;

/// Reads a form date, `dd.MM.yyyy`, strictly: two digits, two digits and four digits. Returns
/// `None` if the day does not exist or is outside the years 1900 to 2200.
pub fn parse_form_date(text: &str) -> Option<NaiveDate> {
    let &[d1, d2, b'.', m1, m2, b'.', y1, y2, y3, y4] = text.as_bytes() else {
        return None;
    };
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0u32, |sum, digit| {
            digit
                .is_ascii_digit()
                .then(|| sum * 10 + u32::from(digit - b'0'))
        })
    };
    let year = i32::try_from(number(&[y1, y2, y3, y4])?).ok()?;
    if !(1900..=2200).contains(&year) {
        return None;
    }
    NaiveDate::from_ymd_opt(year, number(&[m1, m2])?, number(&[d1, d2])?)
}

/// Formats the date of a form, `dd.MM.yyyy`.
pub fn form_date(date: NaiveDate) -> String {
    format!("{:02}.{:02}.{:04}", date.day(), date.month(), date.year())
}

/// Formats a date for screens and messages, `dd/MM/yyyy`.
pub fn shown_date(date: NaiveDate) -> String {
    format!("{:02}/{:02}/{:04}", date.day(), date.month(), date.year())
}

/// Formats a date for letters, `21 November 2026`.
pub fn format_long(date: NaiveDate) -> String {
    date.format("%-d %B %Y").to_string()
}

pub fn london_date(moment: DateTime<Utc>) -> NaiveDate {
    moment.with_timezone(&London).date_naive()
}

/// Returns the start of a London day, 00:00:00. London's clocks change at 01:00 UTC, so each midnight exists
/// once. UTC replaces London only in years that the time zone data does not cover.
pub fn start_of_day(date: NaiveDate) -> DateTime<Utc> {
    let midnight = date.and_time(NaiveTime::MIN);
    London
        .from_local_datetime(&midnight)
        .earliest()
        .map_or_else(|| midnight.and_utc(), |moment| moment.with_timezone(&Utc))
}

/// Returns the date that is `days` working days after `date`.
pub fn add_working_days(date: NaiveDate, days: u32) -> NaiveDate {
    let mut day = date;
    for _ in 0..days {
        day = add_days(day, 1);
        while !is_working_day(day) {
            day = add_days(day, 1);
        }
    }
    day
}

/// Returns the date some days later, or earlier for a negative number. If the result is outside the
/// calendar, returns `date`.
pub fn add_days(date: NaiveDate, days: i64) -> NaiveDate {
    let span = Days::new(days.unsigned_abs());
    let moved = if days < 0 {
        date.checked_sub_days(span)
    } else {
        date.checked_add_days(span)
    };
    moved.unwrap_or(date)
}

/// Returns the date some months later, or earlier for a negative number. If the day doesn't exist
/// in that month, returns the last day of that month. If the result is outside the calendar,
/// returns `date`.
pub fn add_months(date: NaiveDate, months: i32) -> NaiveDate {
    let span = chrono::Months::new(months.unsigned_abs());
    let moved = if months < 0 {
        date.checked_sub_months(span)
    } else {
        date.checked_add_months(span)
    };
    moved.unwrap_or(date)
}

/// Returns the completed years between two dates, or zero if the second date is not later.
pub fn full_years(from: NaiveDate, to: NaiveDate) -> i64 {
    let before_anniversary = (to.month(), to.day()) < (from.month(), from.day());
    (i64::from(to.year()) - i64::from(from.year()) - i64::from(before_anniversary)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).unwrap()
    }

    #[test]
    fn reads_only_days_that_exist() {
        assert_eq!(parse_form_date("28.02.2026"), Some(day(2026, 2, 28)));
        assert_eq!(parse_form_date("29.02.2028"), Some(day(2028, 2, 29)));
        for bad in [
            "31.02.2026",
            "29.02.2026",
            "1.2.2026",
            "01/02/2026",
            "2026-02-01",
            "00.01.2026",
            "01.13.2026",
            "01.01.1899",
            "01.01.2201",
            "01.01.26",
            "",
            "٠١.٠١.٢٠٢٦",
            "+1.01.2026",
            "01.01.2026 ",
        ] {
            assert_eq!(parse_form_date(bad), None, "{bad}");
        }
        assert_eq!(form_date(day(2026, 3, 9)), "09.03.2026");
        assert_eq!(shown_date(day(2026, 3, 9)), "09/03/2026");
    }

    #[test]
    fn days_begin_in_london() {
        assert_eq!(
            start_of_day(day(2026, 7, 1)).to_rfc3339(),
            "2026-06-30T23:00:00+00:00"
        );
        assert_eq!(
            start_of_day(day(2026, 12, 1)).to_rfc3339(),
            "2026-12-01T00:00:00+00:00"
        );
        let late: DateTime<Utc> = "2026-07-01T23:30:00Z".parse().unwrap();
        assert_eq!(london_date(late), day(2026, 7, 2));
    }

    #[test]
    fn counts_completed_years() {
        assert_eq!(full_years(day(2012, 3, 1), day(2026, 2, 28)), 13);
        assert_eq!(full_years(day(2012, 3, 1), day(2026, 3, 1)), 14);
        assert_eq!(full_years(day(2027, 3, 1), day(2026, 3, 1)), 0);
    }

    #[test]
    fn counts_working_days_of_banks() {
        for (from, days, to) in [
            (day(2026, 11, 20), 1, day(2026, 11, 23)),
            (day(2026, 4, 2), 1, day(2026, 4, 7)),
            (day(2026, 12, 24), 3, day(2026, 12, 31)),
            (day(2026, 12, 31), 1, day(2027, 1, 4)),
            (day(2027, 12, 24), 1, day(2027, 12, 29)),
        ] {
            assert_eq!(add_working_days(from, days), to, "{from}");
        }
    }

    #[test]
    fn moves_by_days_and_months() {
        assert_eq!(add_days(day(2026, 11, 22), TERM_DAYS), day(2027, 11, 21));
        assert_eq!(add_days(day(2026, 1, 1), -1), day(2025, 12, 31));
        assert_eq!(add_months(day(2026, 1, 31), 1), day(2026, 2, 28));
        assert_eq!(add_months(day(2026, 3, 31), -18), day(2024, 9, 30));
    }
}
