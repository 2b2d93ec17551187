//! The money of a policy: the ledger, refunds, and charges of the stored card.

mod balances;
pub mod books;
mod campaign;
pub mod disputed_change;
mod disputed_policy;
pub mod disputes;
mod every_gateway;
mod ledger;
pub mod manual_resolution;
mod payout_files;
pub mod payouts;
mod reconciliation;
mod refunds;
mod returned_refunds;
mod reversals;
mod stored_card;

use layby::app::payments::status;
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Movement};
use layby::domain::payment::dispute::{DisputeEvent, DisputeMove, DisputeNews};
use layby::domain::payment::refund::Refund;
use layby::domain::payment::sandbox::{SandboxPayment, SandboxState};
use layby::domain::payment::{Payment, PaymentStatus};
use layby::store::{Direction, StoreError, tables};
use serde_json::json;
use uuid::Uuid;

use crate::support::database::empty_store;
use crate::support::stores::snapshot;
use crate::support::{Made, NOW, Shop, two_gadgets, two_vehicles};

const PAYS: &str = "4242 4242 4242 4242";
const SLOW_REFUND: &str = "4000 0000 0000 7726";
pub const REFUND_REFUSED: &str = "4000 0000 0000 5126";

/// Returns a shop that gets no callbacks from its gateway. Tests call each step.
pub async fn shop() -> Shop {
    Shop::reachable_at(empty_store().await, NOW, "http://127.0.0.1:9").await
}

/// A policy and the payment that bought it.
pub struct Sold {
    pub quote: Made,
    pub policy: Uuid,
    pub payment: Payment,
}

pub async fn sell(shop: &Shop, card: &str) -> Sold {
    let quote = shop.quote(&two_vehicles()).await;
    agree(shop, &quote, true).await;
    paid(shop, quote, card).await
}

/// Accepts a quote. `auto_renew` is the consent to later charges of the card.
async fn agree(shop: &Shop, quote: &Made, auto_renew: bool) {
    let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
    let body = json!({
        "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": auto_renew,
    });
    shop.post(&path, &body)
        .bearer(&quote.token)
        .succeeds()
        .await;
}

/// Pays for an accepted quote.
async fn paid(shop: &Shop, quote: Made, card: &str) -> Sold {
    let payment = shop.enter_card(&quote, card).await;
    let status = status::sync_payment_status(&shop.app, payment)
        .await
        .unwrap();
    assert_eq!(status, PaymentStatus::Paid);
    Sold {
        policy: quote.uuid.parse().unwrap(),
        payment: payment_row(shop, payment),
        quote,
    }
}

/// Makes an accepted quote that awaits its payment.
async fn accepted(shop: &Shop) -> (Made, Uuid) {
    let quote = shop.quote(&two_gadgets()).await;
    agree(shop, &quote, true).await;
    let uuid = quote.uuid.parse().unwrap();
    (quote, uuid)
}

fn payment_row(shop: &Shop, id: Uuid) -> Payment {
    shop.row(&tables::PAYMENTS, &id)
}

fn books(shop: &Shop, payment: Uuid) -> SandboxPayment {
    shop.row(&tables::SANDBOX, &payment)
}

pub fn attempts(shop: &Shop, quote: Uuid) -> Vec<Payment> {
    let tx = snapshot(&shop.app.store);
    let rows = tables::PAYMENT_BY_QUOTE.list(&tx, &quote, Direction::Forward, 100);
    let rows = rows.unwrap().into_iter();
    rows.map(|((_, id), ())| tables::PAYMENTS.get(&tx, &id).unwrap().unwrap())
        .collect()
}

/// Stores another attempt like `first` under another id, as two tabs or two machines would.
pub async fn twin(shop: &Shop, first: &Payment, change: impl Fn(&mut Payment)) -> Payment {
    let mut twin = first.clone();
    let seconds = shop.clock.now().timestamp().cast_unsigned();
    twin.id = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, 0));
    change(&mut twin);
    let row = twin.clone();
    let write = move |tx: &mut layby::store::WriteTx<'_>| {
        tables::PAYMENTS.put(tx, &row.id, &row)?;
        Ok::<_, StoreError>(())
    };
    shop.app.store.write(write).await.unwrap();
    twin
}

/// Pays for a policy a second time. The gateway reports it, and the shop refunds it.
pub async fn pay_again(shop: &Shop, sold: &Sold) -> Payment {
    let second = twin(shop, &sold.payment, |twin| {
        twin.status = PaymentStatus::Pending;
    })
    .await;
    paid_at_the_gateway(shop, &second, sold.payment.id).await;
    let status = status::sync_payment_status(&shop.app, second.id)
        .await
        .unwrap();
    assert_eq!(status, PaymentStatus::Paid);
    assert!(!payment_row(shop, second.id).is_applied());
    second
}

/// Records in the gateway's books that `payment` was paid, with the card of `like`.
pub async fn paid_at_the_gateway(shop: &Shop, payment: &Payment, like: Uuid) {
    let mut row = books(shop, like);
    row.payment = payment.id;
    row.amount = payment.amount;
    row.state = SandboxState::Paid;
    row.refunds.clear();
    let write =
        move |tx: &mut layby::store::WriteTx<'_>| tables::SANDBOX.put(tx, &row.payment, &row);
    shop.app.store.write(write).await.unwrap();
}

pub async fn give_back(shop: &Shop, policy: Uuid, about: Uuid, amount: Pence) -> Vec<Refund> {
    let now = shop.clock.now();
    let give = move |tx: &mut layby::store::WriteTx<'_>| {
        layby::app::payments::refunds::unrefunded::refund_to_cards(tx, policy, about, amount, now)
    };
    shop.app.store.write(give).await.unwrap()
}

fn refund_about(shop: &Shop, policy: Uuid, about: Uuid) -> Refund {
    let tx = snapshot(&shop.app.store);
    let mut found =
        layby::app::payments::refunds::unrefunded::refunds_about(&tx, policy, about).unwrap();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

fn in_hand(shop: &Shop, policy: Uuid) -> Pence {
    layby::app::payments::refunds::unrefunded::net_paid(&snapshot(&shop.app.store), policy).unwrap()
}

fn balance(shop: &Shop, policy: Uuid, account: Account) -> Pence {
    layby::app::payments::ledger::balance(&snapshot(&shop.app.store), policy, &account).unwrap()
}

/// Returns the money that the gateway holds for a policy.
fn at_gateway(shop: &Shop, policy: Uuid) -> Pence {
    balance(shop, policy, Account::gateway("sandbox"))
}

/// Returns the only refund.
pub fn only_refund(shop: &Shop) -> Refund {
    let mut all = shop.rows(&tables::REFUNDS);
    assert_eq!(all.len(), 1);
    all.remove(0).1
}

/// Returns the sandbox's report of a payment's dispute "dp_1".
pub fn dispute_news(
    payment: Uuid,
    amount: Pence,
    event: DisputeEvent,
    moves: &[(&str, i64)],
) -> DisputeNews {
    let moves = moves.iter().map(|(name, amount)| DisputeMove {
        reference: (*name).to_string(),
        amount: Pence(*amount),
    });
    DisputeNews {
        provider: "sandbox".to_string(),
        reference: "dp_1".to_string(),
        payment,
        amount,
        reason: None,
        reply_by: None,
        event,
        moves: moves.collect(),
        is_from_report: false,
    }
}

fn movements(shop: &Shop, policy: Uuid) -> Vec<Movement> {
    let entries =
        layby::app::payments::ledger::entries(&snapshot(&shop.app.store), policy).unwrap();
    entries.iter().map(|entry| entry.movement).collect()
}
