//! Telephone numbers by libphonenumber's metadata, kept in E.164.

use phonenumber::country::Id::GB;
use phonenumber::metadata::DATABASE;
use phonenumber::{Mode, Type};

/// Most characters a number may be typed with.
const MAX_LENGTH: usize = 40;
/// What is said of a text that is no telephone number.
pub const FAULT: &str = "Enter a telephone number with all its digits, such as 07400 123456";
/// Digits of nearly every British number after its 0.
const BRITISH_DIGITS: usize = 10;
/// Country code of the United Kingdom and the islands that share its plan.
const UNITED_KINGDOM: u16 = 44;

/// The number in E.164 (`+442079460018`). One without a country code is
/// British.
///
/// British numbers of ten digits need only be possible: Ofcom keeps ranges for
/// drama (07700 900000) that the metadata doesn't call valid, and gives out new
/// ranges before the metadata knows. All others must be valid: few ranges have
/// nine digits, and no mobile has. Premium rate numbers are refused: nobody is
/// reached there.
pub fn check(text: &str) -> Option<String> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let is_allowed = |c: char| c.is_ascii_digit() || " +()-./\u{a0}".contains(c);
    if !text.chars().all(is_allowed) {
        return None;
    }
    // "+44 (0)20 ..." carries a zero that is only dialled at home.
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

/// The usual British number, without the metadata: ten digits after the 0, the first of which
/// rules out premium rate (084, 087 and 09). The library searches the metadata's expressions under
/// one lock for the whole process.
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

/// A kept number as it is read and dialled at home: `07400 123456`; one from abroad with its
/// country code.
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
        for (kept, read) in [
            ("+447400123456", "07400 123456"),
            ("+442079460018", "020 7946 0018"),
            ("+441632960123", "01632 960123"),
            ("+353850123456", "+353 85 012 3456"),
            ("no number", "no number"),
        ] {
            assert_eq!(format_phone(kept), read);
        }
    }

    #[test]
    fn keeps_numbers_in_e164() {
        for (typed, kept) in [
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
            assert_eq!(check(typed), Some(kept.to_owned()), "{typed}");
            assert_eq!(check(kept), Some(kept.to_owned()), "{kept} again");
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
