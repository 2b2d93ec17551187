//! Invalid webhooks, and webhooks about other objects: each gets the right status, and nothing is bought,
//! lost or bought twice.

use chrono::TimeDelta;
use futures_util::future::join_all;
use layby::app::accounting::resolve::{PaymentWay, Resolution, ResolutionWay};
use layby::domain::payment::PaymentStatus;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::double::{Card, SECRET, Webhook};
use super::till::{CALLBACK, Till};
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;

const COMPLETED: &str = "checkout.session.completed";

/// Returns a till whose customer has paid, and Stripe's webhook about it.
async fn paid() -> (Till, Webhook) {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let mut told = till.double.webhooks();
    told.retain(|one| one.kind == COMPLETED);
    let completed = told.remove(0);
    (till, completed)
}

#[tokio::test]
async fn what_stripe_did_not_sign_just_now_is_refused() {
    let (till, told) = paid().await;
    let body = told.body.as_str();
    for signature in [
        till.signed(body, SECRET, 301),
        till.signed(&format!("{body} "), SECRET, 0),
    ] {
        let answer = till.hear_raw(body, &signature).await;
        answer.expect(StatusCode::BAD_REQUEST);
        assert!(!till.sold(), "{signature}");
    }
    // A repetition within five minutes is the same webhook, and sells once.
    till.hear(&told).await.expect(StatusCode::OK);
    till.hear(&told).await.expect(StatusCode::OK);
    assert!(till.sold());
    till.wait(TimeDelta::minutes(6));
    till.hear(&told).await.expect(StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn both_of_two_secrets_are_believed_while_one_replaces_the_other() {
    let (till, told) = paid().await;
    let settings = super::till::settings(&till.double, "[\"stripe\"]");
    let both = settings.replace("[\"whsec_double\"]", "[\"whsec_new\", \"whsec_double\"]");
    let catalogue = layby::products::Catalogue::load(None).unwrap();
    let shop = till.shop.restarted(&both, catalogue).await;
    let hear = async |signature: &str| {
        let call = shop
            .call(Method::POST, CALLBACK)
            .header("Stripe-Signature", signature);
        call.body(told.body.clone()).send().await.status
    };
    assert_eq!(hear(&till.signed(&told.body, "whsec_old", 0)).await, 400);
    assert_eq!(hear(&till.signed(&told.body, "whsec_new", 0)).await, 200);
    assert_eq!(hear(&till.signed(&told.body, SECRET, 0)).await, 200);
    assert!(till.sold());
}

#[tokio::test]
async fn a_message_of_live_mode_is_refused_by_a_shop_in_test_mode() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let live = till.changed(COMPLETED, |event| {
        event["livemode"] = json!(true);
        event["data"]["object"]["livemode"] = json!(true);
    });
    till.hear(&live).await.expect(StatusCode::BAD_REQUEST);
    assert!(!till.sold());
}

#[tokio::test]
async fn what_is_about_nothing_of_ours_is_taken_and_forgotten() {
    let changes: [fn(&mut Value); 5] = [
        |event| event["type"] = json!("customer.created"),
        |event| event["type"] = json!("checkout.session.made_up"),
        // Another party's session of the same Stripe account.
        |event| {
            let session = &mut event["data"]["object"];
            session["id"] = json!("cs_test_other");
            session["client_reference_id"] = json!("order-77");
            session["metadata"] = json!({});
        },
        |event| {
            let session = &mut event["data"]["object"];
            session["id"] = json!("cs_test_other");
            session["client_reference_id"] = Value::Null;
            session["metadata"] = Value::Null;
        },
        // A session of the shop's that does not exist.
        |event| {
            let session = &mut event["data"]["object"];
            session["client_reference_id"] = json!("019e3a5c-0000-7000-8000-000000000000");
        },
    ];
    for change in changes {
        let till = Till::at_the_page().await;
        till.pay(Card::VISA);
        let told = till.changed(COMPLETED, change);
        till.hear(&told).await.expect(StatusCode::OK);
        assert!(!till.sold(), "{}", told.body);
        assert!(till.attempt().status.is_open());
    }
}

#[tokio::test]
async fn a_message_of_another_version_is_taken_and_listed_and_the_payment_asked_for() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let told = till.changed(COMPLETED, |event| {
        event["api_version"] = json!("2031-01-01.next");
        event["data"]["object"]["payment_status"] = json!({ "of": "another form" });
    });
    // A repeated webhook counts once.
    for _ in 0..2 {
        till.hear(&told).await.expect(StatusCode::OK);
    }
    assert!(!till.sold());
    // A job asks for the payment's status at once.
    till.shop.work().await;
    assert!(till.sold());
    let listed = unresolved(&till.shop).await;
    let messages = listed.iter().filter(|row| row.what == "message");
    let messages: Vec<_> = messages.collect();
    assert_eq!(messages.len(), 1, "{listed:?}");
    assert!(messages[0].facts.contains(COMPLETED), "{listed:?}");
    let event: Value = serde_json::from_str(&told.body).unwrap();
    assert_eq!(messages[0].reference.as_deref(), event["id"].as_str());
    // The list has the message until a person has followed up the message.
    till.wait(TimeDelta::days(31));
    let listed = unresolved(&till.shop).await;
    assert!(listed.iter().any(|row| row.what == "message"));
    let mut followed_up = Resolution {
        id: messages[0].id.unwrap(),
        method: ResolutionWay::Payment(PaymentWay::NotPaid),
        by: "Jo Bloggs".to_owned(),
        why: "read it in Workbench".to_owned(),
    };
    resolves(&till.shop, &followed_up).await.unwrap_err();
    followed_up.method = ResolutionWay::Message;
    resolves(&till.shop, &followed_up).await.unwrap();
    let again = resolves(&till.shop, &followed_up).await.unwrap_err();
    assert!(again.contains("there is no such message"), "{again}");
    let listed = unresolved(&till.shop).await;
    assert!(!listed.iter().any(|row| row.what == "message"));

    // A webhook without any reference to the shop is accepted too.
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let told = till.changed(COMPLETED, |event| {
        event["data"]["object"] = json!({ "object": "checkout.session" });
    });
    till.hear(&told).await.expect(StatusCode::OK);
    assert_eq!(unresolved(&till.shop).await, []);
    assert_eq!(till.looks().await.at("/data/status"), "paid");

    // A signed body that is no event is ignored.
    for body in ["[]", "{}", "null", "<html>", "{\"id\":1}"] {
        let answer = till.hear_raw(body, &till.signed(body, SECRET, 0)).await;
        answer.expect(StatusCode::BAD_REQUEST);
    }
}

#[tokio::test]
async fn another_amount_buys_nothing_and_goes_back() {
    for amount in [1, 999_999] {
        let till = Till::at_the_page().await;
        till.pay(Card::VISA);
        let told = till.changed(COMPLETED, |event| {
            event["data"]["object"]["amount_total"] = json!(amount);
        });
        till.hear(&told).await.expect(StatusCode::OK);
        assert!(!till.sold());
        let attempt = till.attempt();
        assert_eq!(attempt.status, PaymentStatus::Paid);
        assert!(!attempt.is_applied());
    }
}

#[tokio::test]
async fn another_currency_buys_nothing_and_is_for_a_person_to_look_at() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    let told = till.changed(COMPLETED, |event| {
        event["data"]["object"]["currency"] = json!("eur");
    });
    till.hear(&told).await.expect(StatusCode::OK);
    assert!(!till.sold());
    assert_eq!(till.attempt().status, PaymentStatus::Unresolved);
}

#[tokio::test]
async fn forgeries_by_the_thousand_change_nothing() {
    let (till, told) = paid().await;
    let forged = till.signed(&told.body, "whsec_other", 0);
    let all = (0..1000).map(|_| till.hear_raw(&told.body, &forged));
    for answer in join_all(all).await {
        answer.expect(StatusCode::BAD_REQUEST);
    }
    assert!(!till.sold());
    till.hear(&told).await.expect(StatusCode::OK);
    assert!(till.sold());
}
