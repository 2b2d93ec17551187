//! A change for a later day: agreed and paid now, in force from its day on.

use layby::domain::money::ledger::Movement;
use poem::http::StatusCode;
use serde_json::json;

use super::*;
use crate::policies::covered;
use layby::app::payments::ledger;

/// Days from 3 March 2027 to the last day, both included.
const LEFT: i64 = 267;
const DAY: &str = "2027-03-03";

fn movements(ann: &Customer, policy: &str) -> Vec<Movement> {
    let tx = snapshot(&ann.shop.app.store);
    let entries = ledger::entries(&tx, policy.parse().unwrap()).unwrap();
    entries.iter().map(|entry| entry.movement).collect()
}

#[tokio::test]
async fn more_cover_from_a_later_day_is_paid_now_held_and_earned_from_that_day_on() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let (paid, tax) = (ann.balance(&policy).0, earned(&ann, &policy).1);
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), DAY).await;
    assert_eq!(offer.amount, share(offer.after - offer.before, LEFT));

    // The payment is held: the shop owes it to the customer. Cover and premium have not changed.
    assert_eq!(books(&ann, &policy), (paid + offer.amount, offer.amount));
    assert_eq!(earned(&ann, &policy), (paid, tax));
    assert_eq!(
        movements(&ann, &policy)[2..],
        [Movement::Held, Movement::Payment]
    );
    assert_eq!(level(&ann, &policy).await, 3);
    let read = ann.policy(&policy).await;
    let coming = read.at("/data/policy/scheduled_change");
    assert_eq!(coming, &change(&ann, &policy, &offer.id).await);
    assert_eq!(coming["can_withdraw"], true);
    assert!(coming["agreed"].is_string() && coming["applied"].is_null());
    assert!(coming["refund"].is_null());
    let letters = told(&ann, "changes on a later day");
    assert_eq!(letters.len(), 1);
    assert!(
        letters[0].text.contains("start of 3 March 2027"),
        "{}",
        letters[0].text
    );
    assert!(letters[0].text.contains(&gbp(offer.amount)));

    // Another change is refused until this one is withdrawn.
    assert_eq!(read.at("/data/policy/can/change"), false);
    assert_eq!(read.at("/data/policy/change_days"), &Value::Null);
    let refused = ann.asks(&policy, json!({ "cover_level": 1 }), None).await;
    let refused = refused.expect(StatusCode::CONFLICT);
    assert!(refused.text("/message").contains("3 March 2027"));
    assert_eq!(
        refused.at("/message"),
        read.at("/data/policy/why_not/change")
    );
    // A second consent returns the agreed change.
    let again = ann.agrees(&policy, &offer.id).await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/status"), "agreed");

    sleeps_until(&mut ann, "2027-03-02").await;
    assert_eq!(level(&ann, &policy).await, 3);
    assert_eq!(coming_days(&ann), [DAY.parse().unwrap()]);

    ann.sleeps(1).await;
    assert_eq!(level(&ann, &policy).await, 4);
    assert!(coming_days(&ann).is_empty());
    let made = change(&ann, &policy, &offer.id).await;
    assert_eq!(made["status"], "applied");
    assert_eq!(made["revision"], 2);
    assert_eq!(made["can_withdraw"], false);
    assert_eq!(books(&ann, &policy), (paid + offer.amount, 0));
    assert_eq!(
        earned(&ann, &policy),
        (paid + offer.amount, tax + tax_in(offer.amount))
    );
    let letters = told(&ann, "has changed");
    assert_eq!(letters.len(), 1);
    assert!(
        letters[0].text.contains("as you asked on 1 December 2026"),
        "{}",
        letters[0].text
    );
    // A repeated daily run, as after a stop in the middle of it, does nothing.
    let before = movements(&ann, &policy);
    round_again(&ann).await;
    assert_eq!(movements(&ann, &policy), before);
    assert_eq!(told(&ann, "has changed").len(), 1);
    assert_eq!(
        ann.policy(&policy).await.at("/data/policy/can/change"),
        true
    );
}

#[tokio::test]
async fn less_cover_from_a_later_day_is_refunded_on_that_day_and_not_before() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 1 }), DAY).await;
    let back = -offer.amount;
    assert_eq!(back, share(offer.before - offer.after, LEFT));
    let coming = change(&ann, &policy, &offer.id).await;
    assert_eq!(pence(&coming["refund"]["amount"]), back);
    assert_eq!(coming["refund"]["status"], "none");
    sleeps_until(&mut ann, "2027-03-02").await;
    assert_eq!(books(&ann, &policy), (paid, 0));
    assert_eq!(ann.in_hand(&policy).0, paid);

    ann.sleeps(1).await;
    assert_eq!(books(&ann, &policy), (paid - back, 0));
    assert_eq!(earned(&ann, &policy).0, paid - back);
    let made = change(&ann, &policy, &offer.id).await;
    assert_eq!(made["refund"]["status"], "paid");
    assert_eq!(pence(&made["refund"]["amount"]), back);
    assert!(told(&ann, "has changed")[0].text.contains(&gbp(back)));
}

#[tokio::test]
async fn a_change_that_costs_nothing_comes_on_its_day_too() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = books(&ann, &policy);
    let values = json!({ "tel_primary": "0113 496 0000" });
    let offer = agreed(&ann, &policy, values, DAY).await;
    assert_eq!(offer.amount, 0);
    let number = |read: &Answer| read.at("/data/values/tel_primary").clone();
    assert_ne!(number(&ann.policy(&policy).await), "+441134960000");
    sleeps_until(&mut ann, DAY).await;
    assert_eq!(number(&ann.policy(&policy).await), "+441134960000");
    assert_eq!(books(&ann, &policy), paid);
}

#[tokio::test]
async fn what_was_paid_for_a_change_that_is_withdrawn_goes_back_to_its_card_once() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), DAY).await;
    // The last possible day.
    sleeps_until(&mut ann, "2027-03-02").await;
    let withdrawn = ntu(&ann, &offer.id).await.expect(StatusCode::OK);
    assert_eq!(withdrawn.at("/data/status_id"), 5);
    assert_eq!(withdrawn.at("/data/adjustment/status"), "withdrawn");
    assert_eq!(pence(withdrawn.at("/data/refund/amount")), offer.amount);
    assert_eq!(withdrawn.at("/data/refund/status"), "pending");
    assert_eq!(ann.in_hand(&policy).0, paid);
    for _ in 0..2 {
        ntu(&ann, &offer.id).await.expect(StatusCode::OK);
        ann.works().await;
    }
    assert_eq!(books(&ann, &policy), (paid, 0));
    let letters = told(&ann, "stays as it is");
    assert_eq!(letters.len(), 1);
    assert!(letters[0].text.contains(&gbp(offer.amount)));

    // The day of the withdrawn change passes, so the change can't be agreed any more. Another change can be
    // agreed.
    ann.sleeps(2).await;
    assert_eq!(level(&ann, &policy).await, 3);
    let gone = ann.agrees(&policy, &offer.id).await;
    let gone = gone.expect(StatusCode::CONFLICT);
    assert!(gone.text("/message").contains("withdrawn"));
    agreed(&ann, &policy, json!({ "cover_level": 2 }), "2027-04-01").await;
}

#[tokio::test]
async fn a_refund_of_less_cover_that_is_withdrawn_never_happens() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let before = books(&ann, &policy);
    let offer = agreed(&ann, &policy, json!({ "cover_level": 1 }), DAY).await;
    let withdrawn = ntu(&ann, &offer.id).await.expect(StatusCode::OK);
    assert_eq!(pence(withdrawn.at("/data/refund/amount")), 0);
    assert_eq!(withdrawn.at("/data/adjustment/refund"), &Value::Null);
    sleeps_until(&mut ann, "2027-03-04").await;
    assert_eq!(books(&ann, &policy), before);
    assert_eq!(level(&ann, &policy).await, 3);
    assert!(told(&ann, "stays as it is")[0].text.contains("nothing"));
}
