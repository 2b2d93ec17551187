//! Prices of several sets of answers in one call.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Shop, two_vehicles_with};

fn at_level(level: Value) -> Value {
    let product = two_vehicles_with("cover_level", level);
    json!({ "product_identifier": "breakdown", "product": product, "quote_ready": true })
}

async fn ask(shop: &Shop, requests: Value) -> Answer {
    let body = json!({ "requests": requests });
    shop.post("/api/v1/prices", &body).send().await
}

#[tokio::test]
async fn each_is_answered_as_if_it_were_asked_alone() {
    let shop = Shop::new().await;
    let mut wrong = at_level(json!(1));
    wrong["product"]["values"]["start_date"] = json!("31.02.2027");
    let nothing = json!({ "product_identifier": "boats", "product": {} });
    let campaign = json!({
        "utm_campaign": "fkc", "utm_medium": "affiliate", "utm_source": "bnp",
    });
    let mut tracked = at_level(json!(4));
    tracked["product"]["values"]["key_cover"] = json!(true);
    tracked["source_tracking"] = campaign;
    let requests = [
        at_level(json!(1)),
        wrong,
        at_level(json!(4)),
        tracked,
        nothing,
    ];
    let answer = ask(&shop, json!(requests)).await.expect(StatusCode::OK);
    let outcomes = answer.at("/data").as_array().unwrap();
    assert_eq!(outcomes.len(), requests.len());
    let mut statuses = Vec::new();
    for (request, outcome) in requests.iter().zip(outcomes) {
        let alone = shop.post("/api/v1/price", request).send().await;
        assert_eq!(outcome["status"], alone.status.as_u16(), "{request}");
        if alone.status == StatusCode::OK {
            assert_eq!(outcome["figures"], alone.body["data"]["figures"]);
            assert_eq!(outcome["failure"], Value::Null);
        } else {
            assert_eq!(outcome["failure"], alone.body, "{request}");
            assert_eq!(outcome["figures"], Value::Null);
        }
        statuses.push(alone.status.as_u16());
    }
    assert_eq!(statuses, [200, 422, 200, 200, 404]);
}

#[tokio::test]
async fn there_are_one_to_sixteen_in_a_call_and_each_is_read_strictly() {
    let shop = Shop::new().await;
    for (number, status) in [(0, 422), (1, 200), (16, 200), (17, 422)] {
        let requests = vec![at_level(json!(1)); number];
        let answer = ask(&shop, json!(requests)).await;
        assert_eq!(answer.status.as_u16(), status, "{number}");
        if status == 422 {
            assert_eq!(answer.fields(), ["requests"]);
        }
    }
    let wrong = ask(
        &shop,
        json!([at_level(json!(1)), { "product": {}, "quote_ready": 1 }]),
    );
    let wrong = wrong.await.expect(StatusCode::BAD_REQUEST);
    let place =
        "The request is not of the right form: `requests[1].quote_ready` has the wrong type.";
    assert_eq!(wrong.text("/message"), place);
    let nameless = ask(&shop, json!([at_level(json!(1)), { "product": {} }]));
    nameless.await.expect(StatusCode::BAD_REQUEST);
    let list = shop.post("/api/v1/prices", &json!([at_level(json!(1))]));
    list.answers(StatusCode::BAD_REQUEST).await;
}

#[tokio::test]
async fn each_counts_as_one_price_of_its_client() {
    let shop = Shop::configured("[limits]\nprices_per_minute = 60\n").await;
    let some = |number: usize| json!(vec![at_level(json!(1)); number]);
    for _ in 0..7 {
        ask(&shop, some(16)).await.expect(StatusCode::OK);
    }
    // 112 of 120 are used. Nine more exceed the limit, and none of them counts.
    let refused = ask(&shop, some(9)).await;
    assert_eq!(
        refused.expect(StatusCode::TOO_MANY_REQUESTS).headers["retry-after"],
        "2"
    );
    ask(&shop, some(8)).await.expect(StatusCode::OK);
    let alone = shop.post("/api/v1/price", &at_level(json!(1)));
    alone.answers(StatusCode::TOO_MANY_REQUESTS).await;
    shop.clock.advance(TimeDelta::seconds(9));
    ask(&shop, some(9)).await.expect(StatusCode::OK);

    // If the limit is smaller than a call, the call waits until the whole limit is free.
    let shop = Shop::configured("[limits]\nprices_per_minute = 5\n").await;
    ask(&shop, some(16)).await.expect(StatusCode::OK);
    ask(&shop, some(16))
        .await
        .expect(StatusCode::TOO_MANY_REQUESTS);
    shop.clock.advance(TimeDelta::minutes(2));
    ask(&shop, some(16)).await.expect(StatusCode::OK);
}
