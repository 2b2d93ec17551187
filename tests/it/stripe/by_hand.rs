//! Refunds by hand at Stripe, and Stripe's reports of disputes: posted as they are, once.

use chrono::TimeDelta;
use layby::app::accounting::reconcile::{self, ReconcileError, Reconciliation};
use layby::app::accounting::resolve::{self, Resolution, ResolutionWay};
use layby::app::accounting::unresolved::UnresolvedRow;
use layby::app::payments::ledger;
use layby::app::payments::refunds::unrefunded;
use layby::domain::money::ledger::Account;
use layby::domain::payment::PaymentStatus;
use layby::domain::payment::refund::{RefundMethod, RefundStatus};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::double::{Card, SECRET, Webhook};
use super::faults::{refund, refunding, work_on};
use super::till::Till;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::support::stores::snapshot;

/// Returns a shop whose customer has paid, Stripe's id of the payment, and the amount in pence.
async fn bought() -> (Till, String, i64) {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    till.hear_all().await;
    let attempt = till.attempt();
    let intent = attempt.references["intent"].clone();
    (till, intent, attempt.amount.0)
}

/// Returns the balances in pence of gateway, refunds, disputes, written off, bank and fees.
fn accounts(till: &Till) -> [i64; 6] {
    let tx = snapshot(&till.shop.app.store);
    [
        Account::gateway("stripe"),
        Account::Refunds,
        Account::Disputes,
        Account::WrittenOff,
        Account::Bank,
        Account::ProviderFees,
    ]
    .map(|account| ledger::balance(&tx, till.policy(), &account).unwrap().0)
}

fn in_hand(till: &Till) -> i64 {
    let tx = snapshot(&till.shop.app.store);
    unrefunded::net_paid(&tx, till.policy()).unwrap().0
}

/// Makes a refund in Stripe's Dashboard. Returns Stripe's id of it.
fn refunds_by_hand(till: &Till, intent: &str, amount: Option<i64>) -> String {
    let about = (json!({}), Value::Null);
    let made = till
        .double
        .books(|books, now| books.refund(intent, amount, about, now).unwrap());
    made["id"].as_str().unwrap().to_owned()
}

/// Delivers all of Stripe's webhooks, twice.
async fn hears_twice(till: &Till) {
    let told = till.double.webhooks();
    for webhook in told.iter().chain(&told) {
        till.hear(webhook).await.expect(StatusCode::OK);
    }
}

async fn reconciles(till: &Till, report: String) -> Vec<String> {
    let order = Reconciliation {
        gateway: None,
        report,
    };
    let mut lines = Vec::new();
    let now = till.shop.clock.now();
    let done = reconcile::execute(
        (&till.shop.app.store, &till.shop.app.config),
        &order,
        now,
        &mut lines,
    );
    match done.await {
        Ok(()) | Err(ReconcileError::Mismatched(..)) => lines,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_refund_made_by_hand_is_in_the_books_and_so_is_its_coming_back() {
    let (till, intent, paid) = bought().await;
    refunds_by_hand(&till, &intent, Some(500));
    hears_twice(&till).await;
    assert_eq!(accounts(&till), [paid - 500, 0, 0, 500, 0, 0]);
    assert_eq!(in_hand(&till), paid - 500, "no more than that can go back");
    is_clean(&till.shop, "after a refund by hand");
    // Nothing is owed for the refund by hand, so no person needs to act.
    assert_eq!(unresolved(&till.shop).await, []);

    let other = refunds_by_hand(&till, &intent, Some(300));
    hears_twice(&till).await;
    till.double
        .books(|books, now| books.fail_refund(&other, now).unwrap());
    hears_twice(&till).await;
    assert_eq!(accounts(&till), [paid - 500, 0, 0, 500, 0, 0]);
    assert_eq!(in_hand(&till), paid - 500);
    is_clean(&till.shop, "after one that came back");
    let letters = till.shop.letters();
    assert!(letters.iter().all(|one| !one.subject.contains("refund")));

    let report = till.double.books(|books, now| {
        let payout = books.pay_out(now);
        books.payout_report(payout["id"].as_str().unwrap())
    });
    let lines = reconciles(&till, report).await;
    let last = lines.last().unwrap();
    assert!(last.contains("0 mismatched; 0 unknown"), "{lines:#?}");
    let [gateway, .., bank, fees] = accounts(&till);
    assert_eq!((gateway, bank + fees), (0, paid - 500));
    is_clean(&till.shop, "after the payout");
}

#[tokio::test]
async fn a_refund_by_hand_of_an_unresolved_payment_closes_it_once_it_is_all_of_it() {
    for part in [Some(500), None] {
        let till = Till::at_the_page().await;
        // The declined card has given the shop the payment's reference.
        till.pay(Card::DECLINED);
        till.hear_all().await;
        till.pay(Card::VISA);
        let lost = till.double.webhooks();
        till.double.revoke();
        for _ in 0..75 {
            till.wait(TimeDelta::hours(1));
            till.shop.work().await;
        }
        let attempt = till.attempt();
        assert_eq!(attempt.status, PaymentStatus::Unresolved);

        refunds_by_hand(&till, &attempt.references["intent"], part);
        hears_twice(&till).await;
        assert_eq!(accounts(&till), [0; 6]);
        is_clean(&till.shop, "after a refund by hand");
        let is_whole = part.is_none();
        assert_eq!(till.attempt().is_given_back(), is_whole);
        assert_eq!(unresolved(&till.shop).await.is_empty(), is_whole);

        // A late report of the payment buys nothing after a full refund.
        for Webhook { body, .. } in &lost {
            let signature = till.signed(body, SECRET, 0);
            till.hear_raw(body, &signature).await.expect(StatusCode::OK);
        }
        assert!(!is_whole || !till.attempt().is_applied());
        is_clean(&till.shop, "after the late news");
    }
}

#[tokio::test]
async fn a_refund_by_hand_in_another_currency_is_listed_and_not_booked() {
    let (till, intent, _) = bought().await;
    let before = accounts(&till);
    let refund = refunds_by_hand(&till, &intent, Some(700));
    let webhooks = till.double.webhooks();
    let webhook = webhooks.iter().find(|one| one.kind == "refund.created");
    let mut event: Value = serde_json::from_str(&webhook.unwrap().body).unwrap();
    event["data"]["object"]["currency"] = json!("eur");
    let time = crate::stripe::now().timestamp();
    let webhook = Webhook::of(&event, &[SECRET.to_owned()], time);
    for _ in 0..2 {
        till.hear(&webhook).await.expect(StatusCode::OK);
    }
    assert_eq!(accounts(&till), before);
    let listed = unresolved(&till.shop).await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].reference, Some(refund));
}

#[tokio::test]
async fn news_that_a_refund_by_hand_was_made_may_come_after_it_failed() {
    let (till, intent, paid) = bought().await;
    let id = refunds_by_hand(&till, &intent, Some(500));
    let made = till.double.webhooks();
    till.double
        .books(|books, now| books.fail_refund(&id, now).unwrap());
    hears_twice(&till).await;
    for webhook in &made {
        till.hear(webhook).await.expect(StatusCode::OK);
    }
    assert_eq!(accounts(&till), [paid, 0, 0, 0, 0, 0]);
    is_clean(&till.shop, "after news in the wrong order");
}

#[tokio::test]
async fn what_was_given_by_hand_settles_a_refund_that_stripe_refuses() {
    let (till, id) = refunding(Card::VISA).await;
    let attempt = till.attempt();
    refunds_by_hand(&till, &attempt.references["intent"], None);
    work_on(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Refused);
    hears_twice(&till).await;
    let listed = unresolved(&till.shop).await;
    assert_eq!((listed.len(), listed[0].id), (1, Some(id)));
    assert!(
        listed[0].to_do.contains("--method already-refunded"),
        "{listed:?}"
    );
    let had = Resolution {
        id,
        method: ResolutionWay::Refund(RefundMethod::AlreadyRefunded),
        by: "Jo Bloggs".to_owned(),
        why: "refunded in the Dashboard on the phone".to_owned(),
    };
    let (store, now) = (&till.shop.app.store, till.shop.clock.now());
    resolve::execute(store, &had, now).await.unwrap();
    assert_eq!(unresolved(&till.shop).await, []);
    // This test never posted the refund as owed, so the customer's account shows it as a debt.
    let paid = attempt.amount.0;
    assert_eq!(accounts(&till), [0, 1000, 0, paid - 1000, 0, 0]);
}

/// A person pays a refund by transfer before Stripe's message of a refund in its Dashboard arrives.
#[tokio::test]
async fn a_transfer_before_the_news_of_a_refund_by_hand_is_listed_until_a_person_has_looked() {
    for is_whole in [true, false] {
        let (till, id) = refunding(Card::VISA).await;
        let intent = till.attempt().references["intent"].clone();
        if is_whole {
            refunds_by_hand(&till, &intent, None);
            work_on(&till).await;
            assert_eq!(refund(&till, id).status, RefundStatus::Refused);
        } else {
            work_on(&till).await;
            let name = refund(&till, id).reference.unwrap();
            till.double
                .books(|books, now| books.fail_refund(&name, now).unwrap());
            hears_twice(&till).await;
            assert_eq!(refund(&till, id).status, RefundStatus::Failed);
            refunds_by_hand(&till, &intent, Some(1000));
        }
        let decide = |id, method| Resolution {
            id,
            method,
            by: "Jo Bloggs".to_owned(),
            why: "Faster payment 4711".to_owned(),
        };
        let transfer = decide(id, ResolutionWay::Refund(RefundMethod::Transfer));
        resolves(&till.shop, &transfer).await.unwrap();
        assert_eq!(unresolved(&till.shop).await, []);

        till.wait(TimeDelta::minutes(1));
        hears_twice(&till).await;
        let listed = unresolved(&till.shop).await;
        assert_eq!(listed.len(), 1, "{listed:?}");
        let by_hand = listed[0].id.unwrap();
        assert_ne!(by_hand, id);
        assert!(listed[0].facts.contains("money twice"), "{listed:?}");
        let looked = decide(by_hand, ResolutionWay::Message);
        let line = resolves(&till.shop, &looked).await.unwrap();
        assert!(line.ends_with("is followed up"), "{line}");
        let again = resolves(&till.shop, &looked).await.unwrap_err();
        assert!(again.contains("it was followed up on"), "{again}");
        assert_eq!(unresolved(&till.shop).await, []);
    }
}

#[tokio::test]
async fn a_refund_that_came_back_and_was_split_agrees_with_the_payout() {
    let (till, intent, paid) = bought().await;
    let id = till.shop.owe_refund(&till.quote, paid).await;
    work_on(&till).await;
    let name = refund(&till, id).reference.unwrap();
    till.double
        .books(|books, now| books.fail_refund(&name, now).unwrap());
    refunds_by_hand(&till, &intent, Some(250));
    hears_twice(&till).await;
    assert_eq!(refund(&till, id).status, RefundStatus::Failed);
    let transfer = Resolution {
        id,
        method: ResolutionWay::Refund(RefundMethod::Transfer),
        by: "Jo Bloggs".to_owned(),
        why: "Faster payment 4711".to_owned(),
    };
    let (store, now) = (&till.shop.app.store, till.shop.clock.now());
    let line = resolve::execute(store, &transfer, now).await.unwrap();
    assert!(line.contains("£2.50 was had already"), "{line}");
    assert_eq!(refund(&till, id).amount.0, paid - 250);

    // Stripe made the whole refund, and took the whole refund back.
    let report = till.double.books(|books, now| {
        let payout = books.pay_out(now);
        books.payout_report(payout["id"].as_str().unwrap())
    });
    let lines = reconciles(&till, report).await;
    let last = lines.last().unwrap();
    assert!(last.contains("0 mismatched; 0 unknown"), "{lines:#?}");
    assert_eq!(accounts(&till)[0], 0);
    let listed = unresolved(&till.shop).await;
    assert!(listed.is_empty(), "{listed:?}");
}

#[tokio::test]
async fn each_movement_of_a_disputes_money_is_booked_as_it_is() {
    let (till, intent, paid) = bought().await;
    till.double
        .books(|books, now| books.dispute(&intent, now).unwrap());
    // The bank takes two amounts, neither of which is the dispute's, and Stripe charges fees too.
    let moved = |id: &str, amount: i64, fee: i64, currency: &str| {
        json!({ "id": id, "object": "balance_transaction", "amount": amount, "fee": fee,
                "net": amount - fee, "currency": currency, "reporting_category": "dispute",
                "type": "adjustment" })
    };
    let taken = [
        moved("txn_a", -4000, 2000, "gbp"),
        moved("txn_b", -600, 0, "gbp"),
        moved("txn_e", -700, 0, "eur"),
    ];
    let withdrawn = till.changed("charge.dispute.funds_withdrawn", |event| {
        event["data"]["object"]["balance_transactions"] = json!(taken);
    });
    for _ in 0..2 {
        till.hear(&withdrawn).await.expect(StatusCode::OK);
    }
    assert_eq!(accounts(&till), [paid - 4600, 0, 4600, 0, 0, 0]);
    is_clean(&till.shop, "after two movements");

    // A part of the money returns, with a part of Stripe's fee, while older reports are still undelivered.
    let mut event: Value = serde_json::from_str(&withdrawn.body).unwrap();
    let dispute = &mut event["data"]["object"];
    dispute["status"] = json!("won");
    dispute["balance_transactions"] = json!([
        taken[0].clone(),
        taken[1].clone(),
        moved("txn_c", 4500, -1500, "gbp"),
    ]);
    event["type"] = json!("charge.dispute.funds_reinstated");
    let body = event.to_string();
    for _ in 0..2 {
        let signature = till.signed(&body, SECRET, 0);
        till.hear_raw(&body, &signature)
            .await
            .expect(StatusCode::OK);
        till.hear(&withdrawn).await.expect(StatusCode::OK);
    }
    assert_eq!(accounts(&till), [paid - 100, 0, 100, 0, 0, 0]);
    is_clean(&till.shop, "after a part came back");
    let listed = unresolved(&till.shop).await;
    let facts = |what: &str| &listed.iter().find(|one| one.what == what).unwrap().facts;
    assert!(facts("dispute").contains("still holds £1.00"), "{listed:?}");
    // A person must look at the movement in euros. It is listed once.
    let foreign = |one: &&UnresolvedRow| one.reference.as_deref() == Some("txn_e");
    assert_eq!(listed.iter().filter(foreign).count(), 1, "{listed:?}");
    assert!(facts("message").contains("charge.dispute.funds_withdrawn"));

    // Each movement is a line of a payout, with Stripe's fee, and is paid out once.
    let name = event["data"]["object"]["id"].as_str().unwrap().to_owned();
    let report = format!(
        "automatic_payout_id,balance_transaction_id,currency,gross,fee,net,reporting_category,source_id\n\
         po_1,txn_a,gbp,-40.00,20.00,-60.00,dispute,{name}\n\
         po_1,txn_b,gbp,-6.00,0.00,-6.00,dispute,{name}\n\
         po_1,txn_x,gbp,-6.00,0.00,-6.00,dispute,{name}\n\
         po_1,txn_c,gbp,45.00,-15.00,60.00,dispute_reversal,{name}\n"
    );
    let lines = reconciles(&till, report).await;
    assert!(
        lines[0].contains("another line has paid -£6.00 for it"),
        "{lines:#?}"
    );
    assert_eq!(accounts(&till), [paid, 0, 100, 0, -600, 500]);
    is_clean(&till.shop, "after the payout");
}

#[tokio::test]
async fn a_refund_of_a_payment_that_is_disputed_waits_until_that_is_decided() {
    for won in [true, false] {
        let (till, id) = refunding(Card::VISA).await;
        let paid = till.kept_at_stripe();
        let intent = till.attempt().references["intent"].clone();
        let dispute = till
            .double
            .books(|books, now| books.dispute(&intent, now).unwrap());
        // Stripe refuses the refund during a dispute, even before the shop has learned of the dispute.
        work_on(&till).await;
        assert_eq!(refund(&till, id).status, RefundStatus::Pending);
        hears_twice(&till).await;
        work_on(&till).await;
        assert_eq!(refund(&till, id).status, RefundStatus::Pending);
        let letters = till.shop.letters();
        let told = |subject: &str| {
            let own = letters.iter();
            own.filter(|one| one.text.contains(subject)).count()
        };
        assert_eq!(told("Your bank has taken your payment back"), 1);
        assert_eq!(told("Your refund has not reached you"), 0);

        let name = dispute["id"].as_str().unwrap();
        till.double
            .books(|books, now| books.close_dispute(name, won, now).unwrap());
        hears_twice(&till).await;
        for _ in 0..3 {
            till.wait(TimeDelta::hours(1));
            work_on(&till).await;
        }
        let row = refund(&till, id);
        let letters = till.shop.letters();
        let told = |title: &str| letters.iter().find(|one| one.text.contains(title));
        if won {
            assert_eq!(row.status, RefundStatus::Paid);
            assert_eq!(till.kept_at_stripe(), paid - 1000);
            let letter = &told("Your payment stands").unwrap().text;
            assert!(letter.contains("The refund of GBP 10.00"), "{letter}");
        } else {
            // The customer has received the refund's amount, and more, from their bank.
            assert_eq!(row.manual.unwrap().method, RefundMethod::AlreadyRefunded);
            assert_eq!(accounts(&till), [0, 1000, 0, paid - 1000, 0, 0]);
            let letter = &told("Your bank has decided for you").unwrap().text;
            assert!(letter.contains("GBP 10.00 that we owed you"), "{letter}");
        }
        assert_eq!(unresolved(&till.shop).await, []);
    }
}
