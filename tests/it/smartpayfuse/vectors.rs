//! Test vectors from the makers and from other projects. The shop's code produces the same bytes.

use chrono::DateTime;
use layby::integrations::payments::smartpayfuse::{PageAnswer, PageKeys, RestCall, RestKey, sign};
use layby::secret::Secret;
use serde::Deserialize;
use uuid::Uuid;

#[derive(Deserialize)]
struct Vector {
    name: String,
    secret: String,
    fields: Vec<(String, String)>,
    signature: String,
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("../../fixtures/smartpayfuse/signatures.json");
    serde_json::from_str(text).unwrap()
}

#[test]
fn each_signature_is_the_published_one() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 5);
    for one in vectors {
        let fields = one.fields.iter();
        let fields = fields.map(|(name, value)| (name.as_str(), value.as_str()));
        let signature = sign(fields, &Secret::from(one.secret)).unwrap();
        assert_eq!(signature, one.signature, "{}", one.name);
    }
    assert_eq!(sign([("foo", "bar")], &Secret::from(String::new())), None);
}

#[test]
fn the_answer_is_believed_and_the_form_is_not() {
    let mut vectors = vectors();
    let (answer, form) = (vectors.remove(4), vectors.remove(3));
    let keys = PageKeys {
        profile_id: "0FFEAFFB-8171-4F34-A22D-1CD38A28A384".to_owned(),
        access_key: "00112233445566778899aabbccddeeff".to_owned(),
        secret_key: Secret::from(answer.secret.clone()),
        previous: None,
    };
    let verify = |one: &Vector| {
        let mut fields = one.fields.clone();
        fields.push(("signature".to_owned(), one.signature.clone()));
        let body = serde_urlencoded::to_string(&fields).unwrap();
        PageAnswer::read(body.as_bytes()).and_then(|answer| answer.verify(&keys))
    };
    assert_eq!(verify(&answer), Ok(()));
    assert!(verify(&form).is_err());
}

#[test]
fn the_token_is_the_published_one() {
    let key = RestKey {
        merchant_id: "testmid".to_owned(),
        id: "01234567-0123-0123-0123-012345678912".to_owned(),
        secret: Secret::from(data_encoding::BASE64.encode(&[b'k'; 32])),
        message_keys: None,
    };
    let body = r#"{"query":"clientReferenceInformation.code:019a0000-0000-7000-8000-000000000001","offset":0,"limit":20,"sort":"submitTimeUtc:desc"}"#;
    let call = RestCall {
        method: "post",
        host: "api.smartpayfuse-test.barclaycard",
        path: "/tss/v2/searches",
        body: Some(body),
    };
    let now = DateTime::from_timestamp(1_795_435_200, 0).unwrap();
    let id: Uuid = "019a0000-0000-4000-8000-000000000001".parse().unwrap();
    let token = key.token(&call, now, id).unwrap();
    let (_, signature) = token.expose().rsplit_once('.').unwrap();
    assert_eq!(signature, "9yRUDdGLgDt7bbY00rUixMbUdxm6tpbQiwTlAxawQkU");
    let printed = format!("{key:?} {token:?}");
    assert!(
        !printed.contains(token.expose()) && !printed.contains("a2tra2"),
        "{printed}"
    );
}
