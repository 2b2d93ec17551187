//! Disputes that only a provider's report tells of. A person records the results.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{DisputeResult, Resolution, ResolutionWay};
use layby::domain::payment::refund::{RefundMethod, RefundStatus};
use layby::store::tables;

use super::world::World;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::money::only_refund;
use crate::money::payouts::reconcile;
use crate::support::provider::{Card, Provider};
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

/// Cancels a policy whose payment is disputed. The refund waits for the result.
async fn refund_waits<P: Provider>(is_won: bool) {
    let mut world = World::<P>::start(&World::<P>::begun().await).await;
    assert!(world.begins_to_pay().await);
    let page = world.page.take().unwrap();
    assert!(world.provider.pay(&world.shop, &page, Card::Good).await);
    assert!(world.receives().await);
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
    let resolution = Resolution {
        id: dispute.id.unwrap(),
        method: ResolutionWay::Dispute(result),
        by: "Jo Bloggs".to_string(),
        why: "letter of the bank".to_string(),
    };
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
