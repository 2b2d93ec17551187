//! Sales through Smartpay Fuse. Answers come in any order, repeatedly, late or never, and the policy is made
//! once.

use std::time::Duration;

use chrono::TimeDelta;
use layby::domain::money::Pence;
use layby::domain::payment::{FailureClass, Mode, PaymentStatus};
use poem::http::StatusCode;
use tokio::time::timeout;

use super::double::{Pairs, Refused, Verdict};
use super::faults::Fault;
use super::till::{Till, get, settings, with};
use crate::money::disputes::unresolved;

#[tokio::test]
async fn a_repeated_call_gets_its_form_again_while_the_form_works() {
    let till = Till::open().await;
    let initiate = || {
        let body = serde_json::json!({ "uuid": till.quote.uuid });
        let call = till
            .shop
            .post("/api/v1/gateway/smartpayfuse/initiate", &body);
        let call = call.bearer(&till.quote.token);
        call.header("Idempotency-Key", "pay-once-1").send()
    };
    let first = initiate().await.expect(StatusCode::OK);
    till.wait(TimeDelta::minutes(13));
    let again = initiate().await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/fields"), first.at("/data/fields"));
    till.wait(TimeDelta::minutes(1));
    let late = initiate().await.expect(StatusCode::OK);
    assert_ne!(late.at("/data/payment_id"), first.at("/data/payment_id"));
    assert_eq!(till.attempts().len(), 2);
}

#[tokio::test]
async fn a_customer_gets_a_signed_form_pays_and_is_covered() {
    let till = Till::open().await;
    let started = till.initiate().await.expect(StatusCode::OK);
    let page = format!("{}/embedded/pay", till.double.address());
    assert_eq!(started.at("/data/url"), &serde_json::json!(page));
    assert_eq!(started.at("/data/kind"), "iframe");
    assert_eq!(started.at("/data/method"), "POST");
    let attempt = till.attempt();
    assert_eq!(
        (attempt.mode, attempt.status),
        (Mode::Test, PaymentStatus::Pending)
    );
    assert_eq!(
        started.text("/data/fields/reference_number"),
        attempt.id.to_string()
    );
    assert_eq!(
        started.text("/data/fields/transaction_uuid"),
        attempt.id.simple().to_string()
    );
    // The form needs no call.
    assert_eq!(till.double.seen().len(), 0);
    // The form names the payer, and has neither a key's secret nor an unsigned field.
    let fields = started.at("/data/fields").as_object().unwrap();
    for name in [
        "bill_to_forename",
        "bill_to_surname",
        "bill_to_address_line1",
        "bill_to_address_postal_code",
    ] {
        assert!(!fields[name].as_str().unwrap().is_empty(), "{name}");
    }
    assert_eq!(fields["unsigned_field_names"], "");
    assert!(!started.body.to_string().contains(super::double::SECRET));
    let fields: Pairs = fields
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
        .collect();
    let page = till.double.open("/embedded/pay", &fields).unwrap();
    let answer = till.double.end(page, Verdict::Accept);
    till.post(&answer).await.expect(StatusCode::OK);
    till.assert_sold_once();
    let attempt = till.attempt();
    assert_eq!(
        attempt.references["transaction"],
        get(&answer, "transaction_id")
    );
    assert_eq!(
        attempt.paid_at.unwrap().timestamp(),
        till.shop.clock.now().timestamp()
    );
    assert_eq!(till.looks().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn a_form_is_refused_when_it_is_changed_or_old() {
    let till = Till::open().await;
    let form = till.form().await;
    for (name, _) in &form {
        let changed = with(&form, name, "changed");
        assert!(
            till.double.open("/embedded/pay", &changed).is_err(),
            "{name}"
        );
    }
    till.wait(TimeDelta::minutes(16));
    let refused = till.double.open("/embedded/pay", &form);
    assert_eq!(refused, Err(Refused("signed_date_time")));
}

#[tokio::test]
async fn each_showing_is_a_new_attempt_and_an_old_one_is_followed() {
    let till = Till::open().await;
    let (first, second) = (till.form().await, till.form().await);
    assert_ne!(
        get(&first, "transaction_uuid"),
        get(&second, "transaction_uuid")
    );
    let started = till.initiate().await.expect(StatusCode::OK);
    assert_eq!(started.at("/data/resumed"), false);
    assert!(started.at("/data/fields/signature").is_string());
    assert_eq!(till.attempts().len(), 3);
    till.assert_open();
    // The first page is still open, and buys.
    let page = till.double.open("/embedded/pay", &first).unwrap();
    let answer = till.double.end(page, Verdict::Accept);
    till.post(&answer).await.expect(StatusCode::OK);
    till.assert_sold_once();
}

#[tokio::test]
async fn a_whole_page_takes_the_same_form() {
    let till = Till::open_with("frame = false").await;
    let started = till.initiate().await.expect(StatusCode::OK);
    let page = format!("{}/pay", till.double.address());
    assert_eq!(started.at("/data/url"), &serde_json::json!(page));
    assert_eq!(started.at("/data/kind"), "redirect");
    assert_eq!(started.at("/data/method"), "POST");
    let page = till.double.open("/pay", &till.form().await).unwrap();
    let answer = till.double.end(page, Verdict::Accept);
    till.receipt(&answer).await;
    till.assert_sold_once();
}

#[tokio::test]
async fn the_receipt_alone_sells_and_shows_the_usual_page() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let page = till.receipt(&answer).await;
    let link = format!("/payment/processing/{}\" target=\"_top\"", till.quote.uuid);
    assert!(page.contains(&link), "{page}");
    for (name, value) in &answer {
        let is_secret = value.len() > 8 && !link.contains(value);
        assert!(!is_secret || !page.contains(value), "{name}");
    }
    till.assert_sold_once();
}

#[tokio::test]
async fn receipt_and_post_may_come_twice_in_any_order() {
    for order in ["rp", "pr", "rrpp", "prpr"] {
        let till = Till::open().await;
        let answer = till.end(Verdict::Accept).await;
        for one in order.chars() {
            if one == 'r' {
                till.receipt(&answer).await;
            } else {
                let answered = till.post(&answer).await.expect(StatusCode::OK);
                assert!(answered.bytes.is_empty());
            }
            till.assert_sold_once();
        }
    }
}

#[tokio::test]
async fn a_hundred_posts_at_once_make_one_policy() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let all = (0..100).map(|_| till.post(&answer));
    for answered in futures_util::future::join_all(all).await {
        answered.expect(StatusCode::OK);
    }
    till.assert_sold_once();
}

#[tokio::test]
async fn with_neither_receipt_nor_post_the_shop_asks() {
    // The customer's page asks.
    let till = Till::open().await;
    till.end(Verdict::Accept).await;
    assert_eq!(till.looks().await.at("/data/status"), "paid");
    till.assert_sold_once();

    // The browser was closed: a job asks.
    let till = Till::open().await;
    till.end(Verdict::Accept).await;
    till.work().await;
    till.assert_sold_once();
}

#[tokio::test]
async fn a_payment_that_a_search_finds_only_after_hours_sells_then() {
    let till = Till::open().await;
    till.double.books(|books, _| books.search_delay = 10 * 3600);
    till.end(Verdict::Accept).await;
    for _ in 0..3 {
        let seen = till.looks().await;
        assert_eq!(seen.at("/data/charged"), &serde_json::Value::Null);
        till.work().await;
        till.assert_open();
    }
    till.wait(TimeDelta::hours(10));
    till.work().await;
    till.assert_sold_once();
}

#[tokio::test]
async fn no_record_is_final_after_a_day_and_a_late_post_still_counts() {
    let till = Till::open().await;
    let page = till.page().await;
    // The page can be paid for two hours, and a payment may appear in a search a day later.
    till.wait(TimeDelta::hours(25));
    till.looks().await;
    till.assert_open();
    till.wait(TimeDelta::hours(1));
    till.work().await;
    let attempt = till.attempt();
    assert_eq!(attempt.status, PaymentStatus::Failed);
    assert_eq!(attempt.failure.unwrap().class, FailureClass::Abandoned);
    assert_eq!(till.looks().await.at("/data/charged"), false);
    // The customer still pays on the page.
    let answer = till.double.end(page, Verdict::Accept);
    till.post(&answer).await.expect(StatusCode::OK);
    till.assert_sold_once();
}

#[tokio::test]
async fn two_forms_that_are_both_paid_make_one_policy_and_one_refund() {
    let till = Till::open().await;
    let (first, second) = (till.page().await, till.page().await);
    for page in [second, first] {
        let answer = till.double.end(page, Verdict::Accept);
        till.post(&answer).await.expect(StatusCode::OK);
    }
    for _ in 0..3 {
        till.work().await;
    }
    till.assert_sold_once();
    assert_eq!(till.double.books(|books, _| books.refunds().count()), 1);
}

#[tokio::test]
async fn one_form_that_is_posted_twice_pays_once_and_later_twice() {
    let till = Till::open().await;
    let form = till.form().await;
    let open = || till.double.open("/embedded/pay", &form).unwrap();
    let (first, second) = (open(), open());
    let answer = till.double.end(second, Verdict::Accept);
    assert_eq!(get(&answer, "reason_code"), "104");
    till.post(&answer).await.expect(StatusCode::OK);
    till.assert_open();
    till.looks().await;
    till.assert_open();
    let answer = till.double.end(first, Verdict::Accept);
    till.post(&answer).await.expect(StatusCode::OK);
    till.assert_sold_once();

    // After 15 minutes nothing is promised. The second payment is listed: a person refunds it.
    let again = with(&answer, "transaction_id", "9999999999999999999999");
    let again = super::till::signed(&again, super::double::SECRET);
    till.post(&again).await.expect(StatusCode::OK);
    till.assert_sold_once();
    let attempt = till.attempt();
    assert_eq!(
        attempt.references["transaction"],
        get(&answer, "transaction_id")
    );
    assert_eq!(attempt.unread_messages.len(), 1);
    assert_eq!(
        attempt.unread_messages[0].reference,
        "9999999999999999999999"
    );
}

/// Makes our clock wrong by `minutes`.
fn set_clock_wrong(till: &Till, minutes: i64) {
    let wrong = TimeDelta::minutes(minutes.abs());
    if minutes > 0 {
        till.our_clock_is_ahead_by(wrong);
    } else {
        till.our_clock_is_behind_by(wrong);
    }
}

#[tokio::test]
async fn two_payments_of_one_form_that_asking_finds_are_one_sale_and_one_listed_payment() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let second = till.double.books(|books, now| {
        let mut again = books.rows[0].clone();
        again.id = books.new_id();
        again.made = now + 1000;
        books.rows.push(again.clone());
        again.id
    });
    till.wait(TimeDelta::hours(1));
    till.work().await;
    assert!(till.sold());
    let attempt = till.attempt();
    assert_eq!(
        attempt.references["transaction"],
        get(&answer, "transaction_id")
    );
    let listed = unresolved(&till.shop).await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].reference, Some(second));
}

#[tokio::test]
async fn the_clock_may_be_ten_minutes_or_a_day_early_or_late() {
    // In both directions, a search by whole days still finds the payment.
    for minutes in [10, -10, 23 * 60, -23 * 60] {
        let till = Till::open().await;
        let answer = till.end(Verdict::Accept).await;
        set_clock_wrong(&till, minutes);
        // The token's time is wrong, so that REST refuses it.
        let seen = till.shop.payment(&till.quote).await.expect(StatusCode::OK);
        assert_eq!(seen.at("/data/status"), "pending");
        till.assert_open();
        // A signed answer has no such limit.
        till.post(&answer).await.expect(StatusCode::OK);
        till.assert_sold_once();
    }
}

#[tokio::test]
async fn while_fuse_never_answers_its_form_is_paid() {
    let till = Till::open().await;
    till.initiate().await.expect(StatusCode::OK);
    for _ in 0..3 {
        till.double.fail("", Fault::LostAnswer);
        till.wait(TimeDelta::seconds(2));
        // The waiting page is answered earlier than the call ends.
        let read = timeout(Duration::from_secs(6), till.shop.payment(&till.quote));
        let read = read.await.unwrap().expect(StatusCode::OK);
        assert_eq!(read.at("/data/status"), "pending");
    }
    // Fuse is not called any more.
    till.looks().await;
    assert_eq!(till.double.seen().len(), 3);
    let answer = till.end(Verdict::Accept).await;
    till.post(&answer).await.expect(StatusCode::OK);
    till.assert_sold_once();
    assert_eq!(till.double.seen().len(), 3);
}

#[tokio::test]
async fn a_form_may_be_ten_minutes_early_or_late_and_one_of_a_day_opens_no_page() {
    for minutes in [10, -10, 24 * 60, -24 * 60] {
        let till = Till::open().await;
        set_clock_wrong(&till, minutes);
        let mut opened = till.double.open("/embedded/pay", &till.form().await);
        if minutes.abs() > 15 {
            assert_eq!(opened, Err(Refused("signed_date_time")));
            till.assert_open();
            // The clock is right again.
            set_clock_wrong(&till, -minutes);
            opened = till.double.open("/embedded/pay", &till.form().await);
        }
        let answer = till.double.end(opened.unwrap(), Verdict::Accept);
        till.post(&answer).await.expect(StatusCode::OK);
        till.assert_sold_once();
    }
}

#[tokio::test]
async fn a_hundred_calls_at_once_for_one_quote_make_ten_forms() {
    let till = Till::open().await;
    let all = (0..100).map(|_| till.initiate());
    let all = futures_util::future::join_all(all).await;
    let count = |status| all.iter().filter(|one| one.status == status).count();
    let limited = count(StatusCode::TOO_MANY_REQUESTS);
    assert_eq!((count(StatusCode::OK), limited), (10, 90));
    assert_eq!(till.attempts().len(), 10);
}

#[tokio::test]
async fn a_gateway_that_is_not_offered_any_more_is_serviced_to_the_end() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let text = settings(&till.double, "[\"sandbox\"]", "");
    let till = till.restarted_with(&text).await;
    till.initiate().await.expect(StatusCode::NOT_FOUND);
    till.post(&answer).await.expect(StatusCode::OK);
    till.assert_sold_once();
    let paid = till.kept();
    till.owe(Pence(1000), 7).await;
    till.work().await;
    assert_eq!(till.kept(), paid - 1000);
}
