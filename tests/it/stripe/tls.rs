//! Calls over TLS, to a server with a certificate of its own.

use std::path::PathBuf;

use layby::clock::Clock;
use layby::integrations::http;
use layby::integrations::payments::stripe::{StripeClient, StripeError};
use layby::secret::Secret;
use tempfile::TempDir;

use super::double::{Double, Tls};
use super::{QUICK, now, order};
use crate::mail::server::certificates;

/// Starts a double with a TLS certificate for `host`. Returns the folder of its authority too.
pub fn encrypted(host: &str) -> (Double, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    certificates(folder.path(), host);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let tls = Tls {
        certificate: read("cert.pem"),
        key: read("key.pem"),
    };
    let double = Double::start("127.0.0.1:0", Some(&tls), || now().timestamp()).unwrap();
    (double, folder)
}

fn client(double: &Double, authorities: Option<PathBuf>) -> StripeClient {
    let http = http::client(authorities.as_deref()).unwrap();
    let key = Secret::from("sk_test_double".to_owned());
    StripeClient::new(http, &double.address(), key, Clock::fixed(now()), QUICK)
}

#[tokio::test]
async fn a_server_is_spoken_to_whose_authority_was_given() {
    let (double, folder) = encrypted("localhost");
    assert!(double.address().starts_with("https://localhost:"));
    let client = client(&double, Some(folder.path().join("ca.pem")));
    let session = client.begin(&order(), now()).await.unwrap();
    assert_eq!(session.amount_total, Some(4999));
    assert_eq!(double.times("POST /v1/checkout/sessions"), 1);
}

#[tokio::test]
async fn nothing_is_said_to_a_server_for_which_nobody_vouches() {
    let (ours, folder) = encrypted("localhost");
    let (elsewhere, other) = encrypted("stripe.example");
    // The client trusts no authority of the certificate, or another authority. Last, the certificate is for
    // another host.
    for (double, authorities) in [
        (&ours, None),
        (&ours, Some(other.path().join("ca.pem"))),
        (&elsewhere, Some(other.path().join("ca.pem"))),
    ] {
        let refused = client(double, authorities).begin(&order(), now()).await;
        let error = refused.unwrap_err();
        assert!(matches!(error, StripeError::Unreachable(_)), "{error}");
        assert!(error.to_string().contains("certificate"), "{error}");
        assert!(!error.to_string().contains("localhost:"), "{error}");
        assert_eq!(double.seen().len(), 0);
    }
    drop(folder);
}

#[test]
fn a_file_of_authorities_must_hold_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");
    let why = || http::client(Some(&path)).unwrap_err().to_string();
    assert!(why().contains("ca.pem can't be read"), "{}", why());
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for text in ["", "no certificate", broken] {
        std::fs::write(&path, text).unwrap();
        assert!(why().ends_with("holds no certificate in PEM"), "{}", why());
    }
}

/// Live keys go to Stripe's own address, with a certificate of a built-in authority. Checking that they are
/// built in needs no network.
#[test]
fn the_usual_authorities_are_built_in() {
    assert!(http::client(None).is_ok());
    assert!(webpki_roots::TLS_SERVER_ROOTS.len() > 100);
}
