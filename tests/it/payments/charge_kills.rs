//! Kills the process between any two writes of a stored card's charge, at each gateway. After the restart the
//! card was charged once, and the books of shop and provider agree.

use chrono::TimeDelta;
use layby::app::jobs;
use layby::app::payments::ledger;
use layby::domain::money::ledger::Account;
use layby::domain::payment::PaymentStatus;
use layby::store::{Direction, tables};

use super::world::{Outside, World};
use crate::faults::disk::Fault;
use crate::money::books::is_clean;
use crate::policies::young_vehicles;
use crate::support::card_keeper::CardKeeper;
use crate::support::provider::Card;
use crate::support::stores::snapshot;
use crate::{globalpayments, smartpayfuse, stripe};

/// Returns a policy with automatic renewal, on the day before its card is charged.
pub(super) async fn before_charge<P: CardKeeper>() -> Outside<P::Books> {
    let accepted = World::<P>::accepted(&young_vehicles(), true).await;
    let mut world = World::<P>::start(&accepted).await;
    assert!(world.begins_to_pay().await);
    let page = world.page.clone().unwrap();
    assert!(world.provider.pay(&world.shop, &page, Card::Good).await);
    assert!(world.receives().await && world.works().await);
    // The shop asks for the card an hour later. Then it quotes the renewal.
    for days in [1, 339, 17] {
        world.wait(TimeDelta::days(days));
        assert!(renews(&mut world).await);
        // The letter about the renewal allows the charge.
        world.shop.work().await;
    }
    assert_eq!(world.provider.charges(), []);
    world.outside()
}

/// Does the daily round and the jobs that are due. Returns false if the process is killed.
pub(super) async fn renews<P: CardKeeper>(world: &mut World<P>) -> bool {
    let is_done = tokio::select! {
        done = jobs::daily(&world.shop.app) => done.is_ok(),
        () = world.is_killed() => false,
    };
    is_done && world.works().await && world.receives().await
}

/// Checks for one charge and one renewed policy, and for correct books.
pub(super) fn assert_charged_once<P: CardKeeper>(world: &World<P>, n: u32) {
    let shop = &world.shop;
    let rows = shop.rows(&tables::PAYMENTS).into_iter().map(|(_, row)| row);
    let paid: Vec<_> = rows
        .filter(|row| row.instrument().is_some() && row.status == PaymentStatus::Paid)
        .map(|row| (row.id.to_string(), row.amount.0))
        .collect();
    assert_eq!(world.provider.charges(), paid, "{n}");
    assert_eq!(paid.len(), 1, "{n}");
    let tx = snapshot(&shop.app.store);
    let policies = tables::POLICIES.list(&tx, &(), Direction::Forward, 10);
    let policies = policies.unwrap();
    assert_eq!(policies.len(), 2, "{n}");
    let gateway = |(policy, _): &(uuid::Uuid, _)| {
        let account = Account::gateway(P::NAME);
        ledger::balance(&tx, *policy, &account).unwrap().0
    };
    let booked: i64 = policies.iter().map(gateway).sum();
    assert_eq!(booked, world.provider.balance(shop), "{n}");
    is_clean(shop, &format!("charge {n}"));
}

async fn killed<P: CardKeeper>() {
    let before = before_charge::<P>().await;
    let mut world = World::<P>::start(&before).await;
    world.wait(TimeDelta::days(1));
    world.disk.fault(u32::MAX, Fault::Killed);
    assert!(renews(&mut world).await);
    let syncs = world.disk.synced();
    assert_charged_once(&world, 0);
    println!("a charge is killed at {syncs} places");
    assert!(syncs > 3, "it syncs {syncs} times");
    for n in 0..syncs {
        let mut world = World::<P>::start(&before).await;
        world.wait(TimeDelta::days(1));
        world.disk.fault(n, Fault::Killed);
        let done = renews(&mut world).await;
        assert!(world.disk.has_failed() || done, "{n}");
        let left = world.disk.bytes();
        world.restarted(left).await;
        for _ in 0..2 {
            world.wait(TimeDelta::minutes(1));
            assert!(renews(&mut world).await, "{n}");
        }
        // A charge that perhaps arrived is asked for during a day. Then another try is due.
        for _ in 0..7 {
            world.wait(TimeDelta::days(1));
            assert!(renews(&mut world).await, "{n}");
        }
        assert_charged_once(&world, n);
    }
}

#[tokio::test]
async fn a_charge_at_stripe_that_is_killed_anywhere_is_made_once() {
    killed::<stripe::double::Double>().await;
}

#[tokio::test]
async fn a_charge_at_global_payments_that_is_killed_anywhere_is_made_once() {
    killed::<globalpayments::double::Double>().await;
}

#[tokio::test]
async fn a_charge_at_smartpay_fuse_that_is_killed_anywhere_is_made_once() {
    killed::<smartpayfuse::double::Double>().await;
}
