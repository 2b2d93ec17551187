//! A cancellation for a later day: pending until its day, and can be withdrawn before.

use chrono::TimeDelta;
use serde_json::json;

use super::*;
use crate::policies::covered;
use crate::support::{two_trips, two_vehicles};

/// Cancellation fee of breakdown cover after the first 14 days, in pence.
const FEE: i64 = 1500;
const DAY: &str = "2027-03-03";
/// Days from 3 March 2027 to the last day, both included.
const LEFT: i64 = 267;

#[tokio::test]
async fn a_policy_ends_as_the_chosen_day_begins_and_gives_back_that_days_figure() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    let read = ann.policy(&policy).await;
    assert_eq!(
        read.at("/data/policy/cancel_days"),
        &json!({ "first": "2026-12-02", "last": "2027-11-24" })
    );
    let look = ann
        .cancels(&policy, json!({ "effective_date": DAY, "preview": true }))
        .await;
    let look = look.expect(StatusCode::OK);
    let back = pence(look.at("/data/refund/amount"));
    assert_eq!(back, share(paid, LEFT) - FEE);
    assert_eq!(look.at("/data/last_day"), "2027-03-02");
    assert_eq!(look.at("/data/status"), "preview");

    let end = ends(&ann, &policy, DAY).await;
    ann.works().await;
    let shown = activities(&ann, &policy).await;
    assert_eq!(shown.at("/data/0/id"), end.as_str());
    assert_eq!(shown.at("/data/0/can_withdraw"), true);
    assert_eq!(shown.at("/data/0/effective_date"), DAY);
    assert_eq!(shown.at("/data/0/last_day"), "2027-03-02");
    assert_eq!(pence(shown.at("/data/0/refund/amount")), back);
    assert_eq!(shown.at("/data/0/refund/status"), "none");
    let read = ann.policy(&policy).await;
    assert_eq!(
        read.at("/data/policy/pending_cancellation"),
        shown.at("/data/0")
    );
    assert_eq!(read.at("/data/policy/cancellation"), &Value::Null);
    assert_eq!(read.at("/data/policy/cancel_days"), &Value::Null);
    assert_eq!(read.at("/data/info/status_id"), 5);
    assert_eq!(books(&ann, &policy), (paid, 0));
    let letters = told(&ann, "ends on the day you chose");
    assert_eq!(letters.len(), 1);
    let text = letters[0].text.replace('\n', " ");
    assert!(text.contains("from 00:00 on 3 March 2027"), "{text}");
    assert!(text.contains("end of 2 March 2027"), "{text}");
    assert!(text.contains(&gbp(back)), "{text}");

    sleeps_until(&mut ann, "2027-03-02").await;
    assert_eq!(status(&ann, &policy).await, 5);
    ann.sleeps(1).await;
    assert_eq!(status(&ann, &policy).await, 8);
    assert_eq!(books(&ann, &policy), (paid - back, 0));
    let done = activities(&ann, &policy).await;
    assert_eq!(done.at("/data").as_array().unwrap().len(), 1);
    assert_eq!(done.at("/data/0/id"), end.as_str());
    assert_eq!(done.at("/data/0/status"), "done");
    assert_eq!(done.at("/data/0/refund/status"), "paid");
    assert_eq!(
        done.at("/data/0/refund/amount"),
        look.at("/data/refund/amount")
    );
    assert_eq!(done.at("/data/0/last_day"), "2027-03-02");
    let letters = told(&ann, "is cancelled");
    assert_eq!(letters.len(), 1);
    assert!(
        letters[0].text.contains("end of 2 March 2027"),
        "{}",
        letters[0].text
    );
    round_again(&ann).await;
    assert_eq!(books(&ann, &policy), (paid - back, 0));
    assert_eq!(told(&ann, "is cancelled").len(), 1);
    assert!(coming_days(&ann).is_empty());
}

#[tokio::test]
async fn one_that_is_withdrawn_changes_nothing_and_another_day_can_be_chosen() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let before = books(&ann, &policy);
    let end = ends(&ann, &policy, DAY).await;
    // Meanwhile another day is refused, also for a preview.
    for preview in [true, false] {
        let more = json!({ "effective_date": "2027-04-01", "preview": preview });
        let refused = ann
            .cancels(&policy, more)
            .await
            .expect(StatusCode::CONFLICT);
        assert!(refused.text("/message").contains("end with 2 March 2027"));
    }
    sleeps_until(&mut ann, "2027-03-02").await;
    for _ in 0..2 {
        let withdrawn = goes_on(&ann, &end).await.expect(StatusCode::OK);
        assert_eq!(withdrawn.at("/data/status"), "withdrawn");
        assert_eq!(withdrawn.at("/data/can_withdraw"), false);
        assert!(withdrawn.at("/data/ended_at").is_string());
        ann.works().await;
    }
    assert_eq!(told(&ann, "goes on").len(), 1);
    ann.sleeps(2).await;
    assert_eq!(status(&ann, &policy).await, 5);
    assert_eq!(books(&ann, &policy), before);
    let next = ends(&ann, &policy, "2027-04-01").await;
    let shown = activities(&ann, &policy).await;
    assert_eq!(shown.at("/data/0/id"), next.as_str());
    assert_eq!(shown.at("/data/1/status"), "withdrawn");
    sleeps_until(&mut ann, "2027-04-05").await;
    assert_eq!(status(&ann, &policy).await, 8);
    assert_eq!(
        activities(&ann, &policy).await.at("/data/0/id"),
        next.as_str()
    );
}

#[tokio::test]
async fn from_midnight_in_london_it_can_be_withdrawn_no_more() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let end = ends(&ann, &policy, DAY).await;
    sleeps_until(&mut ann, "2027-03-02").await;
    ann.shop.clock.advance(TimeDelta::hours(12));
    // The day's run has not happened yet.
    let read = ann.policy(&policy).await;
    assert_eq!(
        read.at("/data/policy/pending_cancellation/can_withdraw"),
        false
    );
    goes_on(&ann, &end).await.expect(StatusCode::CONFLICT);
    assert_eq!(status(&ann, &policy).await, 8);
    let late = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    late.expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_cancellation_for_today_comes_before_one_that_is_pending() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let end = ends(&ann, &policy, DAY).await;
    let done = ann.cancels(&policy, json!({})).await;
    let done = done.expect(StatusCode::OK);
    assert_eq!(done.at("/data/last_day"), &Value::Null);
    ann.works().await;
    assert_eq!(books(&ann, &policy), (0, 0));
    let shown = activities(&ann, &policy).await;
    assert_eq!(shown.at("/data/0/status"), "done");
    assert_eq!(shown.at("/data/1/id"), end.as_str());
    assert_eq!(shown.at("/data/1/status"), "overtaken");
    goes_on(&ann, &end).await.expect(StatusCode::CONFLICT);
    sleeps_until(&mut ann, "2027-03-04").await;
    assert_eq!(books(&ann, &policy), (0, 0));
    assert_eq!(told(&ann, "is cancelled").len(), 1);
}

#[tokio::test]
async fn the_first_fourteen_days_are_counted_to_the_chosen_day() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    // 9 December is the fourteenth day after the start.
    for (day, back) in [("2026-12-09", paid), ("2026-12-10", share(paid, 350) - FEE)] {
        let more = json!({ "effective_date": day, "preview": true });
        let look = ann.cancels(&policy, more).await.expect(StatusCode::OK);
        assert_eq!(pence(look.at("/data/refund/amount")), back, "{day}");
    }
    ends(&ann, &policy, "2026-12-09").await;
    // The shop is closed on that day, but the refund is computed for that day.
    sleeps_until(&mut ann, "2026-12-20").await;
    assert_eq!(status(&ann, &policy).await, 8);
    assert_eq!(books(&ann, &policy), (0, 0));
    let done = activities(&ann, &policy).await;
    assert_eq!(done.at("/data/0/effective_date"), "2026-12-09");
}

#[tokio::test]
async fn cover_that_ends_as_it_would_begin_gives_all_back_also_a_trip() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&two_vehicles(), PAYS).await;
    let trip = ann.buys(&two_trips(), PAYS).await;
    for (policy, day, later) in [
        (&policy, "2026-11-25", "2026-11-24"),
        (&trip, "2026-12-01", "2026-11-30"),
    ] {
        let refused = ann
            .cancels(policy, json!({ "effective_date": later }))
            .await;
        let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.fields(), ["effective_date"]);
        let paid = ann.balance(policy).0;
        ends(&ann, policy, day).await;
        let shown = activities(&ann, policy).await;
        assert_eq!(pence(shown.at("/data/0/refund/amount")), paid);
        assert_eq!(shown.at("/data/0/last_day"), &Value::Null);
    }
    sleeps_until(&mut ann, "2026-12-01").await;
    for policy in [&policy, &trip] {
        assert_eq!(status(&ann, policy).await, 8);
        assert_eq!(books(&ann, policy), (0, 0));
    }
}

#[tokio::test]
async fn asked_for_twice_at_once_it_is_written_down_once() {
    let (mut ann, policy) = covered().await;
    let second = ann.buys(&two_vehicles(), PAYS).await;
    ann.sleeps(10).await;
    let (one, other) = tokio::join!(
        ann.cancels(&policy, json!({ "effective_date": DAY })),
        ann.cancels(&policy, json!({ "effective_date": "2027-04-01" }))
    );
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
    let all = activities(&ann, &policy).await;
    assert_eq!(all.at("/data").as_array().unwrap().len(), 1);

    // The same idempotency key gets the first response again.
    let body = json!({
        "type": "cancellation", "policy_uuid": second, "reason_id": 2, "effective_date": DAY,
    });
    let send = |key: &str| {
        let call = ann.post("/api/v1/activity/create", &body);
        call.header("Idempotency-Key", key).send()
    };
    let first = send("ends-later-1").await.expect(StatusCode::OK);
    let again = send("ends-later-1").await.expect(StatusCode::OK);
    assert_eq!(again.at("/data"), first.at("/data"));
    send("ends-later-2").await.expect(StatusCode::CONFLICT);

    // Of two withdrawals at once, one counts.
    let end = first.text("/data/id");
    let (one, other) = tokio::join!(goes_on(&ann, &end), goes_on(&ann, &end));
    assert_eq!([one.status, other.status], [StatusCode::OK; 2]);
    ann.works().await;
    assert_eq!(told(&ann, "goes on").len(), 1);
}
