//! Signatures: `hex(sha512(text + app key))`, for the secret of a token and for messages.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde_json::Value;
use sha2::{Digest, Sha512};

use crate::secret::{Secret, same_bytes};

/// The signature's header in a message.
pub const HEADER: &str = "X-GP-Signature";

/// Returns the lower-case hex digits of the SHA-512 of `text` and the app's key.
#[must_use]
pub fn digest(text: &[u8], app_key: &Secret) -> String {
    HEXLOWER.encode(&hash(text, app_key))
}

fn hash(text: &[u8], app_key: &Secret) -> [u8; 64] {
    let hash = Sha512::new()
        .chain_update(text)
        .chain_update(app_key.expose().as_bytes());
    hash.finalize().into()
}

/// Returns whether the app's key signed `body`: its bytes, or the same JSON without whitespace and
/// without unnecessary escapes.
///
/// Assumption: one of these two forms is signed. The official plugin also hashes the body with `\"`
/// unescaped. The shop refuses that form, because a text of the payer could become a field of the
/// message.
#[must_use]
pub fn check(body: &[u8], header: &str, app_key: &Secret) -> bool {
    let Ok(received) = HEXLOWER_PERMISSIVE.decode(header.trim().as_bytes()) else {
        return false;
    };
    let minified = || {
        let value: Value = serde_json::from_slice(body).ok()?;
        serde_json::to_vec(&value).ok()
    };
    let is_signed = |text: &[u8]| same_bytes(&hash(text, app_key), &received);
    is_signed(body) || minified().is_some_and(|text| is_signed(&text))
}
