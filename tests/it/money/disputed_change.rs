//! The payment for a scheduled change is held, and then disputed. While the dispute is open, the shop owes
//! the money. If the shop wins the dispute, the money is refunded. If the shop loses, the customer has it
//! already.

use layby::app::payments;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::dispute::DisputeEvent;
use layby::domain::payment::refund::{Refund, RefundMethod, RefundStatus, SHOP};
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use super::books::is_clean;
use super::disputes::unresolved;
use super::{dispute_news, only_refund};
use crate::policies::{Customer, PAYS, covered, pence};
use crate::support::Shop;

/// A paid change that takes effect on 3 March 2027.
struct Held {
    ann: Customer,
    policy: String,
    change: String,
    payment: Uuid,
    amount: i64,
}

impl Held {
    async fn paid() -> Self {
        let (mut ann, policy) = covered().await;
        ann.sleeps(10).await;
        let values = json!({ "cover_level": 4 });
        let offered = ann.asks(&policy, values, Some("2027-03-03")).await;
        let offered = offered.expect(StatusCode::OK);
        let change = offered.text("/data/adjustment_id");
        ann.enters_card(&change, PAYS).await;
        ann.works().await;
        let payment = {
            let all = ann.shop.rows(&tables::PAYMENTS);
            let change = Some(change.parse().unwrap());
            let mut own = all.into_iter();
            own.find(|(_, row)| row.purpose.change() == change)
                .unwrap()
                .0
        };
        Self {
            amount: pence(offered.at("/data/amount_now")),
            ann,
            policy,
            change,
            payment,
        }
    }

    async fn hears(&self, event: DisputeEvent, moves: &[(&str, i64)]) {
        hears(&self.ann.shop, self.payment, self.amount, event, moves).await;
    }

    async fn withdraws(&self) {
        let path = format!("/api/v1/policy/ntu/{}", self.change);
        for _ in 0..2 {
            let gone = self.ann.put(&path, &json!({})).succeeds().await;
            assert_eq!(pence(gone.at("/data/refund/amount")), self.amount);
        }
    }

    fn refund(&self) -> Refund {
        only_refund(&self.ann.shop)
    }

    fn owed(&self) -> i64 {
        -self.ann.account(&self.policy, Account::Refunds).0
    }

    fn is_clean(&self, when: &str) {
        is_clean(&self.ann.shop, when);
    }

    async fn works_for_hours(&self) {
        for _ in 0..3 {
            self.ann.shop.clock.advance(chrono::TimeDelta::hours(1));
            self.ann.works().await;
        }
    }
}

/// Sends a bank's report of a payment twice.
pub async fn hears(
    shop: &Shop,
    payment: Uuid,
    amount: i64,
    event: DisputeEvent,
    moves: &[(&str, i64)],
) {
    let news = dispute_news(payment, Pence(amount), event, moves);
    for _ in 0..2 {
        payments::apply_dispute_news(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            news.clone(),
        )
        .await
        .unwrap();
    }
}

#[tokio::test]
async fn what_a_bank_took_is_refunded_once_it_is_decided_for_us() {
    let held = Held::paid().await;
    held.hears(DisputeEvent::Opened, &[("txn_1", held.amount)])
        .await;
    held.is_clean("while it is held and disputed");
    held.withdraws().await;
    held.is_clean("after it was withdrawn");
    held.works_for_hours().await;
    assert_eq!(held.refund().status, RefundStatus::Pending);
    assert_eq!(held.owed(), held.amount);
    held.hears(DisputeEvent::Won, &[]).await;
    held.is_clean("while the gateway has not given it back");
    held.works_for_hours().await;
    held.hears(DisputeEvent::Won, &[("txn_2", -held.amount)])
        .await;
    assert_eq!(held.refund().status, RefundStatus::Paid);
    assert_eq!(held.owed(), 0);
    held.is_clean("after the refund");
    assert_eq!(unresolved(&held.ann.shop).await, []);
}

#[tokio::test]
async fn what_a_bank_gave_the_customer_for_good_is_owed_no_more_unless_an_appeal_is_won() {
    for is_lost_first in [false, true] {
        let held = Held::paid().await;
        let taken = [("txn_1", held.amount)];
        held.hears(DisputeEvent::Opened, &taken).await;
        if is_lost_first {
            held.hears(DisputeEvent::Lost, &[]).await;
            held.withdraws().await;
        } else {
            held.withdraws().await;
            held.hears(DisputeEvent::Lost, &[]).await;
        }
        let otherwise = held.refund().manual.unwrap();
        assert_eq!(
            (otherwise.method, otherwise.by.as_str()),
            (RefundMethod::AlreadyRefunded, SHOP)
        );
        assert_eq!(held.owed(), 0);
        let lost = held.ann.account(&held.policy, Account::WrittenOff);
        assert_eq!(lost, Pence::ZERO, "it was never ours");
        held.is_clean("after it was lost");
        held.works_for_hours().await;
        assert_eq!(unresolved(&held.ann.shop).await, []);

        held.hears(DisputeEvent::Won, &[("txn_2", -held.amount)])
            .await;
        held.is_clean("after the appeal");
        held.works_for_hours().await;
        assert_eq!(held.refund().status, RefundStatus::Paid);
        assert_eq!(held.refund().manual, None);
        assert_eq!(held.owed(), 0);
        held.is_clean("after the refund");
    }
}
