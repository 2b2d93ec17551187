//! The shop's requests in a file that Stripe's official library checks (`tests/stripe/judge.py`).
//! After an intended change: `LAYBY_WRITE_FIXTURES=1 cargo nextest run -E 'test(stripe::requests)'`.

use layby::clock::Clock;
use layby::domain::money::Pence;
use layby::domain::payment::{Consent, InstalmentNumbers, Mode, Payment, PaymentStatus, Purpose};
use layby::integrations::payments::stripe::{StripeClient, StripeGateway, StripeRefundOrder};
use layby::integrations::payments::{ChargeRequest, Gateway};
use serde_json::{Value, json};
use uuid::Uuid;

use super::double::{Card, Double, Seen};
use super::{client, double, now, order};
use crate::support::card_keeper::charge_of;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/fixtures/stripe/requests.json"
);

fn written(seen: &Seen) -> Value {
    let sent = |name: &str| seen.headers.get(name).cloned();
    json!({
        "call": seen.call,
        "version": sent("stripe-version"),
        "idempotency_key": sent("idempotency-key"),
        "pairs": seen.pairs,
    })
}

/// Keeps a card, charges it for a renewal and for an instalment that the bank declines, and removes it.
async fn use_card(double: &Double, client: &StripeClient) {
    let mut first = order();
    (first.payment, first.keeps_card) = (Uuid::from_u128(4), true);
    let session = client.begin(&first, now()).await.unwrap();
    double.books(|books, now| books.pay(&session.id, Card::VISA, now).unwrap());
    let (customer, method) = double.books(|books, _| {
        let customer = books.customers.all()[0]["id"].as_str().unwrap().to_owned();
        (customer, books.stored_cards().remove(0))
    });
    let quote = Uuid::from_u128(7);
    let terms = (1, Pence(4999));
    let mut paid = Payment::on_page(
        first.payment,
        quote,
        terms,
        ("stripe", Mode::Test),
        Purpose::Sale,
        now(),
    );
    paid.status = PaymentStatus::Paid;
    paid.consent = Some(Consent::for_renewals(28, true, None, now()));
    paid.references.insert("session".to_owned(), session.id);
    let (mut renewal, mut card) = charge_of(&paid, ("payment_method", &method), "1");
    card.card.tokens.0.insert("customer".to_owned(), customer);
    renewal.keys = card.card.tokens.clone();
    let mut instalment = renewal.clone();
    instalment.id = Uuid::from_u128(6);
    instalment.purpose = Purpose::Instalments(InstalmentNumbers::new(&[2]));
    let gateway = StripeGateway::new(client.clone(), Vec::new(), Clock::fixed(now()));
    assert!(gateway.status(&paid).await.unwrap().card.is_some());
    for (attempt, decline) in [(&renewal, None), (&instalment, Some(("lost_card", None)))] {
        double.books(|books, _| books.declines_charges = decline);
        let charge = ChargeRequest {
            attempt,
            instrument: &card,
            description: "Vehicle breakdown cover, BRK000000018",
            is_resubmission: false,
            return_url: "",
        };
        gateway.charge(charge).await.unwrap();
    }
    for _ in 0..2 {
        gateway.detach(&card).await.unwrap();
        double.forget_keys();
    }
}

#[tokio::test]
async fn every_kind_of_request_is_the_one_that_was_judged() {
    let double = double();
    let client = client(&double);
    let session = client.begin(&order(), now()).await.unwrap();
    client.session(&session.id).await.unwrap();
    client.find(order().payment, now()).await.unwrap().unwrap();
    let mut second = order();
    second.payment = Uuid::from_u128(2);
    second.email = None;
    let closed = client.begin(&second, now()).await.unwrap();
    client.expire(&closed.id).await.unwrap();
    double.books(|books, now| books.pay(&session.id, Card::VISA, now).unwrap());
    let paid = client.session(&session.id).await.unwrap();
    let intent = paid.intent_id().unwrap().to_owned();
    let refund = StripeRefundOrder {
        refund: Uuid::from_u128(3),
        payment: order().payment,
        intent,
        amount: Pence(1000),
    };
    client.refund(&refund).await.unwrap();
    client
        .find_refund(&refund.intent, refund.refund)
        .await
        .unwrap()
        .unwrap();
    client.try_key().await.unwrap();
    use_card(&double, &client).await;

    for seen in double.seen() {
        assert_eq!(seen.headers["authorization"], "Bearer sk_test_double");
        assert!(seen.headers["x-request-id"].parse::<Uuid>().is_ok());
        assert!(seen.headers["user-agent"].starts_with("layby/"));
    }
    let sent: Vec<String> = double
        .seen()
        .iter()
        .map(|seen| written(seen).to_string())
        .collect();
    let text = format!(
        "[
{}
]
",
        sent.join(
            ",
"
        )
    );
    if std::env::var_os("LAYBY_WRITE_FIXTURES").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(FILE).unwrap_or_default());
}
