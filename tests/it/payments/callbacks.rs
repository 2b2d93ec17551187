//! The gateway's callback: late, repeated, missing, or forged.

use crate::support::stores::snapshot;
use layby::app::payments::sandbox;
use layby::domain::payment::sandbox::SandboxEvent;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::json;

use super::Till;

#[tokio::test]
async fn the_callback_alone_makes_the_policy() {
    let till = Till::open().await;
    till.work();
    till.pay("4242 4242 4242 4242").await;
    till.until_sold().await;
}

#[tokio::test]
async fn two_callbacks_at_once_make_one_policy() {
    let till = Till::open().await;
    till.work();
    till.pay("4000 0000 0000 0093").await;
    till.until_sold().await;
    assert_eq!(till.payment().await.at("/data/status"), "paid");
    assert_eq!(payments_in_the_ledger(&till), 1);
}

/// Returns the number of ledger entries of the attempt's payment.
fn payments_in_the_ledger(till: &Till) -> usize {
    let tx = snapshot(&till.shop.app.store);
    let policy = till.quote.uuid.parse().unwrap();
    let entries = layby::app::payments::ledger::entries(&tx, policy).unwrap();
    let about = till.payment_id();
    entries
        .iter()
        .filter(|entry| entry.cause_id == about)
        .count()
}

/// Returns the callback of a payment in the gateway's books, and its signature.
fn genuine(till: &Till) -> (serde_json::Value, String) {
    let tx = snapshot(&till.shop.app.store);
    let secret = tables::SECRETS.get(&tx, &"sandbox".to_string()).unwrap();
    let books = tables::SANDBOX.get(&tx, &till.payment_id()).unwrap();
    let now = till.shop.clock.now();
    let (books, secret) = (books.unwrap(), secret.unwrap());
    let (body, signature) = sandbox::callback(&books, SandboxEvent::State, &secret, now).unwrap();
    (serde_json::from_str(&body).unwrap(), signature)
}

#[tokio::test]
async fn a_thousand_callbacks_at_once_make_one_policy_and_one_payment() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0085").await;
    let (body, signature) = genuine(&till);
    let calls = (0..1000).map(|_| {
        let call = till.shop.post("/api/v1/gateway/sandbox/callback", &body);
        call.header("X-Sandbox-Signature", &signature).send()
    });
    for answer in futures_util::future::join_all(calls).await {
        answer.expect(StatusCode::OK);
    }
    assert!(till.sold());
    assert_eq!(payments_in_the_ledger(&till), 1);
}

#[tokio::test]
async fn a_callback_that_never_comes_is_made_up_for_by_asking() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0085").await;
    assert!(!till.sold());
    // Nobody polls the page. The job asks the gateway 20 seconds later.
    till.shop.clock.advance(chrono::TimeDelta::seconds(21));
    till.work();
    till.until_sold().await;
}

#[tokio::test]
async fn a_late_callback_finds_the_policy_made_by_the_page_that_waited() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0077").await;
    assert_eq!(till.payment().await.at("/data/status"), "paid");
    let before = till.policy().await.body;
    till.shop.clock.advance(chrono::TimeDelta::seconds(6));
    till.work();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(till.policy().await.body, before);
}

#[tokio::test]
async fn forged_and_replayed_callbacks_are_refused() {
    let till = Till::open().await;
    let body = json!({ "payment": till.quote.uuid, "state": "Paid", "amount": 1 });
    for signature in ["", "t=1,v1=00", "nonsense"] {
        till.shop
            .post("/api/v1/gateway/sandbox/callback", &body)
            .header("X-Sandbox-Signature", signature)
            .answers(StatusCode::BAD_REQUEST)
            .await;
    }
    till.shop
        .post("/api/v1/gateway/nobody/callback", &body)
        .answers(StatusCode::NOT_FOUND)
        .await;
    assert!(!till.sold());
}

#[tokio::test]
async fn a_genuine_callback_counts_once_and_not_when_it_is_old() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0085").await;
    let (body, signature) = genuine(&till);
    let call = || {
        till.shop
            .post("/api/v1/gateway/sandbox/callback", &body)
            .header("X-Sandbox-Signature", &signature)
            .send()
    };
    call().await.expect(StatusCode::OK);
    let policy = till.policy().await.expect(StatusCode::OK).body;
    call().await.expect(StatusCode::OK);
    assert_eq!(till.policy().await.body, policy);
    till.shop.clock.advance(chrono::TimeDelta::seconds(301));
    call().await.expect(StatusCode::BAD_REQUEST);
}
