//! A customer accepts the revision that was shown. Repeated calls get the first response.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Shop, two_trips, two_vehicles, two_vehicles_with};

#[tokio::test]
async fn terms_and_yearly_payment_are_asked_for_when_it_is_accepted() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let accept = |body: Value| {
        shop.post(
            &format!("/api/v1/quote/update-accept/{}", quote.uuid),
            &body,
        )
        .bearer(&quote.token)
        .send()
    };
    let answer = accept(json!({ "payment_frequency": "annual" }))
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.fields(), ["terms_and_conditions"]);
    let answer = accept(json!({ "payment_frequency": "monthly" }))
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.fields(), ["terms_and_conditions"]);
    accept(json!({ "payment_frequency": "weekly", "terms_and_conditions": true }))
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn an_accept_that_comes_again_after_a_change_accepts_nothing_new() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let accept = || {
        shop.post(
            &format!("/api/v1/quote/update-accept/{}", quote.uuid),
            &json!({ "terms_and_conditions": true }),
        )
        .bearer(&quote.token)
        .header("Idempotency-Key", "accept-0001")
        .send()
    };
    let first = accept().await.expect(StatusCode::OK);
    let product = two_vehicles_with("key_cover", true);
    shop.update(&quote, &product).succeeds().await;
    let again = accept().await.expect(StatusCode::OK);
    assert_eq!(first.body, again.body);
    let refused = shop.initiate(&quote).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "not_accepted");
}

const PAYS: &str = "4242 4242 4242 4242";

#[tokio::test]
async fn a_revision_that_was_not_shown_is_not_agreed_to() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let accept = |revision: Value| {
        let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
        let body = json!({
            "payment_frequency": "annual", "terms_and_conditions": true, "revision_id": revision,
        });
        shop.post(&path, &body).bearer(&quote.token).send()
    };
    accept(json!(1)).await.expect(StatusCode::OK);
    let dearer = two_vehicles_with("cover_level", 4);
    shop.update(&quote, &dearer).succeeds().await;
    let stale = accept(json!(1)).await.expect(StatusCode::CONFLICT);
    assert_eq!(stale.text("/code"), "stale_revision");
    let accepted = accept(json!(2)).await.expect(StatusCode::OK);
    assert_eq!(accepted.at("/data/revision_id"), 2);
}

#[tokio::test]
async fn a_trip_that_was_paid_for_when_it_was_over_is_paid_back() {
    let shop = Shop::new().await;
    let mut day = two_trips();
    day["multi"]["trips"] = json!([{
        "trip_destination": "FR", "trip_start_date": "01.12.2026", "trip_end_date": "01.12.2026",
    }]);
    let quote = shop.quote(&day).await;
    shop.clock.set("2026-12-01T23:30:00Z".parse().unwrap());
    shop.accept(&quote).await.expect(StatusCode::OK);
    let frame = shop.initiate(&quote).await.text("/data/url");
    shop.clock.set("2026-12-02T00:10:00Z".parse().unwrap());
    shop.pay(&frame, PAYS).await.assert_status_is_ok();
    shop.work().await;
    let payment = shop.payment(&quote).await;
    assert_eq!(payment.at("/data/status"), "refunded", "{:#}", payment.body);
    assert_eq!(payment.at("/data/policy"), false);
}
