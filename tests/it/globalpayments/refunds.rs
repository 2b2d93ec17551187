//! Refunds: each refund is made once. If the provider can't be asked, a person looks up the refund.

use chrono::TimeDelta;
use layby::domain::payment::refund::{Refund, RefundStatus};
use layby::store::tables;
use serde_json::json;
use uuid::Uuid;

use super::creation::FAULTS;
use super::double::Fault;
use super::till::{Till, settings};

fn refund(till: &Till, id: Uuid) -> Refund {
    till.shop.row(&tables::REFUNDS, &id)
}

/// Runs the due jobs, 20 minutes later.
async fn work_on(till: &Till) {
    till.wait_and_work(TimeDelta::minutes(20)).await;
}

fn refund_calls(till: &Till) -> usize {
    let seen = till.double.seen();
    seen.iter()
        .filter(|seen| seen.call.ends_with("/refund"))
        .count()
}

#[tokio::test]
async fn a_payment_is_refunded_in_parts_up_to_the_whole() {
    let till = Till::paid().await;
    let whole = till.balance();
    let first = till.shop.owe_refund(&till.quote, 1000).await;
    work_on(&till).await;
    let row = refund(&till, first);
    assert_eq!(row.status, RefundStatus::Paid);
    let made = till.books(|books, _| books.refunds());
    assert_eq!(row.reference.as_ref(), made.first());
    assert_eq!(till.balance(), whole - 1000);
    let rest = till.shop.owe_refund(&till.quote, whole - 1000).await;
    work_on(&till).await;
    assert_eq!(refund(&till, rest).status, RefundStatus::Paid);
    assert_eq!((till.balance(), refund_calls(&till)), (0, 2));
    // The refunds have the payment's reference, and the payment is still found as paid.
    assert_eq!(till.poll().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn a_refund_is_made_once_by_either_answer_to_a_repeated_key() {
    for replays in [false, true] {
        for fault in FAULTS {
            let till = Till::paid().await;
            if replays {
                till.double.replay_answers();
            }
            let paid = till.balance();
            let id = till.shop.owe_refund(&till.quote, 1000).await;
            for _ in 0..2 {
                till.double.fail("POST /transactions", fault);
            }
            for _ in 0..6 {
                work_on(&till).await;
            }
            let status = refund(&till, id).status;
            assert_eq!(status, RefundStatus::Paid, "{fault:?} {replays}");
            assert_eq!(till.balance(), paid - 1000, "{fault:?} {replays}");
        }
    }
}

#[tokio::test]
async fn a_lost_answer_is_repeated_within_a_day_and_then_left_to_a_person() {
    for (hours, expected) in [(22, RefundStatus::Paid), (24, RefundStatus::Unconfirmed)] {
        let till = Till::paid().await;
        let paid = till.balance();
        let id = till.shop.owe_refund(&till.quote, 1000).await;
        for _ in 0..3 {
            till.double.fail("POST /transactions", Fault::Reset);
        }
        work_on(&till).await;
        assert_eq!(refund(&till, id).status, RefundStatus::Pending);
        let settings = settings(&till.double, "[\"globalpayments\"]");
        let till = till.restarted(&settings).await;
        till.wait_and_work(TimeDelta::hours(hours)).await;
        assert_eq!(refund(&till, id).status, expected);
        work_on(&till).await;
        assert_eq!(till.balance(), paid - 1000);
    }
}

#[tokio::test]
async fn a_refund_that_was_never_requested_is_not_called_unconfirmed() {
    let till = Till::paid().await;
    let paid = till.balance();
    let id = till.shop.owe_refund(&till.quote, 1000).await;
    // The app has lost a right for two days.
    till.double.deny("POST /transactions");
    for _ in 0..4 {
        till.wait_and_work(TimeDelta::hours(12)).await;
    }
    let row = refund(&till, id);
    assert_eq!((row.status, row.requested), (RefundStatus::Pending, None));
    assert_eq!(till.balance(), paid);
}

#[tokio::test]
async fn a_slow_refund_is_followed_to_its_end() {
    for replays in [false, true] {
        let till = Till::paid().await;
        if replays {
            till.double.replay_answers();
        }
        till.books(|books, _| books.refund_status = "PENDING");
        let id = till.shop.owe_refund(&till.quote, 1000).await;
        work_on(&till).await;
        work_on(&till).await;
        // The provider's key of the refund has ended, and its id finds the refund.
        till.wait_and_work(TimeDelta::hours(30)).await;
        assert_eq!(refund(&till, id).status, RefundStatus::Pending);
        let made = till.books(|books, _| books.refunds());
        till.books(|books, _| books.set(&made[0], "status", json!("CAPTURED")));
        for _ in 0..3 {
            work_on(&till).await;
        }
        assert_eq!(refund(&till, id).status, RefundStatus::Paid);
        assert_eq!(made.len(), 1);
    }
}

#[tokio::test]
async fn a_refund_that_the_bank_or_the_provider_refuses_stays_owed() {
    let till = Till::paid().await;
    till.books(|books, _| books.refund_status = "DECLINED");
    let id = till.shop.owe_refund(&till.quote, 1000).await;
    work_on(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Refused);

    // Somebody has refunded all of it in the provider's portal.
    let till = Till::paid().await;
    let payment = till.attempt().references["transaction"].clone();
    let all = till.balance().to_string();
    till.books(|books, now| books.refund(&payment, &all, now).unwrap());
    let id = till.shop.owe_refund(&till.quote, 1000).await;
    work_on(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Refused);
    assert_eq!(till.balance(), 0);
}

#[tokio::test]
async fn a_refusal_after_a_lost_answer_is_left_to_a_person() {
    let till = Till::paid().await;
    let whole = till.balance();
    let id = till.shop.owe_refund(&till.quote, whole).await;
    for _ in 0..3 {
        till.double.fail("POST /transactions", Fault::Reset);
    }
    work_on(&till).await;
    // The provider has lost the key, so it refuses a second refund of the whole.
    till.double.forget_keys();
    work_on(&till).await;
    work_on(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Unconfirmed);
    assert_eq!(till.balance(), 0);
}
