//! Checks e-mail addresses.

/// Maximum lengths in bytes: an address, its local part, and a label of the host (RFC 5321, RFC
/// 1035).
const MAX_LENGTH: usize = 254;
const LONGEST_LOCAL: usize = 64;
const LONGEST_LABEL: usize = 63;

/// Returns the address without the spaces around it, or `None` if it can't be valid. The case stays as typed,
/// because the local part may be case-sensitive.
pub fn check(text: &str) -> Option<String> {
    let text = text.trim();
    let (local, host) = text.rsplit_once('@')?;
    let valid = text.len() <= MAX_LENGTH && is_local(local) && is_host(host);
    valid.then(|| text.to_owned())
}

/// Returns the mailbox of an address, without its tag. The tag is the part from the first plus to
/// the @.
#[must_use]
pub fn mailbox(address: &str) -> String {
    let parts = address.rsplit_once('@').and_then(|(local, host)| {
        let (name, _) = local.split_once('+')?;
        (!name.is_empty()).then(|| format!("{name}@{host}"))
    });
    parts.unwrap_or_else(|| address.to_owned())
}

fn is_local(local: &str) -> bool {
    let is_allowed = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&b);
    (1..=LONGEST_LOCAL).contains(&local.len())
        && local.bytes().all(is_allowed)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
}

fn is_host(host: &str) -> bool {
    let label = |label: &str| {
        (1..=LONGEST_LABEL).contains(&label.len())
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let Some((_, top)) = host.rsplit_once('.') else {
        return false;
    };
    let named = top.len() >= 2 && top.bytes().any(|b| b.is_ascii_alphabetic());
    named && host.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::{check, mailbox};

    #[test]
    fn a_note_after_a_plus_names_no_other_mailbox() {
        for (address, expected) in [
            ("ann@example.com", "ann@example.com"),
            ("ann+car@example.com", "ann@example.com"),
            ("ann+car+2@example.com", "ann@example.com"),
            ("+ann@example.com", "+ann@example.com"),
            ("ann", "ann"),
        ] {
            assert_eq!(mailbox(address), expected);
        }
    }

    #[test]
    fn accepts_addresses_people_have() {
        for text in [
            "ann@example.com",
            "Ann.O'Neil+car@mail.example.co.uk",
            "a@b.io",
            "x_1-2@xn--bcher-kva.example",
        ] {
            assert_eq!(check(text), Some(text.to_owned()));
        }
        assert_eq!(
            check("  ann@example.com "),
            Some("ann@example.com".to_owned())
        );
    }

    #[test]
    fn refuses_what_no_mail_reaches() {
        for text in [
            "",
            "ann",
            "ann@",
            "@example.com",
            "ann@example",
            "ann@@example.com",
            "a nn@example.com",
            "ann@exa mple.com",
            ".ann@example.com",
            "ann.@example.com",
            "a..nn@example.com",
            "ann@-example.com",
            "ann@example.c",
            "ann@1.2.3.4",
            "ann@example.com\nbcc: x@y.zz",
            "ann@example..com",
            "ann,bob@example.com",
            "ann@example.com,bob@example.com",
            "ånn@example.com",
        ] {
            assert_eq!(check(text), None, "{text}");
        }
        assert_eq!(check(&format!("{}@example.com", "a".repeat(65))), None);
        assert_eq!(check(&format!("a@{}.com", "b.".repeat(200))), None);
    }
}
