//! The shop's operator, who takes in the provider's reports and records what happened at the provider.

use layby::app::accounting::resolve::{DisputeResult, Resolution, ResolutionWay};
use layby::app::payments::balances_of;
use layby::domain::money::Pence;
use layby::domain::payment::refund::{RefundMethod, RefundStatus};
use layby::store::tables;
use uuid::Uuid;

use super::world::World;
use crate::money::manual_resolution::resolves;
use crate::money::payouts::reconcile;
use crate::support::Shop;
use crate::support::provider::Provider;
use crate::support::stores::snapshot;

impl<P: Provider> World<P> {
    /// Restarts the shop if the power was cut.
    pub async fn mend(&mut self, chance: u64) {
        if self.disk.has_failed() {
            let left = self.disk.after_power_cut(chance);
            self.restarted(left).await;
        }
    }

    /// Lets a customer dispute what is left of the newest payment, if only reports tell of disputes. The
    /// report comes at once: docs/PAYMENTS.md forbids a refund before it.
    pub async fn report_dispute(&mut self) {
        let shop = &self.shop;
        let requested = |payment: Uuid| {
            let refunds = shop.rows(&tables::REFUNDS);
            let mut own = refunds.iter().filter(|(_, one)| one.payment == payment);
            own.any(|(_, one)| one.requested.is_some() && one.status != RefundStatus::Paid)
        };
        let newest = balances_of(&snapshot(&shop.app.store), self.policy.parse().unwrap()).unwrap();
        let newest = newest
            .last()
            .filter(|(payment, balance)| balance.room() > Pence::ZERO && !requested(payment.id));
        let disputed = shop.rows(&tables::DISPUTES);
        let newest = newest.filter(|(payment, _)| {
            let mut disputed = disputed.iter();
            disputed.all(|(_, dispute)| dispute.payment != payment.id)
        });
        let report = newest.and_then(|(payment, balance)| {
            let provider = &self.provider;
            provider.dispute_report(payment.id, balance.room().0)
        });
        if let Some(report) = report {
            self.take_in(&report).await;
        }
    }

    /// Records the result of a dispute that only reports tell of. The money comes back if it is won.
    pub async fn decide_reported(&mut self, is_won: bool) {
        let result = if is_won {
            DisputeResult::Won
        } else {
            DisputeResult::Lost
        };
        let open = |shop: &Shop| {
            let disputes = shop.rows(&tables::DISPUTES).into_iter();
            let mut open = disputes.filter(|(_, own)| own.is_from_report && own.is_undecided());
            open.next()
        };
        let Some((id, dispute)) = open(&self.shop) else {
            return;
        };
        // A person repeats the command after a power cut.
        for _ in 0..2 {
            self.record(id, ResolutionWay::Dispute(result)).await;
        }
        assert!(self.shop.row(&tables::DISPUTES, &id).decision.is_some());
        let (payment, amount) = (dispute.payment, dispute.amount_taken().0);
        let back = self.provider.dispute_report(payment, -amount);
        if let Some(back) = back.filter(|_| is_won) {
            self.take_in(&back).await;
        }
    }

    /// Takes in a report. A person repeats that after a power cut.
    async fn take_in(&mut self, report: &str) {
        for _ in 0..2 {
            let output = tokio::select! {
                output = reconcile(&self.shop, Some(P::NAME), report) => output.ok(),
                () = self.is_killed() => None,
            };
            self.mend(1).await;
            if let Some(output) = output {
                let counts = output.last().unwrap();
                assert!(counts.contains("0 mismatched; 0 unknown"), "{output:#?}");
                return;
            }
        }
        panic!("the report was not taken in: {report}");
    }

    /// Records what a person found. The shop may refuse that.
    async fn record(&mut self, id: Uuid, method: ResolutionWay) {
        let resolution = Resolution {
            id,
            method,
            by: "Jo Bloggs".to_string(),
            why: "looked it up at the gateway".to_string(),
        };
        tokio::select! {
            _ = resolves(&self.shop, &resolution) => {}
            () = self.is_killed() => {}
        }
        self.mend(1).await;
    }

    /// Records `method` for the refunds that the gateway refused or the bank returned. The shop refuses a
    /// method that the balance of the payment excludes. A person first looks for refunds by hand at the
    /// provider, and waits until the shop has the messages about them.
    pub async fn resolve(&mut self, method: RefundMethod) {
        if !self.receives().await {
            return;
        }
        for (id, refund) in self.shop.rows(&tables::REFUNDS) {
            if refund.needs_a_person() && refund.status != RefundStatus::Unconfirmed {
                self.record(id, ResolutionWay::Refund(method)).await;
            }
        }
    }
}
