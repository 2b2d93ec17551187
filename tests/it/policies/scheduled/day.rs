//! The day of a change: before it, on it, and when the shop was closed on it.

use chrono::TimeDelta;
use layby::app::jobs;
use layby::app::payments::status;
use serde_json::json;

use super::*;
use crate::policies::covered;

#[tokio::test]
async fn a_day_begins_at_midnight_in_london_also_in_summer() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), "2027-06-10").await;
    sleeps_until(&mut ann, "2027-06-09").await;
    // Noon in UTC is 13:00 in London. Eleven hours less a second later it is 23:59:59 there.
    ann.shop.clock.advance(TimeDelta::seconds(11 * 3600 - 1));
    jobs::daily(&ann.shop.app).await.unwrap();
    assert_eq!(level(&ann, &policy).await, 3);
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/scheduled_change/can_withdraw"), true);
    ann.shop.clock.advance(TimeDelta::seconds(1));
    // The day's run has not happened yet, but the change can't be withdrawn any more.
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/scheduled_change/can_withdraw"), false);
    let late = ntu(&ann, &offer.id).await.expect(StatusCode::CONFLICT);
    assert_eq!(late.at("/code"), "invalid_state");
    assert_eq!(level(&ann, &policy).await, 4);
    jobs::daily(&ann.shop.app).await.unwrap();
    ann.works().await;
    assert_eq!(books(&ann, &policy).1, 0);
    assert_eq!(told(&ann, "has changed").len(), 1);
}

#[tokio::test]
async fn a_day_on_which_the_shop_was_closed_is_caught_up_as_of_that_day() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), "2027-03-03").await;
    sleeps_until(&mut ann, "2027-03-20").await;
    let made = change(&ann, &policy, &offer.id).await;
    assert_eq!(made["status"], "applied");
    assert_eq!(made["effective_date"], "2027-03-03");
    assert_eq!(books(&ann, &policy), (paid + offer.amount, 0));
    // A later cancellation counts each price for its own days.
    sleeps_until(&mut ann, "2027-08-17").await; // 100 days are left.
    let look = ann.cancels(&policy, json!({ "preview": true })).await;
    let back = pence(
        look.expect(StatusCode::OK)
            .at("/data/refund/lines/0/amount"),
    );
    assert_eq!(back, share(offer.after, 100));
}

#[tokio::test]
async fn the_last_day_of_the_term_can_be_chosen_and_comes_before_the_end() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let read = ann.policy(&policy).await;
    assert_eq!(
        read.at("/data/policy/change_days"),
        &json!({ "first": "2026-12-01", "last": "2027-11-24" })
    );
    let paid = ann.balance(&policy).0;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), "2027-11-24").await;
    assert_eq!(offer.amount, share(offer.after - offer.before, 1));
    // The shop is closed on that day, and on the policy's last day.
    sleeps_until(&mut ann, "2027-11-26").await;
    assert_eq!(change(&ann, &policy, &offer.id).await["status"], "applied");
    assert_eq!(status(&ann, &policy).await, 15);
    assert_eq!(books(&ann, &policy), (paid + offer.amount, 0));
}

#[tokio::test]
async fn money_for_a_change_that_arrives_after_its_day_makes_it_at_once_on_the_agreed_terms() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    let offer = offer(&ann, &policy, json!({ "cover_level": 4 }), "2026-12-02").await;
    let body = json!({ "uuid": offer.id });
    let started = ann.post("/api/v1/gateway/sandbox/initiate", &body);
    let started = started.succeeds().await;
    ann.shop.pay(&started.text("/data/url"), PAYS).await;
    // The gateway's report comes three days later.
    ann.shop.clock.advance(TimeDelta::days(3));
    let payment = started.text("/data/payment_id").parse().unwrap();
    status::sync_payment_status(&ann.shop.app, payment)
        .await
        .unwrap();
    ann.works().await;
    let made = change(&ann, &policy, &offer.id).await;
    assert_eq!(made["status"], "applied");
    assert_eq!(made["effective_date"], "2026-12-02");
    assert_eq!(pence(&made["amount_now"]), offer.amount);
    assert_eq!(books(&ann, &policy), (paid + offer.amount, 0));
    assert_eq!(level(&ann, &policy).await, 4);
}

#[tokio::test]
async fn a_policy_that_cant_be_read_on_the_day_keeps_no_other_waiting() {
    let (mut ann, broken) = covered().await;
    let sound = ann.buys(&crate::support::two_vehicles(), PAYS).await;
    ann.sleeps(10).await;
    for policy in [&broken, &sound] {
        agreed(&ann, policy, json!({ "cover_level": 4 }), "2027-03-03").await;
    }
    let uuid = broken.parse().unwrap();
    let revision = |number: u32| {
        move |tx: &mut WriteTx<'_>| {
            let mut row = tables::POLICIES.get(tx, &uuid)?.unwrap();
            row.revision = number;
            tables::POLICIES.put(tx, &uuid, &row)
        }
    };
    let store = ann.shop.app.store.clone();
    store.write(revision(99)).await.unwrap();
    sleeps_until(&mut ann, "2027-03-03").await;
    assert_eq!(level(&ann, &sound).await, 4);
    // After the repair the next daily run applies the change.
    store.write(revision(1)).await.unwrap();
    ann.sleeps(1).await;
    assert_eq!(level(&ann, &broken).await, 4);
    assert_eq!(books(&ann, &broken).1, 0);
    assert!(coming_days(&ann).is_empty());
}
