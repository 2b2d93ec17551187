//! Unusual payments: a late start, a wrong clock, another mode, too small amounts, or incomplete reports.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{PaymentWay, Resolution, ResolutionWay};
use layby::domain::payment::{Mode, PaymentStatus};
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::double::{Card, Fault, Outcome, SECRET, Webhook};
use super::till::{Till, settings};
use super::{client, double, now, order};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::support::stores::snapshot;

const BEGIN: &str = "POST /v1/checkout/sessions";
const COMPLETED: &str = "checkout.session.completed";

#[tokio::test]
async fn a_page_is_made_and_paid_by_a_clock_that_is_a_day_wrong() {
    for ahead in [true, false] {
        let till = Till::open().await;
        if ahead {
            till.our_clock_is_ahead_by(TimeDelta::days(1));
        } else {
            till.our_clock_is_behind_by(TimeDelta::days(1));
        }
        till.initiate().await.expect(StatusCode::OK);
        assert_eq!(till.pay(Card::VISA), Outcome::Paid);
        assert_eq!(till.looks().await.at("/data/status"), "paid");
        assert_eq!((till.sessions(), till.sold()), (1, true));
    }
}

#[tokio::test]
async fn an_address_that_stripe_refuses_is_asked_for_on_its_page() {
    let double = double();
    let mut unusual = order();
    unusual.email = Some("ann at example".to_owned());
    let made = client(&double).begin(&unusual, now()).await.unwrap();
    let again = client(&double).begin(&unusual, now()).await.unwrap();
    assert_eq!(made.id, again.id);
    let shown = double.books(|books, _| books.sessions.all().to_vec());
    assert_eq!(
        (shown.len(), &shown[0]["customer_email"]),
        (1, &Value::Null)
    );
}

#[tokio::test]
async fn a_payment_that_got_no_page_for_a_day_is_begun_anew() {
    let till = Till::open().await;
    for _ in 0..3 {
        till.double.fail(BEGIN, Fault::Html(503));
    }
    let busy = till.initiate().await;
    busy.expect(StatusCode::SERVICE_UNAVAILABLE);
    till.wait(TimeDelta::minutes(23 * 60 + 30));
    till.initiate().await.expect(StatusCode::OK);
    let attempts = till.attempts();
    let statuses: Vec<_> = attempts.iter().map(|attempt| attempt.status).collect();
    assert_eq!(statuses, [PaymentStatus::Failed, PaymentStatus::Pending]);
    till.pay(Card::VISA);
    till.hear_all().await;
    assert!(till.sold());
}

#[tokio::test]
async fn a_page_of_test_mode_is_never_shown_by_a_shop_in_live_mode() {
    let till = Till::at_the_page().await;
    let live = settings(&till.double, "[\"stripe\"]")
        .replace("test = true", "test = false")
        .replace("sk_test_double", "sk_live_double");
    let old = till.session();
    till.double.books(|books, _| books.live = true);
    let till = till.restarted_with(&live).await;
    till.wait(TimeDelta::minutes(1));
    let started = till.initiate().await.expect(StatusCode::OK);
    assert!(!started.text("/data/url").contains(&old));
    let modes: Vec<_> = till.attempts().iter().map(|one| one.mode).collect();
    assert_eq!(modes, [Mode::Test, Mode::Live]);
    till.pay(Card::VISA);
    till.hear_all().await;
    assert!(till.sold());
}

#[tokio::test]
async fn a_payment_without_its_amount_is_asked_for_and_not_taken_for_nothing() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let told = till.changed(COMPLETED, |event| {
        event["data"]["object"]["amount_total"] = Value::Null;
    });
    let heard = till.hear(&told).await;
    heard.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(till.attempt().status, PaymentStatus::Pending);
    assert_eq!(till.looks().await.at("/data/status"), "paid");
    assert!(till.sold());
}

#[tokio::test]
async fn less_than_the_whole_that_was_taken_buys_nothing_and_goes_back() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    till.double.webhooks();
    let intent = till.double.books(|books, _| books.intents.all()[0].clone());
    let part = json!({ "amount_received": 100 });
    till.double
        .books(|books, _| books.intents.change(intent["id"].as_str().unwrap(), part));
    assert_eq!(till.looks().await.at("/data/status"), "refunded");
    assert!(!till.sold());
}

#[tokio::test]
async fn money_in_another_currency_ends_the_word_that_no_charge_was_made() {
    let till = Till::at_the_page().await;
    let session = till.session();
    till.double
        .books(|books, now| books.expire(&session, now).unwrap());
    till.hear_all().await;
    let read = till.shop.payment(&till.quote).await;
    assert_eq!(read.at("/data/charged"), false);
    let open = json!({ "status": "open" });
    till.double
        .books(|books, _| books.sessions.change(&session, open));
    till.pay(Card::VISA);
    let told = till.changed(COMPLETED, |event| {
        event["data"]["object"]["currency"] = json!("eur");
    });
    till.hear(&told).await.expect(StatusCode::OK);
    let attempt = till.attempt();
    assert_eq!(attempt.status, PaymentStatus::Unresolved);
    let said = attempt.message.unwrap();
    assert!(said.starts_with("Your card was charged in another currency"));
    let listed = unresolved(&till.shop).await;
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert!(listed[0].facts.contains("another currency"), "{listed:?}");
    assert!(
        listed[0].to_do.starts_with("Give all of it back"),
        "{listed:?}"
    );
    let read = till.shop.payment(&till.quote).await;
    assert_eq!(read.at("/data/unresolved"), "other_currency");
    assert_eq!(read.at("/data/charged"), true);

    // A person refunds the payment. Later the shop deletes the quote.
    let closes = |way| Resolution {
        id: attempt.id,
        method: ResolutionWay::Payment(way),
        by: "Jo Bloggs".to_owned(),
        why: "given back in the Dashboard".to_owned(),
    };
    let shop = &till.shop;
    let refused = resolves(shop, &closes(PaymentWay::NotPaid)).await;
    let refused = refused.unwrap_err();
    assert!(refused.contains("the card was charged"), "{refused}");
    resolves(shop, &closes(PaymentWay::GivenBack))
        .await
        .unwrap();
    assert_eq!(unresolved(shop).await, []);
    let read = shop.payment(&till.quote).await;
    assert_eq!(read.at("/data/status"), "refunded");
    assert_eq!(read.at("/data/refund"), "paid");
    is_clean(shop, "after it was given back");
    till.wait(TimeDelta::days(92));
    layby::app::jobs::daily(&shop.app).await.unwrap();
    let tx = snapshot(&shop.app.store);
    assert!(!tables::QUOTES.has(&tx, &attempt.quote).unwrap());
}

#[tokio::test]
async fn another_session_of_the_same_payment_that_fails_ends_nothing() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let told = till.changed(COMPLETED, |event| {
        event["type"] = json!("checkout.session.async_payment_failed");
        event["data"]["object"]["id"] = json!("cs_test_other");
        event["data"]["object"]["payment_status"] = json!("unpaid");
    });
    till.hear(&told).await.expect(StatusCode::OK);
    assert!(till.attempt().status.is_open());
}

#[tokio::test]
async fn a_second_paid_session_of_one_payment_is_listed_and_the_first_stays_the_one_to_refund() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let messages = till.double.webhooks();
    for message in &messages {
        till.hear(message).await.expect(StatusCode::OK);
    }
    assert!(till.sold());
    let first = till.attempt().references;
    let completed = messages.iter().find(|one| one.kind == COMPLETED).unwrap();
    let mut event: Value = serde_json::from_str(&completed.body).unwrap();
    event["id"] = json!("evt_other");
    event["data"]["object"]["id"] = json!("cs_test_other");
    event["data"]["object"]["payment_intent"] = json!("pi_other");
    let second = Webhook::of(&event, &[SECRET.to_owned()], now().timestamp());
    for _ in 0..2 {
        till.hear(&second).await.expect(StatusCode::OK);
    }
    assert_eq!(till.attempt().references, first);
    let listed = unresolved(&till.shop).await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].reference.as_deref(), Some("pi_other"));
}

#[tokio::test]
async fn while_stripe_fails_many_who_ask_at_once_are_one_caller_to_it() {
    let till = Till::open().await;
    for _ in 0..3 {
        till.double.fail(BEGIN, Fault::Html(503));
    }
    let calls = (0..50).map(|_| till.initiate());
    for answer in futures_util::future::join_all(calls).await {
        answer.expect(StatusCode::SERVICE_UNAVAILABLE);
    }
    assert_eq!(till.double.times(BEGIN), 3);
    till.initiate().await.expect(StatusCode::OK);
    assert_eq!(till.sessions(), 1);
}
