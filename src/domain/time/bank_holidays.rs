//! The bank holidays of England and Wales, by rule. The rules exclude holidays that are proclaimed for a
//! single year.

use chrono::{Datelike, NaiveDate, Weekday};

/// Returns whether banks work on a day: Monday to Friday, except bank holidays.
pub fn is_working_day(date: NaiveDate) -> bool {
    is_weekday(date) && !is_bank_holiday(date)
}

/// Returns whether a weekday is a bank holiday, or the substitute day for a holiday at a weekend.
fn is_bank_holiday(date: NaiveDate) -> bool {
    let (month, day) = (date.month(), date.day());
    let is_monday = date.weekday() == Weekday::Mon;
    let after_easter = (date - easter(date.year())).num_days();
    match month {
        1 => weekdays_since(date, 1, 1) == 1,
        3 | 4 => after_easter == -2 || after_easter == 1,
        // The first and the last Monday of May.
        5 => is_monday && (day <= 7 || day > 24),
        8 => is_monday && day > 24,
        12 => (1..=2).contains(&weekdays_since(date, 12, 25)),
        _ => false,
    }
}

/// Returns the number of weekdays from a day of the year of `date` to `date`, both included.
fn weekdays_since(date: NaiveDate, month: u32, day: u32) -> usize {
    let first = NaiveDate::from_ymd_opt(date.year(), month, day).unwrap_or(date);
    let days = first.iter_days().take_while(|day| *day <= date);
    days.filter(|day| is_weekday(*day)).count()
}

fn is_weekday(date: NaiveDate) -> bool {
    !matches!(date.weekday(), Weekday::Sat | Weekday::Sun)
}

/// Returns Easter Sunday by the Gregorian computus (Meeus, Jones and Butcher).
fn easter(year: i32) -> NaiveDate {
    let (a, b, c) = (year % 19, year / 100, year % 100);
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
    let since_march = h + l - 7 * ((a + 11 * h + 22 * l) / 451) + 21;
    let march = NaiveDate::from_ymd_opt(year, 3, 1).unwrap_or_default();
    let days = march.num_days_from_ce() + since_march;
    NaiveDate::from_num_days_from_ce_opt(days).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bank holidays of a year by the rules. The test compares these holidays with the holidays
    /// on gov.uk.
    fn holidays_in(year: i32) -> Vec<String> {
        let first = NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
        let days = first.iter_days().take_while(|day| day.year() == year);
        days.filter(|day| is_weekday(*day) && !is_working_day(*day))
            .map(|day| day.format("%m-%d").to_string())
            .collect()
    }

    #[test]
    fn they_are_those_that_are_published() {
        for (year, listed) in [
            (2021, "01-01 04-02 04-05 05-03 05-31 08-30 12-27 12-28"),
            // The rules exclude the Platinum Jubilee, which moved the spring holiday to June.
            (2022, "01-03 04-15 04-18 05-02 05-30 08-29 12-26 12-27"),
            (2025, "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26"),
            (2026, "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28"),
            (2027, "01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28"),
            (2028, "01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26"),
        ] {
            assert_eq!(holidays_in(year).join(" "), listed, "{year}");
        }
    }
}
