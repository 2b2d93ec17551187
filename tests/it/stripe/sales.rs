//! Sales through Stripe. Reports come in any order, repeatedly or late, and the policy is made once.

use chrono::TimeDelta;
use futures_util::StreamExt;
use futures_util::future::join_all;
use layby::domain::payment::{Mode, PaymentStatus};
use layby::store::{Direction, tables};
use poem::http::StatusCode;

use super::double::{Card, Outcome};
use super::till::{Till, settings};
use crate::support::stores::snapshot;
use crate::support::two_vehicles;

/// Checks that there is one policy, one payment, and correct books.
fn assert_sold_once(till: &Till) {
    assert!(till.sold());
    let attempt = till.attempt();
    assert!(attempt.is_applied());
    assert_eq!(till.kept_at_stripe(), attempt.amount.0);
    let tx = snapshot(&till.shop.app.store);
    let entries = tables::LEDGER
        .list(&tx, &till.policy(), Direction::Forward, 100)
        .unwrap();
    let paid = entries
        .iter()
        .filter(|(_, entry)| entry.cause_id == attempt.id);
    assert_eq!(paid.count(), 1);
}

#[tokio::test]
async fn a_customer_is_sent_to_stripes_page_pays_and_is_covered() {
    let till = Till::open().await;
    let started = till.initiate().await.expect(StatusCode::OK);
    let page = format!("{}/pay/{}", till.double.address(), till.session());
    assert_eq!(started.at("/data/url"), &serde_json::json!(page));
    assert_eq!(started.at("/data/kind"), "redirect");
    assert_eq!(started.at("/data/method"), "GET");
    let attempt = till.attempt();
    assert_eq!(attempt.references["session"], till.session());
    assert_eq!(attempt.mode, Mode::Test);
    // Each repetition returns the same page.
    let again = till.initiate().await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/url"), started.at("/data/url"));

    assert_eq!(till.pay(Card::VISA), Outcome::Paid);
    till.hear_all().await;
    assert_sold_once(&till);
    assert!(till.attempt().references["intent"].starts_with("pi_"));
    assert_eq!(till.looks().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn the_customer_may_come_back_before_the_message_or_after_it() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    assert_eq!(till.looks().await.at("/data/status"), "paid");
    assert_sold_once(&till);
    till.hear_all().await;
    assert_sold_once(&till);
}

#[tokio::test]
async fn messages_may_come_twice_in_any_order_late_or_never() {
    let till = Till::at_the_page().await;
    till.pay(Card::DECLINED);
    till.pay(Card::VISA);
    let mut told = till.double.webhooks();
    assert!(told.len() > 2);
    told.reverse();
    for webhook in told.iter().chain(told.iter().rev()) {
        till.hear(webhook).await.expect(StatusCode::OK);
        assert!(till.sold() || webhook.kind == "charge.succeeded");
    }
    assert_sold_once(&till);

    let till = Till::at_the_page().await;
    till.paid_and_nothing_heard();
    for _ in 0..5 {
        till.wait(TimeDelta::minutes(1));
        till.shop.work().await;
    }
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_thousand_messages_at_once_make_one_policy() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let told = till.double.webhooks();
    let all = told
        .iter()
        .cycle()
        .take(1000)
        .map(|webhook| till.hear(webhook));
    for answer in join_all(all).await {
        answer.expect(StatusCode::OK);
    }
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_declined_card_ends_nothing_while_the_page_is_open() {
    let till = Till::at_the_page().await;
    assert_eq!(till.pay(Card::DECLINED), Outcome::Declined);
    till.hear_all().await;
    assert!(till.attempt().status.is_open());
    assert_eq!(
        till.looks().await.at("/data/charged"),
        &serde_json::Value::Null
    );
    assert_eq!(till.pay(Card::VISA), Outcome::Paid);
    till.hear_all().await;
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_declined_card_counts_for_its_client_while_the_page_is_open() {
    let till = Till::open().await;
    let limit = "[limits]\nfailed_payments_per_client = 1\n";
    let settings = settings(&till.double, "[\"stripe\"]") + limit;
    let mut till = till.restarted_with(&settings).await;
    till.initiate().await.expect(StatusCode::OK);
    assert_eq!(till.pay(Card::DECLINED), Outcome::Declined);
    till.hear_all().await;
    assert!(till.attempt().status.is_open());
    till.quote = till.shop.quote(&two_vehicles()).await;
    till.shop.accept(&till.quote).await.expect(StatusCode::OK);
    let refused = till.initiate().await;
    refused.expect(StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_page_that_nobody_paid_is_closed_for_good() {
    let till = Till::at_the_page().await;
    till.wait(TimeDelta::hours(24));
    assert_eq!(till.pay(Card::VISA), Outcome::TooLate);
    till.hear_all().await;
    let attempt = till.attempt();
    assert_eq!(attempt.status, PaymentStatus::Failed);
    assert!(attempt.failure.unwrap().is_final);
    assert!(!till.sold());
    assert_eq!(till.kept_at_stripe(), 0);
}

#[tokio::test]
async fn a_page_that_was_paid_after_we_closed_it_still_buys_the_policy() {
    let till = Till::at_the_page().await;
    let session = till.session();
    till.double
        .books(|books, now| books.expire(&session, now).unwrap());
    till.hear_all().await;
    assert_eq!(till.attempt().status, PaymentStatus::Failed);
    let open = serde_json::json!({ "status": "open" });
    till.double
        .books(|books, _| books.sessions.change(&session, open));
    assert_eq!(till.pay(Card::VISA), Outcome::Paid);
    till.hear_all().await;
    assert_sold_once(&till);
}

#[tokio::test]
async fn two_pages_that_were_both_paid_make_one_policy_and_one_refund() {
    let till = Till::at_the_page().await;
    let first = till.session();
    // The second attempt closes the first page. The customer had just paid there, and Stripe had not reported
    // it yet.
    till.double
        .books(|books, now| books.expire(&first, now).unwrap());
    till.hear_all().await;
    till.initiate().await.expect(StatusCode::OK);
    assert_eq!(till.pay(Card::VISA), Outcome::Paid);
    let open = serde_json::json!({ "status": "open" });
    till.double
        .books(|books, _| books.sessions.change(&first, open));
    till.double
        .books(|books, now| books.pay(&first, Card::VISA, now).unwrap());
    till.hear_all().await;
    assert!(till.sold());
    till.shop.work().await;
    let attempts = till.attempts();
    let bought: Vec<_> = attempts.iter().filter(|one| one.is_applied()).collect();
    assert_eq!((attempts.len(), bought.len()), (2, 1));
    assert_eq!(till.kept_at_stripe(), bought[0].amount.0);
}

#[tokio::test]
async fn the_clock_may_be_a_day_early_or_late() {
    // Shop's clock ahead: Stripe's signature looks a day old and is refused. A status query finds the
    // payment.
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    till.our_clock_is_ahead_by(TimeDelta::days(1));
    for webhook in till.double.webhooks() {
        till.hear(&webhook).await.expect(StatusCode::BAD_REQUEST);
    }
    till.shop.work().await;
    assert_sold_once(&till);

    // Shop's clock behind: Stripe's signature looks like tomorrow's, and is accepted.
    let till = Till::at_the_page().await;
    till.our_clock_is_behind_by(TimeDelta::hours(20));
    till.pay(Card::VISA);
    till.hear_all().await;
    assert_sold_once(&till);
}

#[tokio::test]
async fn a_thousand_calls_at_once_for_one_quote_make_one_page() {
    let till = Till::open().await;
    let calls = futures_util::stream::iter(0..1000).map(|_| till.initiate());
    let mut answers = calls.buffer_unordered(64);
    while let Some(started) = answers.next().await {
        assert!(
            [200, 429].contains(&started.status.as_u16()),
            "{:?}",
            started.body
        );
    }
    // Stripe receives the request once, not a thousand times.
    assert_eq!(till.sessions(), 1);
    assert_eq!(till.double.times("POST /v1/checkout/sessions"), 1);
}

#[tokio::test]
async fn clocks_that_differ_by_ten_minutes_sell() {
    for minutes in [10, -10] {
        let till = Till::at_the_page().await;
        till.our_clock_is_ahead_by(TimeDelta::minutes(minutes));
        till.pay(Card::VISA);
        for webhook in till.double.webhooks() {
            till.hear(&webhook).await;
        }
        till.shop.work().await;
        assert_sold_once(&till);
    }
}

#[tokio::test]
async fn an_older_page_that_is_paid_sells_and_ends_the_newer_one() {
    let till = Till::at_the_page().await;
    let first = till.session();
    // The first page was ended, and is paid in the same moment.
    till.double
        .books(|books, now| books.expire(&first, now).unwrap());
    till.hear_all().await;
    till.initiate().await.expect(StatusCode::OK);
    assert_ne!(till.session(), first);
    till.double.books(|books, now| {
        let open = serde_json::json!({ "status": "open" });
        books.sessions.change(&first, open);
        books.pay(&first, Card::VISA, now).unwrap()
    });
    till.hear_all().await;
    assert!(till.sold());
    till.shop.work().await;
    assert_ne!(till.pay(Card::VISA), Outcome::Paid);
    assert_eq!(till.attempts().len(), 2);
}
