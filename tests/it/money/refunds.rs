//! Refunds: once for each reason, never more than was received.

use chrono::TimeDelta;
use layby::app::jobs;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Movement;
use layby::domain::payment::Purpose;
use layby::domain::payment::refund::{REFUSED, RefundStatus};
use layby::domain::payment::sandbox::{SandboxRefund, SandboxRefundState, SandboxState};
use layby::store::StoreError;
use layby::store::tables::{self, Job, Task};
use poem::http::StatusCode;
use uuid::Uuid;

use super::{
    PAYS, REFUND_REFUSED, SLOW_REFUND, at_gateway, books, give_back, in_hand, movements,
    paid_at_the_gateway, pay_again, refund_about, sell, shop, twin,
};
use crate::support::Shop;

/// Returns the queued job of `refund`.
fn refund_job(shop: &Shop, refund: Uuid) -> ((chrono::DateTime<chrono::Utc>, Uuid), Job) {
    let mut jobs = shop.rows(&tables::JOBS).into_iter();
    jobs.find(|(_, job)| job.task == Task::Refund { refund })
        .unwrap()
}

#[tokio::test]
async fn part_of_a_payment_goes_back_once_for_one_reason() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (paid, about) = (sold.payment.amount, Uuid::from_u128(7));
    let given = give_back(&shop, sold.policy, about, Pence(1234)).await;
    assert_eq!(given.len(), 1);
    assert_eq!(given[0].status, RefundStatus::Pending);
    // A refund on its way no longer counts as net paid. A second request returns the same refund.
    assert_eq!(in_hand(&shop, sold.policy), paid - Pence(1234));
    assert_eq!(
        give_back(&shop, sold.policy, about, Pence(1234)).await,
        given
    );
    shop.work().await;
    let refund = refund_about(&shop, sold.policy, about);
    assert_eq!(refund.status, RefundStatus::Paid);
    assert_eq!(in_hand(&shop, sold.policy), paid - Pence(1234));
    assert_eq!(at_gateway(&shop, sold.policy), paid - Pence(1234));
    // The payment itself stays paid.
    let payment = shop.payment(&sold.quote).await.expect(StatusCode::OK);
    assert_eq!(payment.at("/data/status"), "paid");
    assert_eq!(books(&shop, sold.payment.id).state, SandboxState::Paid);
}

#[tokio::test]
async fn the_newest_payment_goes_back_first_and_never_more_than_was_received() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let paid = sold.payment.amount;
    shop.clock.advance(TimeDelta::days(1));
    let more = twin(&shop, &sold.payment, |twin| {
        twin.purpose = Purpose::Change(Uuid::from_u128(5));
        twin.amount = Pence(700);
    })
    .await;
    paid_at_the_gateway(&shop, &more, sold.payment.id).await;

    let first = give_back(&shop, sold.policy, Uuid::from_u128(1), Pence(1000)).await;
    let parts: Vec<_> = first.iter().map(|one| (one.payment, one.amount)).collect();
    assert_eq!(
        parts,
        [(more.id, Pence(700)), (sold.payment.id, Pence(300))]
    );
    let rest = give_back(&shop, sold.policy, Uuid::from_u128(2), Pence(9_999_999)).await;
    let parts: Vec<_> = rest.iter().map(|one| (one.payment, one.amount)).collect();
    assert_eq!(parts, [(sold.payment.id, paid - Pence(300))]);
    assert_eq!(in_hand(&shop, sold.policy), Pence::ZERO);
    for amount in [Pence(1), Pence::ZERO, Pence(-5)] {
        let about = Uuid::from_u128(3);
        assert_eq!(give_back(&shop, sold.policy, about, amount).await, []);
    }
    shop.work().await;
    for payment in [more.id, sold.payment.id] {
        assert_eq!(books(&shop, payment).state, SandboxState::Refunded);
    }
}

#[tokio::test]
async fn a_slow_refund_is_followed_to_its_end() {
    let shop = shop().await;
    let sold = sell(&shop, SLOW_REFUND).await;
    let about = Uuid::from_u128(7);
    give_back(&shop, sold.policy, about, Pence(500)).await;
    let status = || refund_about(&shop, sold.policy, about).status;
    for _ in 0..4 {
        shop.work().await;
        assert_eq!(status(), RefundStatus::Pending);
        shop.clock.advance(TimeDelta::seconds(7));
    }
    assert_eq!(at_gateway(&shop, sold.policy), sold.payment.amount);
    shop.clock.advance(TimeDelta::seconds(30));
    shop.work().await;
    assert_eq!(status(), RefundStatus::Paid);
    assert_eq!(movements(&shop, sold.policy)[2..], [Movement::Refund]);
    assert_eq!(books(&shop, sold.payment.id).refunds.len(), 1);
}

#[tokio::test]
async fn a_refused_refund_stays_owed_and_the_customer_is_told() {
    let shop = shop().await;
    let sold = sell(&shop, REFUND_REFUSED).await;
    let (paid, about) = (sold.payment.amount, Uuid::from_u128(7));
    give_back(&shop, sold.policy, about, Pence(500)).await;
    shop.work().await;
    let refund = refund_about(&shop, sold.policy, about);
    assert_eq!(refund.status, RefundStatus::Refused);
    assert_eq!(refund.message.as_deref(), Some(REFUSED));
    // No money moved, and the amount owed can't be refunded a second time.
    assert_eq!(movements(&shop, sold.policy).len(), 2);
    assert_eq!(at_gateway(&shop, sold.policy), paid);
    assert_eq!(in_hand(&shop, sold.policy), paid - Pence(500));
    // It is not retried by itself.
    shop.clock.advance(TimeDelta::hours(2));
    shop.work().await;
    assert_eq!(books(&shop, sold.payment.id).refunds.len(), 1);

    // The customer's page reports the unapplied payment.
    let second = pay_again(&shop, &sold).await;
    shop.work().await;
    let read = shop
        .get(&format!("/api/v1/payment/{}", second.id))
        .bearer(&sold.quote.token)
        .succeeds()
        .await;
    assert_eq!(read.text("/data/message"), REFUSED);
}

#[tokio::test]
async fn a_refund_that_is_run_twice_pays_once() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let given = give_back(&shop, sold.policy, Uuid::from_u128(7), Pence(500)).await;
    let (key, job) = refund_job(&shop, given[0].id);
    let (one, other) = tokio::join!(
        jobs::run_job(&shop.app, key, job.clone()),
        jobs::run_job(&shop.app, key, job.clone())
    );
    one.and(other).unwrap();
    jobs::run_job(&shop.app, key, job).await.unwrap();
    assert_eq!(books(&shop, sold.payment.id).refunds.len(), 1);
    assert_eq!(movements(&shop, sold.policy)[2..], [Movement::Refund]);
}

#[tokio::test]
async fn a_stop_between_the_gateways_refund_and_our_note_of_it_pays_once() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let about = Uuid::from_u128(7);
    let given = give_back(&shop, sold.policy, about, Pence(500)).await;
    // The gateway made the refund, but the shop was killed before the write.
    let mut row = books(&shop, sold.payment.id);
    row.refunds.push(SandboxRefund {
        id: given[0].id,
        amount: Pence(500),
        state: SandboxRefundState::Done,
        due: shop.clock.now(),
    });
    let write =
        move |tx: &mut layby::store::WriteTx<'_>| tables::SANDBOX.put(tx, &row.payment, &row);
    shop.app.store.write(write).await.unwrap();
    shop.work().await;
    assert_eq!(
        refund_about(&shop, sold.policy, about).status,
        RefundStatus::Paid
    );
    assert_eq!(books(&shop, sold.payment.id).refunds.len(), 1);
    assert_eq!(
        at_gateway(&shop, sold.policy),
        sold.payment.amount - Pence(500)
    );
}

#[tokio::test]
async fn a_refund_the_gateway_knows_no_payment_for_is_the_operators() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let stray = sold.payment.id;
    let forget = move |tx: &mut layby::store::WriteTx<'_>| {
        tables::SANDBOX.delete(tx, &stray)?;
        Ok::<_, StoreError>(())
    };
    shop.app.store.write(forget).await.unwrap();
    give_back(&shop, sold.policy, Uuid::from_u128(7), Pence(500)).await;
    shop.work().await;
    let refund = refund_about(&shop, sold.policy, Uuid::from_u128(7));
    assert_eq!(refund.status, RefundStatus::Refused);
}
