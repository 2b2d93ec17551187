//! The fault table of docs/PAYMENTS.md with Stripe's failures and kills of the process. The result is one
//! policy with its money, or neither. The customer always gets true statements.

use chrono::TimeDelta;
use layby::domain::money::ledger::Account;
use layby::domain::payment::PaymentStatus;
use layby::domain::payment::refund::RefundStatus;
use poem::http::StatusCode;
use uuid::Uuid;

use super::double::{Card, Fault};
use super::till::Till;

const BEGIN: &str = "POST /v1/checkout/sessions";
const ALL: [Fault; 9] = [
    Fault::Status(409),
    Fault::Status(429),
    Fault::Status(500),
    Fault::Html(502),
    Fault::Nothing,
    Fault::Reset,
    Fault::HalfAnswer,
    Fault::FailsAfter,
    Fault::Html(200),
];

/// Pays, receives the report, and checks that there is one policy with its money.
async fn pays(till: &Till) {
    till.pay(Card::VISA);
    till.hear_all().await;
    assert!(till.sold());
    assert_eq!(till.kept_at_stripe(), till.attempt().amount.0);
}

#[tokio::test]
async fn a_page_is_made_once_however_stripe_answers() {
    for fault in ALL {
        let till = Till::open().await;
        till.double.fail(BEGIN, fault);
        till.initiate().await.expect(StatusCode::OK);
        assert_eq!(till.sessions(), 1, "{fault:?}");
        pays(&till).await;
    }
}

#[tokio::test]
async fn while_stripe_fails_the_customer_hears_so_and_later_pays_once() {
    for fault in [Fault::Html(503), Fault::Reset, Fault::Status(429)] {
        let till = Till::open().await;
        for _ in 0..3 {
            till.double.fail(BEGIN, fault);
        }
        till.initiate()
            .await
            .expect(StatusCode::SERVICE_UNAVAILABLE);
        till.wait(TimeDelta::minutes(1));
        till.initiate().await.expect(StatusCode::OK);
        assert_eq!(till.sessions(), 1, "{fault:?}");
        pays(&till).await;
    }
}

#[tokio::test]
async fn a_kill_before_the_page_is_stored_leads_back_to_the_same_page() {
    // The session exists, but its response was lost.
    let till = Till::open().await;
    for _ in 0..3 {
        till.double.fail(BEGIN, Fault::Reset);
    }
    till.initiate()
        .await
        .expect(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(till.attempt().status, PaymentStatus::Started);
    let till = till.restarted("[\"stripe\"]").await;
    till.wait(TimeDelta::minutes(10));
    till.initiate().await.expect(StatusCode::OK);
    assert_eq!(till.sessions(), 1);
    pays(&till).await;
}

#[tokio::test]
async fn a_kill_after_paying_loses_nothing() {
    let till = Till::at_the_page().await;
    till.paid_and_nothing_heard();
    let till = till.restarted("[\"stripe\"]").await;
    till.wait(TimeDelta::minutes(1));
    till.shop.work().await;
    assert!(till.sold());
}

#[tokio::test]
async fn a_gateway_that_is_not_offered_any_more_is_serviced_to_the_end() {
    let till = Till::at_the_page().await;
    let till = till.restarted("[\"sandbox\"]").await;
    till.initiate().await.expect(StatusCode::NOT_FOUND);
    pays(&till).await;

    let till = Till::at_the_page().await;
    till.paid_and_nothing_heard();
    let till = till.restarted("[\"sandbox\"]").await;
    till.wait(TimeDelta::minutes(1));
    till.shop.work().await;
    assert!(till.sold());
}

#[tokio::test]
async fn while_nobody_can_ask_nobody_says_that_no_charge_was_made() {
    let till = Till::at_the_page().await;
    till.paid_and_nothing_heard();
    for fault in [
        Fault::Html(502),
        Fault::HalfAnswer,
        Fault::Nothing,
        Fault::Status(500),
    ] {
        for _ in 0..3 {
            till.double.fail("GET /v1/checkout/sessions", fault);
        }
        let seen = till.looks().await;
        assert_eq!(seen.at("/data/status"), "pending", "{fault:?}");
        assert!(till.attempt().status.is_open());
    }
    assert_eq!(till.looks().await.at("/data/status"), "paid");
    assert!(till.sold());
}

#[tokio::test]
async fn a_key_that_was_revoked_loses_nothing() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    till.double.deny("GET /v1/checkout/sessions");
    assert_eq!(till.looks().await.at("/data/status"), "pending");
    till.hear_all().await;
    assert!(till.sold());
}

/// Returns a sold policy with a refund of £10.00 due.
pub async fn refunding(card: Card) -> (Till, Uuid) {
    let till = Till::at_the_page().await;
    till.pay(card);
    till.hear_all().await;
    let id = till.shop.owe_refund(&till.quote, 1000).await;
    (till, id)
}

pub fn refund(till: &Till, id: Uuid) -> layby::domain::payment::refund::Refund {
    till.shop.row(&layby::store::tables::REFUNDS, &id)
}

#[tokio::test]
async fn a_refund_is_given_once_however_stripe_answers() {
    for fault in ALL {
        let (till, id) = refunding(Card::VISA).await;
        let paid = till.kept_at_stripe();
        for _ in 0..2 {
            till.double.fail("POST /v1/refunds", fault);
        }
        for _ in 0..6 {
            work_on(&till).await;
        }
        assert_eq!(refund(&till, id).status, RefundStatus::Paid, "{fault:?}");
        assert_eq!(till.kept_at_stripe(), paid - 1000, "{fault:?}");
    }
}

/// Runs the due jobs. A failed job is due again later.
pub async fn work_on(till: &Till) {
    till.wait(TimeDelta::minutes(20));
    till.shop.work_with_failures().await;
}

#[tokio::test]
async fn a_kill_while_a_refund_is_under_way_gives_it_once() {
    let (till, id) = refunding(Card::VISA).await;
    let paid = till.kept_at_stripe();
    for _ in 0..3 {
        till.double.fail("POST /v1/refunds", Fault::Reset);
    }
    work_on(&till).await;
    // Stripe has made the refund, and deletes the key before the shop restarts.
    assert_eq!(refund(&till, id).status, RefundStatus::Pending);
    till.double.forget_keys();
    let till = till.restarted("[\"stripe\"]").await;
    till.wait(TimeDelta::days(2));
    for _ in 0..3 {
        work_on(&till).await;
    }
    assert_eq!(refund(&till, id).status, RefundStatus::Paid);
    assert_eq!(till.kept_at_stripe(), paid - 1000);
}

#[tokio::test]
async fn a_slow_refund_is_followed_to_its_end() {
    let (till, id) = refunding(Card::SLOW_REFUND).await;
    work_on(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Pending);
    till.double.books(super::double::Books::later);
    for _ in 0..3 {
        work_on(&till).await;
    }
    assert_eq!(refund(&till, id).status, RefundStatus::Paid);
}

#[tokio::test]
async fn a_refund_that_stripe_refuses_stays_owed() {
    let (till, id) = refunding(Card::VISA).await;
    let intent = till.attempt().references["intent"].clone();
    // A person has refunded the whole payment by hand, and the shop gets no report.
    let about = (serde_json::json!({}), serde_json::Value::Null);
    till.double
        .books(|books, now| books.refund(&intent, None, about, now).unwrap());
    work_on(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Refused);
}

#[tokio::test]
async fn a_refund_that_fails_after_it_was_made_is_owed_again() {
    let (till, id) = refunding(Card::VISA).await;
    let paid = till.kept_at_stripe();
    work_on(&till).await;
    till.hear_all().await;
    assert_eq!(refund(&till, id).status, RefundStatus::Paid);
    assert_eq!(till.kept_at_stripe(), paid - 1000);
    till.double.books(|books, now| {
        let made = books.refunds.all()[0]["id"].as_str().unwrap().to_owned();
        books.fail_refund(&made, now).unwrap()
    });
    till.hear_all().await;
    assert_eq!(refund(&till, id).status, RefundStatus::Failed);
    assert_eq!(till.kept_at_stripe(), paid);
    let tx = crate::support::stores::snapshot(&till.shop.app.store);
    let account = Account::gateway("stripe");
    let held = layby::app::payments::ledger::balance(&tx, till.policy(), &account);
    assert_eq!(held.unwrap().0, paid);
}
