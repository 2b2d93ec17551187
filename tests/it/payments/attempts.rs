//! Several attempts for one quote, and abandoned attempts.

use layby::app::payments::status;
use poem::http::{Method, StatusCode};
use serde_json::json;

use super::Till;
use crate::support::stores::snapshot;
use crate::support::{two_vehicles, two_vehicles_with};

#[tokio::test]
async fn coming_back_to_the_page_resumes_the_attempt() {
    let till = Till::open().await;
    let again = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/resumed"), true);
    assert_eq!(again.text("/data/url"), till.frame);
}

#[tokio::test]
async fn the_same_call_again_comes_back_to_its_attempt_and_after_a_decline_begins_another() {
    let till = Till::open().await;
    let initiate = |body: serde_json::Value| {
        till.shop
            .post("/api/v1/gateway/sandbox/initiate", &body)
            .bearer(&till.quote.token)
            .header("Idempotency-Key", "pay-once-1")
            .send()
    };
    let quote = json!({ "uuid": till.quote.uuid });
    let first = initiate(quote.clone()).await.expect(StatusCode::OK);
    assert_eq!(first.text("/data/url"), till.frame);
    till.pay("4000 0000 0000 0002").await;
    assert_eq!(till.payment().await.at("/data/status"), "failed");
    let second = initiate(quote.clone()).await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
    assert_ne!(second.text("/data/url"), till.frame);
    let again = initiate(quote).await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/resumed"), true);
    assert_eq!(again.text("/data/url"), second.text("/data/url"));
    let other = json!({ "uuid": uuid::Uuid::from_u128(5) });
    initiate(other).await.expect(StatusCode::NOT_FOUND);
    let other = json!({ "uuid": till.quote.uuid, "return_url": null });
    let reused = initiate(other).await.expect(StatusCode::CONFLICT);
    assert_eq!(reused.text("/code"), "idempotency_key_reused");
}

#[tokio::test]
async fn a_changed_quote_closes_the_old_page_and_pays_the_new_price() {
    let till = Till::open().await;
    let product = two_vehicles_with("key_cover", true);
    till.shop.update(&till.quote, &product).succeeds().await;
    let accepted = till.shop.accept(&till.quote).await.expect(StatusCode::OK);
    till.shop.clock.advance(chrono::TimeDelta::seconds(30));
    let second = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
    // A card on the old page comes too late and takes nothing.
    till.pay("4242 4242 4242 4242").await;
    assert!(!till.sold());
    till.shop
        .pay(&second.text("/data/url"), "4242 4242 4242 4242")
        .await
        .assert_status_is_ok();
    let payment = till.payment().await;
    assert_eq!(payment.at("/data/amount"), accepted.at("/data/amount_due"));
    assert_eq!(payment.at("/data/policy"), true);
}

#[tokio::test]
async fn a_payment_begun_before_a_change_buys_what_was_accepted() {
    let till = Till::open().await;
    let product = two_vehicles_with("first_name", "Changed");
    till.pay("4000 0000 0000 0085").await;
    till.shop.update(&till.quote, &product).succeeds().await;
    assert_eq!(till.payment().await.at("/data/policy"), true);
    let policy = till.policy().await.expect(StatusCode::OK);
    assert_eq!(policy.at("/data/info/revision_id"), 1);
    assert_eq!(policy.at("/data/values/first_name"), "Ann");
    assert_eq!(policy.at("/data/info/holder_name"), "Ann O’Neill");
    assert_eq!(policy.at("/data/info/flags/accepted"), true);
}

#[tokio::test]
async fn a_second_paid_attempt_is_refunded_by_itself() {
    use layby::store::tables;
    let till = Till::open().await;
    // The customer pays at the gateway. Before the shop learns of this payment, another attempt is paid.
    till.pay("4000 0000 0000 0085").await;
    let first = till.payment_id();
    let second = uuid::Uuid::from_u128(77);
    till.shop
        .app
        .store
        .write(move |tx| {
            let mut twin = tables::PAYMENTS.get(tx, &first)?.unwrap();
            twin.id = second;
            tables::PAYMENTS.put(tx, &second, &twin)?;
            let mut books = tables::SANDBOX.get(tx, &first)?.unwrap();
            books.payment = second;
            tables::SANDBOX.put(tx, &second, &books)?;
            Ok::<_, layby::store::StoreError>(())
        })
        .await
        .unwrap();
    status::sync_payment_status(&till.shop.app, first)
        .await
        .unwrap();
    status::sync_payment_status(&till.shop.app, second)
        .await
        .unwrap();
    till.work();
    let read = |id: uuid::Uuid| {
        till.shop
            .get(&format!("/api/v1/payment/{id}"))
            .bearer(&till.quote.token)
            .send()
    };
    assert_eq!(read(first).await.at("/data/status"), "paid");
    // The gateway makes the refund first, and then the shop learns of it.
    for _ in 0..500 {
        if read(second).await.at("/data/refund") == "paid" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let books = snapshot(&till.shop.app.store);
    let books = tables::SANDBOX.get(&books, &second).unwrap().unwrap();
    let given_back = layby::domain::payment::sandbox::SandboxState::Refunded;
    assert_eq!(books.state, given_back);
    let back = read(second).await;
    assert_eq!(back.at("/data/status"), "refunded");
    assert_eq!(back.at("/data/refund"), "paid");
    assert_eq!(read(first).await.at("/data/refund"), "none");
    // The quote's status shows the attempt that bought it.
    assert_eq!(till.payment().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn two_tabs_that_start_to_pay_at_once_get_the_same_page() {
    let till = Till::open().await;
    let product = two_vehicles_with("first_name", "Two");
    let quote = till.shop.quote(&product).await;
    till.shop.accept(&quote).await.expect(StatusCode::OK);
    let (one, other) = tokio::join!(till.shop.initiate(&quote), till.shop.initiate(&quote));
    let (one, other) = (one.text("/data/url"), other.text("/data/url"));
    assert_eq!(one, other);
    till.shop
        .page(Method::GET, &one)
        .send()
        .await
        .assert_status_is_ok();
}

#[tokio::test]
async fn a_page_the_gateway_never_heard_of_does_not_stand_in_the_way() {
    use layby::store::tables;
    let till = Till::open().await;
    // Simulates a kill between storing the attempt and creating its session.
    let id = till.payment_id();
    till.shop
        .app
        .store
        .write(move |tx| {
            tables::SANDBOX.delete(tx, &id)?;
            Ok::<_, layby::store::StoreError>(())
        })
        .await
        .unwrap();
    till.shop
        .update(&till.quote, &two_vehicles())
        .succeeds()
        .await;
    till.shop.accept(&till.quote).await.expect(StatusCode::OK);
    till.shop.clock.advance(chrono::TimeDelta::seconds(1));
    let second = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
}

#[tokio::test]
async fn an_abandoned_challenge_is_closed_after_a_day() {
    let till = Till::open().await;
    till.pay("4000 0027 6000 3184").await;
    till.shop.clock.advance(chrono::TimeDelta::hours(25));
    assert_eq!(till.payment().await.at("/data/status"), "failed");
    // The page accepts no card any more.
    till.shop
        .page(Method::POST, &till.frame)
        .content_type("application/x-www-form-urlencoded")
        .body("challenge=pass")
        .send()
        .await
        .assert_status_is_ok();
    assert!(!till.sold());
}
