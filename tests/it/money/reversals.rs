//! A gateway takes an authorised payment back, without a dispute.

use layby::app::accounting::resolve::{PaymentWay, Resolution, ResolutionWay};
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Movement};
use layby::domain::payment::refund::RefundMethod;
use layby::domain::payment::sandbox::SandboxState;
use layby::domain::payment::{Payment, PaymentStatus};
use layby::store::tables;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::books::is_clean;
use super::disputes::unresolved;
use super::manual_resolution::resolves;
use super::{attempts, movements, only_refund};
use crate::policies::{Customer, PAYS};
use crate::support::gateways::{Limits, form_callback, form_reversal};
use crate::support::{Shop, two_vehicles};

async fn customer() -> Customer {
    Customer::of(Shop::limited_at(Limits::BY_FORM, "http://127.0.0.1:9").await).await
}

/// Returns the only payment of a quote.
fn payment(shop: &Shop, quote: &str) -> Payment {
    let mut all = attempts(shop, quote.parse().unwrap());
    assert_eq!(all.len(), 1);
    all.remove(0)
}

async fn post(shop: &Shop, body: String) {
    let call = shop.call(Method::POST, "/api/v1/gateway/sandbox/callback");
    let call = call.header("Content-Type", "application/x-www-form-urlencoded");
    let answer = call.body(body).succeeds().await;
    assert!(answer.bytes.starts_with(b"Status=OK"), "{answer:?}");
}

/// Posts the gateway's message that it took the payment back.
async fn reverse(shop: &Shop, payment: &Payment) {
    let key = payment.keys.0.values().next().unwrap();
    let row = shop.row(&tables::SANDBOX, &payment.id);
    post(shop, form_reversal(&row, key)).await;
}

fn resolution(payment: &Payment, way: PaymentWay) -> Resolution {
    Resolution {
        id: payment.id,
        method: ResolutionWay::Payment(way),
        by: "Jo Bloggs".to_string(),
        why: "Paid by transfer".to_string(),
    }
}

#[tokio::test]
async fn a_payment_that_the_gateway_took_back_is_listed_and_its_customer_is_told_once() {
    let ann = customer().await;
    let policy = ann.buys(&two_vehicles(), PAYS).await;
    let shop = &ann.shop;
    let paid = payment(shop, &policy);
    ann.works().await;
    let letters = shop.letters().len();

    reverse(shop, &paid).await;
    reverse(shop, &paid).await;
    // A late message about the success changes nothing.
    let key = paid.keys.0.values().next().unwrap();
    let row = shop.row(&tables::SANDBOX, &paid.id);
    post(shop, form_callback(&row, key)).await;
    ann.works().await;

    let reversed = payment(shop, &policy);
    assert_eq!(reversed.status, PaymentStatus::Reversed);
    assert_eq!(reversed.reversed, Some(paid.amount));
    let moved = movements(shop, policy.parse().unwrap());
    assert_eq!(moved.last(), Some(&Movement::Reversed));
    assert_eq!(
        ann.account(&policy, Account::gateway("sandbox")),
        Pence::ZERO
    );
    is_clean(shop, "after the reversal");
    let read = ann
        .get(&format!("/api/v1/payment/{policy}"))
        .succeeds()
        .await;
    assert_eq!(read.at("/data/status"), "refunded");
    assert_eq!(read.at("/data/unresolved"), "reversed");
    assert_eq!(read.at("/data/reversed"), true);
    assert_eq!(read.at("/data/charged"), true);
    let message = read.text("/data/message");
    assert!(
        message.ends_with("so your cover is not paid. Please call us."),
        "{message}"
    );
    let all = shop.letters();
    assert_eq!(all.len(), letters + 1);
    let reversal = all
        .iter()
        .find(|letter| letter.subject.ends_with("was taken back"));
    let text = &reversal.unwrap().text;
    assert!(text.contains("so your cover is not paid"), "{text}");
    ann.get(&format!("/api/v2/policy/read/{policy}"))
        .succeeds()
        .await;

    let listed = unresolved(shop).await;
    assert_eq!((listed.len(), listed[0].id), (1, Some(paid.id)));
    assert!(listed[0].to_do.contains("--method recovered"), "{listed:?}");
    for way in [PaymentWay::NotPaid, PaymentWay::GivenBack] {
        let refused = resolves(shop, &resolution(&paid, way)).await.unwrap_err();
        assert!(
            refused.contains("is for a payment that the gateway took back"),
            "{refused}"
        );
    }
    let done = resolves(shop, &resolution(&paid, PaymentWay::Recovered))
        .await
        .unwrap();
    assert!(
        done.ends_with("is closed: its cover was paid otherwise, or ended"),
        "{done}"
    );
    resolves(shop, &resolution(&paid, PaymentWay::Recovered))
        .await
        .unwrap_err();
    assert_eq!(unresolved(shop).await, []);
    let read = ann
        .get(&format!("/api/v1/payment/{policy}"))
        .succeeds()
        .await;
    assert_eq!(read.at("/data/unresolved"), &Value::Null);
    assert_eq!(read.at("/data/reversed"), true);
    let message = read.text("/data/message");
    assert!(
        message.ends_with("You owe us nothing more for it."),
        "{message}"
    );
    is_clean(shop, "after the resolution");
}

#[tokio::test]
async fn a_reversal_settles_the_refund_that_was_owed() {
    let ann = customer().await;
    let policy = ann.buys(&two_vehicles(), PAYS).await;
    let shop = &ann.shop;
    let paid = payment(shop, &policy);
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    let owed = only_refund(shop);
    assert!(owed.is_owed());

    reverse(shop, &paid).await;
    let settled = only_refund(shop);
    assert!(settled.was_received(RefundMethod::AlreadyRefunded) && !settled.is_owed());
    assert_eq!(ann.account(&policy, Account::Refunds), Pence::ZERO);
    ann.works().await;
    assert_eq!(shop.row(&tables::SANDBOX, &paid.id).refunds, []);
    is_clean(shop, "after the reversal");
}

#[tokio::test]
async fn a_reversal_before_the_success_ends_the_attempt_without_a_charge() {
    let ann = customer().await;
    let quote = ann
        .create(&two_vehicles())
        .answers(StatusCode::CREATED)
        .await;
    let quote = quote.text("/data/uuid");
    ann.accepts(&quote, false).await;
    let initiate = ann.post(
        "/api/v1/gateway/sandbox/initiate",
        &json!({ "uuid": quote }),
    );
    initiate.succeeds().await;
    let shop = &ann.shop;
    let begun = payment(shop, &quote);
    reverse(shop, &begun).await;
    let row = payment(shop, &quote);
    assert_eq!(row.status, PaymentStatus::Failed);
    let read = ann
        .get(&format!("/api/v1/payment/{quote}"))
        .succeeds()
        .await;
    assert_eq!(read.at("/data/charged"), false);
    assert_eq!(unresolved(shop).await, []);
    is_clean(shop, "after the reversal");

    // The success message arrives after the reversal message. The shop sells nothing without money.
    let mut paid = shop.row(&tables::SANDBOX, &begun.id);
    paid.state = SandboxState::Paid;
    let key = begun.keys.0.values().next().unwrap();
    post(shop, form_callback(&paid, key)).await;
    assert_eq!(payment(shop, &quote).status, PaymentStatus::Failed);
    ann.get(&format!("/api/v2/policy/read/{quote}"))
        .answers(StatusCode::NOT_FOUND)
        .await;
    is_clean(shop, "after the late success");
}
