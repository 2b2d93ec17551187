//! `layby reconcile`: compares a gateway's payouts with the shop's records line by line.

use std::fmt::Write;

use chrono::TimeDelta;
use layby::app::accounting::reconcile::{self, ReconcileError, Reconciliation};
use layby::app::payments;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::dispute::{Dispute, DisputeEvent, DisputeNews};
use layby::products::Catalogue;
use layby::store::{Direction, tables};
use uuid::Uuid;

use super::disputes::unresolved;
use super::{PAYS, Sold, agree, balance, dispute_news, give_back, paid, sell, shop};
use crate::stripe::double::Card;
use crate::stripe::till::{Till, settings};
use crate::support::stores::snapshot;
use crate::support::{Shop, two_vehicles_with};

/// Reads a report. Returns its messages line by line.
pub async fn reconcile(
    shop: &Shop,
    gateway: Option<&str>,
    report: &str,
) -> Result<Vec<String>, String> {
    let order = Reconciliation {
        gateway: gateway.map(str::to_string),
        report: report.to_string(),
    };
    let mut said = Vec::new();
    let now = shop.clock.now();
    match reconcile::execute((&shop.app.store, &shop.app.config), &order, now, &mut said).await {
        Ok(()) | Err(ReconcileError::Mismatched(..)) => Ok(said),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns a plain report.
pub fn plain(lines: &[(&str, i64, i64, &str)]) -> String {
    let mut text = "reference,gross,fee,net,kind,payout\n".to_string();
    let pounds = |pence: i64| {
        let sign = if pence < 0 { "-" } else { "" };
        format!("{sign}{}.{:02}", pence.abs() / 100, pence.abs() % 100)
    };
    for (reference, gross, fee, kind) in lines {
        let (gross, fee, net) = (pounds(*gross), pounds(*fee), pounds(gross - fee));
        writeln!(text, "{reference},{gross},{fee},{net},{kind},po_1").unwrap();
    }
    text
}

/// Returns a plain report of lines without fees: our id, pence, kind.
pub fn statement(lines: &[(String, i64, &str)]) -> String {
    let lines: Vec<_> = lines
        .iter()
        .map(|(reference, gross, kind)| (reference.as_str(), *gross, 0, *kind))
        .collect();
    plain(&lines)
}

/// Returns the balance of an account in the shop's own ledger.
pub fn of_shop(shop: &Shop, account: &Account) -> Pence {
    shop.rows(&tables::SHOP_LEDGER)
        .iter()
        .map(|(_, entry)| entry.amount_on(account))
        .sum()
}

fn disputed(sold: &Sold, taken: i64) -> DisputeNews {
    let payment = &sold.payment;
    let moves = [("txn_1", taken)];
    dispute_news(payment.id, payment.amount, DisputeEvent::Opened, &moves)
}

#[tokio::test]
async fn a_payout_posts_bank_and_fees_and_a_second_run_posts_nothing() {
    let shop = shop().await;
    let (sold, other) = (sell(&shop, PAYS).await, sell(&shop, PAYS).await);
    let paid = sold.payment.amount.0;
    let refund = give_back(&shop, sold.policy, Uuid::from_u128(7), Pence(500)).await[0].id;
    shop.work().await;
    payments::apply_dispute_news(
        &shop.app.store,
        &shop.app.clock,
        &shop.app.work_added,
        disputed(&other, paid),
    )
    .await
    .unwrap();
    let (one, two, back) = (
        sold.payment.id.to_string(),
        other.payment.id.to_string(),
        refund.to_string(),
    );
    let report = plain(&[
        (&one, paid, 137, "payment"),
        (&two, paid, 137, "payment"),
        (&back, -500, 0, "refund"),
        ("dp_1", -paid, 2000, "dispute"),
        ("", -250, 0, "fee"),
        ("", paid - 500 - 137 - 137 - 2000 - 250, 0, "payout"),
    ]);
    let said = reconcile(&shop, Some("sandbox"), &report).await.unwrap();
    let net = Pence(paid - 500 - 137 - 137 - 2000 - 250);
    assert_eq!(
        said[0],
        format!("payout po_1: {net} to the bank, £25.24 in fees")
    );
    assert!(
        said[1].starts_with("5 lines: 5 matched, of which 5 are new"),
        "{said:?}"
    );
    assert_eq!(said.len(), 2);

    let of = |policy, account| balance(&shop, policy, account);
    assert_eq!(of(sold.policy, Account::gateway("sandbox")), Pence::ZERO);
    assert_eq!(of(sold.policy, Account::Bank), Pence(paid - 137 - 500));
    assert_eq!(of(sold.policy, Account::ProviderFees), Pence(137));
    assert_eq!(of(other.policy, Account::gateway("sandbox")), Pence::ZERO);
    assert_eq!(of(other.policy, Account::Bank), Pence(-2137));
    assert_eq!(of_shop(&shop, &Account::Bank), Pence(-250));
    assert_eq!(of_shop(&shop, &Account::ProviderFees), Pence(250));

    let again = reconcile(&shop, Some("sandbox"), &report).await.unwrap();
    assert!(
        again[0].contains("5 matched, of which 0 are new to the ledger, 5 were there"),
        "{again:?}"
    );
    assert_eq!(of(sold.policy, Account::Bank), Pence(paid - 137 - 500));
    assert_eq!(of_shop(&shop, &Account::ProviderFees), Pence(250));
}

#[tokio::test]
async fn stripes_own_report_is_read_by_our_ids_and_its_names() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (id, paid) = (sold.payment.id, sold.payment.amount.0);
    let gross = format!("{}.{:02}", paid / 100, paid % 100);
    let net = format!("{}.{:02}", (paid - 35) / 100, (paid - 35) % 100);
    let report = format!(
        "automatic_payout_id,automatic_payout_effective_at,balance_transaction_id,created,currency,\
         gross,fee,net,reporting_category,source_id,charge_id,payment_intent_id,payment_metadata[payment]\n\
         po_9,2026-11-24 00:00:00,txn_1,2026-11-21 09:00:00,gbp,{gross},0.35,{net},charge,ch_1,ch_1,pi_1,{id}\n\
         ,,txn_2,2026-11-21 09:00:00,gbp,-0.20,0,-0.20,fee,,,,\n\
         po_9,2026-11-24 00:00:00,txn_3,2026-11-21 09:00:00,gbp,1.00,0,1.00,contribution,x,,,\n"
    );
    // These are the sandbox's payments, so Stripe's report has none of them.
    let said = reconcile(&shop, None, &report).await.unwrap();
    assert!(
        said[0].starts_with("line 2: unknown: charge ch_1"),
        "{said:?}"
    );
    assert_eq!(balance(&shop, sold.policy, Account::Bank), Pence::ZERO);
    let said = reconcile(&shop, Some("sandbox"), &report).await.unwrap();
    assert!(
        said[0].starts_with("line 4: unknown: contribution x of £1.00"),
        "{said:?}"
    );
    assert_eq!(
        said[1],
        format!("payout po_9: £{net} to the bank, £0.35 in fees")
    );
    assert!(said[2].contains("1 are in no payout yet"), "{said:?}");
    assert_eq!(
        balance(&shop, sold.policy, Account::ProviderFees),
        Pence(35)
    );
    // The fee is in the ledger once its payout is known.
    assert_eq!(of_shop(&shop, &Account::ProviderFees), Pence::ZERO);
    let paid_out = report.replace(",,txn_2", "po_9,,txn_2");
    reconcile(&shop, Some("sandbox"), &paid_out).await.unwrap();
    assert_eq!(of_shop(&shop, &Account::ProviderFees), Pence(20));
}

#[tokio::test]
async fn a_line_that_says_something_else_posts_nothing_and_is_listed_until_it_agrees() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (id, paid) = (sold.payment.id.to_string(), sold.payment.amount.0);
    let refund = give_back(&shop, sold.policy, Uuid::from_u128(7), Pence(500)).await[0].id;
    let refund = refund.to_string();
    let stray = Uuid::from_u128(404).to_string();
    let report = plain(&[
        (&id, paid - 1, 0, "payment"),
        (&refund, -500, 0, "refund"),
        (&refund, 500, 0, "refund_failure"),
        (&stray, 100, 0, "payment"),
        ("dp_7", -100, 0, "dispute"),
    ]);
    let said = reconcile(&shop, Some("sandbox"), &report).await.unwrap();
    let wanted = [
        format!(
            "line 2: mismatched: payment {id} of {}: we know this payment as one of {}",
            Pence(paid - 1),
            Pence(paid)
        ),
        format!("line 3: mismatched: refund {refund} of -£5.00: we don't know this refund as made"),
        format!(
            "line 4: mismatched: refund_failure {refund} of £5.00: we don't know this refund as one \
                 that came back"
        ),
        format!(
            "line 5: unknown: payment {stray} of £1.00: no payment of ours at this gateway has its \
                 references"
        ),
        "line 6: unknown: dispute dp_7 of -£1.00: no reported dispute has its references"
            .to_string(),
    ];
    assert_eq!(said[..5], wanted);
    assert_eq!(balance(&shop, sold.policy, Account::Bank), Pence::ZERO);
    let listed = unresolved(&shop).await;
    assert_eq!(listed.len(), 5);
    assert!(
        listed
            .iter()
            .all(|row| row.what == "payout line" && row.gateway == "sandbox")
    );

    // Once the shop's refund is made too, its line agrees.
    shop.work().await;
    let said = reconcile(&shop, Some("sandbox"), &report).await.unwrap();
    assert_eq!(
        said.iter()
            .filter(|line| line.contains("mismatched: "))
            .count(),
        2,
        "{said:?}"
    );
    assert_eq!(balance(&shop, sold.policy, Account::Bank), Pence(-500));
    assert_eq!(unresolved(&shop).await.len(), 4);
    // One payment is paid out once, whatever other lines say.
    let right = plain(&[(&id, paid, 0, "payment"), (&id, paid, 7, "payment")]);
    let said = reconcile(&shop, Some("sandbox"), &right).await.unwrap();
    assert!(said[0].contains("another line has paid"), "{said:?}");
    assert_eq!(
        balance(&shop, sold.policy, Account::Bank),
        Pence(paid - 500)
    );
}

#[track_caller]
fn says_late(said: &[String], count: usize) {
    let wanted = format!("{count} of ours are in no payout for 3 working days");
    assert!(said.last().unwrap().ends_with(&wanted), "{said:?}");
}

#[tokio::test]
async fn ours_that_no_report_names_for_three_working_days_is_late() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (id, paid) = (sold.payment.id.to_string(), sold.payment.amount.0);
    let fee = plain(&[("", -1, 0, "fee")]);
    let said = reconcile(&shop, Some("sandbox"), &fee).await.unwrap();
    says_late(&said, 0);
    // Paid on a Saturday: the third working day is Wednesday.
    shop.clock.advance(TimeDelta::days(4));
    assert_eq!(unresolved(&shop).await, []);
    shop.clock.advance(TimeDelta::days(1));
    let said = reconcile(&shop, Some("sandbox"), &fee).await.unwrap();
    assert!(
        said[0].starts_with(&format!("late: {id} of 21 November 2026, {}", Pence(paid))),
        "{said:?}"
    );
    says_late(&said, 1);
    let listed = unresolved(&shop).await;
    assert_eq!((listed.len(), listed[0].what.as_str()), (1, "late"));
    // A gateway without reports has nothing late.
    let stripe = fee.replace("po_1", "po_2");
    let said = reconcile(&shop, Some("stripe"), &stripe).await.unwrap();
    says_late(&said, 0);
    let report = plain(&[(&id, paid, 0, "payment")]);
    let said = reconcile(&shop, Some("sandbox"), &report).await.unwrap();
    says_late(&said, 0);
    assert_eq!(unresolved(&shop).await, []);
}

#[tokio::test]
async fn a_gateway_may_have_other_working_days() {
    let till = Till::at_the_page().await;
    till.pay(Card::VISA);
    till.hear_all().await;
    let settings = settings(&till.double, "[\"stripe\"]") + "payout_working_days = 5\n";
    let shop = till
        .shop
        .restarted(&settings, Catalogue::load(None).unwrap());
    let shop = shop.await;
    let fee = plain(&[("", -1, 0, "fee")]);
    reconcile(&shop, Some("stripe"), &fee).await.unwrap();
    // Paid on a Saturday: the fifth working day is Friday.
    shop.clock.advance(TimeDelta::days(6));
    assert_eq!(unresolved(&shop).await, []);
    shop.clock.advance(TimeDelta::days(1));
    let listed = unresolved(&shop).await;
    assert_eq!((listed.len(), listed[0].what.as_str()), (1, "late"));
    assert!(listed[0].facts.contains("for 5 working days"), "{listed:?}");
}

#[tokio::test]
async fn bank_holidays_make_no_payout_late() {
    let shop = shop().await;
    // Paid on Wednesday 23 December.
    shop.clock.advance(TimeDelta::days(32));
    let product = two_vehicles_with("start_date", "28.12.2026");
    let quote = shop.quote(&product).await;
    agree(&shop, &quote, true).await;
    paid(&shop, quote, PAYS).await;
    let fee = plain(&[("", -1, 0, "fee")]);
    reconcile(&shop, Some("sandbox"), &fee).await.unwrap();
    // Friday is Christmas Day, and Monday replaces Boxing Day. So the third working day is the 30th.
    shop.clock.advance(TimeDelta::days(7));
    assert_eq!(unresolved(&shop).await, []);
    shop.clock.advance(TimeDelta::days(1));
    let listed = unresolved(&shop).await;
    assert_eq!((listed.len(), listed[0].what.as_str()), (1, "late"));
}

#[tokio::test]
async fn of_a_file_that_is_wrong_anywhere_nothing_is_taken_in() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (id, paid) = (sold.payment.id.to_string(), sold.payment.amount.0);
    let good = plain(&[(&id, paid, 0, "payment")]);
    let bad = format!("{good}{id},1.00,0,2.00,payment,po_1\n");
    let why = reconcile(&shop, Some("sandbox"), &bad).await.unwrap_err();
    assert!(
        why.starts_with("line 3: gross £1.00 less fee £0.00 is not net £2.00"),
        "{why}"
    );
    assert!(why.ends_with("nothing of the file was taken in"), "{why}");
    assert_eq!(balance(&shop, sold.policy, Account::Bank), Pence::ZERO);
    let tx = snapshot(&shop.app.store);
    assert!(
        tables::SETTLEMENT_LINES
            .list(&tx, &(), Direction::Forward, 1)
            .unwrap()
            .is_empty()
    );
    let id = Dispute::dispute_id("sandbox", "dp_1");
    assert!(tables::DISPUTES.get(&tx, &id).unwrap().is_none());
}
