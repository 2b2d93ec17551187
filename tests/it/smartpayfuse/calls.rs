//! REST calls: how the client reads each answer. No log and no error contains a secret.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use layby::clock::Clock;
use layby::config::LogFormat;
use layby::domain::money::Pence;
use layby::domain::payment::Currency;
use layby::integrations::http::client as http_client;
use layby::integrations::payments::RetryPolicy;
use layby::integrations::payments::smartpayfuse::{
    FuseError, FuseRefundOrder, MessageKeys, RestKey, SmartpayFuseClient,
};
use layby::secret::Secret;
use uuid::Uuid;

use super::double::{self, Double, Pairs, Verdict};
use super::faults::Fault;
use super::http::{Reply, Said, serve};
use crate::support::NOW;
use crate::support::log::recorded;

const SEARCH: &str = "POST /tss/v2/searches";
const REFUND: &str = "POST /pts/v2/payments/";
const PAYMENT: Uuid = Uuid::from_u128(1);

/// The usual retries with short waits.
const QUICK: RetryPolicy = RetryPolicy {
    tries: 3,
    call: Duration::from_millis(500),
    wait: Duration::from_millis(5),
    all: Duration::from_secs(5),
};

pub fn now() -> DateTime<Utc> {
    NOW.parse().unwrap()
}

pub fn double() -> Double {
    Double::start("127.0.0.1:0", || now().timestamp()).unwrap()
}

fn client_at(address: &str, clock: Clock) -> SmartpayFuseClient {
    client_with(address, clock, None)
}

pub fn client_with(
    address: &str,
    clock: Clock,
    message_keys: Option<MessageKeys>,
) -> SmartpayFuseClient {
    let key = RestKey {
        merchant_id: double::MERCHANT.to_owned(),
        id: double::REST_KEY.to_owned(),
        secret: Secret::from(double::REST_SECRET.to_owned()),
        message_keys,
    };
    SmartpayFuseClient::new(http_client(None).unwrap(), address, key, clock, QUICK)
}

pub fn client(double: &Double) -> SmartpayFuseClient {
    client_at(&double.address(), Clock::fixed(now()))
}

/// Makes a payment. Returns its id.
pub fn paid(double: &Double) -> String {
    let form: Pairs = [
        ("reference_number", PAYMENT.to_string().as_str()),
        ("amount", "49.99"),
        ("currency", "GBP"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    double.books(|books, now| books.record(&form, Verdict::Accept, now))
}

pub fn order(transaction: &str) -> FuseRefundOrder {
    FuseRefundOrder {
        refund: Uuid::from_u128(3),
        transaction: transaction.to_owned(),
        amount: Pence(1000),
        currency: Currency::Gbp,
    }
}

/// Starts a server that gives this answer to every request. Returns the server's address.
fn server(said: Said) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let reply = move |_| Reply::Said(said.clone());
    format!("http://{}", serve(listener, None, Arc::new(reply)))
}

fn json(status: u16, body: &str) -> Said {
    Said {
        status,
        headers: Vec::new(),
        body: body.as_bytes().to_vec(),
    }
}

#[tokio::test]
async fn a_read_is_repeated_and_finds_what_was_made() {
    for fault in [
        Fault::LostAnswer,
        Fault::Reset,
        Fault::HalfAnswer,
        Fault::Nothing,
        Fault::Status(502),
        Fault::Html(503),
    ] {
        let double = double();
        let id = paid(&double);
        double.fail(SEARCH, fault);
        let rows = client(&double).search(PAYMENT, 0).await.unwrap();
        assert_eq!(
            (rows.len(), rows[0].id.as_str()),
            (1, id.as_str()),
            "{fault:?}"
        );
        assert_eq!(double.times(SEARCH), 2, "{fault:?}");
        // Each try has a token of its own.
        let seen = double.seen();
        assert_ne!(seen[0].token, seen[1].token);
    }
}

#[tokio::test]
async fn a_search_that_stays_unclear_is_no_absence() {
    for fault in [
        Fault::LostAnswer,
        Fault::Nothing,
        Fault::Status(500),
        Fault::Html(200),
    ] {
        let double = double();
        for _ in 0..3 {
            double.fail(SEARCH, fault);
        }
        let error = client(&double).search(PAYMENT, 0).await.unwrap_err();
        assert!(matches!(error, FuseError::Unknown(_)), "{fault:?}: {error}");
        assert_eq!(double.times(SEARCH), 3);
    }
}

#[tokio::test]
async fn a_refund_is_sent_once_when_its_answer_is_lost() {
    for fault in [
        Fault::LostAnswer,
        Fault::Reset,
        Fault::HalfAnswer,
        Fault::FailsAfter,
        Fault::Nothing,
        Fault::Status(502),
        Fault::Status(429),
        Fault::Html(200),
    ] {
        let double = double();
        let id = paid(&double);
        double.fail(REFUND, fault);
        let error = client(&double).refund(&order(&id)).await.unwrap_err();
        assert!(matches!(error, FuseError::Unknown(_)), "{fault:?}: {error}");
        assert_eq!(double.times(REFUND), 1, "{fault:?}");
    }
}

#[tokio::test]
async fn a_refund_that_was_refused_names_the_field() {
    let double = double();
    let id = paid(&double);
    let mut large = order(&id);
    large.amount = Pence(5000);
    let error = client(&double).refund(&large).await.unwrap_err();
    let text = "Smartpay Fuse refuses: INVALID_AMOUNT orderInformation.amountDetails.totalAmount";
    assert_eq!(error.to_string(), text);
    let other = client(&double).refund(&order("123")).await.unwrap_err();
    assert!(matches!(other, FuseError::Missing(_)), "{other}");
    assert_eq!(double.times(REFUND), 2);
}

#[tokio::test]
async fn a_server_that_is_away_was_not_asked() {
    let address = format!(
        "http://{}",
        TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
    );
    let client = client_at(&address, Clock::fixed(now()));
    let error = client.refund(&order("123")).await.unwrap_err();
    assert!(matches!(error, FuseError::Unreachable(_)), "{error}");
    assert!(!error.to_string().contains("127.0.0.1"), "{error}");
}

#[tokio::test]
async fn an_answer_that_is_not_fuses_is_unclear() {
    let many = vec![b' '; 5 << 20];
    let answers = [
        json(200, "{}"),
        json(200, "[]"),
        json(200, "null"),
        json(201, r#"{"totalCount":1}"#),
        json(
            201,
            r#"{"totalCount":3,"_embedded":{"transactionSummaries":[{"id":"1"}]}}"#,
        ),
        json(204, ""),
        Said {
            body: many,
            ..json(200, "")
        },
    ];
    for answer in answers {
        let status = answer.status;
        let client = client_at(&server(answer), Clock::fixed(now()));
        let error = client.search(PAYMENT, 0).await.unwrap_err();
        assert!(matches!(error, FuseError::Unknown(_)), "{status}: {error}");
    }
}

#[tokio::test]
async fn a_row_of_another_reference_or_of_an_unknown_form_is_passed_over() {
    let code = PAYMENT.to_string();
    let body = format!(
        r#"{{"totalCount":3,"_embedded":{{"transactionSummaries":[
            {{"id":"1","clientReferenceInformation":{{"code":"{code}0"}}}},
            {{"id":null,"clientReferenceInformation":null,"applicationInformation":{{"applications":null}}}},
            {{"id":"2","clientReferenceInformation":{{"code":"{code}"}},"orderInformation":null}}]}}}}"#
    );
    let client = client_at(
        &server(json(201, &body.replace("null,\"clientR", "\"\",\"clientR"))),
        Clock::fixed(now()),
    );
    let rows = client.search(PAYMENT, 0).await.unwrap();
    assert_eq!(
        rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(),
        ["2"]
    );
}

#[tokio::test]
async fn the_token_follows_no_redirect() {
    let double = double();
    let client = client_at(&server(Said::to(&double.address())), Clock::fixed(now()));
    let error = client.search(PAYMENT, 0).await.unwrap_err();
    assert!(matches!(error, FuseError::Unknown(_)), "{error}");
    assert!(double.seen().is_empty());
}

#[tokio::test]
async fn an_id_that_could_change_the_path_is_not_sent() {
    let double = double();
    let client = client(&double);
    for id in [
        "",
        "..",
        "1/../2",
        "1?x=1",
        "1#",
        "1 2",
        "\u{661}",
        &"1".repeat(31),
    ] {
        assert!(
            matches!(client.transaction(id).await, Err(FuseError::Refused(_))),
            "{id}"
        );
        assert!(
            matches!(client.refund(&order(id)).await, Err(FuseError::Refused(_))),
            "{id}"
        );
    }
    assert!(double.seen().is_empty());
}

#[tokio::test]
async fn details_that_do_not_exist_yet_are_none() {
    let double = double();
    let id = paid(&double);
    let client = client(&double);
    assert_eq!(
        client.transaction("123").await.unwrap().map(|one| one.id),
        None
    );
    let details = client.transaction(&id).await.unwrap().unwrap();
    assert_eq!(
        (details.id.as_str(), details.status()),
        (id.as_str(), Some("PENDING"))
    );
    assert_eq!(details.submitted().unwrap().timestamp(), now().timestamp());
    // A proxy's 404 is none of Fuse's.
    double.fail("GET /tss/v2/transactions", Fault::Html(404));
    double.fail("GET /tss/v2/transactions", Fault::Html(404));
    double.fail("GET /tss/v2/transactions", Fault::Html(404));
    assert!(matches!(
        client.transaction(&id).await,
        Err(FuseError::Unknown(_))
    ));
}

#[tokio::test]
async fn a_key_that_is_refused_names_the_setting_and_the_clock() {
    let double = double();
    client(&double).try_key().await.unwrap();
    for minutes in [-10, 10] {
        let clock = Clock::fixed(now() + TimeDelta::minutes(minutes));
        let error = client_at(&double.address(), clock)
            .try_key()
            .await
            .unwrap_err();
        assert!(matches!(error, FuseError::Key(_)), "{error}");
        let text = error.to_string();
        assert!(
            text.contains("rest_key") && text.contains("clock"),
            "{text}"
        );
    }
    double.revoke();
    let error = client(&double).try_key().await.unwrap_err();
    assert!(matches!(error, FuseError::Key(_)), "{error}");
}

#[tokio::test]
async fn no_secret_reaches_a_log_a_debug_print_or_an_error() {
    let double = double();
    let client = client(&double);
    let (lines, _log) = recorded(LogFormat::Text);
    double.fail(SEARCH, Fault::Status(502));
    client.try_key().await.unwrap();
    double.revoke();
    let error = client.try_key().await.unwrap_err();
    let printed = format!("{client:?} {error} {error:?} {}", lines.text());
    assert!(
        printed.contains("a call to Smartpay Fuse failed"),
        "{printed}"
    );
    let token = double.seen()[0].token.clone();
    for secret in [double::REST_SECRET, token.strip_prefix("Bearer ").unwrap()] {
        assert!(!printed.contains(secret), "{printed}");
    }
}
