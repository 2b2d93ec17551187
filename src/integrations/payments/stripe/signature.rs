//! The signature of a webhook: `Stripe-Signature: t=<unix>,v1=<hex>[,v1=<hex>...]`.

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER_PERMISSIVE;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::secret::Secret;

/// The signature's header.
pub const HEADER: &str = "Stripe-Signature";
/// Largest age of a signed message in seconds: the default of Stripe's own libraries. As in these libraries,
/// a time in the future is accepted.
const TOLERANCE: i64 = 300;
/// Maximum number of signatures to check. Stripe sends one for each active secret, at most two.
const MAX_SIGNATURES: usize = 8;

/// Why a message is refused, for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The header is missing or malformed.
    #[error("the Stripe-Signature header is missing or has no time or no v1")]
    Malformed,
    /// No secret of ours made the signature, or the message was changed.
    #[error("no signature was made with one of payments.stripe.webhook_secrets")]
    Wrong,
    /// The message is too old. Somebody may be replaying it.
    #[error("the signature is older than five minutes")]
    Stale,
}

/// Checks that one of the secrets signed `body` recently. `body` must be as received. During a
/// change of secrets, both secrets are valid.
///
/// # Errors
/// Fails if the header is malformed, no secret signed `body`, or the signature is too old.
pub fn check(
    body: &[u8],
    header: &str,
    secrets: &[Secret],
    now: DateTime<Utc>,
) -> Result<(), SignatureError> {
    let parts = || header.split(',').filter_map(|part| part.split_once('='));
    let time = parts().find(|(name, _)| name.trim() == "t");
    let (_, time) = time.ok_or(SignatureError::Malformed)?;
    // The signature covers the time as text.
    let seconds: i64 = time.parse().map_err(|_| SignatureError::Malformed)?;
    let tags: Vec<Vec<u8>> = parts()
        .filter(|(name, _)| name.trim() == "v1")
        .take(MAX_SIGNATURES)
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
        // `verify_slice` takes constant time, wherever the two signatures differ.
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
