//! `layby reconcile` with the settlement reports of Global Payments.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{DisputeResult, RefundFinding, RefundMethod, ResolutionWay};
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::refund::RefundStatus;
use serde_json::{Value, json};

use super::by_hand::{account, at_gateway, found, unconfirmed};
use super::double::Fault;
use super::till::Till;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::money::only_refund;
use crate::money::payouts::{of_shop, reconcile};

/// Reads a report without `--gateway`, as an operator does.
async fn taken_in(till: &Till, report: &Value) -> Vec<String> {
    let report = serde_json::to_string_pretty(report).unwrap();
    reconcile(&till.shop, None, &report).await.unwrap()
}

async fn refused(till: &Till, report: &Value) -> String {
    let report = report.to_string();
    reconcile(&till.shop, None, &report).await.unwrap_err()
}

fn assert_counted(output: &[String], counts: &str) {
    assert!(output.last().unwrap().contains(counts), "{output:?}");
}

#[tokio::test]
async fn the_reports_of_two_deposits_post_bank_and_charges_once() {
    let (till, _) = Till::cancelled().await;
    let amount = till.attempt().amount;
    let (sold, paid_out) = till.books(|books, _| books.deposit("DEP_1", 35));
    let output = taken_in(&till, &sold).await;
    assert_eq!(
        output[0],
        format!("payout DEP_1: {amount} to the bank, £0.00 in fees")
    );
    assert_counted(
        &output,
        "1 lines: 1 matched, of which 1 are new to the ledger",
    );
    let output = taken_in(&till, &paid_out).await;
    assert_eq!(output[0], "payout DEP_1: -£0.35 to the bank, £0.35 in fees");
    assert_counted(&output, "1 matched, of which 1 are new to the ledger");
    assert_eq!(output.len(), 2, "{output:?}");
    assert_eq!(account(&till, &Account::Bank), amount);
    assert_eq!(at_gateway(&till), Pence::ZERO);

    // The refund is larger than the second deposit's sales, so the bank pays it.
    till.wait_and_work(TimeDelta::minutes(20)).await;
    assert_eq!(only_refund(&till.shop).status, RefundStatus::Paid);
    assert_eq!(at_gateway(&till), -amount);
    let (refunded, collected) = till.books(|books, _| books.deposit("DEP_2", 20));
    for report in [&refunded, &collected] {
        let output = taken_in(&till, report).await;
        assert_counted(&output, "1 matched, of which 1 are new to the ledger");
        assert_eq!(output.len(), 2, "{output:?}");
    }
    assert_eq!(at_gateway(&till), Pence::ZERO);
    assert_eq!(account(&till, &Account::Bank), Pence::ZERO);
    let charged = [Account::Bank, Account::ProviderFees].map(|own| of_shop(&till.shop, &own));
    assert_eq!(charged, [Pence(-55), Pence(55)]);
    is_clean(&till.shop, "after two deposits");
    assert_eq!(unresolved(&till.shop).await, []);

    // A second run posts nothing, in any order.
    for report in [&collected, &paid_out, &refunded, &sold] {
        let output = taken_in(&till, report).await;
        assert_counted(&output, "of which 0 are new to the ledger, 1 were there");
        assert_eq!(output.len(), 1, "{output:?}");
    }
    assert_eq!(of_shop(&till.shop, &Account::ProviderFees), Pence(55));
}

#[tokio::test]
async fn money_that_is_not_paid_out_yet_waits_for_its_deposit() {
    let till = Till::paid().await;
    let (funded, _) = till.books(|books, _| books.deposit("DEP_1", 0));
    let changes = [
        ("deposit_status", json!("DELAYED")),
        ("status", json!("BATCHED")),
        ("deposit_id", Value::Null),
        ("deposit_id", json!("")),
    ];
    for (name, value) in changes {
        let mut early = funded.clone();
        early["transactions"][0][name] = value;
        let output = taken_in(&till, &early).await;
        assert_counted(
            &output,
            "0 were there and 1 are in no payout yet; 0 mismatched",
        );
        assert_ne!(at_gateway(&till), Pence::ZERO);
    }
    till.shop.clock.advance(TimeDelta::days(7));
    let late = unresolved(&till.shop).await;
    assert!(
        late[0].facts.starts_with("No payout has settled it for"),
        "{late:?}"
    );
    let mut bare = funded;
    for name in ["deposit_status", "parent_resource_id", "payment_method"] {
        bare["transactions"][0][name] = Value::Null;
    }
    assert_counted(
        &taken_in(&till, &bare).await,
        "1 matched, of which 1 are new",
    );
    assert_eq!(at_gateway(&till), Pence::ZERO);
}

#[tokio::test]
async fn a_payment_is_found_by_either_reference() {
    for name in ["id", "reference"] {
        let till = Till::paid().await;
        let (mut report, _) = till.books(|books, _| books.deposit("DEP_1", 0));
        report["transactions"][0][name] = json!("TRN_other");
        report["transactions"][0]["parent_resource_id"] = json!("");
        let output = taken_in(&till, &report).await;
        assert_counted(&output, "1 matched, of which 1 are new to the ledger");
    }
}

#[tokio::test]
async fn what_does_not_agree_is_listed_and_posts_nothing() {
    let till = Till::paid().await;
    let (report, _) = till.books(|books, _| books.deposit("DEP_1", 0));
    let payment = till.attempt().id;
    let good = &report["transactions"][0];
    let with = |name: &str, value: Value| {
        let mut entry = good.clone();
        entry[name] = value;
        entry
    };
    let mut strange = with("id", json!("TRN_nobody"));
    strange["reference"] = json!("another shop's");
    strange["parent_resource_id"] = json!("TRN_nobody");
    let dispute = |funding: &str| {
        json!({
            "id": "DIS_812", "status": "FUNDED", "stage": "CHARGEBACK", "funding_type": funding,
            "amount": "200", "currency": "GBP", "deposit_id": "DEP_1",
            "transaction": { "reference": "another shop's" },
        })
    };
    let wrong = json!({
        "transactions": [with("amount", json!("100")), strange, with("type", json!("ADJUSTMENT"))],
        "disputes": [dispute("DEBIT"), dispute("CREDIT"), dispute("")],
    });
    let output = taken_in(&till, &wrong).await;
    assert_counted(&output, "1 mismatched; 5 unknown");
    let paid = till.attempt().amount;
    let lines = [
        format!(
            "line 1: mismatched: SALE {payment} of £1.00: we know this payment as one of {paid}"
        ),
        "line 2: unknown: SALE another shop's of".to_string(),
        "line 3: unknown: ADJUSTMENT".to_string(),
        "line 4: unknown: CHARGEBACK DIS_812 of -£2.00: no reported dispute".to_string(),
        "line 5: unknown: CHARGEBACK DIS_812 of £2.00: no reported dispute".to_string(),
        "line 6: unknown: CHARGEBACK DIS_812 of £2.00: nobody knows what".to_string(),
    ];
    for (line, begins) in output.iter().zip(&lines) {
        assert!(line.starts_with(begins.as_str()), "{line}");
    }
    assert_eq!(at_gateway(&till), paid);
    let listed = unresolved(&till.shop).await;
    assert!(
        listed.iter().all(|row| row.gateway == "globalpayments"),
        "{listed:?}"
    );
    // The sale's line and the line of another type have one id, so the newest counts.
    assert_eq!(listed.len(), 5);
    // A person may accept money of a dispute of nobody's payment as the shop's own loss.
    let taken = listed.iter().find(|row| row.amount == Pence(-200)).unwrap();
    let own = ResolutionWay::Refund(RefundMethod::Transfer);
    resolves(&till.shop, &found(taken.id.unwrap(), own))
        .await
        .unwrap();
    assert_eq!(of_shop(&till.shop, &Account::WrittenOff), Pence(200));
    // The right report settles the sale afterwards.
    taken_in(&till, &report).await;
    assert_eq!(at_gateway(&till), Pence::ZERO);
    is_clean(&till.shop, "after the right report");
}

#[tokio::test]
async fn a_dispute_that_only_reports_name_is_opened_booked_and_closed_by_a_person() {
    let till = Till::paid().await;
    let paid = till.attempt().amount;
    let moved = |status: &str, funding: &str, deposit: &str| {
        json!({ "disputes": [{
            "id": "DIS_812", "status": status, "stage": "CHARGEBACK", "funding_type": funding,
            "amount": "200", "currency": "GBP", "deposit_id": deposit,
            "transaction": { "reference": till.attempt().id },
        }] })
    };
    // Money that is not paid out yet opens nothing.
    let output = taken_in(&till, &moved("PENDING", "DEBIT", "")).await;
    assert_counted(&output, "1 are in no payout yet; 0 mismatched; 0 unknown");
    assert_eq!(unresolved(&till.shop).await, []);

    // Each deposit has a movement of its own, and a second run posts nothing.
    for (deposit, counts, taken) in [
        ("DEP_1", "of which 1 are new", 200),
        (
            "DEP_1",
            "of which 0 are new to the ledger, 1 were there",
            200,
        ),
        ("DEP_2", "of which 1 are new", 400),
    ] {
        let output = taken_in(&till, &moved("FUNDED", "DEBIT", deposit)).await;
        assert_counted(&output, counts);
        assert_eq!(account(&till, &Account::Disputes), Pence(taken));
        assert_eq!(account(&till, &Account::Bank), Pence(-taken));
        assert_eq!(at_gateway(&till), paid);
    }
    let output = taken_in(&till, &moved("FUNDED", "CREDIT", "DEP_3")).await;
    assert_counted(&output, "of which 1 are new to the ledger");
    assert_eq!(account(&till, &Account::Disputes), Pence(200));
    is_clean(&till.shop, "after three movements");
    let listed = unresolved(&till.shop).await;
    assert_eq!((listed.len(), listed[0].what.as_str()), (1, "dispute"));
    assert_eq!(listed[0].reference.as_deref(), Some("DIS_812"));
    assert!(listed[0].facts.contains("has taken £2.00"), "{listed:?}");
    assert!(listed[0].to_do.contains("dispute-lost"), "{listed:?}");

    let id = listed[0].id.unwrap();
    let closing = |way| found(id, way);
    let transfer = closing(ResolutionWay::Refund(RefundMethod::Transfer));
    let refusal = resolves(&till.shop, &transfer).await.unwrap_err();
    assert!(refusal.contains("is a dispute: say `--method dispute-won`"));
    let lost = closing(ResolutionWay::Dispute(DisputeResult::Lost));
    let line = resolves(&till.shop, &lost).await.unwrap();
    assert!(line.ends_with("is closed: lost"), "{line}");
    let refusal = resolves(&till.shop, &lost).await.unwrap_err();
    assert!(refusal.contains("by Jo Bloggs: TRN_77"), "{refusal}");
    assert_eq!(account(&till, &Account::WrittenOff), Pence(200));
    assert_eq!(account(&till, &Account::Disputes), Pence::ZERO);
    is_clean(&till.shop, "after the loss");
    assert_eq!(unresolved(&till.shop).await, []);
}

#[tokio::test]
async fn a_deposit_that_its_lines_do_not_make_is_named() {
    let till = Till::paid().await;
    let paid = till.attempt().amount;
    let (sold, mut deposit) = till.books(|books, _| books.deposit("DEP_1", 0));
    let one = &mut deposit["deposits"][0];
    one["amount"] = json!((paid.0 + 500).to_string());
    one["sales"]["amount"] = one["amount"].clone();
    taken_in(&till, &sold).await;
    let output = taken_in(&till, &deposit).await;
    let more = paid + Pence(500);
    let wanted = format!("line 1: payout DEP_1 is of {more}, but its lines make £0.00");
    assert!(output.contains(&wanted), "{output:?}");
}

#[tokio::test]
async fn a_report_with_a_mistake_is_refused_with_its_place() {
    let till = Till::paid().await;
    let (sold, deposit) = till.books(|books, _| books.deposit("DEP_1", 35));
    let changes = [
        (
            "currency",
            json!("EUR"),
            "line 1: the currency must be GBP, and is `EUR`",
        ),
        (
            "amount",
            json!("49.99"),
            "line 1: `amount` must be pence such as 1234, and is `49.99`",
        ),
        ("amount", json!("-"), "line 1: `amount` must be pence"),
        ("amount", json!(""), "line 1: `amount` is missing"),
        ("id", Value::Null, "line 1: `id` is missing"),
        (
            "amount",
            json!(4999),
            "it is no settlement report of Global Payments: invalid type",
        ),
    ];
    for (name, value, why) in changes {
        for (list, report) in [("transactions", &sold), ("deposits", &deposit)] {
            let mut wrong = report.clone();
            wrong[list][0][name] = value.clone();
            let refusal = refused(&till, &wrong).await;
            assert!(refusal.starts_with(why), "{list}: {refusal}");
        }
    }
    let mut unequal = deposit.clone();
    unequal["deposits"][0]["fees"]["amount"] = json!("36");
    let refusal = refused(&till, &unequal).await;
    assert!(refusal.contains("less £0.36 in charges"), "{refusal}");
    let mut sideways = deposit;
    sideways["deposits"][0]["funding_type"] = json!("SIDEWAYS");
    let refusal = refused(&till, &sideways).await;
    assert!(
        refusal.contains("`funding_type` must be CREDIT or DEBIT"),
        "{refusal}"
    );
    let refusal = refused(&till, &json!({ "links": [] })).await;
    assert!(
        refusal.contains("has `transactions`, `disputes` or `deposits`"),
        "{refusal}"
    );
    let other = reconcile(&till.shop, Some("stripe"), &sold.to_string()).await;
    let refusal = other.unwrap_err();
    assert!(
        refusal.starts_with("it is a report of globalpayments"),
        "{refusal}"
    );
    assert_ne!(at_gateway(&till), Pence::ZERO);
}

#[tokio::test]
async fn a_lost_refund_in_a_report_asks_for_a_person_and_agrees_afterwards() {
    let (till, _) = unconfirmed(Fault::Reset).await;
    let id = only_refund(&till.shop).id;
    let (report, _) = till.books(|books, _| books.deposit("DEP_1", 0));
    let output = taken_in(&till, &report).await;
    assert!(output[0].contains("--method refund-made"), "{output:?}");
    assert_counted(&output, "1 mismatched; 0 unknown");
    let made = found(id, ResolutionWay::Lookup(RefundFinding::Made));
    resolves(&till.shop, &made).await.unwrap();
    let output = taken_in(&till, &report).await;
    assert_counted(
        &output,
        "2 matched, of which 1 are new to the ledger, 1 were there",
    );
    assert_eq!(at_gateway(&till), Pence::ZERO);
    is_clean(&till.shop, "after the report agrees");
    assert_eq!(unresolved(&till.shop).await, []);
}

#[tokio::test]
async fn a_second_payment_of_one_link_can_be_written_down_as_the_shops_own() {
    let till = Till::at_the_page().await;
    till.pay_without_messages();
    till.books(|books, _| {
        let mut again = books.transactions.last().unwrap().clone();
        again["id"] = "TRN_second".into();
        books.transactions.push(again);
    });
    for _ in 0..2 {
        till.wait_and_work(TimeDelta::minutes(2)).await;
    }
    assert!(till.sold());
    let (sold, _) = till.books(|books, _| books.deposit("DEP_1", 0));
    let output = taken_in(&till, &sold).await;
    assert_counted(&output, "1 matched, of which 1 are new to the ledger");
    let listed = unresolved(&till.shop).await;
    let line = listed.iter().find(|row| row.what == "payout line").unwrap();
    assert!(line.facts.contains("paid a second time"), "{line:?}");
    let own = found(
        line.id.unwrap(),
        ResolutionWay::Refund(RefundMethod::Transfer),
    );
    resolves(&till.shop, &own).await.unwrap();
    assert_eq!(account(&till, &Account::Bank), till.attempt().amount);
}
