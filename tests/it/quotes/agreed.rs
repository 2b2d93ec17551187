//! What a customer agrees to is what they saw, and what is answered once stays answered.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Shop, two_trips, two_vehicles};

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
    let mut dearer = two_vehicles();
    dearer["values"]["cover_level"] = json!(4);
    shop.put(
        &format!("/api/v1/quote/{}", quote.uuid),
        &json!({ "product": dearer }),
    )
    .bearer(&quote.token)
    .send()
    .await
    .expect(StatusCode::OK);
    let stale = accept(json!(1)).await.expect(StatusCode::CONFLICT);
    assert_eq!(stale.text("/code"), "stale_revision");
    let accepted = accept(json!(2)).await.expect(StatusCode::OK);
    assert_eq!(accepted.at("/data/revision_id"), 2);
}

#[tokio::test]
async fn the_same_create_is_answered_again_though_it_could_not_begin_any_more() {
    let shop = Shop::new().await;
    let create = || {
        let body = json!({ "product": two_vehicles() });
        shop.post("/api/v2/public/quote/breakdown", &body)
            .header("Idempotency-Key", "key-00000002")
            .send()
    };
    shop.clock.set("2026-11-24T23:59:58Z".parse().unwrap());
    let first = create().await.expect(StatusCode::CREATED);
    shop.clock.set("2026-11-25T00:00:05Z".parse().unwrap());
    let again = create().await.expect(StatusCode::CREATED);
    assert_eq!(first.at("/data/uuid"), again.at("/data/uuid"));
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
