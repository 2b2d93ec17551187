//! Webhooks: signed events, ready to be sent.

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

/// A webhook as it is sent.
#[derive(Clone, Debug)]
pub struct Webhook {
    pub kind: String,
    pub body: String,
    /// The value of `Stripe-Signature`.
    pub signature: String,
}

impl Webhook {
    /// Signs an event at `time` with each of `secrets`. During a change of secrets Stripe signs with both.
    pub fn of(event: &Value, secrets: &[String], time: i64) -> Self {
        let body = event.to_string();
        Self {
            kind: event["type"].as_str().unwrap_or_default().to_owned(),
            signature: signature(&body, secrets, time),
            body,
        }
    }
}

/// Returns the signature header of a body.
pub fn signature(body: impl AsRef<[u8]>, secrets: &[String], time: i64) -> String {
    let mut header = format!("t={time}");
    for secret in secrets {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{time}.").as_bytes());
        mac.update(body.as_ref());
        let tag = HEXLOWER.encode(&mac.finalize().into_bytes());
        header.push_str(&format!(",v1={tag}"));
    }
    // In test mode Stripe sends signatures of an old form beside the new ones.
    header.push_str(",v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39");
    header
}
