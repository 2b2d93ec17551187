//! The shop's forms, tokens and REST bodies in a file that third-party libraries check
//! (`tests/smartpayfuse/judge.py`). After an intended change:
//! `LAYBY_WRITE_FIXTURES=1 cargo nextest run -E 'test(smartpayfuse::judged)'`.

use chrono::{DateTime, Utc};
use layby::domain::payment::{Consent, InstalmentNumbers, Payer, Payment, Purpose};
use layby::integrations::payments::ChargeRequest;
use layby::integrations::payments::smartpayfuse::{PageForm, PageKeys, RestCall, RestKey};
use layby::secret::Secret;
use serde_json::{Value, json};
use uuid::Uuid;

use super::calls::{client, double, order, paid};
use super::double;
use super::encryption::{Bytes, message_keys};
use super::till::Till;
use crate::support::NOW;
use crate::support::card_keeper::charge_of;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/fixtures/smartpayfuse/requests.json"
);

fn keys() -> PageKeys {
    PageKeys {
        profile_id: double::PROFILE.to_owned(),
        access_key: double::ACCESS_KEY.to_owned(),
        secret_key: Secret::from(double::SECRET.to_owned()),
        previous: None,
    }
}

fn payers() -> Vec<Payer> {
    let text = |text: &str| Some(text.to_owned());
    let ann = Payer {
        first_name: text("Zo\u{eb}"),
        last_name: text("O\u{2019}Neill-Smith, Jr <b>"),
        email: text("zoe@example.org"),
        phone: text("+447700900123"),
        address_line: text("1, High Street, decision=ACCEPT"),
        town: text("\u{418}\u{432}\u{430}\u{43d}ovo"),
        postcode: text("EX1 1EX"),
    };
    let long = Payer {
        first_name: Some("\u{e9}".repeat(500)),
        email: text("ann,eve@example.org"),
        ..Payer::default()
    };
    vec![ann, long, Payer::default()]
}

fn now() -> DateTime<Utc> {
    NOW.parse().unwrap()
}

async fn written() -> Value {
    // Any stored attempt is suitable, because fixed ids replace its ids.
    let till = Till::open().await;
    till.form().await;
    let mut attempt = till.attempt();
    attempt.id = Uuid::from_u128(1);
    let consents = [
        None,
        Some(Consent::for_renewals(28, true, None, now())),
        None,
    ];
    let forms: Vec<Value> = payers()
        .iter()
        .zip(consents)
        .map(|(payer, consent)| {
            let attempt = Payment {
                consent,
                ..attempt.clone()
            };
            let form = PageForm {
                attempt: &attempt,
                payer,
                receipt_url: "https://shop.example/gateway/smartpayfuse/return/1",
                cancel_url: "https://shop.example/gateway/smartpayfuse/cancelled/1",
                post_url: "https://shop.example/api/v1/gateway/smartpayfuse/callback",
            };
            json!(form.fields(&keys(), now()).unwrap())
        })
        .collect();

    let server = double();
    let (id, client) = (paid(&server), client(&server));
    client.try_key().await.unwrap();
    client.search(Uuid::from_u128(1), 3).await.unwrap();
    client.transaction(&id).await.unwrap().unwrap();
    client.refund(&order(&id)).await.unwrap();
    let customer = server.books(|books, _| books.keep_card());
    let token = ("customer", customer.as_str());
    let (mut attempt, instrument) = charge_of(&attempt, token, double::SCHEME_ID);
    let instalment = Purpose::Instalments(InstalmentNumbers::new(&[1]));
    for (is_resubmission, purpose) in [
        (false, Purpose::Renewal),
        (true, Purpose::Renewal),
        (false, instalment),
    ] {
        attempt.purpose = purpose;
        let charge = ChargeRequest {
            attempt: &attempt,
            instrument: &instrument,
            description: "Vehicle breakdown cover, BRK000000018",
            is_resubmission,
            return_url: "",
        };
        client.charge_card(&charge).await.unwrap();
    }
    client.remove_card(&instrument.card).await.unwrap();
    let mut key = RestKey {
        merchant_id: double::MERCHANT.to_owned(),
        id: double::REST_KEY.to_owned(),
        secret: Secret::from(double::REST_SECRET.to_owned()),
        message_keys: None,
    };
    let signed = |key: &RestKey, call: &str, body: Option<&str>| {
        let (method, path) = call.split_once(' ').unwrap();
        let rest_call = RestCall {
            method: &method.to_lowercase(),
            host: "api.smartpayfuse.barclaycard",
            path,
            body,
        };
        let token = key.token(&rest_call, now(), Uuid::from_u128(4)).unwrap();
        json!({ "call": call, "body": body, "token": token.expose() })
    };
    let seen = server.seen();
    let body = |body: &'_ str| Some(body.to_owned()).filter(|body| !body.is_empty());
    let calls = seen.iter();
    let calls: Vec<Value> = calls
        .map(|seen| signed(&key, &seen.call, body(&seen.body).as_deref()))
        .collect();
    let keys = message_keys();
    key.message_keys = Some(keys.clone());
    let encrypt = |text: String| {
        let mut random = Bytes((0..76).collect());
        keys.encrypt(&text, now(), &mut random).unwrap()
    };
    let encrypted = seen.iter();
    let encrypted: Vec<Value> = encrypted
        .map(|seen| signed(&key, &seen.call, body(&seen.body).map(encrypt).as_deref()))
        .collect();
    json!({
        "secret": double::SECRET,
        "rest_key": double::REST_KEY,
        "rest_secret": double::REST_SECRET,
        "merchant": double::MERCHANT,
        "forms": forms,
        "calls": calls,
        "encrypted_calls": encrypted,
    })
}

#[tokio::test]
async fn every_kind_of_request_is_the_one_that_was_judged() {
    let mut text = serde_json::to_string_pretty(&written().await).unwrap();
    text.push('\n');
    if std::env::var_os("LAYBY_WRITE_FIXTURES").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(FILE).unwrap_or_default());
}

#[tokio::test]
async fn a_form_has_only_what_the_page_takes() {
    let written = written().await;
    let forms = written["forms"].as_array().unwrap();
    let get = |form: usize, name: &str| forms[form][name].as_str();
    assert_eq!(get(0, "bill_to_forename"), Some("Zoe"));
    assert_eq!(get(0, "bill_to_surname"), Some("O'Neill-Smith Jr b"));
    assert_eq!(
        get(0, "bill_to_address_line1"),
        Some("1 High Street decision=ACCEPT")
    );
    assert_eq!(get(0, "bill_to_address_country"), Some("GB"));
    assert_eq!(get(0, "signed_date_time"), Some("2026-11-21T12:00:00Z"));
    assert_eq!(get(1, "bill_to_forename").unwrap().len(), 60);
    assert_eq!(
        (get(1, "bill_to_email"), get(1, "bill_to_address_country")),
        (None, None)
    );
    for form in forms {
        let names = form["signed_field_names"].as_str().unwrap();
        for (name, value) in form.as_object().unwrap() {
            assert!(
                name == "signature" || names.split(',').any(|own| own == name),
                "{name}"
            );
            let is_list = ["signed_field_names", "transaction_type"].contains(&name.as_str());
            assert!(is_list || !value.as_str().unwrap().contains(','), "{name}");
        }
    }
    // An address that the page would cut.
    let till = Till::open().await;
    till.form().await;
    let long = format!("https://shop.example/{}", "a".repeat(250));
    let form = PageForm {
        attempt: &till.attempt(),
        payer: &Payer::default(),
        receipt_url: &long,
        cancel_url: "",
        post_url: "",
    };
    assert_eq!(form.fields(&keys(), now()), None);
}
