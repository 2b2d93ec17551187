//! The period in which a registration mark was issued, by its age identifier. Since March 1999, the
//! period is half a year. Before March 1999, most periods are a year. A vehicle may carry a mark
//! older than itself, but never a mark newer than itself.

use chrono::{Days, NaiveDate};

use super::registration::{normalise, split_letters_digits};

/// Returns the first and the last day on which a mark was issued. Returns `None` for invalid marks
/// and for marks without an age: dateless, Northern Irish, diplomatic and Q marks.
#[must_use]
pub fn issue_dates(mark: &str) -> Option<(NaiveDate, NaiveDate)> {
    let mark = normalise(mark)?;
    let (from, next) = match split_letters_digits(&mark).as_slice() {
        [area, age, rest] if area.len() == 2 && age.len() == 2 && rest.len() == 3 => current(age)?,
        [letter, _, rest] if letter.len() == 1 && rest.len() == 3 => prefix(letter)?,
        [first, _, letter] if first.len() == 3 && letter.len() == 1 => suffix(letter)?,
        _ => return None,
    };
    let (from, next) = (first_day(from)?, first_day(next)?);
    Some((from, next.checked_sub_days(Days::new(1))?))
}

type Month = (i32, u32);

fn first_day((year, month): Month) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, month, 1)
}

fn current(age: &str) -> Option<(Month, Month)> {
    let number: i32 = age.parse().ok()?;
    Some(match number {
        0 => ((2050, 9), (2051, 3)),
        2..=50 => ((2000 + number, 3), (2000 + number, 9)),
        51..=99 => ((1950 + number, 9), (1951 + number, 3)),
        _ => return None,
    })
}

/// Returns the period of a prefix mark (1983 to 2001). The period is a year from August. It is
/// seven months for S, and half a year from T on.
fn prefix(letter: &str) -> Option<(Month, Month)> {
    if let Some(index) = "ABCDEFGHJKLMNPR".find(letter) {
        let year = 1983 + i32::try_from(index).ok()?;
        return Some(((year, 8), (year + 1, 8)));
    }
    Some(match letter {
        "S" => ((1998, 8), (1999, 3)),
        "T" => ((1999, 3), (1999, 9)),
        "V" => ((1999, 9), (2000, 3)),
        "W" => ((2000, 3), (2000, 9)),
        "X" => ((2000, 9), (2001, 3)),
        "Y" => ((2001, 3), (2001, 9)),
        _ => return None,
    })
}

/// Returns the period of a suffix mark (1963 to 1983). The period is a calendar year, then seven
/// months for E, and then a year from August 1967 on.
fn suffix(letter: &str) -> Option<(Month, Month)> {
    if let Some(index) = "ABCD".find(letter) {
        let year = 1963 + i32::try_from(index).ok()?;
        return Some(((year, 1), (year + 1, 1)));
    }
    if letter == "E" {
        return Some(((1967, 1), (1967, 8)));
    }
    let index = i32::try_from("FGHJKLMNPRSTVWXY".find(letter)?).ok()?;
    Some(((1967 + index, 8), (1968 + index, 8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_with_an_age_tells_its_months() {
        for (mark, from, until) in [
            ("AB12 CDE", "2012-03-01", "2012-08-31"),
            ("ab 61 cde", "2011-09-01", "2012-02-29"),
            ("AB51CDE", "2001-09-01", "2002-02-28"),
            ("AB99CDE", "2049-09-01", "2050-02-28"),
            ("A1 ABC", "1983-08-01", "1984-07-31"),
            ("R123ABC", "1997-08-01", "1998-07-31"),
            ("S1 ABC", "1998-08-01", "1999-02-28"),
            ("Y999ZZZ", "2001-03-01", "2001-08-31"),
            ("ABC 1A", "1963-01-01", "1963-12-31"),
            ("ABC 1E", "1967-01-01", "1967-07-31"),
            ("ABC 123Y", "1982-08-01", "1983-07-31"),
        ] {
            let day = |text: &str| text.parse::<NaiveDate>().unwrap();
            assert_eq!(issue_dates(mark), Some((day(from), day(until))), "{mark}");
        }
    }

    #[test]
    fn what_has_no_age_tells_nothing() {
        for mark in [
            "Q123ABC",
            "1234AB",
            "ABZ 1234",
            "101 D 234",
            "AB01 CDE",
            "A",
            "U1ABC",
            "😀",
        ] {
            assert_eq!(issue_dates(mark), None, "{mark}");
        }
    }
}
