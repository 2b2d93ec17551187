//! The gateway's callback: whether it comes late, twice, never or from somebody else.

use crate::support::stores::snapshot;
use layby::domain::sandbox::Told;
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
}

#[tokio::test]
async fn a_callback_that_never_comes_is_made_up_for_by_asking() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0085").await;
    assert!(!till.sold());
    // Nobody looks at a page; twenty seconds later the job asks by itself.
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
            .send()
            .await
            .expect(StatusCode::BAD_REQUEST);
    }
    till.shop
        .post("/api/v1/gateway/nobody/callback", &body)
        .send()
        .await
        .expect(StatusCode::NOT_FOUND);
    assert!(!till.sold());
}

#[tokio::test]
async fn a_genuine_callback_counts_once_and_not_when_it_is_old() {
    use layby::store::tables;
    let till = Till::open().await;
    till.pay("4000 0000 0000 0085").await;
    let (books, secret) = {
        let tx = snapshot(&till.shop.app.store);
        let secret = tables::SECRETS.get(&tx, &"sandbox".to_string()).unwrap();
        let books = tables::SANDBOX.get(&tx, &till.payment_id()).unwrap();
        (books.unwrap(), secret.unwrap())
    };
    let now = till.shop.clock.now();
    let (body, signature) =
        layby::integrations::gateway::sandbox::callback(&books, Told::State, &secret, now).unwrap();
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
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
