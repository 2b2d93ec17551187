//! Lost responses: each request is still carried out once.

use chrono::TimeDelta;
use layby::domain::money::Pence;
use layby::integrations::payments::stripe::{SessionStatus, StripeError, StripeRefundOrder};
use serde_json::json;
use uuid::Uuid;

use super::double::{Card, Double, Fault};
use super::{client, double, impatient, now, order};

const BEGIN: &str = "POST /v1/checkout/sessions";

fn sessions(double: &Double) -> usize {
    double.books(|books, _| books.sessions.all().len())
}

/// Returns the idempotency keys that were sent.
fn keys(double: &Double) -> Vec<String> {
    let seen = double.seen();
    let keys = seen
        .iter()
        .filter_map(|seen| seen.headers.get("idempotency-key"));
    keys.cloned().collect()
}

#[tokio::test]
async fn a_session_whose_answer_was_lost_is_asked_for_under_the_same_key() {
    for fault in [Fault::LostAnswer, Fault::Reset, Fault::HalfAnswer] {
        let double = double();
        double.fail(BEGIN, fault);
        let lost = impatient(&double).begin(&order(), now()).await.unwrap_err();
        assert!(matches!(lost, StripeError::Unknown(_)), "{fault:?}: {lost}");
        let later = now() + TimeDelta::hours(22);
        client(&double).begin(&order(), later).await.unwrap();
        assert_eq!(sessions(&double), 1, "{fault:?}");
        assert_eq!(keys(&double)[0], keys(&double)[1]);
    }
}

#[tokio::test]
async fn after_a_day_a_session_is_looked_for_and_never_begun_anew() {
    let double = double();
    double.fail(BEGIN, Fault::LostAnswer);
    impatient(&double).begin(&order(), now()).await.unwrap_err();
    double.forget_keys();
    let later = now() + TimeDelta::hours(23);
    let found = client(&double).begin(&order(), later).await.unwrap();
    assert_eq!(found.payment(), Some(order().payment));
    assert_eq!((sessions(&double), double.times(BEGIN)), (1, 1));

    let mut never = order();
    never.payment = Uuid::from_u128(2);
    let error = client(&double).begin(&never, later).await.unwrap_err();
    assert!(matches!(error, StripeError::Missing(_)), "{error}");
    assert_eq!((sessions(&double), double.times(BEGIN)), (1, 1));
}

#[tokio::test]
async fn a_fault_that_is_repeated_gets_a_new_key_only_after_a_look_that_finds_nothing() {
    // Nothing was done: the second key makes the session.
    let double = double();
    double.fail(BEGIN, Fault::Status(500));
    client(&double).begin(&order(), now()).await.unwrap();
    assert_eq!(sessions(&double), 1);
    let keys = keys(&double);
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[1], keys[2]);
    let calls: Vec<_> = double.seen().iter().map(|seen| seen.call.clone()).collect();
    assert_eq!(calls, [BEGIN, BEGIN, "GET /v1/checkout/sessions", BEGIN]);

    // It was done, so the search finds it.
    let double = super::double();
    double.fail(BEGIN, Fault::FailsAfter);
    let found = client(&double).begin(&order(), now()).await.unwrap();
    assert_eq!(found.payment(), Some(order().payment));
    assert_eq!((sessions(&double), double.times(BEGIN)), (1, 2));
}

#[tokio::test]
async fn other_parameters_under_a_key_lead_to_the_session_that_there_is() {
    let double = double();
    let first = client(&double).begin(&order(), now()).await.unwrap();
    let mut changed = order();
    changed.email = Some("bea@example.org".to_owned());
    let again = client(&double).begin(&changed, now()).await.unwrap();
    assert_eq!(again.id, first.id);
    assert_eq!(sessions(&double), 1);
}

#[tokio::test]
async fn a_session_is_found_among_many() {
    let double = double();
    let client = client(&double);
    for number in 1..=230 {
        let mut one = order();
        one.payment = Uuid::from_u128(number);
        client.begin(&one, now()).await.unwrap();
    }
    let found = client
        .find(Uuid::from_u128(1), now())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.payment(), Some(Uuid::from_u128(1)));
    assert_eq!(double.times("GET /v1/checkout/sessions"), 3);
    let none = client.find(Uuid::from_u128(999), now()).await.unwrap();
    assert!(none.is_none());
}

#[tokio::test]
async fn a_refund_whose_answer_was_lost_is_given_once() {
    for fault in [
        Fault::LostAnswer,
        Fault::FailsAfter,
        Fault::Reset,
        Fault::Status(500),
    ] {
        let double = double();
        let client = client(&double);
        let session = client.begin(&order(), now()).await.unwrap();
        double.books(|books, now| books.pay(&session.id, Card::VISA, now).unwrap());
        let intent = client.session(&session.id).await.unwrap();
        let refund = StripeRefundOrder {
            refund: Uuid::from_u128(7),
            payment: order().payment,
            intent: intent.intent_id().unwrap().to_owned(),
            amount: Pence(1000),
        };
        double.fail("POST /v1/refunds", fault);
        let lost = impatient(&double).refund(&refund).await;
        assert!(lost.is_err_and(|error| !error.is_certain()), "{fault:?}");
        let given = client.refund(&refund).await.unwrap();
        let all = double.books(|books, _| books.refunds.all().to_vec());
        assert_eq!(all.len(), 1, "{fault:?}");
        assert_eq!(all[0]["id"], given.id);

        // After Stripe deletes the idempotency key, the client finds the refund by the shop's id.
        double.forget_keys();
        let found = client
            .find_refund(&refund.intent, refund.refund)
            .await
            .unwrap();
        assert_eq!(found.map(|found| found.id), Some(given.id));
    }
}

#[tokio::test]
async fn a_null_in_a_list_hides_no_lost_session() {
    let double = double();
    double.fail(BEGIN, Fault::LostAnswer);
    impatient(&double).begin(&order(), now()).await.unwrap_err();
    // Neither another party's newer session nor the shop's own has a status.
    let mut other = order();
    other.payment = Uuid::from_u128(2);
    client(&double).begin(&other, now()).await.unwrap();
    double.books(|books, _| {
        let ids = books.sessions.all().iter();
        let ids: Vec<String> = ids.map(|one| one["id"].as_str().unwrap().into()).collect();
        for id in ids {
            books.sessions.change(&id, json!({ "status": null }));
        }
    });
    let found = client(&double).find(order().payment, now()).await.unwrap();
    let found = found.unwrap();
    assert_eq!(found.payment(), Some(order().payment));
    assert_eq!(found.status, SessionStatus::Other);
}
