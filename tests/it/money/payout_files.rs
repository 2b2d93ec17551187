//! Formats of payout files: a payout over several files, a payout that the bank returned, and other column
//! separators.

use layby::app::accounting::resolve::{DisputeResult, RefundMethod, Resolution, ResolutionWay};
use layby::app::payments;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::dispute::DisputeEvent;

use super::books::is_clean;
use super::disputes::{news, unresolved};
use super::manual_resolution::resolves;
use super::payouts::{of_shop, plain, reconcile};
use super::{PAYS, balance, sell, shop};
use crate::support::{Letter, Shop};

async fn taken_in(shop: &Shop, report: &str) -> Vec<String> {
    reconcile(shop, Some("sandbox"), report).await.unwrap()
}

#[tokio::test]
async fn the_lines_of_a_payout_may_stand_in_several_files() {
    let shop = shop().await;
    let (one, two) = (sell(&shop, PAYS).await, sell(&shop, PAYS).await);
    let (first, second) = (one.payment.id.to_string(), two.payment.id.to_string());
    let (paid, all) = (one.payment.amount.0, 2 * one.payment.amount.0 - 40);
    let lines = taken_in(&shop, &plain(&[(&first, paid, 40, "payment")])).await;
    assert_eq!(lines.len(), 2, "{lines:?}");
    let rest = [
        (&second as &str, paid, 0, "payment"),
        ("", all, 0, "payout"),
    ];
    let lines = taken_in(&shop, &plain(&rest)).await;
    assert!(
        lines
            .iter()
            .all(|line| !line.contains("but its lines make")),
        "{lines:?}"
    );
    let wrong = [("", all + 1, 0, "payout")];
    let lines = taken_in(&shop, &plain(&wrong)).await;
    assert!(lines[0].contains("but its lines make"), "{lines:?}");
}

#[tokio::test]
async fn a_payout_that_the_bank_sent_back_is_paid_out_again_and_is_in_the_ledger_once() {
    let shop = shop().await;
    let (one, two) = (sell(&shop, PAYS).await, sell(&shop, PAYS).await);
    let pounds = |pence: i64| format!("{}.{:02}", pence / 100, pence % 100);
    let paid = one.payment.amount.0;
    let (each, both) = (pounds(paid), pounds(2 * paid));
    let heading = "automatic_payout_id,balance_transaction_id,currency,gross,fee,net,reporting_category,\
                   payment_metadata[layby_payment]\n";
    let (first, second) = (one.payment.id, two.payment.id);
    let sent = format!(
        "{heading}po_1,txn_1,gbp,{each},0,{each},charge,{first}\n\
         po_1,txn_2,gbp,-{each},0,-{each},payout,\n"
    );
    taken_in(&shop, &sent).await;
    let again = format!(
        "{heading}po_2,txn_3,gbp,{each},0,{each},payout_reversal,\n\
         po_2,txn_4,gbp,{each},0,{each},charge,{second}\n\
         po_2,txn_5,gbp,-{both},0,-{both},payout,\n"
    );
    let lines = taken_in(&shop, &again).await;
    let back = Pence(paid);
    let wanted = format!("payout po_2: {back} of it was paid out before and sent back by the bank");
    assert!(lines.contains(&wanted), "{lines:?}");
    assert!(
        lines.last().unwrap().contains("0 mismatched; 0 unknown"),
        "{lines:?}"
    );
    assert!(
        lines
            .iter()
            .all(|line| !line.contains("but its lines make")),
        "{lines:?}"
    );
    for sold in [&one, &two] {
        assert_eq!(balance(&shop, sold.policy, Account::Bank), Pence(paid));
    }
    assert_eq!(of_shop(&shop, &Account::Bank), Pence::ZERO);
}

#[tokio::test]
async fn a_line_that_is_nobodys_is_taken_for_the_shops_own_once_somebody_says_so() {
    let shop = shop().await;
    sell(&shop, PAYS).await;
    let report = "automatic_payout_id,balance_transaction_id,currency,gross,fee,net,reporting_category\n\
                  po_1,txn_1,gbp,-1.20,0.05,-1.25,contribution\n\
                  ,txn_2,gbp,-0.30,0,-0.30,contribution\n";
    taken_in(&shop, report).await;
    let listed = unresolved(&shop).await;
    let line = |gross: i64| {
        let own = listed.iter().find(|row| row.amount == Pence(gross));
        own.unwrap().id.unwrap()
    };
    assert!(listed[0].to_do.contains("`layby resolve`"), "{listed:?}");
    let resolution = Resolution {
        id: line(-120),
        method: ResolutionWay::Refund(RefundMethod::Transfer),
        by: "Jo Bloggs".to_string(),
        why: "our gift to the climate".to_string(),
    };
    let done = resolves(&shop, &resolution).await.unwrap();
    assert_eq!(
        done,
        "line txn_1 of payout po_1 of -£1.20 is accepted as the shop's own"
    );
    let again = resolves(&shop, &resolution).await.unwrap_err();
    assert!(again.contains("by Jo Bloggs: our gift"), "{again}");
    let waits = Resolution {
        id: line(-30),
        ..resolution
    };
    let refused = resolves(&shop, &waits).await.unwrap_err();
    assert!(refused.contains("it is in no payout yet"), "{refused}");
    let of = |account| of_shop(&shop, &account);
    let moved = [Account::Bank, Account::ProviderFees, Account::WrittenOff].map(of);
    assert_eq!(moved, [Pence(-125), Pence(5), Pence(120)]);
    is_clean(&shop, "after it was taken for our own");
    // A second read changes nothing.
    let lines = taken_in(&shop, report).await;
    assert!(lines.last().unwrap().contains("1 were there"), "{lines:?}");
    assert_eq!(of(Account::Bank), Pence(-125));
    assert_eq!(unresolved(&shop).await.len(), 1);
}

#[tokio::test]
async fn a_file_that_is_not_set_apart_by_commas_or_not_in_pounds_sterling_says_so() {
    let shop = shop().await;
    let semicolons = "reference;gross;fee;net;kind;payout\na;1,00;0;1,00;payment;po_1\n";
    let refused = reconcile(&shop, Some("sandbox"), semicolons).await;
    let why = refused.unwrap_err();
    assert!(why.contains("Columns must be set apart by commas"), "{why}");
    let euros = "automatic_payout_id,balance_transaction_id,currency,gross,fee,net,reporting_category\n\
                 po_1,txn_1,eur,1.00,0,1.00,charge\n";
    let why = reconcile(&shop, None, euros).await.unwrap_err();
    assert!(
        why.contains(
            "line 2: the currency must be gbp, and is `eur`: ask for a report of gbp alone"
        ),
        "{why}"
    );
}

#[tokio::test]
async fn a_dispute_line_opens_a_dispute_that_later_news_does_not_book_again() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let payment = sold.payment.id;
    let disputes = |shop: &Shop| balance(shop, sold.policy, Account::Disputes);
    let report = format!(
        "automatic_payout_id,balance_transaction_id,currency,gross,fee,net,reporting_category,source_id,\
         payment_metadata[layby_payment]\n\
         po_1,txn_1,gbp,-5.00,20.00,-25.00,dispute,dp_1,{payment}\n"
    );
    for counts in ["of which 1 are new", "of which 0 are new"] {
        let lines = taken_in(&shop, &report).await;
        assert!(lines.last().unwrap().contains(counts), "{lines:?}");
        assert_eq!(disputes(&shop), Pence(500));
    }
    shop.work().await;
    let is_told = |letter: &Letter| letter.text.contains("Your bank has taken");
    assert_eq!(
        shop.letters()
            .iter()
            .filter(|letter| is_told(letter))
            .count(),
        1
    );

    // The gateway repeats the movement, adds one, and then decides itself.
    let moves = [("txn_1", 500), ("txn_2", 100)];
    let news = news(&sold, DisputeEvent::Opened, &moves);
    let app = &shop.app;
    payments::apply_dispute_news(&app.store, &app.clock, &app.work_added, news)
        .await
        .unwrap();
    assert_eq!(disputes(&shop), Pence(600));
    let id = unresolved(&shop).await[0].id.unwrap();
    let lost = Resolution {
        id,
        method: ResolutionWay::Dispute(DisputeResult::Lost),
        by: "Jo Bloggs".to_string(),
        why: "no answer".to_string(),
    };
    let refusal = resolves(&shop, &lost).await.unwrap_err();
    assert!(refusal.contains("the gateway says itself"), "{refusal}");
    is_clean(&shop, "after the gateway's news");
}

#[tokio::test]
async fn a_plain_line_opens_a_dispute_by_our_id_of_the_payment() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let id = sold.payment.id.to_string();
    let report = plain(&[(&id, -500, 0, "dispute"), (&id, -100, 0, "dispute")]);
    for counts in ["of which 2 are new", "of which 0 are new"] {
        let lines = taken_in(&shop, &report).await;
        assert!(lines.last().unwrap().contains(counts), "{lines:?}");
        let taken = balance(&shop, sold.policy, Account::Disputes);
        assert_eq!(taken, Pence(600));
    }
    let won = Resolution {
        id: unresolved(&shop).await[0].id.unwrap(),
        method: ResolutionWay::Dispute(DisputeResult::Won),
        by: "Jo Bloggs".to_string(),
        why: "letter of the bank".to_string(),
    };
    // Of two calls at once, one counts.
    let (one, other) = tokio::join!(resolves(&shop, &won), resolves(&shop, &won));
    assert_ne!(one.is_ok(), other.is_ok());
    let listed = unresolved(&shop).await;
    assert!(listed[0].facts.contains("still holds £6.00"), "{listed:?}");
    let back = plain(&[
        (&id, 500, 0, "dispute_reversal"),
        (&id, 100, 0, "dispute_reversal"),
    ]);
    taken_in(&shop, &back).await;
    assert_eq!(balance(&shop, sold.policy, Account::Disputes), Pence::ZERO);
    assert_eq!(unresolved(&shop).await, []);
    is_clean(&shop, "after the money came back");
}
