//! Encrypted REST bodies: a whole sale with a refund, the bytes, and answers that are not believed.

use chrono::{DateTime, TimeDelta};
use layby::clock::Clock;
use layby::config::{Config, Layers};
use layby::domain::money::Pence;
use layby::domain::payment::refund::RefundStatus;
use layby::integrations::payments::smartpayfuse::{DecryptionError, FuseError, MessageKeys};
use rsa::rand_core::{TryCryptoRng, TryRng};
use serde_json::{Value, json};

use super::calls::{client, client_with, double, now, order, paid};
use super::double::{self, Double, Seal, Verdict};
use super::faults::Fault;
use super::till::{Till, settings};

/// Returns the settings of the encryption.
fn encryption() -> String {
    format!(
        "encryption_certificate = '''\n{}'''\ndecryption_key = '''\n{}'''\ndecryption_key_id = \"{}\"\n",
        double::CERTIFICATE,
        double::SHOP_KEY,
        double::SHOP_KEY_ID,
    )
}

fn config(double: &Double, more: &str) -> Config {
    let text = settings(double, "[\"smartpayfuse\"]", more);
    let layers = Layers {
        file: Some(("shop.toml".to_owned(), text)),
        ..Layers::default()
    };
    Config::load(&layers).unwrap()
}

pub fn message_keys() -> MessageKeys {
    let config = config(&double(), &encryption());
    let fuse = config.payments.smartpayfuse.unwrap();
    MessageKeys {
        certificate: fuse.encryption_certificate.unwrap(),
        private_key: fuse.decryption_key.unwrap(),
        id: fuse.decryption_key_id,
    }
}

/// Returns given bytes in place of random ones.
pub struct Bytes(pub Vec<u8>);

impl TryRng for Bytes {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        unreachable!("only bytes are asked for")
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        unreachable!("only bytes are asked for")
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        let given: Vec<u8> = self.0.drain(..bytes.len()).collect();
        bytes.copy_from_slice(&given);
        Ok(())
    }
}

impl TryCryptoRng for Bytes {}

#[test]
fn a_body_has_the_same_bytes_as_another_library_writes_and_its_answer_is_read() {
    let text = include_str!("../../fixtures/smartpayfuse/encryption/vectors.json");
    let vector: Value = serde_json::from_str(text).unwrap();
    let text = |name: &str| vector[name].as_str().unwrap();
    let random = data_encoding::HEXLOWER.decode(text("random").as_bytes());
    let now = DateTime::from_timestamp(vector["now"].as_i64().unwrap(), 0).unwrap();
    let keys = message_keys();
    let body = keys.encrypt(text("body"), now, &mut Bytes(random.unwrap()));
    assert_eq!(body.unwrap(), vector["request"].to_string());
    let answer = keys.decrypt(vector["response"].to_string().as_bytes());
    assert_eq!(answer.unwrap(), text("answer").as_bytes());
    let printed = format!("{keys:?}");
    for line in double::SHOP_KEY.lines().filter(|line| !line.is_empty()) {
        assert!(!printed.contains(line), "{printed}");
    }
}

#[test]
fn an_answer_with_any_part_changed_is_refused() {
    let text = include_str!("../../fixtures/smartpayfuse/encryption/vectors.json");
    let vector: Value = serde_json::from_str(text).unwrap();
    let keys = message_keys();
    let jwe = vector["response"]["encryptedResponse"].as_str().unwrap();
    let decrypt = |jwe: &str| {
        let body = json!({ "encryptedResponse": jwe }).to_string();
        keys.decrypt(body.as_bytes())
    };
    assert!(decrypt(jwe).is_ok());
    let parts: Vec<&str> = jwe.split('.').collect();
    for place in 0..parts.len() {
        let mut changed = parts.clone();
        let other = format!("{}A{}", &parts[place][..3], &parts[place][4..]);
        changed[place] = if parts[place] == other { "" } else { &other };
        assert_eq!(decrypt(&changed.join(".")), Err(DecryptionError::Failed));
        let mut shorter = parts.clone();
        shorter.remove(place);
        assert_eq!(decrypt(&shorter.join(".")), Err(DecryptionError::Failed));
    }
    let other_header = |header: &Value| {
        let encoded = data_encoding::BASE64URL_NOPAD.encode(header.to_string().as_bytes());
        decrypt(&[&[encoded.as_str()], &parts[1..]].concat().join("."))
    };
    for (header, why) in [
        (
            json!({ "alg": "RSA-OAEP", "enc": "A256GCM" }),
            DecryptionError::OtherMethod,
        ),
        (
            json!({ "alg": "RSA-OAEP-256", "enc": "A128GCM" }),
            DecryptionError::OtherMethod,
        ),
        (
            json!({ "alg": "RSA-OAEP-256", "enc": "A256GCM", "crit": ["x"] }),
            DecryptionError::OtherMethod,
        ),
        (
            json!({ "alg": "RSA-OAEP-256", "enc": "A256GCM", "kid": "x" }),
            DecryptionError::OtherKey,
        ),
        (
            json!({ "alg": "RSA-OAEP-256", "enc": "A256GCM" }),
            DecryptionError::Failed,
        ),
        (json!({ "alg": 1 }), DecryptionError::Failed),
    ] {
        assert_eq!(other_header(&header), Err(why), "{header}");
    }
    for body in [
        "",
        "{}",
        "[]",
        "\u{feff}",
        r#"{"encryptedResponse":1}"#,
        r#"{"totalCount":0}"#,
    ] {
        let refused = keys.decrypt(body.as_bytes());
        assert_eq!(refused, Err(DecryptionError::NotEncrypted), "{body}");
    }
}

#[tokio::test]
async fn an_account_that_encrypts_bodies_is_asked_and_refunds() {
    let till = Till::open_with(&encryption()).await;
    till.double.encrypt(Seal::Good);
    till.end(Verdict::Accept).await;
    till.wait(TimeDelta::minutes(15));
    till.work().await;
    till.assert_sold_once();
    let paid = till.kept();
    let id = till.owe(Pence(1000), 7).await;
    till.work().await;
    assert_eq!(till.refund(id).status, RefundStatus::Pending);
    assert_eq!(till.kept(), paid - 1000);
    let seen = till.double.seen();
    let bodies = seen.iter().filter(|seen| !seen.body.is_empty());
    for seen in bodies {
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        let names: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(names, ["encryptedRequest"], "{}", seen.call);
    }
    assert!(till.double.times("GET /tss/v2/transactions/") > 0);
    assert_eq!(till.double.times("POST /pts/v2/payments/"), 1);
}

#[tokio::test]
async fn an_answer_that_is_not_sealed_to_our_key_is_not_believed() {
    for (seal, why) in [
        (Seal::Changed, "was changed"),
        (Seal::OtherId, "payments.smartpayfuse.decryption_key_id"),
        (
            Seal::OtherKey,
            "not for payments.smartpayfuse.decryption_key",
        ),
        (Seal::Missing, "not encrypted"),
    ] {
        let double = double();
        let id = paid(&double);
        double.encrypt(seal);
        let client = client_with(&double.address(), Clock::fixed(now()), Some(message_keys()));
        let mut refused = order(&id);
        refused.amount = Pence(5000);
        let errors = [
            client.try_key().await.unwrap_err(),
            client.transaction(&id).await.unwrap_err(),
            client.refund(&order(&id)).await.unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, FuseError::Unknown(_)), "{seal:?}: {error}");
            assert!(error.to_string().contains(why), "{seal:?}: {error}");
        }
        let error = client.refund(&refused).await.unwrap_err();
        let is_clear = seal == Seal::Missing;
        // A refusal in clear counts. A refusal that is sealed wrongly does not. Neither call is repeated.
        assert_eq!(matches!(error, FuseError::Refused(_)), is_clear, "{error}");
        assert_eq!(matches!(error, FuseError::Unknown(_)), !is_clear, "{error}");
        assert_eq!(double.times("POST /pts/v2/payments/"), 2, "{seal:?}");
    }
}

#[tokio::test]
async fn a_refusal_in_clear_counts_and_a_failure_in_clear_does_not() {
    let till = Till::open_with(&encryption()).await;
    till.double.encrypt(Seal::ClearRefusals);
    till.end(Verdict::Accept).await;
    till.wait(TimeDelta::minutes(15));
    till.work().await;
    till.assert_sold_once();
    let paid = till.kept();
    let id = till.owe(Pence(1000), 7).await;
    till.double
        .books(|books, _| books.refuses_refunds = Some("INVALID_DATA"));
    till.wait(TimeDelta::days(1));
    till.work().await;
    till.wait(TimeDelta::days(2));
    till.work().await;
    assert_eq!(till.refund(id).status, RefundStatus::Refused);
    assert_eq!(till.kept(), paid);

    let double = double();
    double.encrypt(Seal::ClearRefusals);
    let client = client_with(&double.address(), Clock::fixed(now()), Some(message_keys()));
    let missing = client.transaction("123").await.unwrap();
    assert_eq!(missing.map(|one| one.id), None);
    let payment = super::calls::paid(&double);
    for fault in [
        Fault::Status(429),
        Fault::Status(502),
        Fault::Html(400),
        Fault::Html(404),
    ] {
        double.fail("POST /pts/v2/payments/", fault);
        let error = client.refund(&order(&payment)).await.unwrap_err();
        assert!(matches!(error, FuseError::Unknown(_)), "{fault:?}: {error}");
    }
}

#[tokio::test]
async fn the_check_of_the_settings_tries_the_encryption() {
    let time = chrono::Utc::now().timestamp();
    let double = Double::start("127.0.0.1:0", move || time).unwrap();
    double.encrypt(Seal::Good);
    let check = async |more: String| {
        let config = config(&double, &more);
        layby::app::payments::check_keys(&config).await
    };
    assert!(check(encryption()).await.is_ok());
    let other_id = encryption().replace(double::SHOP_KEY_ID, "shop-key-2");
    for more in [String::new(), other_id] {
        let refused = check(more).await.unwrap_err();
        assert!(refused.contains("payments.smartpayfuse"), "{refused}");
    }
    double.encrypt(Seal::OtherKey);
    let refused = check(encryption()).await.unwrap_err();
    let setting = "payments.smartpayfuse.decryption_key";
    assert!(refused.contains(setting), "{refused}");
    // A revoked key is refused in clear.
    double.revoke();
    let refused = check(encryption()).await.unwrap_err();
    assert!(
        refused.contains("payments.smartpayfuse.rest_key"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_shop_without_the_settings_is_refused_by_an_account_that_encrypts() {
    let double = double();
    let id = paid(&double);
    double.encrypt(Seal::Good);
    let error = client(&double).refund(&order(&id)).await.unwrap_err();
    assert!(matches!(error, FuseError::Key(_)), "{error}");
    assert_eq!(double.books(|books, _| books.refunds().count()), 0);
}
