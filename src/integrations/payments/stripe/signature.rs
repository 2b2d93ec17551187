//! The signature of a webhook: `Stripe-Signature: t=<unix>,v1=<hex>[,v1=<hex>...]`.

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER_PERMISSIVE;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::secret::Secret;

/// Header that carries it.
pub const HEADER: &str = "Stripe-Signature";
/// How old a signed message may be, seconds: the default of Stripe's own libraries. As with them, one
/// from ahead of our clock is no older than it should be.
const TOLERANCE: i64 = 300;
/// Signatures that are tried. Stripe sends one for each secret that is live, which are two at most.
const MOST: usize = 8;

/// Why a message isn't believed; for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// There is no such header, or not of this form.
    #[error("the Stripe-Signature header is missing or has no time or no v1")]
    Malformed,
    /// Signed with none of our secrets, or changed on the way.
    #[error("no signature was made with one of payments.stripe.webhook_secrets")]
    Wrong,
    /// Too old: perhaps somebody sends it again.
    #[error("the signature is older than five minutes")]
    Stale,
}

/// Whether `body`, as it came, was signed with one of the secrets, and not long ago. While a secret is
/// being changed for another both are good.
///
/// # Errors
/// When it wasn't.
pub fn check(
    body: &[u8],
    header: &str,
    secrets: &[Secret],
    now: DateTime<Utc>,
) -> Result<(), SignatureError> {
    let parts = || header.split(',').filter_map(|part| part.split_once('='));
    let time = parts().find(|(name, _)| name.trim() == "t");
    let (_, time) = time.ok_or(SignatureError::Malformed)?;
    // The time is signed as it is written.
    let seconds: i64 = time.parse().map_err(|_| SignatureError::Malformed)?;
    let tags: Vec<Vec<u8>> = parts()
        .filter(|(name, _)| name.trim() == "v1")
        .take(MOST)
        .map(|(_, tag)| {
            HEXLOWER_PERMISSIVE
                .decode(tag.as_bytes())
                .unwrap_or_default()
        })
        .collect();
    if tags.is_empty() {
        return Err(SignatureError::Malformed);
    }
    let is_signed = secrets.iter().any(|secret| {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()) else {
            return false;
        };
        mac.update(time.as_bytes());
        mac.update(b".");
        mac.update(body);
        // `verify_slice` takes the same time wherever the two differ.
        tags.iter().any(|tag| mac.clone().verify_slice(tag).is_ok())
    });
    if !is_signed {
        return Err(SignatureError::Wrong);
    }
    if seconds < now.timestamp() - TOLERANCE {
        return Err(SignatureError::Stale);
    }
    Ok(())
}
