//! Checks postcodes by the government's BS7666 rules, from shared/reference/vehicle-and-address.md.

/// Returns the postcode in capitals with one space, or `None` if it can't be valid.
pub fn check(text: &str) -> Option<String> {
    let mut code = String::with_capacity(7);
    for character in text.chars() {
        match character {
            ' ' | '\u{a0}' => {}
            c if c.is_ascii_alphanumeric() && code.len() < 7 => code.push(c.to_ascii_uppercase()),
            _ => return None,
        }
    }
    let (outward, inward) = code.split_at_checked(code.len().checked_sub(3)?)?;
    let valid = code == "GIR0AA" || (is_outward(outward) && is_inward(inward));
    valid.then(|| format!("{outward} {inward}"))
}

/// Returns whether the outward code has the form A9, A99, AA9, AA99, A9A or AA9A. Each position has
/// its own set of letters.
fn is_outward(outward: &str) -> bool {
    let first = |c: &u8| c.is_ascii_uppercase() && !b"QVX".contains(c);
    let second = |c: &u8| c.is_ascii_uppercase() && !b"IJZ".contains(c);
    match outward.as_bytes() {
        [a, d] => first(a) && d.is_ascii_digit(),
        [a, d, e] if d.is_ascii_digit() => {
            // The letter P admits W1P. The printed rule leaves out P.
            first(a) && (e.is_ascii_digit() || b"ABCDEFGHJKPSTUW".contains(e))
        }
        [a, b, d] => first(a) && second(b) && d.is_ascii_digit(),
        [a, b, d, e] => {
            let last = e.is_ascii_digit() || b"ABEHMNPRVWXY".contains(e);
            first(a) && second(b) && d.is_ascii_digit() && last
        }
        _ => false,
    }
}

fn is_inward(inward: &str) -> bool {
    let letter = |c: &u8| c.is_ascii_uppercase() && !b"CIKMOV".contains(c);
    matches!(inward.as_bytes(), [d, a, b] if d.is_ascii_digit() && letter(a) && letter(b))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn keeps_what_the_post_delivers_to() {
        for code in [
            "SW1A 1AA", "M1 1AE", "B33 8TH", "CR2 6XH", "DN55 1PT", "EC1A 1BB", "W1A 0AX",
            "N1C 4AG", "WC1X 9XX", "E1W 1AA", "BX9 1AS", "BF1 4TN", "ID1 1QD", "GIR 0AA",
            "W1P 1AA", "BT1 5GS",
        ] {
            assert_eq!(check(code), Some(code.to_owned()), "{code}");
            let typed = code.replace(' ', "").to_lowercase();
            assert_eq!(check(&typed), Some(code.to_owned()), "{typed}");
        }
        assert_eq!(check("  sw1a1aa "), Some("SW1A 1AA".to_owned()));
    }

    #[test]
    fn refuses_the_rest() {
        for code in [
            "SW1A 1AC",
            "QV1 1AA",
            "ZZ99 9ZZ",
            "",
            "1",
            "AAA",
            "BFPO 1234",
            "SW1A 1A",
            "SW1A1AAA",
            "S W 1 A",
            "SW1A-1AA",
            "ΑΒ1 1AA",
            "12345",
        ] {
            assert_eq!(check(code), None, "{code}");
        }
    }
}
