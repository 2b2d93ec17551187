//! Reference numbers: a product's prefix, eight digits of a counter and a check digit.

/// Returns the reference with `prefix` and the counter's `number`. The ninth digit is a Luhn check
/// digit. It reveals each mistyped digit, and nearly every swap of two neighbouring digits.
#[must_use]
pub fn reference(prefix: &str, number: u32) -> String {
    let digits = format!("{:08}", number % 100_000_000);
    format!("{prefix}{digits}{}", check_digit(&digits))
}

/// Returns whether `text` is a prefix with nine digits, and the check digit is right.
#[must_use]
pub fn is_reference(text: &str) -> bool {
    let digits_at = text
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(text.len());
    let (prefix, digits) = text.split_at(digits_at);
    let Some((counted, check)) = digits.split_at_checked(8) else {
        return false;
    };
    !prefix.is_empty()
        && counted.bytes().all(|byte| byte.is_ascii_digit())
        && check == check_digit(counted).to_string()
}

fn check_digit(digits: &str) -> u32 {
    let sum: u32 = digits
        .chars()
        .rev()
        .filter_map(|c| c.to_digit(10))
        .enumerate()
        .map(|(position, digit)| match (position % 2, digit * 2) {
            (0, doubled) if doubled > 9 => doubled - 9,
            (0, doubled) => doubled,
            _ => digit,
        })
        .sum();
    (10 - sum % 10) % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_has_a_prefix_and_nine_digits() {
        assert_eq!(reference("BRK", 1), "BRK000000018");
        assert!(is_reference("BRK000000018"));
    }

    #[test]
    fn a_wrong_or_swapped_digit_shows() {
        for number in [1u32, 42, 1_234_567, 99_999_999] {
            let good = reference("BRK", number);
            for position in 3..12 {
                let mut bytes = good.clone().into_bytes();
                bytes[position] = b'0' + (bytes[position] - b'0' + 1) % 10;
                assert!(!is_reference(&String::from_utf8(bytes).unwrap()));
            }
        }
        assert!(!is_reference(""));
        assert!(!is_reference("BRK1"));
        assert!(!is_reference("000000018"));
    }
}
