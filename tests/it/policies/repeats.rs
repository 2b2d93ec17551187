//! Repeated requests, and requests that come too late.

use poem::http::StatusCode;
use serde_json::json;

use super::{Customer, PAYS, covered};
use crate::support::two_trips;

#[tokio::test]
async fn a_price_asked_for_again_is_the_first_answer_even_when_the_change_is_made() {
    let (ann, policy) = covered().await;
    let path = format!("/api/v1/policy/{policy}/mta/confirm");
    let body = json!({ "product": { "values": { "cover_level": 2 } } });
    let ask = || {
        ann.put(&path, &body)
            .header("Idempotency-Key", "change-0001")
    };
    let first = ask().succeeds().await;
    let change = first.text("/data/adjustment_id");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    let again = ask().succeeds().await;
    assert_eq!(again.text("/data/adjustment_id"), change);
    assert_eq!(again.at("/data/status"), "applied");
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    ask().succeeds().await;
}

#[tokio::test]
async fn a_change_that_keeps_the_price_is_made_once_and_answered_again() {
    let (ann, policy) = covered().await;
    let body = json!({ "product": { "values": { "tel_primary": "0113 496 0000" } } });
    let keep = |key| {
        let path = format!("/api/v1/policy/{policy}/price-keep");
        ann.post(&path, &body).header("Idempotency-Key", key)
    };
    for _ in 0..2 {
        let saved = keep("keep-0001").succeeds().await;
        assert_eq!(saved.at("/data"), &json!({ "success": 1, "errors": {} }));
    }
    let made = ann.get(&format!("/api/v1/policy/{policy}/mta"));
    let made = made.succeeds().await;
    assert_eq!(made.at("/data").as_array().unwrap().len(), 1);
    // Another request with the same answers.
    let other = keep("keep-0002").succeeds().await;
    assert_eq!(other.at("/data/success"), 0);
    let other = json!({ "product": { "values": { "tel_primary": "0113 496 0001" } } });
    let path = format!("/api/v1/policy/{policy}/price-keep");
    let call = ann.post(&path, &other);
    let call = call.header("Idempotency-Key", "keep-0001");
    call.answers(StatusCode::CONFLICT).await;
}

#[tokio::test]
async fn the_same_call_twice_at_once_is_done_once_and_answered_twice() {
    let (ann, policy) = covered().await;
    let keep = || {
        let path = format!("/api/v1/policy/{policy}/price-keep");
        let body = json!({ "product": { "values": { "tel_primary": "0113 496 0000" } } });
        let call = ann.post(&path, &body);
        call.header("Idempotency-Key", "keep-0001").send()
    };
    let (one, other) = tokio::join!(keep(), keep());
    assert_eq!(one.expect(StatusCode::OK).at("/data/success"), 1);
    assert_eq!(other.expect(StatusCode::OK).at("/data/success"), 1);
    let made = ann.get(&format!("/api/v1/policy/{policy}/mta"));
    let made = made.succeeds().await;
    assert_eq!(made.at("/data").as_array().unwrap().len(), 1);

    let body = json!({
        "type": "cancellation", "policy_uuid": policy, "reason_id": 2,
        "effective_date": ann.shop.app.clock.today(),
    });
    let cancel = || {
        let call = ann.post("/api/v1/activity/create", &body);
        call.header("Idempotency-Key", "cancel-0001").send()
    };
    let (one, other) = tokio::join!(cancel(), cancel());
    let one = one.expect(StatusCode::OK);
    assert_eq!(other.expect(StatusCode::OK).at("/data"), one.at("/data"));
    ann.works().await;
    assert_eq!(ann.balance(&policy).0, 0);
}

#[tokio::test]
async fn what_was_not_taken_up_is_answered_again_to_the_same_call() {
    let (ann, policy) = covered().await;
    let path = format!("/api/v1/policy/ntu/{policy}");
    let undo = |key| ann.put(&path, &json!({})).header("Idempotency-Key", key);
    let first = undo("undo-0001").succeeds().await;
    let again = undo("undo-0001").succeeds().await;
    assert_eq!(again.at("/data/status_id"), first.at("/data/status_id"));
    assert_eq!(
        again.at("/data/refund/amount"),
        first.at("/data/refund/amount")
    );
    undo("undo-0002").answers(StatusCode::CONFLICT).await;
}

#[tokio::test]
async fn what_was_not_taken_up_says_so_when_it_is_cancelled() {
    let (ann, policy) = covered().await;
    ann.put(&format!("/api/v1/policy/ntu/{policy}"), &json!({}))
        .succeeds()
        .await;
    let body = json!({
        "type": "cancellation", "policy_uuid": policy, "reason_id": 2,
        "effective_date": ann.shop.app.clock.today(),
    });
    for key in ["ending-0001", "ending-0002"] {
        let call = ann.post("/api/v1/activity/create", &body);
        let late = call
            .header("Idempotency-Key", key)
            .answers(StatusCode::CONFLICT)
            .await;
        assert_eq!(late.text("/message"), "This policy was not taken up.");
    }
}

#[tokio::test]
async fn a_change_of_a_trip_is_not_paid_for_once_it_has_begun() {
    let mut ann = Customer::new().await;
    let trip = ann.buys(&two_trips(), PAYS).await;
    ann.sleeps(9).await; // 30 November 2026, the eve.
    let more = json!({ "motor_legal_protection": true });
    let offer = ann.asks(&trip, more, None).await.expect(StatusCode::OK);
    let change = offer.text("/data/adjustment_id");
    ann.shop.clock.advance(chrono::TimeDelta::hours(13));
    let begin = ann.post(
        "/api/v1/gateway/sandbox/initiate",
        &json!({ "uuid": change }),
    );
    let late = begin.answers(StatusCode::CONFLICT).await;
    assert_eq!(
        late.text("/message"),
        "A trip can't be changed once it has begun."
    );
}
