//! Encrypted REST bodies: opens requests to Fuse's key, and seals answers to the shop's key.

use data_encoding::BASE64URL_NOPAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use rsa::PrivateKey;
use rsa::pkcs8::DecodePrivateKey;
use rsa::sha2::Sha256;
use serde_json::{Value, json};

use super::Said;

pub const CERTIFICATE: &str =
    include_str!("../../fixtures/smartpayfuse/encryption/fuse_certificate.pem");
pub const SHOP_KEY: &str = include_str!("../../fixtures/smartpayfuse/encryption/shop_key.pem");
pub const SHOP_KEY_ID: &str = "shop-key-1";
const FUSE_KEY: &str = include_str!("../../fixtures/smartpayfuse/encryption/fuse_key.pem");
/// The `serialNumber` in the subject of the certificate.
const CERTIFICATE_ID: &str = "1763683200000000000000";

/// How answers are sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    Good,
    /// A bit of the text is changed.
    Changed,
    /// It names another key.
    OtherId,
    /// It is sealed to another key, under the name of the shop's key.
    OtherKey,
    /// It is not sealed.
    Missing,
    /// It is not sealed if it is a refusal.
    ClearRefusals,
}

/// Opens the body of a request. Returns `None` if it is not sealed as Fuse demands.
pub fn open(body: &[u8]) -> Option<Vec<u8>> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let jwe = body["encryptedRequest"].as_str()?;
    let parts = jwe
        .split('.')
        .map(|part| BASE64URL_NOPAD.decode(part.as_bytes()).ok());
    let parts: Vec<Vec<u8>> = parts.collect::<Option<_>>()?;
    let [header, key, nonce, text, tag] = parts.as_slice() else {
        return None;
    };
    let header: Value = serde_json::from_slice(header).ok()?;
    let is_right = header["alg"] == "RSA-OAEP-256"
        && header["enc"] == "A256GCM"
        && header["kid"] == CERTIFICATE_ID
        && header["iat"].is_i64();
    let key = private_key(FUSE_KEY).oaep_decrypt::<Sha256>(key).ok()?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let aad = Aad::from(jwe.split('.').next()?.as_bytes());
    let mut sealed = [text.as_slice(), tag].concat();
    let opened = aes(&key).open_in_place(nonce, aad, &mut sealed).ok()?;
    is_right.then(|| opened.to_vec())
}

/// Seals an answer.
pub fn seal(said: Said, seal: Seal, now: i64) -> Said {
    if seal == Seal::Missing || seal == Seal::ClearRefusals && said.status >= 400 {
        return said;
    }
    let to = if seal == Seal::OtherKey {
        FUSE_KEY
    } else {
        SHOP_KEY
    };
    let id = if seal == Seal::OtherId {
        "other"
    } else {
        SHOP_KEY_ID
    };
    let (mut key, mut nonce) = ([0; 32], [0; 12]);
    getrandom::fill(&mut key).unwrap();
    getrandom::fill(&mut nonce).unwrap();
    let header = json!({ "alg": "RSA-OAEP-256", "enc": "A256GCM", "kid": id, "iat": now });
    let header = BASE64URL_NOPAD.encode(header.to_string().as_bytes());
    let public_key = private_key(to).to_public_key();
    let sealed_key = public_key.oaep_encrypt::<Sha256>(&key).unwrap();
    let mut text = said.body;
    let aad = Aad::from(header.as_bytes());
    let tag = aes(&key)
        .seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), aad, &mut text)
        .unwrap();
    if seal == Seal::Changed {
        text[0] ^= 1;
    }
    let parts = [&*sealed_key, &nonce, &text, tag.as_ref()];
    let parts = parts.map(|part| BASE64URL_NOPAD.encode(part)).join(".");
    let body = json!({ "encryptedResponse": format!("{header}.{parts}") });
    Said {
        body: body.to_string().into_bytes(),
        ..said
    }
}

fn private_key(pem: &str) -> PrivateKey {
    PrivateKey::from_pkcs8_pem(pem).unwrap()
}

fn aes(key: &[u8]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).unwrap())
}
