//! A disputed policy that is cancelled before the bank's decision. The refund is owed meanwhile, made if the
//! dispute is won, and already received if it is lost.

use chrono::TimeDelta;
use layby::domain::money::ledger::Account;
use layby::domain::payment::dispute::DisputeEvent;
use layby::domain::payment::refund::{RefundMethod, RefundStatus};
use layby::store::tables;
use serde_json::json;

use super::books::is_clean;
use super::disputed_change::hears;
use super::disputes::unresolved;
use super::only_refund;
use crate::policies::{Customer, covered, pence};

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
        let payment = ann.shop.rows(&tables::PAYMENTS).pop().unwrap().1;
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
        assert_eq!(only_refund(&ann.shop).status, RefundStatus::Pending);
        let owed = || -ann.account(&policy, Account::Refunds).0;
        assert_eq!(owed(), paid);

        if is_won {
            let back = [("txn_2", -paid)];
            hears(shop, payment.id, paid, DisputeEvent::Won, &back).await;
            works_for_hours(&ann).await;
            assert_eq!(only_refund(&ann.shop).status, RefundStatus::Paid);
        } else {
            hears(shop, payment.id, paid, DisputeEvent::Lost, &[]).await;
            assert_eq!(
                only_refund(&ann.shop).manual.unwrap().method,
                RefundMethod::AlreadyRefunded
            );
            works_for_hours(&ann).await;
        }
        assert_eq!(owed(), 0);
        is_clean(shop, "after the bank decided");
        assert_eq!(unresolved(shop).await, []);
    }
}
