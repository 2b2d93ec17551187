//! Checks registration marks of every UK style, from current to dateless.
//!
//! A mark is refused if no style has it, or if the period of its age identifier has not begun. A
//! private plate may have a mark of any style, so the mark is not compared with the vehicle's age.
//! The styles are those of the Driver and Vehicle Licensing Agency, from
//! shared/reference/vehicle-and-address.md.

use chrono::{Datelike, NaiveDate};

/// Maximum length of a mark without spaces.
const MAX_LENGTH: usize = 7;

/// The reason to refuse a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistrationFault {
    /// No style has such marks.
    Impossible,
    /// The period of the age identifier starts on this later day.
    NotYet(NaiveDate),
}

/// Returns the letters and digits of a mark in capitals, without spaces and hyphens. Returns `None`
/// if there are other characters, fewer than 2 or more than 7 characters.
pub fn normalise(text: &str) -> Option<String> {
    let mut mark = String::with_capacity(MAX_LENGTH);
    for character in text.chars() {
        match character {
            ' ' | '-' | '\u{a0}' => {}
            c if c.is_ascii_alphanumeric() && mark.len() < MAX_LENGTH => {
                mark.push(c.to_ascii_uppercase());
            }
            _ => return None,
        }
    }
    (mark.len() >= 2).then_some(mark)
}

/// Returns the mark in its customary notation (`AB12 CDE`). Fails if no style has the mark, or if the period
/// of its age identifier has not begun.
pub fn check(text: &str, today: NaiveDate) -> Result<String, RegistrationFault> {
    let mark = normalise(text).ok_or(RegistrationFault::Impossible)?;
    match split_letters_digits(&mark).as_slice() {
        [area, age, rest] if area.len() == 2 && age.len() == 2 && rest.len() == 3 => {
            current(area, age, rest, today)?;
            Ok(format!("{area}{age} {rest}"))
        }
        [letter, number, rest] if letter.len() == 1 && is_letters(letter) => {
            let is_age_letter = is_year_letter(letter) || *letter == "Q";
            let fits = is_age_letter && is_number(number, 3) && rest.len() == 3;
            fits.then(|| format!("{letter}{number} {rest}"))
                .ok_or(RegistrationFault::Impossible)
        }
        [first, middle, last] if is_letters(first) => {
            let fits = first.len() == 3 && is_number(middle, 3) && is_year_letter(last);
            fits.then(|| format!("{first} {middle}{last}"))
                .ok_or(RegistrationFault::Impossible)
        }
        [country, kind, serial] => {
            let fits = country.len() == 3 && serial.len() == 3 && matches!(*kind, "D" | "X");
            fits.then(|| format!("{country} {kind} {serial}"))
                .ok_or(RegistrationFault::Impossible)
        }
        [first, second] => {
            let (letters, number) = if is_letters(first) {
                (first, second)
            } else {
                (second, first)
            };
            dateless(letters, number)
                .then(|| format!("{first} {second}"))
                .ok_or(RegistrationFault::Impossible)
        }
        _ => Err(RegistrationFault::Impossible),
    }
}

/// Splits a mark at each change between letters and digits.
pub(in crate::domain) fn split_letters_digits(mark: &str) -> Vec<&str> {
    mark.as_bytes()
        .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit())
        .filter_map(|run| std::str::from_utf8(run).ok())
        .collect()
}

fn is_letters(run: &str) -> bool {
    run.bytes().all(|b| b.is_ascii_uppercase())
}

fn is_number(run: &str, max_length: usize) -> bool {
    run.len() <= max_length && !run.starts_with('0')
}

/// Returns whether a letter can be the age letter of a prefix or suffix mark. I, O, Q, U and Z can't
/// be. Suffix marks are from 1963 to 1983, and prefix marks from 1983 to 2001.
fn is_year_letter(run: &str) -> bool {
    matches!(run.as_bytes(), [letter] if letter.is_ascii_uppercase() && !b"IOQUZ".contains(letter))
}

/// Returns whether a dateless mark is valid. The mark has up to four digits without a leading 0, and
/// up to three letters. These are at most six characters. A Northern Irish mark has an I or a Z among two
/// or three letters, and may have seven characters.
fn dateless(letters: &str, number: &str) -> bool {
    let irish = letters.contains(['I', 'Z']) && letters.len() >= 2;
    let short = letters.len() + number.len() <= 6;
    letters.len() <= 3 && is_number(number, 4) && (short || irish)
}

/// Checks a mark in the style since September 2001: area, age identifier and letters.
fn current(area: &str, age: &str, rest: &str, today: NaiveDate) -> Result<(), RegistrationFault> {
    let area_fits = is_letters(area) && !area.contains(['I', 'Q', 'Z']);
    if !area_fits || rest.contains(['I', 'Q']) {
        return Err(RegistrationFault::Impossible);
    }
    let begins = age_start(age).ok_or(RegistrationFault::Impossible)?;
    if begins > today {
        return Err(RegistrationFault::NotYet(begins));
    }
    Ok(())
}

/// Returns the first day of an age identifier, or `None` if it can't exist. 02 to 50 start in March
/// of 2002 to 2050. 51 to 99 and 00 start in September of 2001 to 2050. 01 was never issued.
fn age_start(age: &str) -> Option<NaiveDate> {
    let number: i32 = age.parse().ok()?;
    let (year, month) = match number {
        0 => (2050, 9),
        2..=50 => (2000 + number, 3),
        51..=99 => (1950 + number, 9),
        _ => return None,
    };
    NaiveDate::from_ymd_opt(year, month, 1)
}

impl RegistrationFault {
    /// Returns the error text for the customer.
    pub fn text(&self) -> String {
        match self {
            Self::Impossible => "Enter a UK registration number, such as AB12 CDE".into(),
            Self::NotYet(begins) => {
                let month = if begins.month() == 3 {
                    "March"
                } else {
                    "September"
                };
                let year = begins.year();
                format!("Check the registration number: this one starts in {month} {year}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(text: &str, day: (i32, u32, u32)) -> Result<String, RegistrationFault> {
        check(text, NaiveDate::from_ymd_opt(day.0, day.1, day.2).unwrap())
    }

    fn now(text: &str) -> Result<String, RegistrationFault> {
        on(text, (2026, 11, 21))
    }

    #[test]
    fn keeps_every_style_as_it_is_written() {
        for (typed, stored) in [
            ("ab51xyz", "AB51 XYZ"),
            ("ER19NFD", "ER19 NFD"),
            ("AA19 AAA", "AA19 AAA"),
            ("aa-19-eee", "AA19 EEE"),
            ("AA19PPP", "AA19 PPP"),
            ("AB76CDE", "AB76 CDE"),
            ("L2WPS", "L2 WPS"),
            ("A1ABC", "A1 ABC"),
            ("y999zzz", "Y999 ZZZ"),
            ("Q123ABC", "Q123 ABC"),
            ("ABC1A", "ABC 1A"),
            ("abc 123 y", "ABC 123Y"),
            ("1A", "1 A"),
            ("A1", "A 1"),
            ("1234AB", "1234 AB"),
            ("AB1234", "AB 1234"),
            ("ABC123", "ABC 123"),
            ("123ABC", "123 ABC"),
            ("AZ1", "AZ 1"),
            ("ABZ1234", "ABZ 1234"),
            ("IJI9999", "IJI 9999"),
            ("1234ABZ", "1234 ABZ"),
            ("101D234", "101 D 234"),
            ("101X234", "101 X 234"),
        ] {
            assert_eq!(now(typed), Ok(stored.to_owned()), "{typed}");
            assert_eq!(now(stored), Ok(stored.to_owned()), "{stored} again");
        }
    }

    #[test]
    fn refuses_what_no_style_has() {
        for typed in [
            "AB01XYZ",
            "AI51XYZ",
            "ZB51ABC",
            "QA51ABC",
            "AB51IYZ",
            "AB51XQZ",
            "U1ABC",
            "A0ABC",
            "A0123BC",
            "I123ABC",
            "ABC123I",
            "ABC0A",
            "ABC1234",
            "1234ABC",
            "ABCD123",
            "0ABC",
            "101Y234",
            "11D234",
            "A",
            "1",
            "",
            "ABCDEF",
            "1234567",
            "AB12 CDEF",
            "AB12_CDE",
            "ÅB12CDE",
            "A1B2C3",
            "AB12 CD😀",
            "12345A",
        ] {
            assert_eq!(now(typed), Err(RegistrationFault::Impossible), "{typed}");
        }
    }

    #[test]
    fn an_age_identifier_must_have_begun() {
        assert!(on("AB27CDE", (2027, 2, 28)).is_err());
        assert!(on("AB27CDE", (2027, 3, 1)).is_ok());
        assert!(on("AB76CDE", (2026, 8, 31)).is_err());
        assert!(on("AB76CDE", (2026, 9, 1)).is_ok());
        assert!(now("AB00CDE").is_err());
        let fault = now("AB77CDE").unwrap_err();
        assert_eq!(
            fault.text(),
            "Check the registration number: this one starts in September 2027"
        );
    }
}
