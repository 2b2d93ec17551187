//! An older copy of the store is restored after a stored card was charged, or after a refund. The shop finds
//! both at the provider, and makes neither again.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{RefundMethod, Resolution, ResolutionWay};
use layby::app::accounting::unresolved::UnresolvedRow;
use layby::app::backups::{backup, restore};
use layby::app::commands::StoreCommand;
use layby::domain::payment::refund::RefundStatus;
use layby::store::tables;

use super::charge_kills::{assert_charged_once, before_charge, renews};
use super::world::World;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::money::only_refund;
use crate::stripe::resume::{execute, hold};
use crate::support::Shop;
use crate::support::card_keeper::CardKeeper;
use crate::support::provider::Provider;
use crate::{globalpayments, smartpayfuse, stripe};

async fn restored<P: CardKeeper>() {
    let before = before_charge::<P>().await;
    for days in [0, 7] {
        let mut world = World::<P>::start(&before).await;
        world.wait(TimeDelta::days(1));
        assert!(renews(&mut world).await);
        assert_charged_once(&world, days);
        world.wait(TimeDelta::days(days.into()));
        let after = world.outside().with_store_of(&before);
        let mut world = World::<P>::start(&after).await;
        assert_eq!(world.provider.charges().len(), 1);
        assert_eq!(world.shop.rows(&tables::PAYMENTS).len(), 1);
        let listed = released(&world.shop, days + 1).await;
        let charges = listed
            .iter()
            .filter(|row| row.what == "payout line")
            .count();
        for _ in 0..2 {
            assert!(renews(&mut world).await);
            world.wait(TimeDelta::minutes(1));
        }
        assert_charged_once(&world, days);
        // The shop knows the charge now, so no person is sent to the gateway.
        assert_eq!(
            charges,
            usize::from(P::NAME != "smartpayfuse"),
            "{listed:#?}"
        );
        assert_eq!(unresolved(&world.shop).await, []);
    }
}

/// Releases a shop that was restored from a backup some days old. Returns what needs a person.
async fn released(shop: &Shop, days: u32) -> Vec<UnresolvedRow> {
    hold(shop, TimeDelta::days(days.into())).await;
    execute(shop, StoreCommand::Resume { is_dry_run: false }).await;
    unresolved(shop).await
}

#[tokio::test]
async fn a_charge_at_stripe_that_the_restored_store_lacks_is_taken_over() {
    restored::<stripe::double::Double>().await;
}

#[tokio::test]
async fn a_charge_at_global_payments_that_the_restored_store_lacks_is_taken_over() {
    restored::<globalpayments::double::Double>().await;
}

#[tokio::test]
async fn a_charge_at_smartpay_fuse_that_the_restored_store_lacks_is_taken_over() {
    restored::<smartpayfuse::double::Double>().await;
}

/// The copy has the refund, and not the call for it. It is restored some days later.
async fn restored_before_refund<P: Provider>(days: i64) -> World<P> {
    let mut world = World::<P>::bought().await;
    world.provider.end_day();
    world.wait(TimeDelta::hours(25));
    world.logs_in().await;
    assert!(world.cancels().await);
    let before = world.outside();
    let world = World::<P>::start(&before).await;
    assert!(world.works().await);
    let left = world.provider.balance(&world.shop);
    world.wait(TimeDelta::days(days));
    let after = world.outside().with_store_of(&before);
    let mut world = World::<P>::start(&after).await;
    for _ in 0..3 {
        assert!(world.works().await && world.receives().await);
        world.provider.end_day();
        world.wait(TimeDelta::hours(25));
    }
    assert_eq!(world.provider.balance(&world.shop), left);
    is_clean(&world.shop, "after the restore");
    world
}

#[tokio::test]
async fn a_refund_at_stripe_that_the_restored_store_has_not_requested_is_made_once() {
    let world = restored_before_refund::<stripe::double::Double>(7).await;
    assert_eq!(only_refund(&world.shop).status, RefundStatus::Paid);
}

/// The provider has forgotten the key of the first call.
#[tokio::test]
async fn a_second_refund_of_the_whole_at_global_payments_is_refused_and_listed() {
    let world = restored_before_refund::<globalpayments::double::Double>(7).await;
    let refund = only_refund(&world.shop);
    assert_eq!(refund.status, RefundStatus::Refused);
    let listed = unresolved(&world.shop).await;
    assert_eq!((listed.len(), listed[0].id), (1, Some(refund.id)));
}

#[tokio::test]
async fn a_refund_at_smartpay_fuse_that_the_restored_store_has_not_requested_is_made_once() {
    let world = restored_before_refund::<smartpayfuse::double::Double>(7).await;
    assert_eq!(only_refund(&world.shop).status, RefundStatus::Paid);
}

/// The copy has neither the cancellation nor its refund.
async fn restored_before_cancellation<P: Provider>() {
    let mut world = World::<P>::bought().await;
    world.provider.end_day();
    // After the days in which the whole price goes back.
    world.wait(TimeDelta::days(40));
    world.logs_in().await;
    let before = world.outside();
    let mut world = World::<P>::start(&before).await;
    assert!(world.cancels().await && world.works().await && world.receives().await);
    world.provider.end_day();
    let left = world.provider.balance(&world.shop);
    assert!(left > 0, "a part stays");
    world.wait(TimeDelta::minutes(30));
    let after = world.outside().with_store_of(&before);

    let mut world = World::<P>::start(&after).await;
    assert_eq!(released(&world.shop, 1).await.len(), 1);
    let first = only_refund(&world.shop);
    is_clean(&world.shop, "after the release");
    assert!(world.cancels().await);
    for _ in 0..3 {
        assert!(world.works().await && world.receives().await);
        world.provider.end_day();
        world.wait(TimeDelta::hours(25));
    }
    assert_eq!(world.provider.balance(&world.shop), left);
    let refunds = world.shop.rows(&tables::REFUNDS).into_iter();
    let second = refunds
        .map(|(_, row)| row)
        .find(|row| row.id != first.id)
        .unwrap();
    assert_eq!(second.status, RefundStatus::Refused);
    let resolution = |id, method| Resolution {
        id,
        method,
        by: "Jo Bloggs".to_string(),
        why: "the cancellation of 31 December".to_string(),
    };
    let already = ResolutionWay::Refund(RefundMethod::AlreadyRefunded);
    for one in [
        resolution(second.id, already),
        resolution(first.id, ResolutionWay::Message),
    ] {
        resolves(&world.shop, &one).await.unwrap();
    }
    assert_eq!(unresolved(&world.shop).await, []);
    is_clean(&world.shop, "after the follow-up");
}

#[tokio::test]
async fn a_refund_at_stripe_whose_cancellation_was_lost_is_not_made_again() {
    restored_before_cancellation::<stripe::double::Double>().await;
}

#[tokio::test]
async fn a_refund_at_global_payments_whose_cancellation_was_lost_is_not_made_again() {
    restored_before_cancellation::<globalpayments::double::Double>().await;
}

/// The copy has a refund of a part that the provider was not asked for yet. The provider forgets the key of a call.
#[tokio::test]
async fn a_partial_refund_at_global_payments_is_looked_up_before_it_is_made_again() {
    type Gp = globalpayments::double::Double;
    let mut world = World::<Gp>::bought().await;
    world.provider.end_day();
    world.wait(TimeDelta::days(40));
    world.logs_in().await;
    assert!(world.cancels().await);
    let moment = world.shop.clock.now();
    backup::begin(&world.shop.app.store, moment).await.unwrap();
    let before = world.outside();
    let world = World::<Gp>::start(&before).await;
    assert!(world.works().await);
    world.provider.end_day();
    let left = world.provider.balance(&world.shop);
    world.wait(TimeDelta::days(7));
    let after = world.outside().with_store_of(&before);
    for (is_listed, expected) in [
        (true, RefundStatus::Paid),
        (false, RefundStatus::Unconfirmed),
    ] {
        let mut world = World::<Gp>::start(&after).await;
        let shop = &world.shop;
        let copied = restore::prepare(&shop.app.store, shop.clock.now())
            .await
            .unwrap();
        assert_eq!(copied, moment);
        if is_listed {
            let output = execute(shop, StoreCommand::Resume { is_dry_run: false }).await;
            let id = only_refund(shop).id;
            assert!(
                output.contains(&format!("it is the refund {id} of BRK")),
                "{output}"
            );
        }
        for _ in 0..3 {
            assert!(world.works().await && world.receives().await);
            world.wait(TimeDelta::hours(25));
        }
        assert_eq!(world.provider.balance(&world.shop), left);
        assert_eq!(only_refund(&world.shop).status, expected);
        is_clean(&world.shop, "after the restore");
    }
}
