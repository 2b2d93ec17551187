//! Finality: the shop reports no charge only after the gateway's final status.

use chrono::TimeDelta;
use layby::app::jobs;
use layby::domain::payment::{FailureClass, PaymentStatus};
use poem::http::StatusCode;
use serde_json::Value;

use super::Till;
use crate::support::gateways::Limits;

const PAYS_SILENTLY: &str = "4000 0000 0000 0085";

#[tokio::test]
async fn a_decline_is_the_last_word_and_has_its_class() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 9995").await;
    let payment = till.payment().await;
    assert_eq!(payment.at("/data/status"), "failed");
    assert_eq!(payment.at("/data/charged"), false);
    let failure = till.row().failure.unwrap();
    assert_eq!(
        (failure.class, failure.is_final),
        (FailureClass::Declined, true)
    );
}

#[tokio::test]
async fn of_a_payment_nobody_hears_of_it_is_never_said_that_no_charge_was_made() {
    let till = Till::limited(Limits::CAN_DO_NOTHING).await;
    till.pay(PAYS_SILENTLY).await;
    for (hours, status) in [
        (23, "pending"),
        (2, "pending"),
        (46, "pending"),
        (2, "failed"),
    ] {
        for _ in 0..hours {
            till.waits(TimeDelta::hours(1)).await;
        }
        let payment = till.payment().await;
        assert_eq!(payment.at("/data/status"), status);
        assert_eq!(payment.at("/data/charged"), &Value::Null);
    }
    assert_eq!(till.row().status, PaymentStatus::Unresolved);
    let told = till.payment().await.text("/data/message");
    assert!(told.starts_with("We could not find out"), "{told}");
    assert!(!till.sold());
    // The attempt is stored, but no job asks the gateway any more.
    assert!(
        jobs::due_jobs(
            &till.shop.app.store,
            &till.shop.app.clock,
            layby::app::jobs::JobQueue::Shop,
            10
        )
        .await
        .unwrap()
        .next
        .is_none()
    );
}

#[tokio::test]
async fn news_that_comes_after_it_was_given_up_still_sells() {
    let till = Till::limited(Limits::CAN_DO_NOTHING).await;
    till.pay(PAYS_SILENTLY).await;
    for _ in 0..75 {
        till.waits(TimeDelta::hours(1)).await;
    }
    assert_eq!(till.row().status, PaymentStatus::Unresolved);
    // The quote can be bought until its cover begins, on the fourth day.
    till.waits(TimeDelta::hours(22)).await;
    till.hears_late_news().await;
    let row = till.row();
    assert_ne!(row.status, PaymentStatus::Unresolved);
    // The policy exists if and only if the payment is applied.
    assert_eq!(till.sold(), row.is_applied());
    assert_eq!(row.status, PaymentStatus::Paid);
}

#[tokio::test]
async fn a_waiting_customer_hears_of_an_unresolved_payment_as_soon_as_the_gateway_speaks() {
    let till = Till::open().await;
    till.pay(PAYS_SILENTLY).await;
    let id = till.payment_id();
    // Simulates three days without a response of the gateway.
    till.shop
        .app
        .store
        .write(move |tx| {
            let mut row = layby::store::tables::PAYMENTS.get(tx, &id)?.unwrap();
            row.status = PaymentStatus::Unresolved;
            layby::store::tables::PAYMENTS.put(tx, &id, &row)
        })
        .await
        .unwrap();
    assert_eq!(till.payment().await.at("/data/status"), "paid");
    till.policy().await.expect(StatusCode::OK);
}
