//! Signatures of webhooks. Stripe's official library gives the same results for these test vectors
//! (`tests/stripe/judge.py`).

use chrono::DateTime;
use layby::integrations::payments::stripe::check;
use layby::secret::Secret;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    name: String,
    body: String,
    header: String,
    secrets: Vec<String>,
    now: i64,
    good: bool,
}

#[test]
fn published_and_made_up_signatures_are_good_and_bad_as_they_should_be() {
    let text = include_str!("../../fixtures/stripe/signatures.json");
    let vectors: Vec<Vector> = serde_json::from_str(text).unwrap();
    assert!(vectors.len() > 20);
    for one in vectors {
        let secrets: Vec<_> = one.secrets.into_iter().map(Secret::from).collect();
        let now = DateTime::from_timestamp(one.now, 0).unwrap();
        let checked = check(one.body.as_bytes(), &one.header, &secrets, now);
        assert_eq!(checked.is_ok(), one.good, "{}: {checked:?}", one.name);
    }
}
