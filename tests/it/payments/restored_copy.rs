//! An older copy of the store is restored after a stored card was charged, or after a refund. The shop finds
//! both at the provider, and makes neither again.

use chrono::TimeDelta;
use layby::domain::payment::refund::RefundStatus;
use layby::store::tables;

use super::charge_kills::{assert_charged_once, before_charge, renews};
use super::world::World;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::only_refund;
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
        for _ in 0..2 {
            assert!(renews(&mut world).await);
            world.wait(TimeDelta::minutes(1));
        }
        assert_charged_once(&world, days);
    }
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
