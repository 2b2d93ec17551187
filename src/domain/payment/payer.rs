//! The person who pays, with the details that a gateway needs.

use crate::domain::account::Profile;

/// The person who pays. Banks use these details to authenticate the cardholder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payer {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub email: Option<String>,
    /// The telephone number, E.164.
    pub phone: Option<String>,
    /// The first line of the address.
    pub address_line: Option<String>,
    /// The last line of an address of several lines.
    pub town: Option<String>,
    pub postcode: Option<String>,
}

impl Payer {
    /// Returns the payer with the details of `profile`. `email` is the mail address of the quote's owner.
    /// Without an owner, `email` is the mail address in the answers.
    #[must_use]
    pub fn new(profile: Profile, email: Option<String>) -> Self {
        let address = profile.address_primary.unwrap_or_default();
        let mut lines = address
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        Self {
            first_name: profile.first_name,
            last_name: profile.last_name,
            email,
            phone: profile.gsm_primary.or(profile.tel_primary),
            address_line: lines.next().map(str::to_string),
            town: lines.next_back().map(str::to_string),
            postcode: profile.postcode_primary,
        }
    }
}

/// Returns a text in the characters that every gateway accepts: printable ASCII without commas, at
/// most `max` characters. Letters of other scripts and curly apostrophes are transliterated. A comma
/// becomes a blank, because Smartpay Fuse joins its signed fields with commas.
#[must_use]
pub fn to_ascii(text: &str, max: usize) -> String {
    let ascii = deunicode::deunicode(text);
    let plain = |c: char| {
        if c == ',' || c.is_ascii_control() {
            ' '
        } else {
            c
        }
    };
    let ascii: String = ascii.chars().map(plain).collect();
    let words: Vec<&str> = ascii.split_whitespace().collect();
    let ascii: String = words.join(" ").chars().take(max).collect();
    ascii.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_script_become_ascii() {
        let table = [
            ("O\u{2019}Neill", "O'Neill"),
            ("Zo\u{eb}", "Zoe"),
            ("Lee, Ann", "Lee Ann"),
            ("  1 High\u{a0}Street\n", "1 High Street"),
            ("\u{418}\u{432}\u{430}\u{43d}", "Ivan"),
        ];
        for (typed, sent) in table {
            assert_eq!(to_ascii(typed, 60), sent, "{typed}");
        }
        assert_eq!(to_ascii(&"ab ".repeat(100), 6), "ab ab");
    }
}
