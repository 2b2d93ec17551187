//! Checks telephone numbers by libphonenumber's metadata, and formats them in E.164.

use phonenumber::country::Id::GB;
use phonenumber::metadata::DATABASE;
use phonenumber::{Mode, Type};

/// Maximum length of a typed number.
const MAX_LENGTH: usize = 40;
/// Error text for a text that is not a telephone number.
pub const FAULT: &str = "Enter a telephone number with all its digits, such as 07400 123456";
/// Number of digits after the 0 of nearly every British number.
const BRITISH_DIGITS: usize = 10;
/// Country code of the United Kingdom and of the islands that share its numbering plan.
const UNITED_KINGDOM: u16 = 44;

/// Returns the number in E.164 (`+442079460018`), or `None` if it is not accepted. A number without
/// a country code is British.
///
/// A British number of ten digits without a leading 0 is accepted. The metadata may treat such a
/// number as invalid. The metadata does not accept the ranges that Ofcom reserves for drama (07700
/// 900000). The metadata also lacks ranges that Ofcom has newly assigned. All other numbers must be
/// valid by the metadata. Premium rate numbers are refused, because they reach no customer.
pub fn check(text: &str) -> Option<String> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let is_allowed = |c: char| c.is_ascii_digit() || " +()-./\u{a0}".contains(c);
    if !text.chars().all(is_allowed) {
        return None;
    }
    // "+44 (0)20 ..." contains a zero that is dialled only inside the country.
    let text = text.replace("(0)", "");
    if let Some(number) = check_british(&text) {
        return Some(number);
    }
    let number = phonenumber::parse(Some(GB), text).ok()?;
    let national = number.national().to_string();
    let british = number.country().code() == UNITED_KINGDOM;
    let possible = national.len() == BRITISH_DIGITS && !national.starts_with('0');
    if !(number.is_valid() || british && possible) {
        return None;
    }
    if number.number_type(&DATABASE) == Type::PremiumRate {
        return None;
    }
    Some(number.format().mode(Mode::E164).to_string())
}

/// Returns a British number of ten digits after the 0 in E.164, or `None` for other texts. The
/// first digit excludes premium rate numbers (084, 087 and 09). This check avoids the library,
/// which searches its metadata under one lock for the whole process.
fn check_british(text: &str) -> Option<String> {
    let dialled: String = text
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    let national = ["+44", "0044", "0"]
        .iter()
        .find_map(|prefix| dialled.strip_prefix(prefix))?;
    let is_usual = national.len() == BRITISH_DIGITS
        && national.starts_with(['1', '2', '3', '7'])
        && !national.contains('+');
    is_usual.then(|| format!("+{UNITED_KINGDOM}{national}"))
}

/// Returns a stored number in British notation: `07400 123456`. A foreign number has its country
/// code. A text that is no number is returned unchanged.
pub fn format_phone(stored: &str) -> String {
    let Ok(number) = phonenumber::parse(Some(GB), stored) else {
        return stored.to_owned();
    };
    let mode = if number.country().code() == UNITED_KINGDOM {
        Mode::National
    } else {
        Mode::International
    };
    number.format().mode(mode).to_string()
}

#[cfg(test)]
mod tests {
    use super::{check, format_phone};

    #[test]
    fn shows_numbers_as_they_are_dialled() {
        for (stored, read) in [
            ("+447400123456", "07400 123456"),
            ("+442079460018", "020 7946 0018"),
            ("+441632960123", "01632 960123"),
            ("+353850123456", "+353 85 012 3456"),
            ("no number", "no number"),
        ] {
            assert_eq!(format_phone(stored), read);
        }
    }

    #[test]
    fn keeps_numbers_in_e164() {
        for (typed, stored) in [
            ("07400 123456", "+447400123456"),
            ("+44 (0)20 7946 0018", "+442079460018"),
            ("(020) 7946-0018", "+442079460018"),
            ("0044 20 7946 0018", "+442079460018"),
            ("03069990123", "+443069990123"),
            ("0800 123 456", "+44800123456"),
            ("0808 157 0123", "+448081570123"),
            ("016977 2345", "+44169772345"),
            ("07624 123456", "+447624123456"),
            ("07700 900123", "+447700900123"),
            ("01632 960123", "+441632960123"),
            ("+353 85 012 3456", "+353850123456"),
        ] {
            assert_eq!(check(typed), Some(stored.to_owned()), "{typed}");
            assert_eq!(check(stored), Some(stored.to_owned()), "{stored} again");
        }
    }

    #[test]
    fn refuses_what_rings_nowhere() {
        for typed in [
            "",
            "1",
            "12345",
            "0",
            "+",
            "phone",
            "07400 12345678",
            "07400 12345",
            "+44 7400 12345",
            "07700 90012",
            "020 7946 001",
            "00000000000",
            "+999 12345678",
            "0909 8790123",
            "07400 123456 ext 5",
            "+44",
            "-------",
            "٠٧٤٠٠١٢٣٤٥٦",
        ] {
            assert_eq!(check(typed), None, "{typed}");
        }
        assert_eq!(check(&"0".repeat(5000)), None);
    }
}
