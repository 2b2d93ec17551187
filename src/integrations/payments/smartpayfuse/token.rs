//! The token that signs a REST call: a JWT with a shared secret (HS256).

use chrono::{DateTime, Utc};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::encryption::MessageKeys;
use crate::secret::Secret;

/// Seconds for which a token is valid. Fuse refuses a longer lifetime.
const LIFETIME: i64 = 120;

/// A merchant's key for the REST API.
#[derive(Clone, Debug)]
pub struct RestKey {
    pub merchant_id: String,
    /// The id of the key.
    pub id: String,
    /// The shared secret, base64.
    pub secret: Secret,
    /// The keys of encrypted bodies, if the account encrypts them.
    pub message_keys: Option<MessageKeys>,
}

/// A call that a token signs.
#[derive(Clone, Copy, Debug)]
pub struct RestCall<'a> {
    /// The method in lower case.
    pub method: &'a str,
    /// The host, with its port if it has one.
    pub host: &'a str,
    pub path: &'a str,
    /// The body as it is sent.
    pub body: Option<&'a str>,
}

impl RestKey {
    /// Returns the token of a call at `now`. `id` must differ for each call. Returns `None` if the secret
    /// is not base64.
    #[must_use]
    pub fn token(&self, call: &RestCall<'_>, now: DateTime<Utc>, id: Uuid) -> Option<Secret> {
        let secret = BASE64.decode(self.secret.expose().as_bytes()).ok()?;
        let header = json!({ "typ": "JWT", "alg": "HS256", "kid": self.id });
        let mut claims = match call.body {
            Some(body) => json!({
                "digest": BASE64.encode(&Sha256::digest(body)),
                "digest-algorithm": "SHA-256",
            }),
            None => json!({}),
        };
        let more = [
            ("iat", json!(now.timestamp())),
            ("exp", json!(now.timestamp() + LIFETIME)),
            ("request-host", json!(call.host)),
            ("request-resource-path", json!(call.path)),
            ("request-method", json!(call.method)),
            ("iss", json!(self.merchant_id)),
            ("jti", json!(id)),
            ("v-c-jwt-version", json!("2")),
            ("v-c-merchant-id", json!(self.merchant_id)),
        ];
        let claims_map = claims.as_object_mut()?;
        claims_map.extend(more.map(|(name, value)| (name.to_owned(), value)));
        if let Some(keys) = &self.message_keys {
            claims_map.insert("v-c-response-mle-kid".to_owned(), json!(keys.id));
        }
        let encode = |part: &serde_json::Value| BASE64URL_NOPAD.encode(part.to_string().as_bytes());
        let signed = format!("{}.{}", encode(&header), encode(&claims));
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret).ok()?;
        mac.update(signed.as_bytes());
        let tag = BASE64URL_NOPAD.encode(&mac.finalize().into_bytes());
        Some(Secret::from(format!("{signed}.{tag}")))
    }
}
