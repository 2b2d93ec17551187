//! A quote is created, read and completed.

use layby::app::jobs;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::stores::snapshot;
use crate::support::{Answer, Shop, two_trips, two_vehicles};

#[tokio::test]
async fn a_full_name_is_first_name_middle_name_if_any_and_last_name() {
    let shop = Shop::new().await;
    let mut product = two_vehicles();
    for (middle, full) in [("Mary", "Ann Mary O’Neill"), ("  ", "Ann O’Neill")] {
        product["values"]["middle_name"] = json!(middle);
        let quote = shop.quote(&product).await;
        let read = shop.read(&quote).await;
        assert_eq!(read.at("/data/info/holder_name"), full);
    }
}

#[tokio::test]
async fn a_quote_says_its_uuid_and_its_quote_policy_id_which_it_keeps_as_a_policy() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let custom_id = quote.body["data"]["custom_id"].as_str().unwrap();
    assert!(custom_id.starts_with("BRK"), "{custom_id}");
    let is_named = |read: Answer, status: u32| {
        assert_eq!(read.at("/data/info/uuid"), quote.uuid.as_str());
        assert_eq!(read.at("/data/info/quotePolicyID"), custom_id);
        assert_eq!(read.at("/data/info/custom_id"), custom_id);
        assert_eq!(read.at("/data/info/status_id"), status);
    };
    is_named(shop.read(&quote).await.expect(StatusCode::OK), 1);
    shop.accept(&quote).await.expect(StatusCode::OK);
    let started = shop.initiate(&quote).await.expect(StatusCode::OK);
    let frame = started.text("/data/url");
    let paid = shop.pay(&frame, "4242424242424242").await;
    paid.assert_status_is_ok();
    shop.payment(&quote).await.expect(StatusCode::OK);
    is_named(shop.read(&quote).await.expect(StatusCode::OK), 5);
}

#[tokio::test]
async fn a_quote_is_saved_read_and_bought_at_the_price_shown() {
    let shop = Shop::new().await;
    let priced = shop
        .post(
            "/api/v1/price",
            &json!({ "product_identifier": "breakdown", "product": two_vehicles() }),
        )
        .succeeds()
        .await;
    let quote = shop.quote(&two_vehicles()).await;
    assert_eq!(quote.body["data"]["status_id"], 1);

    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(
        read.at("/data/info/price/amount_total"),
        priced.at("/data/figures/amount_total")
    );
    assert_eq!(read.at("/data/info/flags/buyable"), true);
    assert_eq!(read.at("/data/info/holder_name"), "Ann O’Neill");
    assert_eq!(read.at("/data/info/dates/inception"), "2026-11-25");
    assert_eq!(read.at("/data/info/dates/expiry"), "2027-11-24");
    assert_eq!(
        read.at("/data/multi/vehicles/0/vehicle_registration"),
        "AB12 CDE"
    );
    assert_eq!(read.at("/data/values/postcode_primary"), "LS6 1AB");
    assert_eq!(read.at("/data/values/number_of_vehicles"), 2);
    let summary: Vec<&str> = read
        .at("/data/info/summary")
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        summary,
        [
            "AB12 CDE, K1 NGS",
            "Vehicle cover",
            "National cover",
            "Unlimited callouts"
        ]
    );

    let accepted = shop.accept(&quote).await.expect(StatusCode::OK);
    assert_eq!(
        accepted.at("/data/amount_due"),
        priced.at("/data/figures/amount_total")
    );
    // A second acceptance is no error.
    shop.accept(&quote).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_draft_keeps_what_is_there_and_is_completed_later() {
    let shop = Shop::new().await;
    let draft = shop
        .post(
            "/api/v2/public/quote/breakdown",
            &json!({ "draft": true, "product": { "values": { "first_name": "Ann" } } }),
        )
        .answers(StatusCode::CREATED)
        .await;
    assert_eq!(draft.at("/data/status_id"), 2);
    let (uuid, token) = (draft.text("/data/uuid"), draft.text("/data/consumer_token"));
    let saved = shop
        .put(
            &format!("/api/v1/quote/{uuid}"),
            &json!({ "product": two_vehicles(), "revision_id": 1 }),
        )
        .bearer(&token)
        .succeeds()
        .await;
    assert_eq!(saved.at("/data/revision_id"), 2);
    assert_eq!(saved.at("/data/status_id"), 1);
}

/// A key that is found in a log or guessed must give nobody a token of another visitor's quote.
#[tokio::test]
async fn a_repeated_create_gives_a_token_only_to_the_same_client_within_an_hour() {
    let shop = Shop::configured("[server]\ntrusted_proxies = [\"0.0.0.0\"]\n").await;
    let create = |from: &'static str| {
        shop.create(&two_vehicles())
            .header("Idempotency-Key", "key-00000001")
            .header("X-Forwarded-For", from)
            .send()
    };
    let first = create("2001:db8:1:200::1")
        .await
        .expect(StatusCode::CREATED);
    // The same household: the same /56 of IPv6.
    let again = create("2001:db8:1:2ff::9")
        .await
        .expect(StatusCode::CREATED);
    assert_eq!(first.at("/data/uuid"), again.at("/data/uuid"));
    for stranger in ["2001:db8:1:300::1", "192.0.2.7"] {
        let refused = create(stranger).await.expect(StatusCode::CONFLICT);
        assert_eq!(refused.at("/code"), "idempotency_key_reused");
        assert!(refused.body.pointer("/data").is_none());
    }
    shop.clock.advance(chrono::TimeDelta::minutes(59));
    create("2001:db8:1:200::1")
        .await
        .expect(StatusCode::CREATED);
    shop.clock.advance(chrono::TimeDelta::minutes(1));
    create("2001:db8:1:200::1")
        .await
        .expect(StatusCode::CONFLICT);
}

/// A logged-in customer is recognised from every network, during the 24 hours that a key is valid.
#[tokio::test]
async fn a_customers_repeated_create_is_answered_from_another_network_too() {
    let shop = Shop::configured("[server]\ntrusted_proxies = [\"0.0.0.0\"]\n").await;
    let (_, cookie) = shop.customer().await;
    let create = |from: &'static str| {
        shop.create(&two_vehicles())
            .header("Idempotency-Key", "key-00000001")
            .header("X-Forwarded-For", from)
            .cookies(&cookie)
            .send()
    };
    let first = create("192.0.2.7").await.expect(StatusCode::CREATED);
    shop.clock.advance(chrono::TimeDelta::hours(2));
    let again = create("198.51.100.9").await.expect(StatusCode::CREATED);
    assert_eq!(first.at("/data/uuid"), again.at("/data/uuid"));
}

#[tokio::test]
async fn the_same_create_twice_is_one_quote() {
    let shop = Shop::new().await;
    let create = |body: Value, key: &'static str| {
        shop.post("/api/v2/public/quote/breakdown", &body)
            .header("Idempotency-Key", key)
            .send()
    };
    let body = json!({ "product": two_vehicles() });
    let first = create(body.clone(), "key-00000001")
        .await
        .expect(StatusCode::CREATED);
    let again = create(body.clone(), "key-00000001")
        .await
        .expect(StatusCode::CREATED);
    assert_eq!(first.at("/data/uuid"), again.at("/data/uuid"));
    assert_eq!(first.at("/data/custom_id"), again.at("/data/custom_id"));
    // The token is new, and both tokens open the quote.
    assert_ne!(
        first.at("/data/consumer_token"),
        again.at("/data/consumer_token")
    );
    for answer in [&first, &again] {
        shop.get(&format!(
            "/api/v2/public/quote/read/{}",
            answer.text("/data/uuid")
        ))
        .bearer(&answer.text("/data/consumer_token"))
        .succeeds()
        .await;
    }
    create(json!({ "product": two_trips() }), "key-00000001")
        .await
        .expect(StatusCode::CONFLICT);
    create(body.clone(), "short")
        .await
        .expect(StatusCode::BAD_REQUEST);
    // After a day the key can be used again.
    shop.clock.advance(chrono::TimeDelta::hours(24));
    let later = create(body, "key-00000001")
        .await
        .expect(StatusCode::CREATED);
    assert_ne!(first.at("/data/uuid"), later.at("/data/uuid"));
    // Stored responses older than a day are deleted, and the newer one is kept.
    let kept = || {
        use layby::store::{Direction, tables};
        let tx = snapshot(&shop.app.store);
        tables::ANSWERED
            .list(&tx, &(), Direction::Forward, 9)
            .unwrap()
            .len()
    };
    jobs::delete_old_answers(&shop.app.store, &shop.app.clock)
        .await
        .unwrap();
    assert_eq!(kept(), 1);
    shop.clock
        .advance(chrono::TimeDelta::microseconds(86_400_000_123));
    jobs::delete_old_answers(&shop.app.store, &shop.app.clock)
        .await
        .unwrap();
    assert_eq!(kept(), 0);
}

#[tokio::test]
async fn the_affiliates_list_has_an_entry_for_each_vehicle_at_the_most() {
    let shop = Shop::new().await;
    let create = |entries: usize| {
        let requests: serde_json::Map<String, Value> = (0..entries)
            .map(|number| (format!("id{number}"), json!({ "a": number })))
            .collect();
        shop.post(
            "/api/v2/openapi/quote/breakdown",
            &json!({
                "product": two_vehicles(), "affiliate_uuid": "aff-1",
                "affiliate_extra": { "multiple": true, "requests": requests },
            }),
        )
        .send()
    };
    create(2).await.expect(StatusCode::CREATED);
    let refused = create(3).await.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["affiliate_extra"]);
    // Personal cover: one for the policyholder, one for each person.
    let mut product = two_trips();
    product["multi"]["persons"] = json!([{
        "title": 1, "first_name": "Bo", "last_name": "Other", "date_of_birth": "01.02.1990",
    }]);
    let personal = |entries: usize| {
        let requests: serde_json::Map<String, Value> = (0..entries)
            .map(|number| (format!("id{number}"), json!({})))
            .collect();
        shop.post(
            "/api/v2/openapi/quote/breakdown",
            &json!({
                "product": product,
                "affiliate_extra": { "multiple": true, "requests": requests },
            }),
        )
        .send()
    };
    personal(2).await.expect(StatusCode::CREATED);
    personal(3).await.expect(StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn the_profile_of_a_token_is_what_was_typed() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let profile = shop
        .get("/api/v1/profile")
        .bearer(&quote.token)
        .succeeds()
        .await;
    assert_eq!(profile.at("/first_name"), "Ann");
    assert_eq!(profile.at("/email_primary"), "ann@example.org");
    assert_eq!(profile.at("/user_uuid"), &Value::Null);
    shop.get("/api/v1/profile")
        .answers(StatusCode::UNAUTHORIZED)
        .await;
}

#[tokio::test]
async fn the_same_create_is_answered_again_though_it_could_not_begin_any_more() {
    let shop = Shop::new().await;
    let create = || {
        shop.create(&two_vehicles())
            .header("Idempotency-Key", "key-00000002")
            .send()
    };
    shop.clock.set("2026-11-24T23:59:58Z".parse().unwrap());
    let first = create().await.expect(StatusCode::CREATED);
    shop.clock.set("2026-11-25T00:00:05Z".parse().unwrap());
    let again = create().await.expect(StatusCode::CREATED);
    assert_eq!(first.at("/data/uuid"), again.at("/data/uuid"));
}
