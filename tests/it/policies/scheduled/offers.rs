//! Offers of a change: the possible days, the callers, and the withdrawal.

use chrono::TimeDelta;
use layby::app::payments::status;
use serde_json::json;

use super::*;
use crate::policies::covered;
use crate::support::two_trips;

#[tokio::test]
async fn a_day_that_is_none_of_the_term_is_refused_with_which_can_be_chosen() {
    let (mut ann, policy) = covered().await;
    let asks = async |ann: &Customer, day: &str| {
        let refused = ann
            .asks(&policy, json!({ "cover_level": 4 }), Some(day))
            .await;
        let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.fields(), ["effective_date"], "{day}");
        refused.text("/errors/effective_date/0")
    };
    // Cover begins on 25 November 2026.
    let early = asks(&ann, "2026-11-24").await;
    assert!(early.contains("25 November 2026"), "{early}");
    ann.sleeps(10).await;
    let past = asks(&ann, "2026-11-30").await;
    assert!(past.contains("past"), "{past}");
    let late = asks(&ann, "2027-11-25").await;
    assert!(late.contains("24 November 2027"), "{late}");
    for day in ["3.3.2027", "2027-02-30", "soon", ""] {
        let malformed = ann
            .asks(&policy, json!({ "cover_level": 4 }), Some(day))
            .await;
        malformed.expect(StatusCode::BAD_REQUEST);
    }
    assert_eq!(status(&ann, &policy).await, 5);
}

#[tokio::test]
async fn before_the_cover_begins_a_change_from_its_first_day_is_made_at_once() {
    let (mut ann, policy) = covered().await;
    let paid = ann.balance(&policy).0;
    let first = offer(&ann, &policy, json!({ "cover_level": 4 }), "2026-11-25").await;
    ann.enters_card(&first.id, PAYS).await;
    assert_eq!(change(&ann, &policy, &first.id).await["status"], "applied");
    assert_eq!(level(&ann, &policy).await, 4);
    assert_eq!(books(&ann, &policy), (paid + first.amount, 0));
    // A change for a later day of the cover is scheduled, and is undone with the policy.
    let later = agreed(&ann, &policy, json!({ "cover_level": 5 }), "2027-01-01").await;
    assert!(later.amount > 0);
    let undone = ntu(&ann, &policy).await.expect(StatusCode::OK);
    assert_eq!(undone.at("/data/status_id"), 14);
    assert_eq!(undone.at("/data/adjustment"), &Value::Null);
    assert_eq!(pence(undone.at("/data/refund/amount")), paid + first.amount);
    ann.works().await;
    assert_eq!(books(&ann, &policy), (0, 0));
    assert_eq!(earned(&ann, &policy), (0, 0));
    let dropped = change(&ann, &policy, &later.id).await;
    assert_eq!(dropped["status"], "superseded");
    assert_eq!(pence(&dropped["refund"]["amount"]), later.amount);
    let letters = told(&ann, "was not taken up");
    assert!(
        letters[0].text.contains(&gbp(later.amount)),
        "{}",
        letters[0].text
    );
    sleeps_until(&mut ann, "2027-01-02").await;
    assert_eq!(books(&ann, &policy), (0, 0));
}

#[tokio::test]
async fn a_trip_is_changed_from_its_first_day_or_not_at_all() {
    let ann = Customer::new().await;
    let trip = ann.buys(&two_trips(), PAYS).await;
    let read = ann.policy(&trip).await;
    assert_eq!(
        read.at("/data/policy/change_days"),
        &json!({ "first": "2026-12-01", "last": "2026-12-01" })
    );
    let values = json!({ "tel_primary": "0113 496 0000" });
    let refused = ann.asks(&trip, values, Some("2026-12-02")).await;
    let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["effective_date"]);
}

#[tokio::test]
async fn an_offer_that_is_dropped_can_be_neither_agreed_to_nor_paid() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = books(&ann, &policy);
    let offer = offer(&ann, &policy, json!({ "cover_level": 4 }), "2027-03-03").await;
    let body = json!({ "uuid": offer.id });
    let begun = ann.post("/api/v1/gateway/sandbox/initiate", &body);
    let begun = begun.succeeds().await;
    for _ in 0..2 {
        let dropped = ntu(&ann, &offer.id).await.expect(StatusCode::OK);
        assert_eq!(dropped.at("/data/adjustment/status"), "withdrawn");
        assert_eq!(dropped.at("/data/refund/amount"), 0);
    }
    let again = ann.post("/api/v1/gateway/sandbox/initiate", &body);
    again.answers(StatusCode::CONFLICT).await;
    // An open payment page takes money, which is refunded by itself.
    ann.shop.pay(&begun.text("/data/url"), PAYS).await;
    let payment = begun.text("/data/payment_id").parse().unwrap();
    status::sync_payment_status(&ann.shop.app, payment)
        .await
        .unwrap();
    ann.works().await;
    assert_eq!(books(&ann, &policy), paid);
    let dropped = change(&ann, &policy, &offer.id).await;
    assert_eq!(dropped["status"], "withdrawn");
    assert!(told(&ann, "stays as it is").is_empty());
}

#[tokio::test]
async fn of_two_changes_that_are_paid_for_one_is_agreed_and_the_other_paid_back() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    let one = offer(&ann, &policy, json!({ "cover_level": 4 }), "2027-03-03").await;
    let other = offer(&ann, &policy, json!({ "cover_level": 5 }), "2027-04-01").await;
    let body = json!({ "uuid": other.id });
    let begun = ann.post("/api/v1/gateway/sandbox/initiate", &body);
    let begun = begun.succeeds().await;
    ann.enters_card(&one.id, PAYS).await;
    ann.shop.pay(&begun.text("/data/url"), PAYS).await;
    let payment = begun.text("/data/payment_id").parse().unwrap();
    status::sync_payment_status(&ann.shop.app, payment)
        .await
        .unwrap();
    ann.works().await;
    assert_eq!(change(&ann, &policy, &one.id).await["status"], "agreed");
    let second = change(&ann, &policy, &other.id).await;
    assert_eq!(second["status"], "superseded");
    assert_eq!(books(&ann, &policy), (paid + one.amount, one.amount));
    // An earlier offer for today is refused with the same message.
    let refused = ann.agrees(&policy, &other.id).await;
    let refused = refused.expect(StatusCode::CONFLICT);
    assert!(refused.text("/message").contains("3 March 2027"));
}

#[tokio::test]
async fn a_price_for_a_later_day_is_held_for_a_day_like_any_other() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let offer = offer(&ann, &policy, json!({ "cover_level": 1 }), "2027-03-03").await;
    ann.shop.clock.advance(TimeDelta::hours(24));
    let late = ann.agrees(&policy, &offer.id).await;
    late.expect(StatusCode::CONFLICT);
    assert_eq!(change(&ann, &policy, &offer.id).await["status"], "expired");
}

#[tokio::test]
async fn another_customers_changes_and_cancellations_are_not_found() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let stranger = ann.stranger().await;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), "2027-03-03").await;
    let end = ends(&ann, &policy, "2027-05-01").await;
    let paths = [
        format!("/api/v1/policy/ntu/{}", offer.id),
        format!("/api/v1/activity/{end}/withdraw"),
        "/api/v1/policy/ntu/00000000-0000-0000-0000-000000000000".to_string(),
        "/api/v1/activity/00000000-0000-0000-0000-000000000000/withdraw".to_string(),
    ];
    for path in &paths {
        let call = || ann.shop.put(path, &json!({}));
        call().answers(StatusCode::UNAUTHORIZED).await;
        call()
            .cookies(&stranger)
            .answers(StatusCode::NOT_FOUND)
            .await;
    }
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/scheduled_change/status"), "agreed");
    assert_eq!(
        read.at("/data/policy/pending_cancellation/status"),
        "pending"
    );
}
