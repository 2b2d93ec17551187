//! The rule of a new password (part 5 of the specification). Common passwords are refused, because
//! attackers try them first (ASVS 6.2.4).

use crate::config::PasswordRule;
use crate::domain::account::common_passwords::is_common;

/// The message for an empty field.
pub const REQUIRED: &str = "Required.";
/// The message for a repeated password that differs from the first.
pub const MISMATCH: &str = "Passwords don't match";
/// The message for a password with white space.
const NO_SPACES: &str = "Password must not contain spaces";
/// The message for a common password.
pub const COMMON: &str =
    "This password is one of the first that others would guess. Please choose another";

/// Returns the message about a new password and its repeat, or `None` if both are valid. `brand` is
/// the shop's name.
#[must_use]
pub fn fault(rule: &PasswordRule, password: &str, repeat: &str, brand: &str) -> Option<String> {
    if password.is_empty() || repeat.is_empty() {
        return Some(REQUIRED.to_string());
    }
    let length = password.chars().count();
    let special = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    let has_all = (!rule.uppercase || password.chars().any(char::is_uppercase))
        && (!rule.lowercase || password.chars().any(char::is_lowercase))
        && (!rule.digit || password.chars().any(char::is_numeric))
        && (!rule.special || password.chars().any(special));
    if !has_all || !(rule.min_length..=rule.max_length).contains(&length) {
        return Some(sentence(rule));
    }
    if rule.no_whitespace && password.chars().any(char::is_whitespace) {
        return Some(NO_SPACES.to_string());
    }
    if is_common(password, brand) {
        return Some(COMMON.to_string());
    }
    (password != repeat).then(|| MISMATCH.to_string())
}

/// Returns the rule in one sentence. The website builds this sentence too.
fn sentence(rule: &PasswordRule) -> String {
    let parts = [
        (rule.uppercase, "an uppercase character"),
        (rule.lowercase, "a lowercase character"),
        (rule.digit, "a number"),
        (rule.special, "a special symbol"),
    ];
    let parts: Vec<_> = parts
        .iter()
        .filter_map(|(is_required, words)| is_required.then_some(*words))
        .collect();
    let contain = match parts.as_slice() {
        [] => String::new(),
        parts => format!("must contain {} and ", parts.join(", ")),
    };
    let (least, max) = (rule.min_length, rule.max_length);
    format!("Password {contain}needs to be between {least} and {max} characters long")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: PasswordRule = PasswordRule {
        min_length: 8,
        max_length: 20,
        uppercase: true,
        lowercase: true,
        digit: true,
        special: true,
        no_whitespace: true,
    };
    const MESSAGE: &str = "Password must contain an uppercase character, a lowercase character, \
                           a number, a special symbol and needs to be between 8 and 20 \
                           characters long";

    #[test]
    fn eight_to_twenty_characters_of_four_kinds() {
        for good in ["Abkdef1!", "Ünïcödé-9x", "Abcdefghijklmnopq1!z"] {
            assert_eq!(fault(&RULE, good, good, "Layby"), None, "{good}");
        }
        for bad in [
            "Abcde1!",
            "Abcdefghijklmnopqr1!z",
            "abcdef1!",
            "ABCDEF1!",
            "Abcdefg!",
            "Abcdefg1",
            "        ",
        ] {
            assert_eq!(
                fault(&RULE, bad, bad, "Layby").as_deref(),
                Some(MESSAGE),
                "{bad}"
            );
        }
        let spaced = "Abc def1!";
        assert_eq!(
            fault(&RULE, spaced, spaced, "Layby").as_deref(),
            Some(NO_SPACES)
        );
    }

    #[test]
    fn what_everybody_guesses_is_refused_though_it_has_all_that_is_asked() {
        for bad in ["Password1!", "P@ssw0rd", "Layby-26", "Summer2026!"] {
            let message = fault(&RULE, bad, bad, "Layby");
            assert_eq!(message.as_deref(), Some(COMMON), "{bad}");
        }
    }

    #[test]
    fn the_repeat_must_be_there_and_the_same() {
        assert_eq!(fault(&RULE, "", "", "Layby").as_deref(), Some(REQUIRED));
        assert_eq!(
            fault(&RULE, "Abkdef1!", "", "Layby").as_deref(),
            Some(REQUIRED)
        );
        assert_eq!(
            fault(&RULE, "Abkdef1!", "Abcdef1?", "Layby").as_deref(),
            Some(MISMATCH)
        );
    }

    #[test]
    fn a_softer_rule_says_only_what_it_asks() {
        let rule = PasswordRule {
            uppercase: false,
            special: false,
            ..RULE
        };
        assert_eq!(
            fault(&rule, "short", "short", "Layby").as_deref(),
            Some(
                "Password must contain a lowercase character, a number and needs to be between \
                 8 and 20 characters long"
            )
        );
    }
}
