//! The most common passwords. `common_passwords.txt` has the 10,000 most common with five or more
//! characters, in lower case and sorted. The list is by Royce Williams, from Django 5.2
//! (`django/contrib/auth/common-passwords.txt.gz`). Its licence, BSD with three clauses, is in the
//! file `common_passwords.LICENSE`.

use std::collections::HashSet;
use std::sync::LazyLock;

static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// The highest number of characters around a common word. If more characters surround the word, the
/// word does not make the password common.
const AROUND: usize = 6;

/// Returns whether a password is common. Case is ignored. A common word is still common with up to
/// `AROUND` digits and signs around it. Digits and signs may also replace its letters:
/// `P@ssword2026!`. The shop's name is a common word.
#[must_use]
pub fn is_common(password: &str, brand: &str) -> bool {
    let password = password.to_lowercase();
    let is_sign = |c: char| !c.is_alphanumeric();
    if COMMON.contains(password.as_str()) || COMMON.contains(password.trim_matches(is_sign)) {
        return true;
    }
    let word = password.trim_matches(|c: char| !c.is_alphabetic() && c != '@' && c != '$');
    let word = word.trim_matches(is_sign);
    let around = password.chars().count() - word.chars().count();
    let word: String = word.chars().map(letter).collect();
    let brand: String = brand.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_brand = !brand.is_empty() && word == brand.to_lowercase();
    around <= AROUND && (is_brand || COMMON.contains(word.as_str()))
}

/// Returns the letter that a digit or sign replaces, or the character itself.
const fn letter(sign: char) -> char {
    match sign {
        '@' | '4' => 'a',
        '3' => 'e',
        '1' | '!' => 'i',
        '0' => 'o',
        '$' | '5' => 's',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guessed_first_is_common_whatever_is_around_it() {
        for common in [
            "password",
            "Password1!",
            "P@ssw0rd",
            "P@ssw0rd!",
            "Qwerty123!",
            "Welcome1!",
            "Summer2026!",
            "!Liverpool99",
            "L1verpool-99",
            "Layby2026!",
            "LayBy-1!",
        ] {
            assert!(is_common(common, "Lay By"), "{common}");
        }
        for own in [
            "Layby-demo-2026",
            "Quite-new-7",
            "Blue-horse-41",
            "Summer2026!holiday",
            "Kestrel.over.M6",
        ] {
            assert!(!is_common(own, "Layby"), "{own}");
        }
    }

    #[test]
    fn the_list_is_in_lower_case_sorted_and_of_ten_thousand() {
        let all: Vec<&str> = include_str!("common_passwords.txt").lines().collect();
        assert_eq!(all.len(), 10_000);
        assert!(all.is_sorted());
        assert!(
            all.iter()
                .all(|one| one.to_lowercase() == **one && one.len() >= 5)
        );
    }
}
