//! `layby reconcile` with Barclaycard's statement, as a plain file.

use chrono::TimeDelta;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::refund::RefundStatus;

use super::till::Till;
use crate::money::disputes::unresolved;
use crate::money::payouts::{of_shop, plain, reconcile};
use crate::support::stores::snapshot;

fn account(till: &Till, account: &Account) -> Pence {
    let tx = snapshot(&till.shop.app.store);
    layby::app::payments::ledger::balance(&tx, till.policy(), account).unwrap()
}

async fn taken_in(till: &Till, lines: &[(&str, i64, i64, &str)]) -> Vec<String> {
    let report = plain(lines);
    reconcile(&till.shop, Some("smartpayfuse"), &report)
        .await
        .unwrap()
}

/// Returns a sold policy with a refund of £10 that was made, and the references of both at Fuse.
async fn refunded() -> (Till, String, String) {
    let till = Till::paid().await;
    let id = till.owe(Pence(1000), 7).await;
    till.work().await;
    till.double.books(|books, _| books.transmit());
    till.wait(TimeDelta::hours(24));
    till.work().await;
    till.work().await;
    let refund = till.refund(id);
    assert_eq!(refund.status, RefundStatus::Paid);
    let payment = till.attempt().references["transaction"].clone();
    (till, payment, refund.reference.unwrap())
}

#[tokio::test]
async fn a_statement_with_fuses_own_references_is_posted_once() {
    let (till, payment, refund) = refunded().await;
    let paid = till.attempt().amount.0;
    let net = paid - 1000 - 45 - 300;
    let lines = [
        (&payment as &str, paid, 45, "payment"),
        (&refund, -1000, 0, "refund"),
        ("", -300, 0, "fee"),
        ("", net, 0, "payout"),
    ];
    let output = taken_in(&till, &lines).await;
    let bank = Pence(net);
    assert_eq!(
        output[0],
        format!("payout po_1: {bank} to the bank, £3.45 in fees")
    );
    assert!(
        output[1].contains("3 matched, of which 3 are new"),
        "{output:?}"
    );
    let gateway = Account::gateway("smartpayfuse");
    assert_eq!(account(&till, &gateway), Pence::ZERO);
    assert_eq!(account(&till, &Account::Bank), Pence(paid - 1045));
    assert_eq!(of_shop(&till.shop, &Account::Bank), Pence(-300));
    let again = taken_in(&till, &lines).await;
    assert!(
        again[0].contains("of which 0 are new to the ledger, 3 were there"),
        "{again:?}"
    );
    assert_eq!(account(&till, &Account::Bank), Pence(paid - 1045));

    // The same money by our own ids, in another file, is posted no second time.
    let (own, ours) = (
        till.attempt().id.to_string(),
        till.shop.rows(&layby::store::tables::REFUNDS),
    );
    let ours = ours[0].0.to_string();
    let twice = [
        (&own as &str, paid, 45, "payment"),
        (&ours, -1000, 0, "refund"),
    ];
    let output = taken_in(&till, &twice).await;
    for (line, sum) in output.iter().zip([Pence(paid), Pence(-1000)]) {
        assert!(
            line.ends_with(&format!("another line has paid {sum} for it")),
            "{line}"
        );
    }
    assert_eq!(account(&till, &Account::Bank), Pence(paid - 1045));
}

#[tokio::test]
async fn our_own_ids_do_as_well_and_a_wrong_amount_or_reference_is_listed() {
    let (till, payment, refund) = refunded().await;
    let paid = till.attempt().amount.0;
    let wrong = [
        (&payment as &str, paid + 1, 0, "payment"),
        (&refund, -999, 0, "refund"),
        ("7639000000006001999999", paid, 0, "payment"),
        ("7639000000006001999999", -1000, 0, "refund"),
    ];
    let output = taken_in(&till, &wrong).await;
    assert!(output[4].contains("2 mismatched; 2 unknown"), "{output:?}");
    assert!(
        output[1].contains("we know this refund as one of £10.00"),
        "{output:?}"
    );
    assert_eq!(account(&till, &Account::Bank), Pence::ZERO);
    let listed = unresolved(&till.shop).await;
    assert_eq!(listed.len(), 4);
    assert!(
        listed.iter().all(|row| row.gateway == "smartpayfuse"),
        "{listed:?}"
    );

    let (own, ours) = (
        till.attempt().id.to_string(),
        till.shop.rows(&layby::store::tables::REFUNDS),
    );
    let ours = ours[0].0.to_string();
    let right = [
        (&own as &str, paid, 45, "payment"),
        (&ours, -1000, 0, "refund"),
    ];
    let output = taken_in(&till, &right).await;
    assert!(
        output
            .last()
            .unwrap()
            .contains("2 matched, of which 2 are new"),
        "{output:?}"
    );
    assert_eq!(account(&till, &Account::Bank), Pence(paid - 1045));
}

#[tokio::test]
async fn a_reference_of_another_gateway_is_nobodys() {
    let (till, _, refund) = refunded().await;
    let report = plain(&[(&refund, -1000, 0, "refund")]);
    let output = reconcile(&till.shop, Some("globalpayments"), &report)
        .await
        .unwrap();
    assert!(
        output[0].contains("no refund of ours at this gateway"),
        "{output:?}"
    );
}
