//! Calls with the provider's normal and failed responses.

use std::time::Instant;

use chrono::TimeDelta;
use layby::config::LogFormat;
use layby::integrations::payments::RetryPolicy;
use layby::integrations::payments::globalpayments::{GpApp, GpError, GpLinkStatus, GpStatus};
use layby::secret::Secret;
use poem::http::StatusCode;
use uuid::Uuid;

use super::double::{Double, Entered, Fault};
use super::{QUICK, app, client, client_of, double, now, order};
use crate::stripe::hostile::answering;
use crate::support::log::recorded;

const TOKEN: &str = "POST /accesstoken";
const BEGIN: &str = "POST /links";

#[tokio::test]
async fn a_link_is_made_once_and_shows_its_state() {
    let double = double();
    let client = client(&double);
    let link = client.begin(&order(), now()).await.unwrap();
    assert_eq!(link.status, GpLinkStatus::Active);
    let again = client.begin(&order(), now()).await.unwrap();
    assert_eq!(again.id, link.id);
    assert_eq!(
        client.find_payments(order().payment).await.unwrap().len(),
        0
    );

    double.books(|books, now| books.pay(&link.id, Entered::Declined, now));
    double.books(|books, now| books.pay(&link.id, Entered::Good, now));
    let payments = client.find_payments(order().payment).await.unwrap();
    let states: Vec<_> = payments.iter().map(|one| one.status).collect();
    assert_eq!(states, [GpStatus::Declined, GpStatus::Captured]);
    let paid = client.link(&link.id).await.unwrap();
    assert_eq!(paid.status, GpLinkStatus::Paid);
    // Ending a paid link reads its state.
    let ended = client.end_link(&link.id).await.unwrap();
    assert_eq!(ended.status, GpLinkStatus::Paid);
    let other = client.find_link(Uuid::from_u128(2)).await.unwrap();
    assert!(other.is_none());
}

#[tokio::test]
async fn a_token_is_used_again_and_renewed_when_it_is_refused() {
    let double = double();
    let client = client(&double);
    client.begin(&order(), now()).await.unwrap();
    client.find_payments(order().payment).await.unwrap();
    assert_eq!(double.times(TOKEN), 1);
    double.end_tokens();
    client.find_payments(order().payment).await.unwrap();
    assert_eq!(
        (double.times(TOKEN), double.times("GET /transactions")),
        (2, 3)
    );

    // A write is repeated under its key.
    double.end_tokens();
    let mut other = order();
    other.payment = Uuid::from_u128(2);
    client.begin(&other, now()).await.unwrap();
    let seen = double.seen();
    let keys = seen.iter().filter(|seen| seen.call == BEGIN);
    let keys: Vec<_> = keys.map(|seen| &seen.headers["x-gp-idempotency"]).collect();
    assert_eq!(keys.len(), 3);
    assert_eq!(keys[1], keys[2]);
}

#[tokio::test]
async fn an_app_with_a_wrong_key_or_without_the_account_is_refused_and_its_key_never_shown() {
    let double = double();
    client(&double).try_key().await.unwrap();
    let apps = [
        GpApp {
            key: Secret::from("another-key".to_owned()),
            ..app()
        },
        GpApp {
            account: "transaction_processing_other".to_owned(),
            ..app()
        },
        GpApp {
            id: "another-app".to_owned(),
            ..app()
        },
    ];
    for app in apps {
        let client = client_of(&double.address(), app, QUICK);
        let error = client.try_key().await.unwrap_err();
        assert!(matches!(error, GpError::Key(_)), "{error}");
        assert!(
            !format!("{client:?} {error:?}").contains("-key"),
            "{error:?}"
        );
    }
    double.deny(BEGIN);
    let error = client(&double).begin(&order(), now()).await.unwrap_err();
    let seen = double.seen();
    let text = format!(
        "Global Payments refuses the app of payments.globalpayments: 403 ACTION_NOT_AUTHORIZED \
         40212, call {}",
        seen.last().unwrap().headers["x-request-id"]
    );
    assert_eq!(error.to_string(), text);
}

#[tokio::test]
async fn the_check_of_the_key_names_a_wrong_clock() {
    for (minutes, direction) in [(-10, "10 minutes behind"), (10, "10 minutes ahead")] {
        let theirs = now() - TimeDelta::minutes(minutes);
        let double = Double::start("127.0.0.1:0", move || theirs.timestamp()).unwrap();
        let clock_error = client(&double).try_key().await.unwrap();
        assert_eq!(clock_error.as_deref(), Some(direction));
        let other_account = GpApp {
            account: "transaction_processing_other".to_owned(),
            ..app()
        };
        let client = client_of(&double.address(), other_account, QUICK);
        let error = client.try_key().await.unwrap_err();
        assert!(error.to_string().contains("account_name"), "{error}");
        let wrong = GpApp {
            key: Secret::from("another-key".to_owned()),
            ..app()
        };
        let client = client_of(&double.address(), wrong, QUICK);
        let error = client.try_key().await.unwrap_err();
        assert!(matches!(error, GpError::Key(_)), "{error}");
        assert!(error.to_string().contains(direction), "{error}");
    }
}

#[tokio::test]
async fn the_log_of_a_failed_call_has_no_key_token_or_payer() {
    let double = double();
    let client = client(&double);
    let (lines, guard) = recorded(LogFormat::Text);
    for fault in [Fault::Status(400), Fault::Html(502), Fault::Reset] {
        double.fail(BEGIN, fault);
    }
    let mut wrong = order();
    wrong.payer.email = None;
    let _ = client.begin(&wrong, now()).await;
    let _ = client.begin(&wrong, now()).await;
    drop(guard);
    let (text, seen) = (lines.text(), double.seen());
    assert!(text.contains("a call to Global Payments failed"), "{text}");
    assert!(text.contains("50012"), "{text}");
    let token = seen.last().unwrap().headers["authorization"].clone();
    let token = token.trim_start_matches("Bearer ").to_owned();
    let secrets = [
        "app-key",
        "zoe@",
        "Neill",
        "LS1",
        token.as_str(),
        "127.0.0.1",
    ];
    for secret in secrets {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[tokio::test]
async fn what_is_no_id_is_not_asked_for() {
    let double = double();
    let client = client(&double);
    for id in ["", "../accesstoken", "LNK_1?x=1", "LNK 1", "LNK_\u{e9}"] {
        let errors = [
            client.link(id).await.unwrap_err(),
            client.end_link(id).await.unwrap_err(),
            client.transaction(id).await.map(|_| ()).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, GpError::Missing(_)), "{error}");
        }
    }
    assert_eq!(double.seen().len(), 0);
    let error = client.link("LNK_other").await.unwrap_err();
    assert!(matches!(error, GpError::Missing(_)), "{error}");
}

#[tokio::test]
async fn tries_have_an_end_and_it_is_stated_whether_anything_was_done() {
    let table: [(&[Fault], bool); 4] = [
        (&[Fault::Status(429); 3], true),
        (&[Fault::Nothing; 3], false),
        (&[Fault::Html(503); 3], false),
        (
            &[Fault::Nothing, Fault::Status(429), Fault::Status(429)],
            false,
        ),
    ];
    for (faults, is_certain) in table {
        let double = double();
        for fault in faults {
            double.fail(BEGIN, *fault);
        }
        let error = client(&double).begin(&order(), now()).await.unwrap_err();
        let is_unknown = matches!(error, GpError::Unknown(_));
        assert_eq!(is_unknown, !is_certain, "{faults:?}: {error}");
        assert_eq!(double.times(BEGIN), 3);
    }
    // Without a token the call is not sent, so nothing was done.
    let double = super::double();
    for _ in 0..3 {
        double.fail(TOKEN, Fault::Html(503));
    }
    let error = client(&double).begin(&order(), now()).await.unwrap_err();
    assert!(matches!(error, GpError::Unreachable(_)), "{error}");
    assert_eq!(double.times(BEGIN), 0);
    let gone = client_of("http://127.0.0.1:9", app(), QUICK);
    let error = gone.begin(&order(), now()).await.unwrap_err();
    assert!(matches!(error, GpError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn a_call_without_an_answer_ends_in_time() {
    let double = double();
    double.fail("GET /transactions", Fault::LostAnswer);
    let once = RetryPolicy { tries: 1, ..QUICK };
    let client = client_of(&double.address(), app(), once);
    let began = Instant::now();
    let error = client.find_payments(order().payment).await.unwrap_err();
    let text = "what Global Payments did isn't known: it took too long";
    assert_eq!(error.to_string(), text);
    assert!(began.elapsed() < 4 * QUICK.call);
}

#[tokio::test]
async fn neither_a_redirect_nor_a_huge_answer_is_followed() {
    let (elsewhere, asked) = answering(StatusCode::OK.to_string(), b"{}".to_vec());
    for status in [301, 302, 303, 307, 308] {
        let head = format!("{status} Elsewhere\r\nLocation: {elsewhere}/ucp/accesstoken");
        let (address, _) = answering(head, Vec::new());
        let client = client_of(&address, app(), QUICK);
        let error = client.try_key().await.unwrap_err();
        assert!(matches!(error, GpError::Unknown(_)), "{error}");
    }
    assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), 0);
    let (address, _) = answering("200 OK".to_owned(), vec![b' '; 5 << 20]);
    let error = client_of(&address, app(), QUICK)
        .try_key()
        .await
        .unwrap_err();
    let text = "what Global Payments did isn't known: its answer is too large";
    assert_eq!(error.to_string(), text);
}

#[tokio::test]
async fn a_list_that_is_not_whole_is_unclear() {
    let double = double();
    let client = client(&double);
    let link = client.begin(&order(), now()).await.unwrap();
    double.books(|books, now| books.pay(&link.id, Entered::Good, now));
    double.books(|books, _| {
        let id = books.transactions[0]["id"].as_str().unwrap().to_owned();
        books.set(&id, "status", serde_json::Value::Null);
    });
    let error = client.find_payments(order().payment).await.unwrap_err();
    assert!(matches!(error, GpError::Unknown(_)), "{error}");
}
