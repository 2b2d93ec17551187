//! The sandbox as a provider of a common story. Its books are rows of the shop's store.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, Mutex};

use chrono::TimeDelta;
use layby::domain::payment::sandbox::{SandboxPayment, SandboxRefundState, SandboxState};
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::Value;
use uuid::Uuid;

use super::fault_table::{hears, signed};
use crate::money::payouts::statement;
use crate::support::Shop;
use crate::support::provider::{Card, Provider};

/// This card pays, and its refunds take half a minute.
const SLOW_REFUND: &str = "4000 0000 0000 7726";
const DECLINED: &str = "4000 0000 0000 0002";

#[derive(Default)]
pub struct Sandbox {
    /// The payments about which messages were taken.
    taken: Mutex<BTreeSet<Uuid>>,
}

/// Returns the payments that took money.
fn paid(shop: &Shop) -> Vec<SandboxPayment> {
    let rows = shop.rows(&tables::SANDBOX).into_iter();
    let rows = rows.map(|(_, row)| row);
    rows.filter(|row| matches!(row.state, SandboxState::Paid | SandboxState::Refunded))
        .collect()
}

/// Returns the id and the amount of each completed refund.
fn refunds(payment: &SandboxPayment) -> impl Iterator<Item = (Uuid, i64)> {
    let refunds = payment.refunds.iter();
    let done = refunds.filter(|refund| refund.state == SandboxRefundState::Done);
    done.map(|refund| (refund.id, refund.amount.0))
}

impl Provider for Sandbox {
    const NAME: &'static str = "sandbox";
    type Books = ();
    /// The payment.
    type Message = Uuid;

    fn with_clock(_: &Arc<AtomicI64>) -> Self {
        Self::default()
    }

    fn shop_settings(&self) -> String {
        "[payments]\ngateways = [\"sandbox\"]\n".to_string()
    }

    fn copy_books(&self) {}

    fn replace_books(&self, (): ()) {}

    async fn pay(&self, shop: &Shop, page: &Value, card: Card) -> bool {
        let number = match card {
            Card::Good => SLOW_REFUND,
            Card::Declined => DECLINED,
        };
        let shown = shop.pay(page["url"].as_str().unwrap(), number).await;
        shown.0.status().is_success()
    }

    fn take_messages(&self, shop: &Shop) -> Vec<Uuid> {
        let rows = shop.rows(&tables::SANDBOX).into_iter();
        let ended = rows.filter(|(_, row)| row.card.is_some()).map(|(id, _)| id);
        let mut taken = self.taken.lock().unwrap();
        ended.filter(|id| taken.insert(*id)).collect()
    }

    async fn send(&self, shop: &Shop, message: &Uuid) -> StatusCode {
        hears(shop, signed(shop, *message, TimeDelta::zero())).await
    }

    fn balance(&self, shop: &Shop) -> i64 {
        let paid = paid(shop).into_iter();
        let left =
            paid.map(|row| row.amount.0 - refunds(&row).map(|(_, pence)| pence).sum::<i64>());
        left.sum()
    }

    fn pay_out(&self, shop: &Shop) -> String {
        let mut lines = Vec::new();
        for row in paid(shop) {
            lines.push((row.payment.to_string(), row.amount.0, "payment"));
            lines.extend(refunds(&row).map(|(id, pence)| (id.to_string(), -pence, "refund")));
        }
        statement(&lines)
    }
}
