//! Cancelling a policy: a preview shows the exact refund, then the policy ends at once.

mod end_cover;
mod refusals;

use crate::support::stores::snapshot;
use chrono::TimeDelta;
use layby::app::payments::ledger;
use layby::domain::money::ledger::Account;
use layby::domain::policy::renewal::RenewalStatus;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{Customer, PAYS, covered, pence};
use crate::support::{Answer, two_trips, two_vehicles};

/// Cancellation fee of breakdown cover after the first 14 days, in pence.
const FEE: i64 = 1500;
const SLOW_REFUND: &str = "4000 0000 0000 7726";
const REFUND_REFUSED: &str = "4000 0000 0000 5126";

/// Returns a share of a premium by days. Half a penny is rounded away from zero.
fn share(premium: i64, days: i64) -> i64 {
    (premium * days * 2 + 365) / (365 * 2)
}

/// Returns the refund of an activity, after a check that its lines add up to it.
#[track_caller]
fn refund(activity: &Answer) -> i64 {
    let amount = pence(activity.at("/data/refund/amount"));
    let lines = activity.at("/data/refund/lines").as_array().unwrap();
    let sum: i64 = lines.iter().map(|line| pence(&line["amount"])).sum();
    assert_eq!(sum, amount, "{:#}", activity.body);
    amount
}

async fn status(ann: &Customer, policy: &str) -> Value {
    let read = ann.policy(policy).await;
    read.at("/data/info/status_id").clone()
}

async fn activities(ann: &Customer, policy: &str) -> Answer {
    let path = format!("/api/v1/activities?policy={policy}&type=cancellation");
    ann.get(&path).succeeds().await
}

async fn ntu(ann: &Customer, policy: &str) -> Answer {
    let path = format!("/api/v1/policy/ntu/{policy}");
    ann.put(&path, &json!({})).send().await
}

/// Changes the level of cover today, and pays by card if money is due. Returns the cost of the change and the
/// new price of a whole term.
async fn changes(ann: &Customer, policy: &str, level: u32) -> (i64, i64) {
    let offer = ann
        .asks(policy, json!({ "cover_level": level }), None)
        .await;
    let offer = offer.expect(StatusCode::OK);
    let change = offer.text("/data/adjustment_id");
    if offer.at("/data/kind") == "increase" {
        ann.enters_card(&change, PAYS).await;
    } else {
        ann.agrees(policy, &change).await.expect(StatusCode::OK);
    }
    ann.works().await;
    let of = |name: &str| pence(offer.at(&format!("/data/{name}")));
    (of("amount_now"), of("premium_after"))
}

#[tokio::test]
async fn inside_fourteen_days_all_comes_back_after_a_look_that_changes_nothing() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(18).await; // 9 December: the fourteenth day after the start.
    let paid = ann.balance(&policy).0;
    let look = ann.cancels(&policy, json!({ "preview": true })).await;
    let look = look.expect(StatusCode::OK);
    assert_eq!(look.at("/data/status"), "preview");
    assert_eq!(look.at("/data/id"), &Value::Null);
    assert_eq!(refund(&look), paid);
    assert_eq!(status(&ann, &policy).await, 5);
    assert_eq!(activities(&ann, &policy).await.at("/data"), &json!([]));
    assert_eq!(ann.in_hand(&policy).0, paid);

    let done = ann.cancels(&policy, json!({ "note": "Sold it" })).await;
    let done = done.expect(StatusCode::OK);
    assert_eq!(done.at("/data/status"), "done");
    assert_eq!(done.at("/data/refund/status"), "pending");
    assert_eq!(
        done.at("/data/refund/amount"),
        look.at("/data/refund/amount")
    );
    assert_eq!(done.at("/data/refund/lines"), look.at("/data/refund/lines"));
    assert_eq!(done.at("/data/note"), "Sold it");
    assert_eq!(done.at("/data/effective_date"), "2026-12-09");
    assert_eq!(status(&ann, &policy).await, 8);
    ann.works().await;
    assert_eq!(ann.balance(&policy).0, 0);
    let shown = activities(&ann, &policy).await;
    assert_eq!(shown.at("/data/0/status"), "done");
    assert_eq!(shown.at("/data/0/refund/status"), "paid");
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/cancellation"), shown.at("/data/0"));
    assert_eq!(pence(read.at("/data/policy/paid")), 0);

    // Everything was reversed, on every account.
    let tx = snapshot(&ann.shop.app.store);
    for account in Account::all("sandbox") {
        let left = ledger::balance(&tx, policy.parse().unwrap(), &account).unwrap();
        assert_eq!(left.0, 0, "{account:?}");
    }
    let letters = ann.shop.letters();
    let letter = letters
        .iter()
        .find(|letter| letter.subject.contains("is cancelled"))
        .unwrap();
    let sum = format!("GBP {}.{:02}", paid / 100, paid % 100);
    assert!(letter.text.contains(&sum), "{}", letter.text);
}

#[tokio::test]
async fn later_the_days_that_are_left_come_back_less_the_fee() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(19).await; // 10 December: 350 of 365 days are left, today included.
    let paid = ann.balance(&policy).0;
    let look = ann.cancels(&policy, json!({ "preview": true })).await;
    let back = refund(&look.expect(StatusCode::OK));
    assert_eq!(back, share(paid, 350) - FEE);
    let done = ann.cancels(&policy, json!({})).await;
    let done = done.expect(StatusCode::OK);
    assert_eq!(refund(&done), back);
    assert_eq!(pence(done.at("/data/refund/lines/1/amount")), -FEE);
    ann.works().await;
    assert_eq!(ann.balance(&policy).0, paid - back);
}

#[tokio::test]
async fn each_premium_counts_for_its_own_days_after_changes_up_and_down() {
    let (mut ann, policy) = covered().await;
    let first = pence(ann.policy(&policy).await.at("/data/policy/paid"));
    ann.sleeps(104).await; // 5 March 2027: 265 days are left.
    let (more, second) = changes(&ann, &policy, 4).await;
    assert_eq!(more, share(second - first, 265));
    assert_eq!(ann.balance(&policy).0, first + more);
    ann.sleeps(100).await; // 13 June: 165 days are left.
    let (less, third) = changes(&ann, &policy, 1).await;
    assert_eq!(less, -share(second - third, 165));
    let paid = ann.balance(&policy).0;
    assert_eq!(paid, first + more + less);

    ann.sleeps(65).await; // 17 August: 100 days are left, all at the last price.
    let done = ann.cancels(&policy, json!({})).await;
    let back = refund(&done.expect(StatusCode::OK));
    assert_eq!(back, share(third, 100) - FEE);
    ann.works().await;
    assert_eq!(ann.balance(&policy).0, paid - back);
}

#[tokio::test]
async fn a_fee_never_takes_more_than_there_is() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(368).await; // The last day.
    let paid = ann.balance(&policy);
    let done = ann.cancels(&policy, json!({})).await;
    let done = done.expect(StatusCode::OK);
    assert_eq!(refund(&done), 0);
    assert_eq!(done.at("/data/status"), "done");
    assert_eq!(done.at("/data/refund/status"), "none");
    ann.works().await;
    assert_eq!(ann.balance(&policy), paid);
}

#[tokio::test]
async fn a_policy_is_undone_before_it_begins_but_not_after() {
    let (mut ann, policy) = covered().await;
    let other = ann.buys(&two_vehicles(), PAYS).await;
    let undone = ntu(&ann, &policy).await.expect(StatusCode::OK);
    assert_eq!(undone.at("/data/status_id"), 14);
    ann.works().await;
    assert_eq!(ann.balance(&policy).0, 0);
    assert_eq!(status(&ann, &policy).await, 14);
    let letters = ann.shop.letters();
    assert!(
        letters
            .iter()
            .any(|letter| letter.subject.contains("was not taken up"))
    );
    for again in [
        ntu(&ann, &policy).await,
        ann.cancels(&policy, json!({})).await,
    ] {
        let refused = again.expect(StatusCode::CONFLICT);
        assert_eq!(refused.at("/code"), "not_possible_now");
    }

    ann.sleeps(4).await; // 25 November: the policy has begun.
    let begun = ann.policy(&other).await;
    assert_eq!(begun.at("/data/policy/can/not_take_up"), false);
    assert!(begun.at("/data/policy/why_not/not_take_up").is_string());
    let refused = ntu(&ann, &other).await.expect(StatusCode::CONFLICT);
    assert_eq!(
        refused.at("/message"),
        begun.at("/data/policy/why_not/not_take_up")
    );
    assert_eq!(status(&ann, &other).await, 5);
}

#[tokio::test]
async fn a_trip_gives_all_back_before_departure_and_nothing_afterwards() {
    let mut ann = Customer::new().await;
    let early = ann.buys(&two_trips(), PAYS).await;
    let late = ann.buys(&two_trips(), PAYS).await;
    ann.sleeps(9).await; // The day before.
    let paid = ann.balance(&early).0;
    let done = ann.cancels(&early, json!({})).await;
    assert_eq!(refund(&done.expect(StatusCode::OK)), paid);
    ann.works().await;
    assert_eq!(ann.balance(&early).0, 0);
    ann.sleeps(1).await; // Departure.
    let done = ann.cancels(&late, json!({})).await;
    let done = done.expect(StatusCode::OK);
    assert_eq!(refund(&done), 0);
    assert_eq!(done.at("/data/refund/status"), "none");
    ann.works().await;
    assert_eq!(ann.balance(&late).0, paid);
}

#[tokio::test]
async fn a_refund_is_followed_to_its_end() {
    let ann = Customer::new().await;
    let slow = ann.buys(&two_vehicles(), SLOW_REFUND).await;
    let refused = ann.buys(&two_vehicles(), REFUND_REFUSED).await;
    for policy in [&slow, &refused] {
        let done = ann.cancels(policy, json!({})).await;
        let done = done.expect(StatusCode::OK);
        assert_eq!(done.at("/data/refund/status"), "pending");
    }
    ann.works().await;
    let waits = activities(&ann, &slow).await;
    assert_eq!(waits.at("/data/0/status"), "done");
    assert_eq!(waits.at("/data/0/refund/status"), "pending");
    ann.shop.clock.advance(TimeDelta::minutes(2));
    ann.works().await;
    let paid = activities(&ann, &slow).await;
    assert_eq!(paid.at("/data/0/status"), "done");
    assert_eq!(paid.at("/data/0/refund/status"), "paid");
    assert_eq!(ann.balance(&slow).0, 0);

    // The refund is still owed, as the books show, and its money can't be used for another reason.
    let told = activities(&ann, &refused).await;
    assert_eq!(told.at("/data/0/refund/status"), "refused");
    assert!(ann.balance(&refused).0 > 0);
    assert_eq!(ann.in_hand(&refused).0, 0);
}

#[tokio::test]
async fn a_policy_that_is_cancelled_or_undone_is_not_to_be_renewed() {
    let (mut ann, policy) = covered().await;
    let undone = ann.buys(&two_vehicles(), PAYS).await;
    let renewal = |ann: &Customer, policy: &str| {
        ann.shop
            .row(&tables::POLICIES, &policy.parse().unwrap())
            .renewal
    };
    for policy in [&policy, &undone] {
        assert!(renewal(&ann, policy).due().is_some());
    }
    ntu(&ann, &undone).await.expect(StatusCode::OK);
    ann.sleeps(10).await;
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    for policy in [&policy, &undone] {
        assert_eq!(renewal(&ann, policy), RenewalStatus::NotRenewed);
    }
}
