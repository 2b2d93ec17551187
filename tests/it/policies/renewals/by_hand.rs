//! A renewal that the customer pays for, or lets lapse.

use chrono::TimeDelta;
use layby::app::jobs::{self, JobQueue};
use layby::store::{WriteTx, tables};
use poem::http::StatusCode;
use serde_json::json;

use super::{
    LAST_DAY, LATER_DECLINED, QUOTED, TO_THE_CHARGE, by_hand, charges, renewal_of, renewing,
    status, told, work_off,
};
use crate::policies::{PAYS, pence, young_vehicles};
use crate::support::two_gadgets;

#[tokio::test]
async fn paid_by_hand_it_follows_without_a_gap_or_a_wait() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(LAST_DAY).await;
    let renewal = renewal_of(&ann, &policy).await;
    assert_eq!(
        status(&ann, &renewal).await,
        1,
        "it can be bought to the end"
    );
    ann.pays_for(&renewal, PAYS, false).await;
    let next = ann.policy(&renewal).await;
    assert_eq!(next.at("/data/policy/cover_begins"), "2027-11-25T00:00:00Z");
    assert_eq!(next.at("/data/policy/expiry"), "2028-11-23");
    assert_eq!(next.at("/data/policy/renews"), policy.as_str());
    assert_eq!(status(&ann, &policy).await, 5, "it still runs");
    ann.sleeps(1).await;
    assert_eq!(status(&ann, &policy).await, 16);
    assert_eq!(status(&ann, &renewal).await, 5);
    let old = ann.policy(&policy).await;
    assert_eq!(old.at("/data/policy/renewed_by"), renewal.as_str());
    assert!(told(&ann, "has ended").is_empty());
    assert_eq!(ann.balance(&renewal).0, pence(next.at("/data/policy/paid")));
}

#[tokio::test]
async fn not_paid_for_it_lapses_and_the_policy_has_ended() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    ann.sleeps(29).await; // The day after the policy's last day: the renewal can still be bought.
    assert_eq!(status(&ann, &policy).await, 15);
    assert_eq!(status(&ann, &renewal).await, 1);
    assert_eq!(told(&ann, "has ended").len(), 1);
    ann.sleeps(1).await;
    assert_eq!(status(&ann, &renewal).await, 32);
    let stored = ann
        .shop
        .row(&tables::QUOTES, &renewal.parse().unwrap())
        .status
        .id();
    assert_eq!(stored, 32);
    // A new save does not help, because its cover would have begun.
    let path = format!("/api/v1/quote/{renewal}");
    ann.put(&path, &json!({ "product": young_vehicles() }))
        .succeeds()
        .await;
    assert_eq!(status(&ann, &renewal).await, 32);
    ann.waits(3).await;
    assert_eq!(told(&ann, "has ended").len(), 1);
}

#[tokio::test]
async fn on_the_day_after_it_can_be_bought_and_the_policy_is_renewed_after_all() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED).await;
    ann.sleeps(29).await;
    assert_eq!(status(&ann, &policy).await, 15);
    let renewal = renewal_of(&ann, &policy).await;
    ann.pays_for(&renewal, PAYS, false).await;
    assert_eq!(status(&ann, &policy).await, 16);
    assert_eq!(status(&ann, &renewal).await, 5);
}

#[tokio::test]
async fn a_renewal_that_is_bought_and_undone_renews_nothing() {
    for undo in ["ntu", "cancel"] {
        let (mut ann, policy) = by_hand().await;
        ann.sleeps(QUOTED).await;
        let renewal = renewal_of(&ann, &policy).await;
        ann.pays_for(&renewal, PAYS, false).await;
        if undo == "ntu" {
            let path = format!("/api/v1/policy/ntu/{renewal}");
            ann.put(&path, &json!({})).succeeds().await;
        } else {
            let undone = ann.cancels(&renewal, json!({})).await;
            undone.expect(StatusCode::OK);
        }
        ann.works().await;
        assert_eq!(ann.balance(&renewal).0, 0);
        ann.sleeps(29).await;
        assert_eq!(status(&ann, &policy).await, 15, "{undo}");
        assert_eq!(told(&ann, "has ended").len(), 1, "{undo}");
    }
}

#[tokio::test]
async fn nobody_is_asked_to_buy_what_cant_be_bought_any_more() {
    let (mut ann, _, renewal) = renewing(None, LATER_DECLINED).await;
    ann.waits(TO_THE_CHARGE - 1).await;
    // The shop is closed until the last day.
    ann.shop.clock.advance(TimeDelta::days(11));
    jobs::daily(&ann.shop.app).await.unwrap();
    work_off(&ann, JobQueue::Shop).await;
    assert_eq!(charges(&ann), 1);
    // The mail server was down for two days.
    ann.shop.clock.advance(TimeDelta::days(2));
    ann.works().await;
    assert!(told(&ann, "is not renewed yet").is_empty());
    ann.waits(1).await;
    assert_eq!(status(&ann, &renewal).await, 32);
}

#[tokio::test]
async fn a_policy_that_cant_be_read_stops_only_what_needs_its_answers() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    let uuid = policy.parse().unwrap();
    let spoil = move |tx: &mut WriteTx<'_>| {
        let mut row = tables::POLICIES.get(tx, &uuid)?.unwrap();
        row.revision = 99;
        tables::POLICIES.put(tx, &uuid, &row)
    };
    ann.shop.app.store.write(spoil).await.unwrap();
    let path = format!("/api/v1/quote/{renewal}");
    let save = || ann.put(&path, &json!({ "product": young_vehicles() }));
    let other = ann.put(&path, &json!({ "product": two_gadgets() }));
    other.answers(StatusCode::BAD_REQUEST).await;
    // Accepting looks for a lower price, and finds none.
    ann.pays_for(&renewal, PAYS, false).await;
    let bought = save().answers(StatusCode::CONFLICT).await;
    assert_eq!(bought.at("/code"), "not_changeable");
}
