//! A quoted renewal when its policy changes.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{QUOTED, by_hand, compare, gbp, renewal_of, status, told};
use crate::policies::{Customer, PAYS, pence, young_vehicles};

/// Changes the policy. The test expects that nothing is due.
async fn changes(ann: &Customer, policy: &str, values: Value) {
    let offer = ann.asks(policy, values, None).await;
    let change = offer.expect(StatusCode::OK).text("/data/adjustment_id");
    let made = ann.agrees(policy, &change).await;
    made.expect(StatusCode::OK);
    ann.works().await;
}

async fn answer(ann: &Customer, renewal: &str, name: &str) -> Value {
    let path = format!("/api/v2/openapi/quote/read/{renewal}");
    let read = ann.get(&path).succeeds().await;
    read.at(&format!("/data/values/{name}")).clone()
}

#[tokio::test]
async fn a_change_of_the_policy_quotes_the_renewal_anew() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED).await;
    ann.sleeps(2).await;
    let renewal = renewal_of(&ann, &policy).await;
    let before = compare(&ann, &renewal).await;
    let offer = ann.asks(&policy, json!({ "cover_level": 1 }), None).await;
    ann.agrees(&policy, &offer.text("/data/adjustment_id"))
        .await
        .expect(StatusCode::OK);
    ann.works().await;
    let after = compare(&ann, &renewal).await;
    assert!(pence(after.at("/data/price")) < pence(before.at("/data/price")));
    assert_eq!(
        after.at("/data/price_last_year"),
        offer.at("/data/premium_after")
    );
    let read = ann
        .get(&format!("/api/v2/openapi/quote/read/{renewal}"))
        .send()
        .await;
    assert_eq!(read.at("/data/values/cover_level"), 1);
    assert_eq!(read.at("/data/values/start_date"), "25.11.2027");
    let letters = told(&ann, "renewal");
    assert_eq!(letters.len(), 2);
    let price = gbp(pence(after.at("/data/price")));
    assert!(letters[1].text.contains(&price));

    // A vehicle that will be too old by then: covered to the end, but not renewed.
    let vehicles = json!({ "product": { "multi": { "vehicles": [{
        "vehicle_type": 1, "vehicle_registration": "AB12 CDE",
        "vehicle_registration_date": "25.11.2011",
    }] } } });
    let path = format!("/api/v1/policy/{policy}/mta/confirm");
    let offer = ann.put(&path, &vehicles).succeeds().await;
    assert_eq!(offer.at("/data/kind"), "decrease");
    ann.agrees(&policy, &offer.text("/data/adjustment_id"))
        .await
        .expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(status(&ann, &renewal).await, 31);
    assert_eq!(told(&ann, "renewal").len(), 2);
    assert_eq!(told(&ann, "can't be renewed").len(), 1);
}

#[tokio::test]
async fn what_the_customer_chose_for_the_renewal_alone_outlives_a_change_of_the_policy() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    let mut wanted = young_vehicles();
    wanted["values"]["cover_level"] = json!(5);
    let body = json!({ "product": wanted });
    let saved = ann.put(&format!("/api/v1/quote/{renewal}"), &body).send();
    saved.await.expect(StatusCode::OK);
    let before = compare(&ann, &renewal).await;
    // A new telephone number costs nothing, and a higher excess gives a refund.
    changes(&ann, &policy, json!({ "tel_primary": "07400 654321" })).await;
    ann.shop.clock.advance(TimeDelta::minutes(1));
    changes(&ann, &policy, json!({ "excess": 1 })).await;
    assert_eq!(answer(&ann, &renewal, "cover_level").await, 5);
    assert_eq!(answer(&ann, &renewal, "excess").await, 1);
    let tel = answer(&ann, &policy, "tel_primary").await;
    assert_eq!(answer(&ann, &renewal, "tel_primary").await, tel);
    assert_eq!(answer(&ann, &renewal, "start_date").await, "25.11.2027");
    let after = compare(&ann, &renewal).await;
    assert!(pence(after.at("/data/price")) < pence(before.at("/data/price")));
    let letters = told(&ann, "renewal");
    let price = gbp(pence(after.at("/data/price")));
    assert!(letters.last().unwrap().text.contains(&price));
}

#[tokio::test]
async fn what_was_agreed_to_for_one_year_is_asked_again_for_the_next() {
    let mut ann = Customer::new().await;
    let mut product = young_vehicles();
    for box_ticked in ["terms_and_conditions", "marketing_contact"] {
        product["values"][box_ticked] = json!(true);
    }
    let policy = ann.buys_for_now(&product, PAYS, false).await;
    let sold = ann.policy(&policy).await;
    assert_eq!(sold.at("/data/values/terms_and_conditions"), true);
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    for agreed in ["terms_and_conditions", "marketing_contact"] {
        assert_ne!(answer(&ann, &renewal, agreed).await, true, "{agreed}");
    }
}
