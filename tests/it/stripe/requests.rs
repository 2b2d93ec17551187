//! The shop's requests in a file that Stripe's official library checks (`tests/stripe/judge.py`).
//! After an intended change: `LAYBY_WRITE_FIXTURES=1 cargo nextest run -E 'test(stripe::requests)'`.

use layby::domain::money::Pence;
use layby::integrations::payments::stripe::StripeRefundOrder;
use serde_json::{Value, json};
use uuid::Uuid;

use super::double::{Card, Seen};
use super::{client, double, now, order};

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
