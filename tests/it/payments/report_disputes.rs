//! Disputes that only a provider's report tells of. A person records the results.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{DisputeResult, RefundFinding, Resolution, ResolutionWay};
use layby::domain::payment::refund::{RefundMethod, RefundStatus};
use layby::store::tables;
use uuid::Uuid;

use super::world::World;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::money::only_refund;
use crate::money::payouts::reconcile;
use crate::support::provider::Provider;
use crate::{globalpayments, smartpayfuse};

/// Takes in a report of one new line.
async fn take_in<P: Provider>(world: &World<P>, report: &str) {
    let output = reconcile(&world.shop, Some(P::NAME), report).await;
    let output = output.unwrap();
    assert!(
        output.last().unwrap().contains("of which 1 are new"),
        "{output:?}"
    );
}

/// Ends the provider's day, and runs the shop's jobs.
async fn day(world: &World<impl Provider>) {
    world.provider.end_day();
    world.wait(TimeDelta::hours(25));
    assert!(world.works().await);
}

/// Returns what a person writes down about `id`.
fn found(id: Option<Uuid>, method: ResolutionWay) -> Resolution {
    Resolution {
        id: id.unwrap(),
        method,
        by: "Jo Bloggs".to_string(),
        why: "letter of the bank".to_string(),
    }
}

/// Cancels a policy whose payment is disputed. The refund waits for the result.
async fn refund_waits<P: Provider>(is_won: bool) {
    let world = World::<P>::bought().await;
    let payment = world.shop.rows(&tables::PAYMENTS).remove(0).1;
    let paid = payment.amount.0;
    let report = world.provider.dispute_report(payment.id, paid).unwrap();
    take_in(&world, &report).await;

    assert!(world.cancels().await);
    for _ in 0..5 {
        day(&world).await;
    }
    let refund = only_refund(&world.shop);
    assert_eq!(
        (refund.status, refund.requested),
        (RefundStatus::Pending, None)
    );
    assert_eq!(world.provider.balance(&world.shop), paid);
    let listed = unresolved(&world.shop).await;
    let dispute = listed.iter().find(|one| one.what == "dispute").unwrap();

    let result = if is_won {
        DisputeResult::Won
    } else {
        DisputeResult::Lost
    };
    let resolution = found(dispute.id, ResolutionWay::Dispute(result));
    resolves(&world.shop, &resolution).await.unwrap();
    if is_won {
        let back = world.provider.dispute_report(payment.id, -paid).unwrap();
        take_in(&world, &back).await;
    }
    for _ in 0..3 {
        day(&world).await;
    }
    let refund = only_refund(&world.shop);
    let left = world.provider.balance(&world.shop);
    if is_won {
        assert_eq!(refund.status, RefundStatus::Paid);
        assert_eq!(left, paid - refund.amount.0);
    } else {
        let manual = refund.manual.unwrap();
        assert_eq!(manual.method, RefundMethod::AlreadyRefunded);
        assert_eq!(left, paid);
    }
    let listed = unresolved(&world.shop).await;
    assert!(listed.iter().all(|one| one.what == "late"), "{listed:?}");
    is_clean(&world.shop, "after the result");
}

/// The gateway was asked for a refund, and its answer was lost. Then a report names a dispute, which is lost. The
/// customer has the money twice if the gateway `is_made` the refund.
async fn refund_under_way<P: Provider>(is_made: bool, is_unconfirmed: bool) {
    let mut world = World::<P>::bought().await;
    let payment = world.shop.rows(&tables::PAYMENTS).remove(0).1;
    let paid = payment.amount.0;
    world.provider.end_day();
    world.wait(TimeDelta::hours(25));
    assert!(world.works().await);
    world.logs_in().await;
    for _ in 0..3 {
        world.provider.lose_answer(is_made);
    }
    assert!(world.cancels().await);
    assert!(world.works().await);
    let refund = only_refund(&world.shop);
    assert_eq!(refund.status, RefundStatus::Pending);
    assert!(refund.requested.is_some());
    let sum = refund.amount.0;
    let left = if is_made { paid - sum } else { paid };
    assert_eq!(world.provider.balance(&world.shop), left);

    let report = world.provider.dispute_report(payment.id, paid).unwrap();
    take_in(&world, &report).await;
    let listed = unresolved(&world.shop).await;
    let dispute = listed.iter().find(|one| one.what == "dispute").unwrap();
    let lost = found(dispute.id, ResolutionWay::Dispute(DisputeResult::Lost));
    resolves(&world.shop, &lost).await.unwrap();
    let manual = only_refund(&world.shop).manual.unwrap();
    assert_eq!(manual.method, RefundMethod::AlreadyRefunded);

    for _ in 0..4 {
        day(&world).await;
    }
    assert_eq!(world.provider.balance(&world.shop), left);
    let refunds = async || {
        let mut listed = unresolved(&world.shop).await;
        listed.retain(|one| one.what == "refund");
        listed
    };
    if is_unconfirmed {
        let listed = refunds().await;
        assert_eq!(listed.len(), 1);
        let finding = if is_made {
            RefundFinding::Made
        } else {
            RefundFinding::NotMade
        };
        let looked_up = found(listed[0].id, ResolutionWay::Lookup(finding));
        resolves(&world.shop, &looked_up).await.unwrap();
        day(&world).await;
        assert_eq!(world.provider.balance(&world.shop), left);
    }
    let listed = refunds().await;
    assert_eq!(listed.len(), usize::from(is_made), "{listed:?}");
    if is_made {
        assert!(listed[0].facts.contains("has it twice"), "{listed:?}");
    } else {
        is_clean(&world.shop, "after the result");
    }
}

#[tokio::test]
async fn a_refund_at_global_payments_that_was_under_way_when_a_dispute_was_lost_is_listed_if_made()
{
    for is_made in [true, false] {
        refund_under_way::<globalpayments::double::Double>(is_made, true).await;
    }
}

#[tokio::test]
async fn a_refund_at_smartpay_fuse_that_was_under_way_when_a_dispute_was_lost_is_listed_if_made() {
    for is_made in [true, false] {
        refund_under_way::<smartpayfuse::double::Double>(is_made, false).await;
    }
}

#[tokio::test]
async fn a_refund_waits_for_the_result_of_a_dispute_in_a_report_of_global_payments() {
    for is_won in [true, false] {
        refund_waits::<globalpayments::double::Double>(is_won).await;
    }
}

#[tokio::test]
async fn a_refund_waits_for_the_result_of_a_dispute_in_a_statement_of_barclaycard() {
    for is_won in [true, false] {
        refund_waits::<smartpayfuse::double::Double>(is_won).await;
    }
}
