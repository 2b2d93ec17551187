//! Message-level encryption of REST bodies: a JWE in its compact form, with RSA-OAEP-256 and A256GCM.

use chrono::{DateTime, Utc};
use data_encoding::BASE64URL_NOPAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use rsa::PrivateKey;
use rsa::rand_core::TryCryptoRng;
use rsa::sha2::Sha256;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

use crate::config::EncryptionCertificate;

const KEY_ALGORITHM: &str = "RSA-OAEP-256";
const CONTENT_ALGORITHM: &str = "A256GCM";
const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 12;

/// The keys of encrypted bodies.
#[derive(Clone, Debug)]
pub struct MessageKeys {
    /// Fuse's certificate, for requests.
    pub certificate: EncryptionCertificate,
    /// The shop's key, for answers.
    pub private_key: PrivateKey,
    /// Fuse's id of `private_key`.
    pub id: String,
}

/// Why an answer can't be decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecryptionError {
    #[error("its answer is not encrypted")]
    NotEncrypted,
    #[error(
        "its answer is encrypted with another method than {KEY_ALGORITHM} and {CONTENT_ALGORITHM}"
    )]
    OtherMethod,
    #[error("its answer names another key than payments.smartpayfuse.decryption_key_id")]
    OtherKey,
    #[error("its answer was changed, or is not for payments.smartpayfuse.decryption_key")]
    Failed,
}

/// The body of an encrypted answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EncryptedAnswer {
    #[serde(rename = "encryptedResponse")]
    jwe: String,
}

#[derive(Deserialize)]
struct JweHeader {
    alg: String,
    enc: String,
    kid: Option<String>,
    /// Extensions that a reader must know. The shop knows none.
    crit: Option<IgnoredAny>,
}

impl MessageKeys {
    /// Returns the encrypted body of a request at `now`. Returns `None` if `random` fails.
    pub fn encrypt(
        &self,
        body: &str,
        now: DateTime<Utc>,
        random: &mut impl TryCryptoRng,
    ) -> Option<String> {
        let (mut key, mut nonce) = ([0; KEY_BYTES], [0; NONCE_BYTES]);
        random.try_fill_bytes(&mut key).ok()?;
        random.try_fill_bytes(&mut nonce).ok()?;
        let public_key = &self.certificate.key;
        let encrypted_key = public_key.oaep_encrypt_with_rng::<Sha256, _>(random, &key);
        let header = json!({
            "alg": KEY_ALGORITHM,
            "enc": CONTENT_ALGORITHM,
            "kid": self.certificate.key_id,
            "iat": now.timestamp(),
        });
        let header = BASE64URL_NOPAD.encode(header.to_string().as_bytes());
        let (aad, key) = (Aad::from(header.as_bytes()), content_key(&key)?);
        let mut text = body.as_bytes().to_vec();
        let nonce_once = Nonce::assume_unique_for_key(nonce);
        let tag = key.seal_in_place_separate_tag(nonce_once, aad, &mut text);
        let (encrypted_key, tag) = (encrypted_key.ok()?, tag.ok()?);
        let parts = [&*encrypted_key, &nonce, &text, tag.as_ref()];
        let parts = parts.map(|part| BASE64URL_NOPAD.encode(part)).join(".");
        Some(json!({ "encryptedRequest": format!("{header}.{parts}") }).to_string())
    }

    /// Returns the content of an encrypted answer.
    ///
    /// # Errors
    /// If the answer isn't encrypted, is for another key, or was changed.
    pub fn decrypt(&self, body: &[u8]) -> Result<Vec<u8>, DecryptionError> {
        let answer: EncryptedAnswer =
            serde_json::from_slice(body).map_err(|_| DecryptionError::NotEncrypted)?;
        let parts = answer.jwe.split('.');
        let decoded: Result<Vec<_>, _> = parts
            .map(|part| BASE64URL_NOPAD.decode(part.as_bytes()))
            .collect();
        let decoded = decoded.map_err(|_| DecryptionError::Failed)?;
        let [header, encrypted_key, nonce, text, tag] = decoded.as_slice() else {
            return Err(DecryptionError::Failed);
        };
        let aad = answer.jwe.split('.').next().unwrap_or_default();
        let header: JweHeader =
            serde_json::from_slice(header).map_err(|_| DecryptionError::Failed)?;
        if header.alg != KEY_ALGORITHM || header.enc != CONTENT_ALGORITHM || header.crit.is_some() {
            return Err(DecryptionError::OtherMethod);
        }
        if header.kid.is_some_and(|id| id != self.id) {
            return Err(DecryptionError::OtherKey);
        }
        let key = self.private_key.oaep_decrypt::<Sha256>(encrypted_key).ok();
        let key = key.as_deref().and_then(content_key);
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok();
        let (key, nonce) = key.zip(nonce).ok_or(DecryptionError::Failed)?;
        let mut sealed = [text.as_slice(), tag].concat();
        let opened = key.open_in_place(nonce, Aad::from(aad.as_bytes()), &mut sealed);
        opened
            .map(|text| text.to_vec())
            .map_err(|_| DecryptionError::Failed)
    }
}

fn content_key(key: &[u8]) -> Option<LessSafeKey> {
    UnboundKey::new(&AES_256_GCM, key)
        .ok()
        .map(LessSafeKey::new)
}
