//! Test vectors from the reference, and test vectors of our own. Python's hashlib gives the same results
//! (`tests/globalpayments/judge.py`).

use layby::integrations::payments::globalpayments::{check, digest};
use layby::secret::Secret;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    app_key: String,
    tokens: Vec<TokenVector>,
    messages: Vec<MessageVector>,
}

#[derive(Deserialize)]
struct TokenVector {
    nonce: String,
    secret: String,
}

#[derive(Deserialize)]
struct MessageVector {
    name: String,
    body: String,
    signature: String,
    good: bool,
}

#[test]
fn signatures_are_equal_to_the_references_and_good_or_bad_as_they_should_be() {
    let text = include_str!("../../fixtures/globalpayments/signatures.json");
    let vectors: Vectors = serde_json::from_str(text).unwrap();
    let key = Secret::from(vectors.app_key);
    for one in &vectors.tokens {
        assert_eq!(digest(one.nonce.as_bytes(), &key), one.secret);
    }
    for one in &vectors.messages {
        let is_good = check(one.body.as_bytes(), &one.signature, &key);
        assert_eq!(is_good, one.good, "{}", one.name);
    }
    let exact = vectors.messages.iter().find(|one| one.good).unwrap();
    assert_eq!(digest(exact.body.as_bytes(), &key), exact.signature);
}
