//! Refunds whose answer was lost: a person looks at the provider and writes down what was found.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{
    PaymentWay, RefundFinding, RefundMethod, Resolution, ResolutionWay,
};
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::refund::{Refund, RefundStatus};
use layby::store::tables;
use uuid::Uuid;

use super::double::Fault;
use super::till::Till;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::money::only_refund;
use crate::support::stores::snapshot;

const MADE: ResolutionWay = ResolutionWay::Lookup(RefundFinding::Made);
const NOT_MADE: ResolutionWay = ResolutionWay::Lookup(RefundFinding::NotMade);
const TRANSFER: ResolutionWay = ResolutionWay::Refund(RefundMethod::Transfer);

/// Returns a shop with a cancelled policy whose refund could not be confirmed, and the customer's session.
/// `fault` befalls the request for the refund.
pub async fn unconfirmed(fault: Fault) -> (Till, String) {
    let (till, cookie) = Till::cancelled().await;
    for _ in 0..3 {
        till.double.fail("POST /transactions", fault);
    }
    till.wait_and_work(TimeDelta::minutes(1)).await;
    till.wait_and_work(TimeDelta::hours(24)).await;
    till.wait_and_work(TimeDelta::minutes(20)).await;
    let refund = only_refund(&till.shop);
    assert_eq!(refund.status, RefundStatus::Unconfirmed, "{fault:?}");
    (till, cookie)
}

pub fn found(id: Uuid, method: ResolutionWay) -> Resolution {
    Resolution {
        id,
        method,
        by: "Jo Bloggs".to_string(),
        why: "TRN_77 in the portal".to_string(),
    }
}

pub fn account(till: &Till, account: &Account) -> Pence {
    let tx = snapshot(&till.shop.app.store);
    layby::app::payments::ledger::balance(&tx, till.quote.id(), account).unwrap()
}

pub fn at_gateway(till: &Till) -> Pence {
    account(till, &Account::gateway("globalpayments"))
}

/// Returns the texts of the letters with this heading, each on one line.
fn letters(till: &Till, heading: &str) -> Vec<String> {
    let all = till.shop.letters().into_iter();
    let texts = all.map(|one| one.text.split_whitespace().collect::<Vec<_>>().join(" "));
    texts.filter(|text| text.contains(heading)).collect()
}

async fn progress(till: &Till, cookie: &str) -> String {
    let policy = &till.quote.uuid;
    let path = format!("/api/v1/activities?policy={policy}&type=cancellation");
    let read = till.shop.get(&path).cookies(cookie).succeeds().await;
    read.text("/data/0/refund/status")
}

async fn refused(till: &Till, id: Uuid, method: ResolutionWay) -> String {
    resolves(&till.shop, &found(id, method)).await.unwrap_err()
}

#[tokio::test]
async fn a_refund_that_a_person_found_at_the_provider_is_made_and_its_customer_is_told() {
    let (till, cookie) = unconfirmed(Fault::Reset).await;
    let Refund { id, amount, .. } = only_refund(&till.shop);
    assert_eq!((till.balance(), at_gateway(&till)), (0, amount));
    assert_eq!(progress(&till, &cookie).await, "unconfirmed");
    assert_eq!(letters(&till, "Your refund is not confirmed").len(), 1);
    let listed = unresolved(&till.shop).await;
    assert_eq!((listed.len(), listed[0].id), (1, Some(id)));
    let to_do = &listed[0].to_do;
    for method in ["refund-made", "refund-not-made"] {
        assert!(to_do.contains(&format!("--method {method}")), "{to_do}");
    }

    // Of two calls at once, one counts.
    let one = found(id, MADE);
    let (first, second) = tokio::join!(resolves(&till.shop, &one), resolves(&till.shop, &one));
    let (output, again) = match (first, second) {
        (Ok(output), Err(again)) | (Err(again), Ok(output)) => (output, again),
        both => panic!("{both:?}"),
    };
    assert!(output.starts_with(&format!("refund {id} of {amount} of BRK")));
    assert!(
        output.ends_with("is closed: the gateway made it"),
        "{output}"
    );
    let why = "it was looked up on 22 November 2026 by Jo Bloggs: TRN_77 in the portal";
    assert!(again.contains(why), "{again}");
    assert_eq!(only_refund(&till.shop).status, RefundStatus::Paid);
    assert_eq!(at_gateway(&till), Pence::ZERO);
    assert_eq!(account(&till, &Account::Refunds), Pence::ZERO);
    is_clean(&till.shop, "after the refund was found");
    assert_eq!(unresolved(&till.shop).await, []);
    assert_eq!(progress(&till, &cookie).await, "paid");
    for method in [NOT_MADE, TRANSFER] {
        refused(&till, id, method).await;
    }

    till.wait_and_work(TimeDelta::hours(1)).await;
    let sum = amount.to_string().replace('£', "GBP ");
    let letters_sent = letters(&till, "Your refund has been made");
    assert_eq!(letters_sent.len(), 1);
    let text = format!("We have refunded {sum} to the card that paid on 21 November 2026.");
    assert!(letters_sent[0].contains(&text), "{}", letters_sent[0]);
    assert_eq!(till.books(|books, _| books.refunds()).len(), 1);
}

#[tokio::test]
async fn a_refund_that_a_person_did_not_find_is_requested_again_and_made_once() {
    let (till, cookie) = unconfirmed(Fault::Nothing).await;
    let Refund { id, amount, .. } = only_refund(&till.shop);
    assert_eq!(till.balance(), amount.0);
    let output = resolves(&till.shop, &found(id, NOT_MADE)).await.unwrap();
    let end = "is requested again: the gateway did not make it";
    assert!(output.ends_with(end), "{output}");
    let again = refused(&till, id, NOT_MADE).await;
    assert!(again.contains("looked up on 22 November 2026"), "{again}");
    is_clean(&till.shop, "while it is requested again");
    assert_eq!(unresolved(&till.shop).await, []);
    assert_eq!(progress(&till, &cookie).await, "pending");

    for _ in 0..2 {
        till.wait_and_work(TimeDelta::minutes(20)).await;
    }
    assert_eq!(only_refund(&till.shop).status, RefundStatus::Paid);
    assert_eq!((till.balance(), at_gateway(&till)), (0, Pence::ZERO));
    assert_eq!(till.books(|books, _| books.refunds()).len(), 1);
    assert_eq!(letters(&till, "Your refund has been made").len(), 1);
    is_clean(&till.shop, "after it was made");
}

#[tokio::test]
async fn an_answer_that_is_lost_twice_is_looked_up_twice() {
    let (till, _) = unconfirmed(Fault::Nothing).await;
    let id = only_refund(&till.shop).id;
    resolves(&till.shop, &found(id, NOT_MADE)).await.unwrap();
    for _ in 0..3 {
        till.double.fail("POST /transactions", Fault::Reset);
    }
    till.wait_and_work(TimeDelta::minutes(1)).await;
    till.wait_and_work(TimeDelta::hours(24)).await;
    till.wait_and_work(TimeDelta::minutes(20)).await;
    assert_eq!(only_refund(&till.shop).status, RefundStatus::Unconfirmed);
    assert_eq!(letters(&till, "Your refund is not confirmed").len(), 2);
    resolves(&till.shop, &found(id, MADE)).await.unwrap();
    assert_eq!(only_refund(&till.shop).status, RefundStatus::Paid);
    is_clean(&till.shop, "after the second look");
}

#[tokio::test]
async fn a_refund_that_was_paid_by_transfer_and_is_found_too_was_paid_twice() {
    let (till, _) = unconfirmed(Fault::Reset).await;
    let id = only_refund(&till.shop).id;
    resolves(&till.shop, &found(id, TRANSFER)).await.unwrap();
    let why = refused(&till, id, NOT_MADE).await;
    assert!(why.contains("it was closed on 22 November 2026"), "{why}");
    resolves(&till.shop, &found(id, MADE)).await.unwrap();
    let listed = unresolved(&till.shop).await;
    assert_eq!(listed.len(), 1);
    assert!(listed[0].facts.contains("has it twice"), "{listed:?}");
    till.wait_and_work(TimeDelta::hours(1)).await;
    assert_eq!(letters(&till, "Your refund has been made").len(), 0);
    assert_eq!(letters(&till, "Your refund has been settled").len(), 1);
}

#[tokio::test]
async fn only_an_unconfirmed_refund_can_be_looked_up() {
    let (till, _) = Till::cancelled().await;
    let payment = till.attempt().id;
    let id = only_refund(&till.shop).id;
    let ask = async |id: Uuid, method| refused(&till, id, method).await;
    for method in [MADE, NOT_MADE] {
        assert!(ask(id, method).await.contains("still asked for it"));
        let nobody = Uuid::from_u128(404);
        assert!(
            ask(nobody, method)
                .await
                .contains("there is no such refund.")
        );
        assert!(ask(payment, method).await.contains("is a payment: say"));
    }
    let paid = ResolutionWay::Payment(PaymentWay::NotPaid);
    assert!(ask(id, paid).await.contains("`--method refund-made`"));
    till.books(|books, _| books.refund_status = "DECLINED");
    till.wait_and_work(TimeDelta::minutes(20)).await;
    assert_eq!(only_refund(&till.shop).status, RefundStatus::Refused);
    for method in [MADE, NOT_MADE] {
        let why = ask(id, method).await;
        assert!(why.contains("answer about it was not lost"), "{why}");
    }
    let nameless = Resolution {
        by: " ".to_string(),
        ..found(id, MADE)
    };
    let why = resolves(&till.shop, &nameless).await.unwrap_err();
    assert!(why.contains("--by must be one line"), "{why}");

    // A refund by hand at the gateway has no request of ours.
    let mut by_hand = only_refund(&till.shop);
    by_hand.is_from_gateway = true;
    by_hand.status = RefundStatus::Unconfirmed;
    let write =
        move |tx: &mut layby::store::WriteTx<'_>| tables::REFUNDS.put(tx, &by_hand.id, &by_hand);
    till.shop.app.store.write(write).await.unwrap();
    let why = ask(id, MADE).await;
    assert!(why.contains("by hand, and nothing is owed"), "{why}");
}
