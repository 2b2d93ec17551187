//! Scheduled changes and cancellations, and the policy's renewal.

use layby::domain::policy::renewal::RenewalStatus;
use serde_json::json;

use super::*;
use crate::policies::renewals::{LAST_DAY, QUOTED, charges, compare, renewal_of};
use crate::policies::young_vehicles;

/// Returns a customer whose policy renews automatically, four weeks before its last day.
async fn renewing() -> (Customer, String, String) {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    (ann, policy, renewal)
}

async fn renewed_level(ann: &Customer, renewal: &str) -> Value {
    let path = format!("/api/v2/public/quote/read/{renewal}");
    let read = ann.get(&path).succeeds().await;
    read.at("/data/values/cover_level").clone()
}

fn renewal_row(ann: &Customer, policy: &str) -> RenewalStatus {
    ann.shop
        .row(&tables::POLICIES, &policy.parse().unwrap())
        .renewal
}

#[tokio::test]
async fn a_renewal_is_quoted_for_the_change_that_is_to_come_and_again_when_it_is_withdrawn() {
    let (ann, policy, renewal) = renewing().await;
    let plain = compare(&ann, &renewal).await;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 5 }), "2027-11-20").await;
    assert_eq!(renewed_level(&ann, &renewal).await, 5);
    let coming = compare(&ann, &renewal).await;
    assert!(pence(coming.at("/data/price")) > pence(plain.at("/data/price")));
    assert_eq!(pence(coming.at("/data/price_last_year")), offer.after);
    assert_eq!(told(&ann, "renewal").len(), 2);
    ntu(&ann, &offer.id).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(renewed_level(&ann, &renewal).await, 3);
    let again = compare(&ann, &renewal).await;
    assert_eq!(again.at("/data/price"), plain.at("/data/price"));
    assert_eq!(told(&ann, "renewal").len(), 3);
}

#[tokio::test]
async fn a_change_before_the_renewal_is_quoted_is_in_the_first_quote_and_its_card_pays_for_it() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED - 5).await;
    // The change takes effect on the last day, after the card is charged.
    let offer = agreed(&ann, &policy, json!({ "cover_level": 5 }), "2027-11-24").await;
    ann.sleeps(5).await;
    let renewal = renewal_of(&ann, &policy).await;
    assert_eq!(renewed_level(&ann, &renewal).await, 5);
    assert_eq!(told(&ann, "renewal").len(), 1);
    let price = compare(&ann, &renewal).await.at("/data/price").clone();
    ann.waits(LAST_DAY - QUOTED).await;
    assert_eq!(change(&ann, &policy, &offer.id).await["status"], "applied");
    assert_eq!(charges(&ann), 1);
    ann.waits(2).await;
    assert_eq!(status(&ann, &policy).await, 16);
    assert_eq!(status(&ann, &renewal).await, 5);
    assert_eq!(books(&ann, &renewal), (pence(&price), 0));
    assert_eq!(told(&ann, "renewal").len(), 1);
    assert_eq!(books(&ann, &policy).1, 0);
}

#[tokio::test]
async fn a_policy_that_is_to_end_is_neither_quoted_nor_told_nor_charged_for_its_renewal() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED - 5).await;
    let due = renewal_row(&ann, &policy);
    let end = ends(&ann, &policy, "2027-11-24").await;
    ann.sleeps(10).await;
    assert_eq!(renewal_row(&ann, &policy), due);
    assert!(told(&ann, "renewal").is_empty());
    // After the withdrawal the next daily run quotes the renewal, and the card pays on the last day.
    goes_on(&ann, &end).await.expect(StatusCode::OK);
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/auto_renew"), true);
    ann.sleeps(1).await;
    let renewal = renewal_of(&ann, &policy).await;
    assert_eq!(told(&ann, "renewal").len(), 1);
    ann.waits(LAST_DAY - QUOTED - 6).await;
    assert_eq!(charges(&ann), 1);
    ann.waits(2).await;
    assert_eq!(status(&ann, &renewal).await, 5);
}

#[tokio::test]
async fn a_renewal_that_is_quoted_waits_while_the_policy_is_to_end_and_says_so() {
    let (mut ann, policy, renewal) = renewing().await;
    assert_eq!(
        compare(&ann, &renewal).await.at("/data/charge_on"),
        "2027-11-14"
    );
    let end = ends(&ann, &policy, "2027-11-24").await;
    let stopped = compare(&ann, &renewal).await;
    assert_eq!(stopped.at("/data/charge_on"), &Value::Null);
    assert_eq!(stopped.at("/data/auto_renew"), false);
    // Changes made meanwhile are in the letter after the cancellation is withdrawn.
    let offer = agreed(&ann, &policy, json!({ "cover_level": 5 }), "2027-11-20").await;
    assert_eq!(told(&ann, "renewal").len(), 1);
    goes_on(&ann, &end).await.expect(StatusCode::OK);
    ann.works().await;
    let again = compare(&ann, &renewal).await;
    assert_eq!(again.at("/data/charge_on"), "2027-11-14");
    assert_eq!(told(&ann, "renewal").len(), 2);
    assert_eq!(pence(again.at("/data/price_last_year")), offer.after);

    // Scheduled again, the cancellation ends the policy on its last day, before the card is charged.
    ends(&ann, &policy, "2027-11-24").await;
    ann.waits(LAST_DAY - QUOTED).await;
    assert_eq!(status(&ann, &policy).await, 8);
    assert_eq!(charges(&ann), 0);
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/renewal/status_id"), 14);
    assert_eq!(books(&ann, &policy).1, 0);
    ann.waits(3).await;
    assert_eq!(charges(&ann), 0);
}
