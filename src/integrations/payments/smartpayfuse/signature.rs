//! The signature of the payment page's form and of its answers. One key signs both.

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::secret::Secret;

/// Returns the signature of the fields, in their order: base64 of HMAC-SHA256. Returns `None` for an
/// empty secret.
#[must_use]
pub fn sign<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
    secret: &Secret,
) -> Option<String> {
    let tag = mac(fields, secret)?.finalize();
    Some(BASE64.encode(&tag.into_bytes()))
}

/// Returns whether `secret` made the signature of the fields. Compares in constant time.
pub(super) fn is_signed<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
    signature: &str,
    secret: &Secret,
) -> bool {
    let tag = BASE64.decode(signature.as_bytes());
    match (tag, mac(fields, secret)) {
        (Ok(tag), Some(mac)) => mac.verify_slice(&tag).is_ok(),
        _ => false,
    }
}

/// Returns the MAC of `name=value,name=value`, without escapes. The key is the secret's text: the
/// hexadecimal digits are not decoded. Returns `None` for an empty secret.
fn mac<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
    secret: &Secret,
) -> Option<Hmac<Sha256>> {
    let secret = Some(secret.expose()).filter(|secret| !secret.is_empty())?;
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    for (position, (name, value)) in fields.into_iter().enumerate() {
        let comma = if position > 0 { "," } else { "" };
        for part in [comma, name, "=", value] {
            mac.update(part.as_bytes());
        }
    }
    Some(mac)
}
