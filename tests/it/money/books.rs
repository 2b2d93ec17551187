//! `layby check` of the books. After any events each balance follows from its rows, and each kind of error is
//! found.

use std::ops::ControlFlow;

use layby::app::check::{self, CheckReport};
use layby::app::payments::{self, refunds};
use layby::domain::money::Pence;
use layby::domain::money::ledger::Entry;
use layby::domain::payment::PaymentStatus;
use layby::domain::payment::dispute::{DisputeEvent, DisputeNews};
use layby::domain::payment::refund::RefundStatus;
use layby::domain::payment::settlement::SettlementLine;
use layby::store::{Direction, StoreError, WriteTx, tables};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use super::dispute_news;
use super::payouts::reconcile;
use crate::policies::{Customer, PAYS, covered};
use crate::support::Shop;
use crate::support::stores::snapshot;

/// Returns the findings of a check of the store.
pub fn checked(shop: &Shop) -> Vec<String> {
    let mut said = Vec::new();
    let _ = check::check_running(&shop.app.store, None, &mut |report| {
        if let CheckReport::Text(line) = report {
            said.push(line);
        }
        ControlFlow::Continue(())
    });
    said
}

pub fn is_clean(shop: &Shop, when: &str) {
    let said = checked(shop);
    let last = said.last().unwrap();
    assert!(
        last.ends_with("and so are the indexes and the books"),
        "{when}: {said:#?}"
    );
}

async fn write(
    shop: &Shop,
    change: impl Fn(&mut WriteTx<'_>) -> Result<(), StoreError> + Send + 'static,
) {
    shop.app.store.write(change).await.unwrap();
}

/// Returns a policy that was changed, disputed and paid out, so every account has moved.
async fn walked() -> (Customer, Uuid) {
    let (mut ann, policy) = covered().await;
    is_clean(&ann.shop, "after the purchase");
    ann.sleeps(30).await;
    let dearer = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let change = dearer.expect(StatusCode::OK).text("/data/adjustment_id");
    ann.enters_card(&change, PAYS).await;
    ann.works().await;
    is_clean(&ann.shop, "after a change that was paid for");
    let cheaper = json!({ "cover_level": 1 });
    let later = ann.asks(&policy, cheaper, Some("2027-03-03")).await;
    let change = later.expect(StatusCode::OK).text("/data/adjustment_id");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    is_clean(&ann.shop, "while a change waits for its day");
    let uuid: Uuid = policy.parse().unwrap();
    let payment = ann.shop.row(&tables::POLICIES, &uuid).payment;
    let taken = [("txn_1", 900)];
    let opened = dispute_news(payment, Pence(900), DisputeEvent::Opened, &taken);
    payments::apply_dispute_news(
        &ann.shop.app.store,
        &ann.shop.app.clock,
        &ann.shop.app.work_added,
        opened.clone(),
    )
    .await
    .unwrap();
    is_clean(&ann.shop, "after a dispute");
    let lost = DisputeNews {
        event: DisputeEvent::Lost,
        ..opened
    };
    payments::apply_dispute_news(
        &ann.shop.app.store,
        &ann.shop.app.clock,
        &ann.shop.app.work_added,
        lost,
    )
    .await
    .unwrap();
    is_clean(&ann.shop, "after it was lost");
    let report = "reference,gross,fee,net,kind,payout\ndp_1,-9.00,15.00,-24.00,dispute,po_1\n\
                  ,-0.30,0,-0.30,fee,po_1\n";
    let taken_in = reconcile(&ann.shop, Some("sandbox"), report).await;
    taken_in.unwrap();
    is_clean(&ann.shop, "after a payout");
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    is_clean(&ann.shop, "after the cancellation, before its refund");
    ann.works().await;
    is_clean(&ann.shop, "after the refund");
    (ann, uuid)
}

#[tokio::test]
async fn the_books_of_a_policy_are_right_after_each_step_of_its_life() {
    let (ann, uuid) = walked().await;
    let refund = {
        let tx = snapshot(&ann.shop.app.store);
        let refunds = tables::REFUND_BY_POLICY
            .list(&tx, &uuid, Direction::Forward, 10)
            .unwrap();
        refunds.last().unwrap().0.1
    };
    refunds::mark_refund_failed(
        &ann.shop.app.store,
        &ann.shop.app.clock,
        &ann.shop.app.work_added,
        refund,
    )
    .await
    .unwrap();
    is_clean(&ann.shop, "after a refund that came back");
}

#[tokio::test]
async fn a_shop_with_demonstration_data_has_its_books_right() {
    let shop = super::shop().await;
    shop.seed(4, 16).await;
    is_clean(&shop, "after seeding");
}

/// Returns the findings after a row is spoilt. Checks that there are none after its repair.
async fn breaks(
    shop: &Shop,
    spoil: impl Fn(&mut WriteTx<'_>) -> Result<(), StoreError> + Send + 'static,
    mend: impl Fn(&mut WriteTx<'_>) -> Result<(), StoreError> + Send + 'static,
) -> Vec<String> {
    write(shop, spoil).await;
    let said = checked(shop);
    write(shop, mend).await;
    is_clean(shop, "once it is mended");
    said
}

#[track_caller]
fn has(said: &[String], wanted: &str) {
    let mut lines = said.iter();
    assert!(
        lines.any(|line| line.contains(wanted)),
        "{wanted}: {said:?}"
    );
}

/// Checks that there is one finding, and that it names the account.
fn names(said: &[String], wanted: &str) {
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(said[0].starts_with("the books of BRK"), "{said:?}");
    assert!(said[0].contains(wanted), "{said:?}");
}

#[tokio::test]
async fn each_balance_that_is_not_so_is_found_and_named() {
    let (ann, policy) = walked().await;
    let shop = &ann.shop;
    let tx = snapshot(&shop.app.store);
    let entries = tables::LEDGER
        .list(&tx, &policy, Direction::Forward, 100)
        .unwrap();
    let number = u32::try_from(entries.len()).unwrap() + 1;
    let first = entries[0].1.clone();
    let (at, about) = (shop.clock.now(), Uuid::from_u128(9));
    let added = |entry: Entry| {
        (
            move |tx: &mut WriteTx<'_>| tables::LEDGER.put(tx, &(policy, number), &entry),
            move |tx: &mut WriteTx<'_>| {
                tables::LEDGER.delete(tx, &(policy, number))?;
                Ok(())
            },
        )
    };

    // The customer owes money.
    let (spoil, mend) = added(Entry::increase(at, about, Pence(100), Pence::ZERO));
    names(
        &breaks(shop, spoil, mend).await,
        "the customer's account stands at £1.00",
    );
    // Tax that does not follow from the answers.
    let (spoil, mend) = added(Entry::earn_held(at, about, Pence::ZERO, Pence(7)));
    names(
        &breaks(shop, spoil, mend).await,
        "the account of tax stands at",
    );
    // More is owed than the refunds cover.
    let (spoil, mend) = added(Entry::decrease(at, about, Pence(100), Pence::ZERO));
    names(
        &breaks(shop, spoil, mend).await,
        "the account of refunds owed stands at",
    );
    // A dispute without a report.
    let (spoil, mend) = added(Entry::write_off(at, about, Pence(5)));
    let said = breaks(shop, spoil, mend).await;
    has(&said, "the account of disputes stands at -£0.05");
    has(&said, "what is written off stands at £9.05");
    // Money paid out without a settlement line.
    let (spoil, mend) = added(Entry::settle(at, "sandbox", about, Pence(100), Pence(10)));
    let said = breaks(shop, spoil, mend).await;
    for account in [
        "of the gateway sandbox",
        "of the bank",
        "of the gateways' fees",
    ] {
        has(&said, account);
    }
    // Money of a gateway without payments.
    let (spoil, mend) = added(Entry::unapplied(at, about, Pence::ZERO));
    assert_eq!(
        breaks(shop, spoil, mend).await.len(),
        1,
        "a movement of nothing harms nothing"
    );

    // A movement is missing.
    let restore = first.clone();
    let said = breaks(
        shop,
        move |tx| {
            tables::LEDGER.delete(tx, &(policy, 1))?;
            Ok(())
        },
        move |tx| tables::LEDGER.put(tx, &(policy, 1), &restore),
    )
    .await;
    has(&said, "the customer's account");
    has(&said, "the account of tax");

    // Postings with a sum other than zero.
    let mut broken = serde_json::to_value(&first).unwrap();
    let amount = broken["postings"][0]["amount"].as_f64().unwrap();
    broken["postings"][0]["amount"] = (amount + 1.0).into();
    let broken: Entry = serde_json::from_value(broken).unwrap();
    let restore = first.clone();
    let said = breaks(
        shop,
        move |tx| tables::LEDGER.put(tx, &(policy, 1), &broken),
        move |tx| tables::LEDGER.put(tx, &(policy, 1), &restore),
    )
    .await;
    let wanted = "the postings of movement 1 add up to £1.00 and not to nothing";
    has(&said, wanted);
}

#[tokio::test]
async fn a_row_that_the_ledger_does_not_follow_is_found_and_named() {
    let (ann, policy) = walked().await;
    let shop = &ann.shop;
    let tx = snapshot(&shop.app.store);
    let payment = tables::POLICIES.get(&tx, &policy).unwrap().unwrap().payment;

    // A payment that was never made, and one of another amount.
    let was = tables::PAYMENTS.get(&tx, &payment).unwrap().unwrap();
    for (status, amount) in [
        (PaymentStatus::Failed, was.amount),
        (was.status, was.amount + Pence(1)),
    ] {
        let mut row = was.clone();
        (row.status, row.amount) = (status, amount);
        let good = was.clone();
        let mistakes = breaks(
            shop,
            move |tx| tables::PAYMENTS.put(tx, &payment, &row),
            move |tx| tables::PAYMENTS.put(tx, &payment, &good),
        )
        .await;
        let wanted = "the account of the gateway sandbox stands at";
        assert!(mistakes[0].contains(wanted), "{mistakes:?}");
        // The refunds exceed the taken amount. A failed payment took nothing.
        let has_excess = mistakes.iter().any(|line| line.contains("£0.00 was taken"));
        assert_eq!(has_excess, status == PaymentStatus::Failed, "{mistakes:?}");
    }

    // A completed refund, recorded as refused.
    let refunds = tables::REFUND_BY_POLICY
        .list(&tx, &policy, Direction::Forward, 10)
        .unwrap();
    let refund = refunds.last().unwrap().0.1;
    let good = tables::REFUNDS.get(&tx, &refund).unwrap().unwrap();
    let mut row = good.clone();
    row.status = RefundStatus::Refused;
    let mistakes = breaks(
        shop,
        move |tx| tables::REFUNDS.put(tx, &refund, &row),
        move |tx| tables::REFUNDS.put(tx, &refund, &good),
    )
    .await;
    has(&mistakes, "the account of refunds owed stands at £0.00");
    has(&mistakes, "the account of the gateway sandbox");

    // A settlement line with changed figures.
    let lines = tables::SETTLEMENT_LINES
        .list(&tx, &(), Direction::Forward, 10)
        .unwrap();
    let line_of = |of_policy: bool| {
        let mut lines = lines.iter();
        let found = lines.find(|(_, line)| line.policy.is_some() == of_policy);
        found.unwrap().clone()
    };
    let put = |key, row: SettlementLine| {
        move |tx: &mut WriteTx<'_>| tables::SETTLEMENT_LINES.put(tx, &key, &row)
    };
    let (key, good) = line_of(true);
    let row = SettlementLine {
        fee: good.fee + Pence(1),
        ..good.clone()
    };
    let mistakes = breaks(shop, put(key, row), put(key, good)).await;
    has(&mistakes, "the account of the gateways' fees");
    let (key, good) = line_of(false);
    let row = SettlementLine {
        gross: good.gross + Pence(1),
        ..good.clone()
    };
    let mistakes = breaks(shop, put(key, row), put(key, good)).await;
    assert!(
        mistakes
            .iter()
            .all(|line| line.starts_with("the shop's own books: ")),
        "{mistakes:?}"
    );
    assert_eq!(mistakes.len(), 2);

    // Answers whose price differs from the price that was paid.
    let changed = tables::QUOTES.get(&tx, &policy).unwrap().unwrap();
    let older = tables::REVISIONS
        .list(&tx, &policy, Direction::Forward, 1)
        .unwrap();
    let (key, good) = older[0].clone();
    assert_ne!(key.1, changed.current.number);
    let mut row = good.clone();
    let price = row.price.as_mut().unwrap();
    price.tax += Pence(1);
    price.net -= Pence(1);
    let mistakes = breaks(
        shop,
        move |tx| tables::REVISIONS.put(tx, &key, &row),
        move |tx| tables::REVISIONS.put(tx, &key, &good),
    )
    .await;
    names(
        &mistakes,
        "its tax can't be worked out: its answers don't make the price it was sold at",
    );
}
