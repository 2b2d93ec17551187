//! Calls with Stripe's normal and failed responses.

use std::time::Instant;

use layby::clock::Clock;
use layby::domain::money::Pence;
use layby::integrations::payments::stripe::{
    IntentStatus, SessionStatus, StripeError, StripeRefundOrder, StripeRefundStatus,
};
use uuid::Uuid;

use super::double::{Card, Fault, Outcome};
use super::{QUICK, double::Double};
use super::{client, client_with, double, impatient, now, order};

/// Returns the payment's id of a session that was paid with `card`.
async fn paid(double: &Double, card: Card) -> String {
    let client = client(double);
    let session = client.begin(&order(), now()).await.unwrap();
    let outcome = double.books(|books, now| books.pay(&session.id, card, now).unwrap());
    assert_eq!(outcome, Outcome::Paid);
    let session = client.session(&session.id).await.unwrap();
    session.intent_id().unwrap().to_owned()
}

fn refund_of(intent: &str, number: u128, amount: i64) -> StripeRefundOrder {
    StripeRefundOrder {
        refund: Uuid::from_u128(number),
        payment: order().payment,
        intent: intent.to_owned(),
        amount: Pence(amount),
    }
}

#[tokio::test]
async fn a_session_is_begun_once_and_says_how_it_stands() {
    let double = double();
    let client = client(&double);
    let session = client.begin(&order(), now()).await.unwrap();
    assert_eq!(session.status, SessionStatus::Open);
    assert_eq!(session.payment(), Some(order().payment));
    let address = format!("{}/pay/{}", double.address(), session.id);
    assert_eq!(session.url.as_deref(), Some(address.as_str()));
    let again = client.begin(&order(), now()).await.unwrap();
    assert_eq!(again.id, session.id);

    // A declined card leaves the page open for another card.
    let pay = |card| double.books(|books, now| books.pay(&session.id, card, now).unwrap());
    assert_eq!(pay(Card::DECLINED), Outcome::Declined);
    let tried = client.session(&session.id).await.unwrap();
    assert_eq!(tried.status, SessionStatus::Open);
    assert!(!tried.is_processing());
    assert_eq!(pay(Card::VISA), Outcome::Paid);
    let paid = client.session(&session.id).await.unwrap();
    assert_eq!(paid.status, SessionStatus::Complete);
    let intent = paid.intent().unwrap();
    assert_eq!(intent.status, IntentStatus::Succeeded);
    assert_eq!(
        (intent.amount_received, intent.payment()),
        (4999, Some(order().payment))
    );
}

#[tokio::test]
async fn closing_a_page_says_whether_it_was_paid_before() {
    let double = double();
    let client = client(&double);
    let session = client.begin(&order(), now()).await.unwrap();
    let closed = client.expire(&session.id).await.unwrap();
    assert_eq!(closed.status, SessionStatus::Expired);
    assert_eq!(
        client.expire(&session.id).await.unwrap().status,
        SessionStatus::Expired
    );

    let mut other = order();
    other.payment = Uuid::from_u128(2);
    let session = client.begin(&other, now()).await.unwrap();
    double.books(|books, now| books.pay(&session.id, Card::VISA, now).unwrap());
    let closed = client.expire(&session.id).await.unwrap();
    assert_eq!(closed.status, SessionStatus::Complete);
}

#[tokio::test]
async fn refunds_are_given_once_and_never_beyond_what_was_paid() {
    let double = double();
    let client = client(&double);
    let intent = paid(&double, Card::VISA).await;
    let part = refund_of(&intent, 7, 4000);
    let first = client.refund(&part).await.unwrap();
    assert_eq!(
        (first.status, first.amount),
        (StripeRefundStatus::Succeeded, 4000)
    );
    assert_eq!(first.our_refund(), Some(part.refund));
    assert_eq!(client.refund(&part).await.unwrap().id, first.id);
    let found = client.find_refund(&intent, part.refund).await.unwrap();
    assert_eq!(found.map(|found| found.id), Some(first.id));
    let none = client
        .find_refund(&intent, Uuid::from_u128(8))
        .await
        .unwrap();
    assert!(none.is_none());

    let too_much = client
        .refund(&refund_of(&intent, 8, 1000))
        .await
        .unwrap_err();
    assert_eq!(
        too_much.to_string(),
        "Stripe refuses: 400 invalid_request_error amount"
    );
    client.refund(&refund_of(&intent, 9, 999)).await.unwrap();
    let error = client.refund(&refund_of(&intent, 10, 1)).await.unwrap_err();
    assert_eq!(error.code(), Some("charge_already_refunded"));
    assert!(error.is_certain());
}

#[tokio::test]
async fn a_key_that_is_wrong_revoked_or_without_a_right_is_said_so_and_never_shown() {
    let double = double();
    client(&double).try_key().await.unwrap();
    for key in ["sk_live_secret", "pk_test_secret", ""] {
        let error = client_with(&double, key, QUICK)
            .try_key()
            .await
            .unwrap_err();
        assert!(matches!(error, StripeError::Key(_)), "{error}");
        assert!(!error.to_string().contains("secret "), "{error}");
        assert!(!format!("{error:?}").contains("sk_"), "{error:?}");
    }
    assert!(client(&double).is_test());
    assert!(!client_with(&double, "rk_live_1", QUICK).is_test());
    let without = super::double();
    without.deny("GET /v1/payment_intents");
    let error = super::client(&without).try_key().await.unwrap_err();
    assert!(matches!(error, StripeError::Key(_)), "{error}");
    double.deny("GET /v1/refunds");
    let client = client(&double);
    let error = client.try_key().await.unwrap_err();
    let seen = double.seen();
    let text = format!(
        "Stripe refuses payments.stripe.secret_key: 403 invalid_request_error, request req_double, call {}",
        seen.last().unwrap().headers["x-request-id"]
    );
    assert_eq!(error.to_string(), text);
    client.begin(&order(), now()).await.unwrap();
    double.revoke();
    let error = client.begin(&order(), now()).await.unwrap_err();
    assert!(matches!(error, StripeError::Key(_)), "{error}");
    assert!(!format!("{client:?}").contains("sk_test_double"));
}

#[tokio::test]
async fn what_there_is_not_is_missing_and_what_is_no_id_is_not_asked_for() {
    let double = double();
    let client = client(&double);
    let error = client.session("cs_test_other").await.unwrap_err();
    assert!(matches!(error, StripeError::Missing(_)), "{error}");
    for id in ["", "../refunds", "cs_test_1?x=1", "cs test"] {
        let error = client.session(id).await.unwrap_err();
        assert!(matches!(error, StripeError::Missing(_)), "{error}");
    }
    assert_eq!(double.times("GET"), 1);
}

#[tokio::test]
async fn a_busy_or_failing_stripe_is_asked_again_and_does_it_once() {
    let faults = [
        Fault::Status(409),
        Fault::Status(429),
        Fault::Html(502),
        Fault::Nothing,
        Fault::Reset,
        Fault::HalfAnswer,
        Fault::LostAnswer,
    ];
    for fault in faults {
        let double = double();
        double.fail("POST /v1/checkout/sessions", fault);
        let session = client(&double).begin(&order(), now()).await.unwrap();
        let made = double.books(|books, _| books.sessions.all().len());
        assert_eq!(made, 1, "{fault:?}");
        let asked = double.times("POST /v1/checkout/sessions");
        assert_eq!(asked, 2, "{fault:?}");
        let keys: Vec<_> = double
            .seen()
            .iter()
            .map(|seen| seen.headers["idempotency-key"].clone())
            .collect();
        assert_eq!(keys[0], keys[1], "{fault:?}: {}", session.id);
    }
}

#[tokio::test]
async fn tries_have_an_end_and_it_is_said_whether_anything_was_done() {
    // The faults, and whether it is certain that nothing was done.
    let table: [(&[Fault], bool); 5] = [
        (&[Fault::Status(429); 3], true),
        (&[Fault::Nothing; 3], false),
        (&[Fault::Html(503); 3], false),
        // The first call may have been done, whatever the later responses are.
        (
            &[Fault::LostAnswer, Fault::Status(409), Fault::Status(409)],
            false,
        ),
        (&[Fault::Status(409); 3], true),
    ];
    for (faults, certain) in table {
        let double = double();
        for fault in faults {
            double.fail("POST /v1/checkout/sessions", *fault);
        }
        let error = client(&double).begin(&order(), now()).await.unwrap_err();
        assert_eq!(error.is_certain(), certain, "{faults:?}: {error}");
        assert_eq!(double.times("POST /v1/checkout/sessions"), 3);
        assert!(!error.to_string().contains("127.0.0.1"), "{error}");
    }
    // A refusal after a call without a response is also uncertain.
    let double = super::double();
    for fault in [Fault::Nothing, Fault::Status(400)] {
        double.fail("POST /v1/checkout/sessions", fault);
    }
    let error = client(&double).begin(&order(), now()).await.unwrap_err();
    assert!(!error.is_certain(), "{error}");
    let nobody = super::double();
    drop(nobody.address());
    let http = layby::integrations::http::client(None).unwrap();
    let key = layby::secret::Secret::from("sk_test_1".to_owned());
    let gone = layby::integrations::payments::stripe::StripeClient::new(
        http,
        "http://127.0.0.1:9",
        key,
        Clock::fixed(now()),
        QUICK,
    );
    let error = gone.begin(&order(), now()).await.unwrap_err();
    assert!(matches!(error, StripeError::Unreachable(_)), "{error}");
    assert!(error.is_certain());
}

#[tokio::test]
async fn a_call_without_an_answer_is_not_waited_for_for_ever() {
    let double = double();
    double.fail("GET /v1/checkout/sessions", Fault::LostAnswer);
    let began = Instant::now();
    let error = impatient(&double)
        .find(order().payment, now())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "what Stripe did isn't known: it took too long"
    );
    assert!(began.elapsed() < 4 * QUICK.call);
}
