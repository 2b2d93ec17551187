//! A policy whose payment a bank takes back, and that is cancelled before the bank has decided: the refund is
//! owed meanwhile, made when the dispute is won, and had already when it is lost.

use chrono::TimeDelta;
use layby::domain::dispute::DisputeEvent;
use layby::domain::ledger::Account;
use layby::domain::refund::{OtherWay, Refund, RefundStatus};
use layby::store::{Direction, tables};
use serde_json::json;

use super::books::is_clean;
use super::disputed_change::hears;
use super::disputes::unresolved;
use crate::policies::{Customer, covered, pence};
use crate::support::stores::snapshot;

fn refund(ann: &Customer) -> Refund {
    let tx = snapshot(&ann.shop.app.store);
    let all = tables::REFUNDS.list(&tx, &(), Direction::Forward, 10);
    let all = all.unwrap();
    assert_eq!(all.len(), 1);
    all[0].1.clone()
}

async fn works_for_hours(ann: &Customer) {
    for _ in 0..3 {
        ann.shop.clock.advance(TimeDelta::hours(1));
        ann.works().await;
    }
}

#[tokio::test]
async fn what_comes_back_waits_for_the_bank_and_is_refunded_or_was_had() {
    for is_won in [true, false] {
        let (ann, policy) = covered().await;
        let payment = {
            let tx = snapshot(&ann.shop.app.store);
            let all = tables::PAYMENTS.list(&tx, &(), Direction::Forward, 10);
            all.unwrap().pop().unwrap().1
        };
        let (shop, paid) = (&ann.shop, payment.amount.0);
        let taken = [("txn_1", paid)];
        hears(shop, payment.id, paid, DisputeEvent::Opened, &taken).await;
        let read = ann.policy(&policy).await;
        assert_eq!(
            pence(read.at("/data/policy/paid")),
            paid,
            "nothing is decided"
        );

        let undo = ann.put(&format!("/api/v1/policy/ntu/{policy}"), &json!({}));
        undo.succeeds().await;
        is_clean(shop, "after it was undone");
        works_for_hours(&ann).await;
        assert_eq!(refund(&ann).status, RefundStatus::Pending);
        let owed = || -ann.account(&policy, Account::Refunds).0;
        assert_eq!(owed(), paid);

        if is_won {
            let back = [("txn_2", -paid)];
            hears(shop, payment.id, paid, DisputeEvent::Won, &back).await;
            works_for_hours(&ann).await;
            assert_eq!(refund(&ann).status, RefundStatus::Paid);
        } else {
            hears(shop, payment.id, paid, DisputeEvent::Lost, &[]).await;
            assert_eq!(refund(&ann).otherwise.unwrap().way, OtherWay::AlreadyHad);
            works_for_hours(&ann).await;
        }
        assert_eq!(owed(), 0);
        is_clean(shop, "after the bank decided");
        assert_eq!(unresolved(shop).await, []);
    }
}
