//! The balance of a payment: refunds and losses never exceed what was received.

use layby::app::accounting::resolve::{Resolution, ResolutionWay};
use layby::app::payments::refunds::unrefunded;
use layby::app::payments::{self, balances_of, ledger};
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Entry};
use layby::domain::payment::balance::PaymentBalance;
use layby::domain::payment::dispute::{Dispute, DisputeEvent, DisputeNews, DisputeStatus};
use layby::domain::payment::refund::{ManualRefund, Refund, RefundMethod, RefundStatus};
use layby::store::{WriteTx, tables};
use poem::http::StatusCode;
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use super::books::{checked, is_clean};
use super::disputed_change::hears;
use super::disputes::unresolved;
use super::manual_resolution::resolves;
use super::{PAYS, REFUND_REFUSED, Sold, dispute_news, in_hand, sell, shop};
use crate::policies::{Customer, pence};
use crate::support::stores::snapshot;
use crate::support::{Shop, two_vehicles};

fn refunds_of(shop: &Shop) -> Vec<Refund> {
    shop.rows(&tables::REFUNDS)
        .into_iter()
        .map(|(_, row)| row)
        .collect()
}

fn disputes_of(shop: &Shop) -> Vec<Dispute> {
    shop.rows(&tables::DISPUTES)
        .into_iter()
        .map(|(_, row)| row)
        .collect()
}

/// Buys a policy, and changes it to less cover while its payment is disputed. Returns the customer, the
/// policy, the payment, and two amounts in pence: paid, and owed for the change.
async fn disputed_decrease() -> (Customer, String, Uuid, i64, i64) {
    let ann = Customer::new().await;
    let policy = ann.buys(&two_vehicles(), PAYS).await;
    let payment = ann.shop.rows(&tables::PAYMENTS).pop().unwrap().1;
    let (id, paid) = (payment.id, payment.amount.0);
    let taken = [("txn_1", paid)];
    hears(&ann.shop, id, paid, DisputeEvent::Opened, &taken).await;
    let offered = ann.asks(&policy, json!({ "cover_level": 1 }), None).await;
    let offered = offered.expect(StatusCode::OK);
    let back = -pence(offered.at("/data/amount_now"));
    assert!(0 < back && back < paid);
    let change = offered.text("/data/adjustment_id");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    ann.works().await;
    (ann, policy, id, paid, back)
}

#[tokio::test]
async fn a_payment_that_a_bank_took_for_good_is_not_refunded_by_a_cancellation() {
    let (ann, policy, payment, paid, back) = disputed_decrease().await;
    let shop = &ann.shop;
    let read = ann.policy(&policy).await;
    assert_eq!(pence(read.at("/data/policy/paid")), paid - back);
    hears(shop, payment, paid, DisputeEvent::Lost, &[]).await;
    let way = refunds_of(shop)[0].manual.as_ref().unwrap().method;
    assert_eq!(way, RefundMethod::AlreadyRefunded);

    let preview = ann.cancels(&policy, json!({ "preview": true })).await;
    let preview = preview.expect(StatusCode::OK);
    assert_eq!(pence(preview.at("/data/refund/amount")), 0);
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(refunds_of(shop).len(), 1, "nothing more comes back");
    let read = ann.policy(&policy).await;
    assert_eq!(pence(read.at("/data/policy/paid")), 0);
    is_clean(shop, "after the cancellation");
    assert_eq!(unresolved(shop).await, []);
}

#[tokio::test]
async fn the_export_says_the_same_paid_as_the_policy() {
    let (ann, policy, _, paid, back) = disputed_decrease().await;
    let rows = ann.shop.exported_policies().await;
    let row = rows.iter().find(|row| row["uuid"] == policy).unwrap();
    assert_eq!(pence(&row["paid"]), paid - back);
    let read = ann.policy(&policy).await;
    assert_eq!(row["paid"], *read.at("/data/policy/paid"));
}

/// Returns a dispute about a part of a payment.
fn part_of(
    sold: &Sold,
    reference: &str,
    event: DisputeEvent,
    moves: &[(&str, i64)],
) -> DisputeNews {
    DisputeNews {
        reference: reference.to_string(),
        ..dispute_news(sold.payment.id, sold.payment.amount, event, moves)
    }
}

async fn owes(shop: &Shop, policy: Uuid, amount: Pence) {
    let (now, about) = (shop.clock.now(), Uuid::now_v7());
    let write = move |tx: &mut WriteTx<'_>| {
        ledger::post(
            tx,
            policy,
            &Entry::decrease(now, about, amount, Pence::ZERO),
        )?;
        unrefunded::refund_to_cards(tx, policy, about, amount, now)
    };
    shop.app.store.write(write).await.unwrap();
}

#[tokio::test]
async fn a_loss_that_is_less_than_a_refund_settles_that_part_of_it() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let paid = sold.payment.amount;
    let taken = [("txn_1", 500)];
    let tell = async |event, moves: &[(&str, i64)]| {
        let news = part_of(&sold, "dp_1", event, moves);
        payments::apply_dispute_news(&shop.app.store, &shop.app.clock, &shop.app.work_added, news)
            .await
            .unwrap();
    };
    tell(DisputeEvent::Opened, &taken).await;
    owes(&shop, sold.policy, paid).await;
    tell(DisputeEvent::Lost, &taken).await;
    shop.clock.advance(chrono::TimeDelta::hours(2));
    shop.work().await;
    let mut amounts: Vec<_> = refunds_of(&shop)
        .into_iter()
        .map(|row| (row.amount, row.status, row.manual.map(|own| own.method)))
        .collect();
    amounts.sort_by_key(|(amount, ..)| *amount);
    assert_eq!(
        amounts,
        [
            (
                Pence(500),
                RefundStatus::Pending,
                Some(RefundMethod::AlreadyRefunded)
            ),
            (paid - Pence(500), RefundStatus::Paid, None),
        ]
    );
    // An appeal is won, so that part is owed again, and refunded.
    tell(DisputeEvent::Won, &[("txn_1", 500), ("txn_2", -500)]).await;
    shop.work().await;
    assert!(
        refunds_of(&shop)
            .iter()
            .all(|row| row.status == RefundStatus::Paid)
    );
}

/// An event of a payment's money.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A refund becomes due, in hundredths of the net payment.
    Owed(i64),
    /// A bank disputes a part of what is left, in hundredths.
    Disputed(i64),
    Decided(bool),
    /// Refunds that need a person are resolved: by bank transfer, or as already received.
    Resolved(RefundMethod),
    /// Somebody refunds a part of what is left at the gateway, in hundredths.
    ByHand(i64),
    Work,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (1i64..101).prop_map(Event::Owed),
        (1i64..101).prop_map(Event::Disputed),
        any::<bool>().prop_map(Event::Decided),
        prop::sample::select(vec![RefundMethod::Transfer, RefundMethod::AlreadyRefunded])
            .prop_map(Event::Resolved),
        (1i64..101).prop_map(Event::ByHand),
        Just(Event::Work),
    ]
}

fn balance_of(shop: &Shop, sold: &Sold) -> PaymentBalance {
    let tx = snapshot(&shop.app.store);
    let all = balances_of(&tx, sold.policy).unwrap();
    let own = all.iter().find(|(row, _)| row.id == sold.payment.id);
    own.unwrap().1
}

/// Writes the row and the ledger entry of a refund by hand at the gateway.
async fn refunds_by_hand(shop: &Shop, sold: &Sold, amount: Pence) {
    let reference = Uuid::now_v7().to_string();
    let (id, now) = (
        Refund::gateway_refund_id("sandbox", &reference),
        shop.clock.now(),
    );
    let row = Refund {
        id,
        policy: sold.policy,
        payment: sold.payment.id,
        cause_id: id,
        amount,
        status: RefundStatus::Paid,
        message: None,
        created: now,
        updated: now,
        reference: Some(reference),
        requested: None,
        is_from_gateway: true,
        is_after_backup: false,
        manual: None,
        lookup: None,
    };
    plant(shop, row, Entry::refund_by_hand(now, "sandbox", id, amount)).await;
}

async fn plant(shop: &Shop, row: Refund, entry: Entry) {
    let write = move |tx: &mut WriteTx<'_>| {
        tables::REFUNDS.put(tx, &row.id, &row)?;
        ledger::post(tx, row.policy, &entry)
    };
    shop.app.store.write(write).await.unwrap();
}

async fn happen(shop: &Shop, sold: &Sold, number: usize, event: Event) {
    let balance = balance_of(shop, sold);
    let open = disputes_of(shop)
        .into_iter()
        .find(|own| own.status == DisputeStatus::Open);
    // Neither a bank nor a gateway takes more than is left of a payment.
    let room = if open.is_some() {
        Pence::ZERO
    } else {
        balance.room()
    };
    match event {
        Event::Owed(share) => {
            let amount = in_hand(shop, sold.policy).fraction(share, 100);
            if amount > Pence::ZERO {
                owes(shop, sold.policy, amount).await;
            }
        }
        Event::Disputed(share) => {
            let amount = room.fraction(share, 100);
            if amount > Pence::ZERO {
                let (name, txn) = (format!("dp_{number}"), format!("txn_{number}"));
                let moves = [(txn.as_str(), amount.0)];
                let news = part_of(sold, &name, DisputeEvent::Opened, &moves);
                payments::apply_dispute_news(
                    &shop.app.store,
                    &shop.app.clock,
                    &shop.app.work_added,
                    news,
                )
                .await
                .unwrap();
            }
        }
        Event::Decided(is_won) => {
            // An appeal is possible for a lost dispute.
            let lost = || {
                let mut all = disputes_of(shop).into_iter();
                all.find(|own| own.status == DisputeStatus::Lost)
            };
            let Some(dispute) = open.or_else(|| lost().filter(|_| is_won)) else {
                return;
            };
            let back = (
                format!("back_{}", dispute.reference),
                -dispute.amount_taken().0,
            );
            let (event, moves) = if is_won {
                (DisputeEvent::Won, vec![(back.0.as_str(), back.1)])
            } else {
                (DisputeEvent::Lost, Vec::new())
            };
            let news = part_of(sold, &dispute.reference, event, &moves);
            payments::apply_dispute_news(
                &shop.app.store,
                &shop.app.clock,
                &shop.app.work_added,
                news,
            )
            .await
            .unwrap();
        }
        Event::Resolved(way) => {
            for refund in refunds_of(shop).into_iter().filter(Refund::needs_a_person) {
                let resolution = Resolution {
                    id: refund.id,
                    method: ResolutionWay::Refund(way),
                    by: "Jo Bloggs".to_string(),
                    why: "Faster payment 4711".to_string(),
                };
                // Impossible resolutions are refused.
                let _ = resolves(shop, &resolution).await;
            }
        }
        Event::ByHand(share) => {
            let amount = room.fraction(share, 100);
            if amount > Pence::ZERO {
                refunds_by_hand(shop, sold, amount).await;
            }
        }
        Event::Work => {
            shop.clock.advance(chrono::TimeDelta::hours(1));
            shop.work().await;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_more_goes_back_or_is_lost_than_was_taken(
        card in prop::sample::select(vec![PAYS, REFUND_REFUSED]),
        events in prop::collection::vec(event(), 1..16),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let shop = shop().await;
            let sold = sell(&shop, card).await;
            for (number, event) in events.iter().enumerate() {
                happen(&shop, &sold, number, *event).await;
                let balance = balance_of(&shop, &sold);
                assert!(balance.given_back + balance.lost <= balance.taken, "{event:?}: {balance:?}");
            }
            for _ in 0..4 {
                happen(&shop, &sold, events.len(), Event::Work).await;
            }
            let balance = balance_of(&shop, &sold);
            assert!(balance.given_back + balance.lost <= balance.taken, "{balance:?}");
            // Tax findings are ignored, because these entries change no answers.
            let wrong = checked(&shop);
            assert!(wrong.iter().all(|line| !line.contains("went back or was lost")), "{wrong:#?}");
            for account in ["of refunds owed", "of the gateway", "of what is written off"] {
                assert!(wrong.iter().all(|line| !line.contains(account)), "{wrong:#?}");
            }
        });
    }
}

#[tokio::test]
async fn check_names_a_payment_of_which_more_went_back_than_was_taken() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    is_clean(&shop, "after the sale");
    let (now, id) = (shop.clock.now(), Uuid::now_v7());
    let amount = sold.payment.amount + Pence(1);
    let row = Refund {
        id,
        policy: sold.policy,
        payment: sold.payment.id,
        cause_id: id,
        amount,
        status: RefundStatus::Refused,
        message: None,
        created: now,
        updated: now,
        reference: None,
        requested: None,
        is_from_gateway: false,
        is_after_backup: false,
        manual: Some(ManualRefund {
            method: RefundMethod::Transfer,
            by: "Jo Bloggs".to_string(),
            why: "Faster payment 4711".to_string(),
            at: now,
        }),
        lookup: None,
    };
    // The entry agrees with the row, so every balance is right.
    let policy = sold.policy;
    let owed = Entry::decrease(now, id, amount, Pence::ZERO);
    let write = move |tx: &mut WriteTx<'_>| ledger::post(tx, policy, &owed);
    shop.app.store.write(write).await.unwrap();
    plant(&shop, row, Entry::paid_by_transfer(now, id, amount)).await;
    let said = checked(&shop);
    let taken = sold.payment.amount;
    let wanted = format!("{taken} was taken, and {amount} went back or was lost");
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(said[0].contains(&wanted), "{said:#?}");
    let bank = super::balance(&shop, policy, Account::Bank);
    assert_eq!(bank, -amount);
}
