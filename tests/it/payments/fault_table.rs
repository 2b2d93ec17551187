//! The rows of the fault table (docs/PAYMENTS.md) that no other test of the sandbox covers.

use chrono::TimeDelta;
use layby::app::payments::sandbox;
use layby::domain::payment::PaymentStatus;
use layby::domain::payment::sandbox::{SandboxEvent, SandboxPayment};
use layby::store::tables;
use poem::http::{Method, StatusCode};
use uuid::Uuid;

use super::Till;
use super::gateways::paid;
use super::hostile_callbacks::packed;
use crate::support::Shop;
use crate::support::stores::snapshot;

const CALLBACK: &str = "/api/v1/gateway/sandbox/callback";
pub const PAYS_SILENTLY: &str = "4000 0000 0000 0085";

impl Till {
    /// Returns the gateway's callback of this payment. The signature's time is `ahead` of the shop's clock.
    fn signed(&self, ahead: TimeDelta) -> (String, String) {
        signed(&self.shop, self.payment_id(), ahead)
    }

    async fn hears(&self, callback: (String, String)) -> StatusCode {
        hears(&self.shop, callback).await
    }

    /// Delivers the delayed callback, and runs all jobs that follow.
    pub async fn hears_late_news(&self) {
        let callback = self.signed(TimeDelta::zero());
        assert_eq!(self.hears(callback).await, StatusCode::OK);
        self.shop.work().await;
    }
}

/// Returns the body and the signature of the sandbox's callback of a payment. The signature's time is
/// `ahead` of the shop's clock.
pub fn signed(shop: &Shop, payment: Uuid, ahead: TimeDelta) -> (String, String) {
    let tx = snapshot(&shop.app.store);
    let secret = tables::SECRETS.get(&tx, &"sandbox".to_string()).unwrap();
    let books = tables::SANDBOX.get(&tx, &payment).unwrap();
    let at = shop.clock.now() + ahead;
    sandbox::callback(&books.unwrap(), SandboxEvent::State, &secret.unwrap(), at).unwrap()
}

/// Calls the shop back. Returns the status of the response.
pub async fn hears(shop: &Shop, (body, signature): (String, String)) -> StatusCode {
    let call = shop.call(Method::POST, CALLBACK);
    let call = call.header("Content-Type", "application/json");
    let call = call.header("X-Sandbox-Signature", &signature);
    call.body(body).send().await.status
}

#[tokio::test]
async fn a_clock_that_is_a_day_late_believes_no_callback_and_sells_by_asking() {
    let till = Till::open().await;
    till.pay(PAYS_SILENTLY).await;
    let told = till.signed(TimeDelta::days(1));
    assert_eq!(till.hears(told).await, StatusCode::BAD_REQUEST);
    assert!(!till.sold());
    till.waits(TimeDelta::seconds(21)).await;
    assert!(till.sold());
}

#[tokio::test]
async fn a_callback_of_a_payment_that_is_nobodys_is_taken_and_forgotten() {
    let till = Till::open().await;
    till.pay(PAYS_SILENTLY).await;
    let told = till.signed(TimeDelta::zero());
    let id = till.payment_id();
    let forget = move |tx: &mut layby::store::WriteTx<'_>| {
        tables::PAYMENTS.delete(tx, &id)?;
        Ok::<_, layby::store::StoreError>(())
    };
    till.shop.app.store.write(forget).await.unwrap();
    assert_eq!(till.hears(told).await, StatusCode::OK);
    assert!(!till.sold());
}

#[tokio::test]
async fn a_callback_that_comes_before_the_return_page_and_again_after_it_sells_once() {
    let till = Till::open().await;
    till.pay(PAYS_SILENTLY).await;
    let told = till.signed(TimeDelta::zero());
    assert_eq!(till.hears(told.clone()).await, StatusCode::OK);
    let policy = till.policy().await.expect(StatusCode::OK).body;
    assert_eq!(till.payment().await.at("/data/status"), "paid");
    assert_eq!(till.hears(told).await, StatusCode::OK);
    assert_eq!(till.policy().await.body, policy);
}

#[tokio::test]
async fn a_page_of_a_day_ago_takes_no_card_and_the_customer_is_told_so() {
    let till = Till::open().await;
    till.waits(TimeDelta::hours(25)).await;
    till.pay("4242 4242 4242 4242").await;
    let payment = till.payment().await;
    assert_eq!(payment.at("/data/status"), "failed");
    assert_eq!(payment.at("/data/charged"), false);
    assert_eq!(till.row().status, PaymentStatus::Failed);
    assert!(!till.sold());
}

#[tokio::test]
async fn a_payment_that_was_made_a_moment_before_its_page_was_closed_sells() {
    let till = Till::open().await;
    till.pay(PAYS_SILENTLY).await;
    // The job closes the page after a day, and learns that it was paid.
    till.waits(TimeDelta::hours(25)).await;
    assert_eq!(till.row().status, PaymentStatus::Paid);
    assert!(till.sold());
}

#[tokio::test]
async fn clocks_that_differ_by_ten_minutes_sell() {
    // A callback is accepted for five minutes. After a refused callback the job asks the gateway.
    for (minutes, status) in [
        (4, StatusCode::OK),
        (-4, StatusCode::OK),
        (10, StatusCode::BAD_REQUEST),
        (-10, StatusCode::BAD_REQUEST),
    ] {
        let till = Till::open().await;
        till.pay(PAYS_SILENTLY).await;
        let answer = till.hears(till.signed(TimeDelta::minutes(minutes))).await;
        assert_eq!(answer, status, "{minutes}");
        assert_eq!(till.sold(), status == StatusCode::OK, "{minutes}");
        till.waits(TimeDelta::seconds(21)).await;
        assert!(till.sold(), "{minutes}");
    }
}

#[tokio::test]
async fn a_packed_callback_is_refused() {
    let till = Till::open().await;
    till.pay(PAYS_SILENTLY).await;
    let (body, signature) = till.signed(TimeDelta::zero());
    let call = till.shop.call(Method::POST, CALLBACK);
    let call = call.header("Content-Type", "application/json");
    let call = call.header("X-Sandbox-Signature", &signature);
    let call = call.header("Content-Encoding", "gzip");
    let packed = call.body(packed(body.as_bytes())).send().await;
    packed.expect(StatusCode::BAD_REQUEST);
    assert!(!till.sold());
    assert_eq!(till.hears((body, signature)).await, StatusCode::OK);
    assert!(till.sold());
}

#[tokio::test]
async fn a_genuine_callback_about_an_attempt_of_another_gateway_changes_nothing() {
    let till = Till::open().await;
    till.pay(PAYS_SILENTLY).await;
    let (shop, sales) = paid().await;
    for sale in &sales {
        let attempt = sale.attempt(&shop);
        let secret = tables::SECRETS.get(&snapshot(&shop.app.store), &"sandbox".to_string());
        let own = tables::SANDBOX.get(&snapshot(&till.shop.app.store), &till.payment_id());
        let other = SandboxPayment {
            payment: attempt.id,
            amount: attempt.amount,
            ..own.unwrap().unwrap()
        };
        let (secret, now) = (secret.unwrap().unwrap(), shop.clock.now());
        let callback = sandbox::callback(&other, SandboxEvent::State, &secret, now).unwrap();
        assert_eq!(hears(&shop, callback).await, StatusCode::OK);
        assert_eq!(sale.attempt(&shop), attempt);
        sale.assert_open(&shop, &sale.genuine);
    }
}
