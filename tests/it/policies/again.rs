//! The same wish again, and wishes that come too late.

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
    let first = ask().send().await.expect(StatusCode::OK);
    let change = first.text("/data/adjustment_id");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    let again = ask().send().await.expect(StatusCode::OK);
    assert_eq!(again.text("/data/adjustment_id"), change);
    assert_eq!(again.at("/data/status"), "applied");
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    ask().send().await.expect(StatusCode::OK);
}

#[tokio::test]
async fn what_was_not_taken_up_says_so_when_it_is_cancelled() {
    let (ann, policy) = covered().await;
    ann.put(&format!("/api/v1/policy/ntu/{policy}"), &json!({}))
        .send()
        .await
        .expect(StatusCode::OK);
    let body = json!({
        "type": "cancellation", "policy_uuid": policy, "reason_id": 2,
        "effective_date": ann.shop.app.today(),
    });
    for key in ["ending-0001", "ending-0002"] {
        let call = ann.post("/api/v1/activity/create", &body);
        let late = call.header("Idempotency-Key", key).send().await;
        let late = late.expect(StatusCode::CONFLICT);
        assert_eq!(late.text("/message"), "This policy was not taken up.");
    }
}

#[tokio::test]
async fn a_change_of_a_trip_is_not_paid_for_once_it_has_begun() {
    let mut ann = Customer::new().await;
    let trip = ann.buys(&two_trips(), PAYS).await;
    ann.sleeps(9).await; // 30 November 2026, the eve.
    let more = json!({ "key_cover": true });
    let offer = ann.asks(&trip, more, None).await.expect(StatusCode::OK);
    let change = offer.text("/data/adjustment_id");
    ann.shop.clock.advance(chrono::TimeDelta::hours(13));
    let begin = ann.post(
        "/api/v1/gateway/sandbox/initiate",
        &json!({ "uuid": change }),
    );
    let late = begin.send().await.expect(StatusCode::CONFLICT);
    assert_eq!(
        late.text("/message"),
        "A trip can't be changed once it has begun."
    );
}
