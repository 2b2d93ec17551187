//! The shop's requests in a file that `tests/globalpayments/judge.py` compares with the reference's form.
//! After an intended change:
//! `LAYBY_WRITE_FIXTURES=1 cargo nextest run -E 'test(globalpayments::requests)'`.

use layby::domain::money::Pence;
use layby::domain::payment::{InstalmentNumbers, Payer, Purpose};
use layby::integrations::payments::ChargeRequest;
use layby::integrations::payments::globalpayments::GpRefundOrder;
use serde_json::{Value, json};
use uuid::Uuid;

use super::double::{Entered, Seen};
use super::till::Till;
use super::{client, double, now, order};
use crate::support::card_keeper::charge_of;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/fixtures/globalpayments/requests.json"
);

fn written(seen: &Seen) -> Value {
    let sent = |name: &str| seen.headers.get(name).cloned();
    json!({
        "call": seen.call,
        "query": seen.query,
        "version": sent("x-gp-version"),
        "idempotency_key": sent("x-gp-idempotency"),
        "body": seen.body,
    })
}

#[tokio::test]
async fn every_kind_of_request_is_the_one_that_was_judged() {
    let double = double();
    let client = client(&double);
    let link = client.begin(&order(), now()).await.unwrap();
    client.link(&link.id).await.unwrap();
    client.find_link(order().payment).await.unwrap().unwrap();
    // Only the mail address of this payer is known.
    let mut second = order();
    second.payment = Uuid::from_u128(2);
    second.payer = Payer {
        email: order().payer.email,
        ..Payer::default()
    };
    let other = client.begin(&second, now()).await.unwrap();
    client.end_link(&other.id).await.unwrap();
    double.books(|books, now| books.pay(&link.id, Entered::Good, now));
    let payments = client.find_payments(order().payment).await.unwrap();
    let transaction = payments[0].id.clone();
    client.transaction(&transaction).await.unwrap();
    let refund = GpRefundOrder {
        refund: Uuid::from_u128(3),
        transaction,
        amount: Pence(1000),
    };
    client.refund(&refund).await.unwrap();
    // The payer of this link agreed that the card is kept, and is charged a year later.
    let mut third = order();
    (third.payment, third.keeps_card) = (Uuid::from_u128(4), true);
    let link = client.begin(&third, now()).await.unwrap();
    double.books(|books, now| books.pay(&link.id, Entered::Good, now));
    let payments = client.find_payments(third.payment).await.unwrap();
    let card = client.stored_card(&payments[0].id).await.unwrap().unwrap();
    let token = card.tokens.0["payment_method"].clone();
    let scheme_reference = card.scheme_reference.unwrap();
    let till = Till::at_the_page().await;
    let token = ("payment_method", token.as_str());
    let (mut attempt, instrument) = charge_of(&till.attempt(), token, &scheme_reference);
    let instalment = Purpose::Instalments(InstalmentNumbers::new(&[1]));
    for (is_resubmission, id, purpose) in [
        (false, 5, Purpose::Renewal),
        (true, 6, Purpose::Renewal),
        (false, 7, instalment),
    ] {
        (attempt.id, attempt.purpose) = (Uuid::from_u128(id), purpose);
        let charge = ChargeRequest {
            attempt: &attempt,
            instrument: &instrument,
            description: "Vehicle breakdown cover, BRK000000018",
            is_resubmission,
            return_url: "",
        };
        client.charge_card(&charge).await.unwrap();
    }
    client.remove_card(&instrument.card).await.unwrap();

    for seen in double.seen() {
        let has_token = seen.headers.contains_key("authorization");
        assert_eq!(has_token, seen.call != "POST /accesstoken", "{}", seen.call);
        assert!(seen.headers["x-request-id"].parse::<Uuid>().is_ok());
        assert!(seen.headers["user-agent"].starts_with("layby/"));
    }
    let sent: Vec<_> = double.seen().iter().map(written).collect();
    let text = serde_json::to_string_pretty(&sent).unwrap() + "\n";
    if std::env::var_os("LAYBY_WRITE_FIXTURES").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(FILE).unwrap_or_default());
}
