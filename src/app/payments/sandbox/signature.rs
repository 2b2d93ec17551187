//! The sandbox's signed callbacks, as real gateways send them. The signature covers the time, so
//! that an old callback can't be replayed.

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER_PERMISSIVE;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

use crate::domain::money::Pence;
use crate::domain::payment::sandbox::{SandboxEvent, SandboxPayment, SandboxState};
use crate::integrations::payments::GatewayError;

/// The header with `t=<seconds>,v1=<hex>`.
pub const SIGNATURE: &str = "X-Sandbox-Signature";
/// The maximum difference between a callback's time and the shop's clock, seconds.
const TOLERANCE: i64 = 300;

/// The callback's body.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Message {
    pub(super) payment: Uuid,
    pub(super) state: SandboxState,
    pub(super) amount: Pence,
    pub(super) event: SandboxEvent,
}

impl Message {
    pub(super) fn read(body: &[u8]) -> Result<Self, GatewayError> {
        serde_json::from_slice(body).map_err(|_| forged("its body can't be read"))
    }
}

/// Returns the body and the signature header of the callback about `event` of `payment`.
///
/// # Errors
/// If the message can't be serialised.
pub fn callback(
    payment: &SandboxPayment,
    event: SandboxEvent,
    secret: &str,
    now: DateTime<Utc>,
) -> Result<(String, String), GatewayError> {
    let body = serde_json::to_string(&Message {
        payment: payment.payment,
        state: payment.state,
        amount: payment.amount,
        event,
    })
    .map_err(|error| GatewayError::Unclear(error.to_string()))?;
    let time = now.timestamp();
    let signature = mac_of_body(secret, time, body.as_bytes())?;
    let signature = HEXLOWER_PERMISSIVE.encode(&signature.finalize().into_bytes());
    Ok((body, format!("t={time},v1={signature}")))
}

/// Returns the secret in the address of a payment's page. Nobody can compute the value without our
/// secret. The value stays the same if the page is created again.
pub(super) fn page_secret(payment: Uuid, secret: &str) -> Result<String, GatewayError> {
    let mac = mac(secret, &[b"page.", payment.as_bytes()])?;
    Ok(HEXLOWER_PERMISSIVE.encode(&mac.finalize().into_bytes()))
}

/// Returns the message of a callback.
///
/// # Errors
/// [`GatewayError::Forged`] if the signature is not valid, or the body can't be parsed. The same
/// error if the callback's time differs from `now` by more than [`TOLERANCE`].
pub(super) fn verify(
    body: &[u8],
    signature: &str,
    secret: &str,
    now: DateTime<Utc>,
) -> Result<Message, GatewayError> {
    let (time, tag) = signature
        .split_once(",v1=")
        .and_then(|(time, tag)| Some((time.strip_prefix("t=")?.parse::<i64>().ok()?, tag)))
        .ok_or_else(|| forged("it has no signature"))?;
    let tag = HEXLOWER_PERMISSIVE
        .decode(tag.as_bytes())
        .map_err(|_| forged("its signature can't be read"))?;
    mac_of_body(secret, time, body)?
        .verify_slice(&tag)
        .map_err(|_| forged("its signature is wrong"))?;
    if now.timestamp().abs_diff(time) > TOLERANCE.unsigned_abs() {
        return Err(forged("its time is too far from ours"));
    }
    Message::read(body)
}

fn forged(why: &str) -> GatewayError {
    GatewayError::Forged(why.to_owned())
}

fn mac_of_body(secret: &str, time: i64, body: &[u8]) -> Result<Hmac<Sha256>, GatewayError> {
    mac(secret, &[time.to_string().as_bytes(), b".", body])
}

fn mac(secret: &str, parts: &[&[u8]]) -> Result<Hmac<Sha256>, GatewayError> {
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes());
    let mut mac = mac.map_err(|error| GatewayError::Unclear(error.to_string()))?;
    parts.iter().for_each(|part| mac.update(part));
    Ok(mac)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_is_believed_while_fresh_and_whole() {
        let now: DateTime<Utc> = "2026-11-21T09:00:00Z".parse().unwrap();
        let payment = SandboxPayment::new(Uuid::from_u128(1), Pence(4250), now);
        let (body, signature) = callback(&payment, SandboxEvent::State, "secret", now).unwrap();
        let check = |body: &str, signature: &str, secret: &str, seconds: i64| {
            let received = now + chrono::Duration::seconds(seconds);
            verify(body.as_bytes(), signature, secret, received)
        };
        let message = check(&body, &signature, "secret", 10).unwrap();
        assert_eq!(
            message,
            Message {
                payment: Uuid::from_u128(1),
                state: SandboxState::Open,
                amount: Pence(4250),
                event: SandboxEvent::State,
            }
        );
        let (disputed, signed) = callback(&payment, SandboxEvent::Disputed, "secret", now).unwrap();
        let message = check(&disputed, &signed, "secret", 10).unwrap();
        assert_eq!(message.event, SandboxEvent::Disputed);

        assert!(check(&body, &signature, "other", 10).is_err());
        assert!(check(&body, &signature, "secret", 301).is_err());
        assert!(check(&body.replace("42.5", "1"), &signature, "secret", 10).is_err());
        for broken in ["", "t=1", "t=x,v1=00", "v1=00,t=1", "t=1,v1=zz"] {
            assert!(check(&body, broken, "secret", 10).is_err(), "{broken}");
        }
    }
}
