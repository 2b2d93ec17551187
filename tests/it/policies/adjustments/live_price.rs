//! The live price of a change while it is typed. It equals the offer's, and nothing is stored.

use poem::http::StatusCode;
use serde_json::{Value, json};

use super::super::{covered, pence};

/// Returns the body of a price request for changed values.
fn body(values: &Value) -> Value {
    json!({ "product": { "product_identifier": "breakdown", "values": values } })
}

#[tokio::test]
async fn it_is_what_the_offer_will_say_and_leaves_nothing_behind() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(186).await;
    let path = format!("/api/v1/policy/{policy}/mta/price");
    for level in [4, 1] {
        let values = json!({ "cover_level": level });
        // Live prices have a higher limit than the daily changes.
        let mut typed = Value::Null;
        for _ in 0..25 {
            let answer = ann.post(&path, &body(&values)).send().await;
            typed = answer.expect(StatusCode::OK).at("/data").clone();
        }
        let known = ann
            .get(&format!("/api/v1/policy/{policy}/mta"))
            .succeeds()
            .await;
        let offers = known.at("/data").as_array().unwrap().len();
        assert_eq!(offers, if level == 4 { 0 } else { 1 });
        let offer = ann.asks(&policy, values, None).await.expect(StatusCode::OK);
        for name in [
            "premium_before",
            "premium_after",
            "amount_now",
            "effective_date",
            "days_left",
            "days_in_term",
        ] {
            assert_eq!(&typed[name], offer.at(&format!("/data/{name}")), "{name}");
        }
        assert_eq!(pence(&typed["amount_now"]) > 0, level == 4);
    }
}

#[tokio::test]
async fn faults_are_said_at_their_fields_and_a_stranger_learns_nothing() {
    let (ann, policy) = covered().await;
    let path = format!("/api/v1/policy/{policy}/mta/price");
    let wrong = ann.post(&path, &body(&json!({ "cover_level": 9 })));
    let wrong = wrong.answers(StatusCode::UNPROCESSABLE_ENTITY).await;
    assert_eq!(wrong.fields(), ["cover_level"]);
    let same = ann
        .post(&path, &body(&json!({})))
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(same.at("/code"), "nothing_changed");
    let past = json!({
        "product": { "product_identifier": "breakdown", "values": { "cover_level": 4 } },
        "effective_date": "2020-01-01",
    });
    let past = ann
        .post(&path, &past)
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(past.fields(), ["effective_date"]);
    let asked = body(&json!({ "cover_level": 4 }));
    ann.shop
        .post(&path, &asked)
        .answers(StatusCode::UNAUTHORIZED)
        .await;
}
