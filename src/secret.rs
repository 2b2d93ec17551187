//! Secret texts, which print as `[secret]` and compare in constant time.

use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// A text that cannot reach a log by accident.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Returns the text itself. The caller must keep it out of logs.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        same_bytes(self.0.as_bytes(), other.0.as_bytes())
    }
}

impl Eq for Secret {}

/// Checks whether two byte strings are equal. The time of the check reveals at most their lengths.
#[must_use]
pub fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    let differ = a.iter().zip(b).fold(0, |seen, (a, b)| seen | (a ^ b));
    // `black_box` prevents the optimiser from stopping at the first difference.
    a.len() == b.len() && std::hint::black_box(differ) == 0
}

/// A random secret. The client receives it once, and only its hash is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token(Secret);

/// The system returned no random bytes.
#[derive(Debug, Error)]
#[error("the system has no random bytes to give")]
pub struct NoRandomness(#[source] pub getrandom::Error);

impl Token {
    /// Creates a token of 256 random bits, in 43 characters that are valid in an address.
    ///
    /// # Errors
    /// Fails if the system has no random bytes.
    pub fn random() -> Result<Self, NoRandomness> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(NoRandomness)?;
        Ok(Self(Secret(BASE64URL_NOPAD.encode(&bytes))))
    }

    /// Returns the text for the client.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// Returns the hash to store.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        hash_token(self.expose())
    }
}

/// The digits and capital letters of Crockford's base 32: without I, L, O and U.
const CODE_SIGNS: [char; 32] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J',
    'K', 'M', 'N', 'P', 'Q', 'R', 'S', 'T', 'V', 'W', 'X', 'Y', 'Z',
];

/// Creates a random code that is short enough to type: 40 bits, in 8 capital letters and digits.
/// The function that checks the code must limit the attempts.
///
/// # Errors
/// Fails if the system has no random bytes.
pub fn random_code() -> Result<Secret, NoRandomness> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    let sign = |byte: &u8| CODE_SIGNS.get(usize::from(byte % 32));
    Ok(Secret(bytes.iter().filter_map(sign).collect()))
}

/// Returns the hash by which a token is looked up. Tokens are long and random, so one plain SHA-256 is
/// enough: nobody can try them all.
#[must_use]
pub fn hash_token(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_print_as_nothing() {
        let secret = Secret::from("open sesame".to_owned());
        let token = Token::random().unwrap();
        let printed = format!("{secret} {secret:?} {token:?}");
        assert_eq!(printed, "[secret] [secret] Token([secret])");
    }

    #[test]
    fn secrets_are_equal_only_when_every_byte_is() {
        let secret = |text: &str| Secret::from(text.to_owned());
        assert_eq!(secret("abc"), secret("abc"));
        for other in ["", "ab", "abd", "abcd", "Abc"] {
            assert_ne!(secret("abc"), secret(other), "{other:?}");
        }
    }

    #[test]
    fn codes_are_short_unlike_and_have_no_letter_that_looks_like_a_digit() {
        let (one, two) = (random_code().unwrap(), random_code().unwrap());
        assert_ne!(one, two);
        assert_eq!(one.expose().len(), 8);
        assert!(!one.expose().contains(['I', 'L', 'O', 'U']));
    }

    #[test]
    fn tokens_are_long_unlike_and_found_again_by_their_hash() {
        let (one, two) = (Token::random().unwrap(), Token::random().unwrap());
        assert_ne!(one, two);
        assert_eq!(one.expose().len(), 43);
        assert_eq!(one.hash(), hash_token(one.expose()));
        assert_ne!(one.hash(), two.hash());
    }
}
