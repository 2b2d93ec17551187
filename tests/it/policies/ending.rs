//! Ending a policy early: the exact refund first, then at once, and the money followed home.

use chrono::TimeDelta;
use layby::app::payments::ledger;
use layby::domain::ledger::Account;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{Customer, PAYS, covered, pence, young_vehicles};
use crate::support::{Answer, two_trips, two_vehicles};

/// Kept for ending breakdown cover after the first 14 days, pence.
const FEE: i64 = 1500;
const SLOW_REFUND: &str = "4000 0000 0000 7726";
const REFUND_REFUSED: &str = "4000 0000 0000 5126";

/// A share of a premium by days, half a penny away from zero.
fn share(premium: i64, days: i64) -> i64 {
    (premium * days * 2 + 365) / (365 * 2)
}

/// What an activity gives back, once its lines are seen to add up to it.
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
    ann.get(&path).send().await.expect(StatusCode::OK)
}

async fn ntu(ann: &Customer, policy: &str) -> Answer {
    let path = format!("/api/v1/policy/ntu/{policy}");
    ann.put(&path, &json!({})).send().await
}

/// Changes the level of cover today, with a card where money is due; answers what it cost and
/// the new price of a whole term.
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
    assert_eq!(done.at("/data/status"), "pending");
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

    // Everything was undone, on every account.
    let tx = ann.shop.app.store.read().unwrap();
    for account in Account::ALL {
        let left = ledger::balance(&tx, policy.parse().unwrap(), account).unwrap();
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

    ann.sleeps(4).await; // 25 November: it has begun.
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
        assert_eq!(done.expect(StatusCode::OK).at("/data/status"), "pending");
    }
    ann.works().await;
    let waits = activities(&ann, &slow).await;
    assert_eq!(waits.at("/data/0/status"), "pending");
    assert_eq!(waits.at("/data/0/refund/status"), "pending");
    ann.shop.clock.advance(TimeDelta::minutes(2));
    ann.works().await;
    let paid = activities(&ann, &slow).await;
    assert_eq!(paid.at("/data/0/status"), "done");
    assert_eq!(paid.at("/data/0/refund/status"), "paid");
    assert_eq!(ann.balance(&slow).0, 0);

    // It is still owed; the books say so, and it isn't given for another reason.
    let told = activities(&ann, &refused).await;
    assert_eq!(told.at("/data/0/refund/status"), "refused");
    assert!(ann.balance(&refused).0 > 0);
    assert_eq!(ann.in_hand(&refused).0, 0);
}

#[tokio::test]
async fn what_ended_is_listed_and_can_be_neither_changed_nor_ended_nor_renewed() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    let again = ann.shop.quote(&young_vehicles()).await;
    let notices = again.body["data"]["notices"].clone();
    assert_eq!(notices.as_array().unwrap().len(), 2);
    // It is still said when the quote is opened again; of the policy itself it is no news.
    let path = format!("/api/v2/public/quote/read/{}", again.uuid);
    let reopened = ann.shop.get(&path).bearer(&again.token).send().await;
    let reopened = reopened.expect(StatusCode::OK);
    assert_eq!(reopened.at("/data/info/notices"), &notices);
    let itself = ann.policy(&policy).await;
    assert_eq!(itself.at("/data/info/notices"), &json!([]));
    ann.sleeps(341).await; // 28 October 2027: the renewal was quoted.
    let renewal = ann
        .policy(&policy)
        .await
        .text("/data/policy/renewal/quote_uuid");
    let offer = ann.asks(&policy, json!({ "cover_level": 1 }), None).await;
    let offer = offer.text("/data/adjustment_id");
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);

    let list = ann
        .get("/api/v2/policy/list?quoteStatus[]=8")
        .send()
        .await
        .expect(StatusCode::OK);
    assert_eq!(list.at("/data/0/policy_uuid"), policy.as_str());
    assert_eq!(list.at("/data/0/status_id"), 8);
    let read = ann.policy(&policy).await;
    for what in ["change", "cancel", "not_take_up", "renew", "auto_renew"] {
        let pointer = format!("/data/policy/can/{what}");
        assert_eq!(read.at(&pointer), false, "{what}");
    }
    // The renewal is withdrawn: it can't be accepted, saved, nor brought back by a change.
    assert_eq!(read.at("/data/policy/renewal/status_id"), 14);
    let accept = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    let path = format!("/api/v1/quote/update-accept/{renewal}");
    ann.post(&path, &accept)
        .send()
        .await
        .expect(StatusCode::CONFLICT);
    let path = format!("/api/v1/quote/{renewal}");
    ann.put(&path, &json!({ "product": two_vehicles() }))
        .send()
        .await
        .expect(StatusCode::CONFLICT);
    for refused in [
        ann.asks(&policy, json!({ "cover_level": 4 }), None).await,
        ann.agrees(&policy, &offer).await,
        ann.cancels(&policy, json!({})).await,
        ann.cancels(&policy, json!({ "preview": true })).await,
    ] {
        refused.expect(StatusCode::CONFLICT);
    }
    ann.works().await;

    // The marks are free.
    let mut next = young_vehicles();
    next["values"]["start_date"] = json!("01.11.2027");
    let free = ann.shop.quote(&next).await;
    assert_eq!(free.body["data"]["notices"], json!([]));

    // Its last day passes without a word.
    let before = ann.shop.letters().len();
    ann.waits(30).await;
    assert_eq!(status(&ann, &policy).await, 8);
    let about_it = read.text("/data/info/custom_id");
    let letters = ann.shop.letters();
    assert!(
        letters[before..]
            .iter()
            .all(|letter| !letter.subject.contains(&about_it))
    );
}

#[tokio::test]
async fn cancelled_twice_or_by_two_at_once_it_is_refunded_once() {
    let (ann, policy) = covered().await;
    let (one, other) = tokio::join!(
        ann.cancels(&policy, json!({})),
        ann.cancels(&policy, json!({ "reason_id": 3 }))
    );
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
    ann.works().await;
    assert_eq!(ann.balance(&policy).0, 0);
    assert_eq!(
        activities(&ann, &policy)
            .await
            .at("/data")
            .as_array()
            .unwrap()
            .len(),
        1
    );

    // The same call again, by its key, hears the first answer again; by another key it doesn't.
    let second = ann.buys(&two_vehicles(), PAYS).await;
    let body = json!({
        "type": "cancellation", "policy_uuid": second, "reason_id": 2,
        "effective_date": "2026-11-21",
    });
    let send = |key: &str| {
        let call = ann.post("/api/v1/activity/create", &body);
        call.header("Idempotency-Key", key).send()
    };
    let first = send("cancel-once-1").await.expect(StatusCode::OK);
    let again = send("cancel-once-1").await.expect(StatusCode::OK);
    assert_eq!(again.at("/data"), first.at("/data"));
    send("cancel-once-2").await.expect(StatusCode::CONFLICT);
    ann.works().await;
    assert_eq!(ann.balance(&second).0, 0);
}

#[tokio::test]
async fn a_cancellation_with_a_mistake_changes_nothing_and_says_which() {
    let (mut ann, policy) = covered().await;
    for (more, field) in [
        (json!({ "effective_date": "2027-11-21" }), "effective_date"),
        (json!({ "effective_date": "2026-11-20" }), "effective_date"),
        (json!({ "reason_id": 99 }), "reason_id"),
        (json!({ "reason_id": null }), "reason_id"),
        (json!({ "note": "é".repeat(2000) }), "note"),
        (json!({ "type": "holiday" }), "type"),
    ] {
        for preview in [true, false] {
            let mut more = more.clone();
            more["preview"] = json!(preview);
            let refused = ann.cancels(&policy, more).await;
            let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
            assert_eq!(refused.fields(), [field]);
        }
    }
    for body in [
        json!({}),
        json!({ "type": "cancellation", "policy_uuid": policy, "effective_date": "soon" }),
    ] {
        ann.post("/api/v1/activity/create", &body)
            .send()
            .await
            .expect(StatusCode::BAD_REQUEST);
    }
    ann.cancels("00000000-0000-0000-0000-000000000000", json!({}))
        .await
        .expect(StatusCode::NOT_FOUND);
    assert_eq!(status(&ann, &policy).await, 5);
    ann.sleeps(369).await; // The day after the last.
    let ended = ann.cancels(&policy, json!({})).await;
    let ended = ended.expect(StatusCode::CONFLICT);
    assert_eq!(ended.at("/message"), "This policy has ended.");
    assert_eq!(status(&ann, &policy).await, 15);

    let reasons = ann
        .get("/api/v1/policy/reasons/cancellation")
        .send()
        .await
        .expect(StatusCode::OK);
    assert_eq!(reasons.at("/data").as_array().unwrap().len(), 7);
}
