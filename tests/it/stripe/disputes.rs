//! Disputes with Stripe's other outcomes than won and lost, and refunds that Stripe refuses because of a
//! dispute.

use chrono::TimeDelta;
use layby::domain::money::ledger::Account;
use layby::domain::payment::dispute::DisputeStatus;
use layby::domain::payment::refund::RefundStatus;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use super::double::Card;
use super::faults::{refund, refunding, work_on};
use super::till::Till;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::support::stores::snapshot;

/// Returns a shop with a paid and disputed payment. The shop has received no report of the dispute.
async fn disputed() -> Till {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    till.hear_all().await;
    let intent = till.attempt().references["intent"].clone();
    till.double
        .books(|books, now| books.dispute(&intent, now).unwrap());
    till
}

fn status(till: &Till) -> DisputeStatus {
    till.shop.rows(&tables::DISPUTES).pop().unwrap().1.status
}

fn written_off(till: &Till) -> i64 {
    let tx = snapshot(&till.shop.app.store);
    let account = &Account::WrittenOff;
    layby::app::payments::ledger::balance(&tx, till.policy(), account)
        .unwrap()
        .0
}

async fn hears(till: &Till, kind: &str, change: impl Fn(&mut Value)) {
    let told = till.changed(kind, change);
    for _ in 0..2 {
        till.hear(&told).await.expect(StatusCode::OK);
    }
}

async fn listed(till: &Till) -> Vec<String> {
    let rows = unresolved(&till.shop).await;
    rows.into_iter().map(|one| one.what).collect()
}

/// Returns the number of letters about the payment.
async fn letters(till: &Till) -> usize {
    work_on(till).await;
    let letters = till.shop.letters();
    let own = letters.iter();
    own.filter(|one| one.subject.contains("and your bank"))
        .count()
}

#[tokio::test]
async fn a_dispute_that_was_prevented_is_lost_where_money_was_taken() {
    let till = disputed().await;
    let paid = till.attempt().amount.0;
    hears(&till, "charge.dispute.funds_withdrawn", |event| {
        event["data"]["object"]["status"] = json!("prevented");
        event["type"] = json!("charge.dispute.closed");
    })
    .await;
    assert_eq!(status(&till), DisputeStatus::Prevented);
    assert_eq!(written_off(&till), paid);
    assert_eq!(letters(&till).await, 1);
    let letters = till.shop.letters();
    let letter = letters
        .iter()
        .find(|one| one.subject.contains("and your bank"));
    let text = &letter.unwrap().text;
    assert!(
        text.contains("The dispute of your payment has ended"),
        "{text}"
    );
    assert!(!text.contains("Your payment stands"), "{text}");
    is_clean(&till.shop, "after a dispute that was prevented");
    assert_eq!(unresolved(&till.shop).await, []);
}

#[tokio::test]
async fn a_dispute_that_was_prevented_before_money_moved_closes_without_a_letter() {
    let till = disputed().await;
    hears(&till, "charge.dispute.created", |event| {
        event["data"]["object"]["status"] = json!("prevented");
        event["type"] = json!("charge.dispute.closed");
    })
    .await;
    assert_eq!(status(&till), DisputeStatus::Prevented);
    assert_eq!((written_off(&till), letters(&till).await), (0, 0));
    assert_eq!(unresolved(&till.shop).await, []);
}

#[tokio::test]
async fn a_word_that_is_not_known_leaves_a_dispute_open_and_listed() {
    let till = disputed().await;
    hears(&till, "charge.dispute.funds_withdrawn", |event| {
        event["data"]["object"]["status"] = json!("adjourned");
        event["type"] = json!("charge.dispute.closed");
    })
    .await;
    assert_eq!(status(&till), DisputeStatus::Open);
    assert_eq!(listed(&till).await, ["message", "dispute"]);
    assert_eq!(written_off(&till), 0);
}

/// Reports first `word`, then a word that is not known. Checks that the first status stays.
async fn stays(word: &str, expected: DisputeStatus, expected_list: &[&str]) {
    let till = disputed().await;
    hears(&till, "charge.dispute.created", |event| {
        event["data"]["object"]["status"] = json!(word);
    })
    .await;
    let dispute = till.shop.rows(&tables::DISPUTES).pop().unwrap().1;
    assert_eq!(dispute.status, expected);
    let name = &dispute.reference;
    till.double
        .books(|books, now| books.close_dispute(name, false, now).unwrap());
    hears(&till, "charge.dispute.closed", |event| {
        event["data"]["object"]["status"] = json!("adjourned");
        event["data"]["object"]["balance_transactions"] = json!([]);
    })
    .await;
    assert_eq!(status(&till), expected);
    assert_eq!(listed(&till).await, expected_list);
}

#[tokio::test]
async fn a_word_that_is_not_known_leaves_an_inquiry_or_a_result_as_it_is_and_is_listed() {
    let inquiry = "warning_needs_response";
    stays(inquiry, DisputeStatus::Inquiry, &["message", "dispute"]).await;
    stays("won", DisputeStatus::Won, &["message"]).await;
    stays("lost", DisputeStatus::Lost, &["message"]).await;
}

#[tokio::test]
async fn a_refund_that_stripe_refuses_for_a_lost_dispute_ends() {
    let (till, id) = refunding(Card::VISA).await;
    let intent = till.attempt().references["intent"].clone();
    let dispute = till
        .double
        .books(|books, now| books.dispute(&intent, now).unwrap());
    // The bank takes £5.00 of the payment, which is less than the refund.
    hears(&till, "charge.dispute.funds_withdrawn", |event| {
        event["data"]["object"]["balance_transactions"][0]["amount"] = json!(-500);
    })
    .await;
    work_on(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Pending);
    let name = dispute["id"].as_str().unwrap();
    till.double
        .books(|books, now| books.close_dispute(name, false, now).unwrap());
    hears(&till, "charge.dispute.closed", |event| {
        event["data"]["object"]["balance_transactions"] = json!([]);
    })
    .await;
    for _ in 0..3 {
        till.wait(TimeDelta::hours(1));
        work_on(&till).await;
    }
    // The part that the bank paid is settled, and the rest needs a person.
    let rest = refund(&till, id);
    assert_eq!((rest.amount.0, rest.status), (500, RefundStatus::Refused));
    let listed = unresolved(&till.shop).await;
    assert_eq!((listed.len(), listed[0].id), (1, Some(id)));
}

/// Lets the refund wait for three days, and checks that it is listed then and not before.
async fn waits_three_days(till: &Till, id: Uuid) {
    let created = refund(till, id).created;
    while till.shop.clock.now() < created + TimeDelta::hours(70) {
        work_on(till).await;
        assert_eq!(refund(till, id).status, RefundStatus::Pending);
        assert!(
            unresolved(&till.shop)
                .await
                .iter()
                .all(|one| one.id != Some(id))
        );
        till.wait(TimeDelta::hours(5));
    }
    till.wait(TimeDelta::hours(2));
    work_on(till).await;
    assert_eq!(refund(till, id).status, RefundStatus::Refused);
    let listed = unresolved(&till.shop).await;
    assert!(listed.iter().any(|one| one.id == Some(id)), "{listed:?}");
}

#[tokio::test]
async fn a_refund_that_stripe_refuses_for_an_unreported_dispute_waits_three_days() {
    let (till, id) = refunding(Card::VISA).await;
    let intent = till.attempt().references["intent"].clone();
    till.double
        .books(|books, now| books.dispute(&intent, now).unwrap());
    waits_three_days(&till, id).await;
    assert!(till.shop.rows(&tables::DISPUTES).is_empty());
}

#[tokio::test]
async fn a_refund_that_stripe_refuses_after_a_prevented_dispute_waits_three_days() {
    let (till, id) = refunding(Card::VISA).await;
    let intent = till.attempt().references["intent"].clone();
    till.double
        .books(|books, now| books.dispute(&intent, now).unwrap());
    hears(&till, "charge.dispute.created", |event| {
        event["data"]["object"]["status"] = json!("prevented");
        event["type"] = json!("charge.dispute.closed");
    })
    .await;
    assert_eq!(status(&till), DisputeStatus::Prevented);
    waits_three_days(&till, id).await;
}

#[tokio::test]
async fn a_refund_that_stripe_still_refuses_after_a_long_dispute_was_won_is_listed_at_once() {
    let (till, id) = refunding(Card::VISA).await;
    let intent = till.attempt().references["intent"].clone();
    let dispute = till
        .double
        .books(|books, now| books.dispute(&intent, now).unwrap());
    till.hear_all().await;
    till.wait(TimeDelta::days(20));
    work_on(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Pending);
    let name = dispute["id"].as_str().unwrap();
    till.double
        .books(|books, now| books.close_dispute(name, true, now).unwrap());
    till.hear_all().await;
    assert_eq!(status(&till), DisputeStatus::Won);
    // Stripe refuses, and sends no report of a second dispute.
    till.double
        .books(|books, now| books.dispute(&intent, now).unwrap());
    till.wait(TimeDelta::hours(1));
    work_on(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Refused);
    let listed = unresolved(&till.shop).await;
    assert_eq!((listed.len(), listed[0].id), (1, Some(id)));
}
