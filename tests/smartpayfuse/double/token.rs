//! Judges the token of a REST call.

use data_encoding::{BASE64, BASE64URL_NOPAD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Heard, MERCHANT, REST_KEY, SHOP_KEY_ID, State};

/// Returns why a call's token is refused.
pub fn refusal(state: &mut State, heard: &Heard) -> Option<&'static str> {
    let now = (state.now)();
    let given = heard.header("authorization").unwrap_or_default();
    let token = given.strip_prefix("Bearer ").unwrap_or_default();
    let Some((signed, tag)) = token.rsplit_once('.') else {
        return Some("no token");
    };
    let secret = BASE64.decode(state.rest_secret.as_bytes()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
    mac.update(signed.as_bytes());
    let tag = BASE64URL_NOPAD.decode(tag.as_bytes()).unwrap_or_default();
    if state.revoked || mac.verify_slice(&tag).is_err() {
        return Some("signature");
    }
    let parts: Vec<Value> = signed.split('.').map(part).collect();
    let [header, claims] = parts.as_slice() else {
        return Some("parts");
    };
    let body = (!heard.body.is_empty()).then(|| BASE64.encode(&Sha256::digest(&heard.body)));
    let path = match heard.query.as_str() {
        "" => heard.path.clone(),
        query => format!("{}?{query}", heard.path),
    };
    let claim = |name: &str| claims[name].as_str().unwrap_or_default();
    let time = |name: &str| claims[name].as_i64().unwrap_or(0);
    let (issued, expires) = (time("iat"), time("exp"));
    let id = claim("jti").to_owned();
    let wrong = [
        (header["alg"] != "HS256" || header["typ"] != "JWT", "alg"),
        (header["kid"] != REST_KEY, "kid"),
        (!(1..=120).contains(&(expires - issued)), "lifetime"),
        (issued > now + 60 || expires < now, "time"),
        (claim("iss") != MERCHANT, "iss"),
        (claim("v-c-merchant-id") != MERCHANT, "v-c-merchant-id"),
        (claim("v-c-jwt-version") != "2", "v-c-jwt-version"),
        (
            Some(claim("request-host")) != heard.header("host"),
            "request-host",
        ),
        (
            claim("request-resource-path") != path,
            "request-resource-path",
        ),
        (
            claim("request-method") != heard.method.to_ascii_lowercase(),
            "request-method",
        ),
        (claims["digest"].as_str() != body.as_deref(), "digest"),
        (
            body.is_some() && claim("digest-algorithm") != "SHA-256",
            "digest-algorithm",
        ),
        (
            state.seal.is_some() && claim("v-c-response-mle-kid") != SHOP_KEY_ID,
            "v-c-response-mle-kid",
        ),
        (id.len() != 36 || state.tokens.contains(&id), "jti"),
    ];
    state.tokens.push(id);
    wrong
        .iter()
        .find(|(is_wrong, _)| *is_wrong)
        .map(|(_, name)| *name)
}

fn part(encoded: &str) -> Value {
    let bytes = BASE64URL_NOPAD
        .decode(encoded.as_bytes())
        .unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or(Value::Null)
}
