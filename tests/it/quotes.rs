//! A visitor's quote: made, read, changed, accepted.

mod agreed;

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Shop, two_trips, two_vehicles};

#[tokio::test]
async fn a_visitor_gets_a_price_before_typing_much() {
    let shop = Shop::new().await;
    let answer = shop
        .post(
            "/api/v1/price",
            &json!({
                "product_identifier": "breakdown", "quote_ready": true,
                "product": { "values": { "cover_type": 2, "cover_level": 1 }, "multi": {} },
            }),
        )
        .send()
        .await
        .expect(StatusCode::OK);
    let figures = answer.at("/data/figures");
    let taxed = figures["amount_taxed"].as_f64().unwrap();
    assert!(taxed > 10.0 && taxed < 100.0, "{taxed}");
    let pence = |value: &Value| (value.as_f64().unwrap() * 100.0).round() as i64;
    let lines: i64 = figures["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| pence(&line["amount"]))
        .sum();
    assert_eq!(lines, pence(&figures["amount_taxed"]));
    assert_eq!(
        pence(&figures["amount_net"]) + pence(&figures["amount_tax"]),
        lines
    );
    // Cover begins tomorrow and lasts 364 days more, where nothing else was said.
    assert_eq!(figures["inception"], "2026-11-22");
    assert_eq!(figures["expiry"], "2027-11-21");
    assert_eq!(figures["per"], "year");
}

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
async fn a_quote_is_saved_read_and_bought_at_the_price_shown() {
    let shop = Shop::new().await;
    let priced = shop
        .post(
            "/api/v1/price",
            &json!({ "product_identifier": "breakdown", "product": two_vehicles() }),
        )
        .send()
        .await
        .expect(StatusCode::OK);
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
    // Accepting again is no fault.
    shop.accept(&quote).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_single_trip_runs_from_the_first_day_to_the_last() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_trips()).await;
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/info/dates/inception"), "2026-12-01");
    assert_eq!(read.at("/data/info/dates/expiry"), "2026-12-12");
    assert_eq!(read.at("/data/info/price/per"), "trip");
}

#[tokio::test]
async fn an_old_vehicle_is_declined_with_the_reason_and_the_telephone_number() {
    let shop = Shop::new().await;
    let mut product = two_vehicles();
    product["multi"]["vehicles"][0]["vehicle_registration_date"] = json!("01.03.2008");
    let quote = shop.quote(&product).await;
    assert_eq!(quote.body["data"]["status_id"], 31);
    let reason = quote.body["data"]["reason"].as_str().unwrap();
    assert!(reason.contains(&shop.app.config.site.phone), "{reason}");
    shop.accept(&quote).await.expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn every_fault_is_named_at_its_field_in_the_order_of_the_form() {
    let shop = Shop::new().await;
    let mut product = two_vehicles();
    product["values"]["start_date"] = json!("20.11.2026");
    product["values"]["email_primary"] = json!("ann@");
    product["multi"]["vehicles"][1]["vehicle_registration"] = json!("NOT A MARK");
    let answer = shop
        .post(
            "/api/v2/openapi/quote/breakdown",
            &json!({ "product": product }),
        )
        .send()
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        answer.fields(),
        [
            "start_date",
            "email_primary",
            "vehicles.1.vehicle_registration"
        ]
    );
    assert_eq!(
        answer.text("/message"),
        "Error. Please correct the form and try again."
    );
}

#[tokio::test]
async fn a_draft_keeps_what_is_there_and_is_completed_later() {
    let shop = Shop::new().await;
    let draft = shop
        .post(
            "/api/v2/public/quote/breakdown",
            &json!({ "draft": true, "product": { "values": { "first_name": "Ann" } } }),
        )
        .send()
        .await
        .expect(StatusCode::CREATED);
    assert_eq!(draft.at("/data/status_id"), 2);
    let (uuid, token) = (draft.text("/data/uuid"), draft.text("/data/consumer_token"));
    let saved = shop
        .put(
            &format!("/api/v1/quote/{uuid}"),
            &json!({ "product": two_vehicles(), "revision_id": 1 }),
        )
        .bearer(&token)
        .send()
        .await
        .expect(StatusCode::OK);
    assert_eq!(saved.at("/data/revision_id"), 2);
    assert_eq!(saved.at("/data/status_id"), 1);
}

#[tokio::test]
async fn saving_over_a_newer_revision_is_a_conflict_and_loses_nothing() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let path = format!("/api/v1/quote/{}", quote.uuid);
    let save = |name: &str, revision: Option<u32>| {
        let mut product = two_vehicles();
        product["values"]["first_name"] = json!(name);
        let mut body = json!({ "product": product });
        if let Some(revision) = revision {
            body["revision_id"] = json!(revision);
        }
        shop.put(&path, &body).bearer(&quote.token).send()
    };
    // Two pages that read the same revision save at once: one wins, the other hears of it.
    let (one, other) = tokio::join!(save("One", Some(1)), save("Other", Some(1)));
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
    let stale = if one.status == StatusCode::CONFLICT {
        one
    } else {
        other
    };
    assert_eq!(stale.text("/code"), "stale_revision");
    // Without a revision the last write wins.
    save("Last", None).await.expect(StatusCode::OK);
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/values/first_name"), "Last");
    assert_eq!(read.at("/data/versions").as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_save_withdraws_the_acceptance() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    shop.put(
        &format!("/api/v1/quote/{}", quote.uuid),
        &json!({ "product": two_vehicles() }),
    )
    .bearer(&quote.token)
    .send()
    .await
    .expect(StatusCode::OK);
    let refused = shop.initiate(&quote).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "not_accepted");
}

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
    accept(json!({ "payment_frequency": "monthly", "terms_and_conditions": true }))
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    accept(json!({ "payment_frequency": "weekly", "terms_and_conditions": true }))
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_price_runs_out_at_the_end_of_its_start_date() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.clock.set("2026-11-25T23:59:59Z".parse().unwrap());
    shop.accept(&quote).await.expect(StatusCode::OK);
    shop.clock.set("2026-11-26T00:00:00Z".parse().unwrap());
    let refused = shop.accept(&quote).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "quote_expired");
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/info/status_id"), 32);
    assert_eq!(read.at("/data/info/flags/buyable"), false);
    // Saved again with a day to come, it is a quote again.
    let mut product = two_vehicles();
    product["values"]["start_date"] = json!("01.12.2026");
    let saved = shop
        .put(
            &format!("/api/v1/quote/{}", quote.uuid),
            &json!({ "product": product }),
        )
        .bearer(&quote.token)
        .send()
        .await
        .expect(StatusCode::OK);
    assert_eq!(saved.at("/data/status_id"), 1);
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
    // The token is fresh, and both open the quote.
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
        .send()
        .await
        .expect(StatusCode::OK);
    }
    create(json!({ "product": two_trips() }), "key-00000001")
        .await
        .expect(StatusCode::CONFLICT);
    create(body.clone(), "short")
        .await
        .expect(StatusCode::BAD_REQUEST);
    // After a day the key is free.
    shop.clock.advance(chrono::TimeDelta::hours(24));
    let later = create(body, "key-00000001")
        .await
        .expect(StatusCode::CREATED);
    assert_ne!(first.at("/data/uuid"), later.at("/data/uuid"));
    // Answers older than a day are forgotten, the newer one is kept.
    let kept = || {
        use layby::store::{Direction, tables};
        let tx = shop.app.store.read().unwrap();
        tables::ANSWERED
            .list(&tx, &(), Direction::Forward, 9)
            .unwrap()
            .len()
    };
    shop.app.forget_answers().await.unwrap();
    assert_eq!(kept(), 1);
    shop.clock
        .advance(chrono::TimeDelta::microseconds(86_400_000_123));
    shop.app.forget_answers().await.unwrap();
    assert_eq!(kept(), 0);
}

#[tokio::test]
async fn the_free_key_cover_campaign_makes_its_line_zero_and_says_why() {
    let shop = Shop::new().await;
    let price = |source: &'static str| {
        let mut product = two_vehicles();
        product["values"]["key_cover"] = json!(true);
        let shop = &shop;
        async move {
            let answer = shop
                .post(
                    "/api/v1/price",
                    &json!({
                        "product_identifier": "breakdown", "product": product,
                        "source_tracking": {
                            "utm_source": source, "utm_campaign": "FKC", "utm_medium": "Affiliate",
                        },
                    }),
                )
                .send()
                .await
                .expect(StatusCode::OK);
            answer
                .at("/data/figures/lines")
                .as_array()
                .unwrap()
                .iter()
                .find(|line| line["code"] == "key_cover")
                .cloned()
                .unwrap()
        }
    };
    for source in ["source1", "SOURCE10", "Bnp", "brooks"] {
        let line = price(source).await;
        assert_eq!(line["amount"], 0, "{source}");
        assert!(line["note"].as_str().is_some_and(|note| !note.is_empty()));
    }
    for source in ["source11", "source0", "", "bnpx"] {
        assert_ne!(price(source).await["amount"], 0, "{source}");
    }
}

#[tokio::test]
async fn a_campaign_holds_when_the_quote_is_saved_again() {
    let shop = Shop::new().await;
    let mut product = two_vehicles();
    product["values"]["key_cover"] = json!(true);
    let made = shop
        .post(
            "/api/v2/public/quote/breakdown",
            &json!({ "product": product, "source_tracking": {
                "utm_source": "brooks", "utm_campaign": "fkc", "utm_medium": "affiliate",
            } }),
        )
        .send()
        .await
        .expect(StatusCode::CREATED);
    let (uuid, token) = (made.text("/data/uuid"), made.text("/data/consumer_token"));
    let price = || {
        shop.get(&format!("/api/v2/public/quote/read/{uuid}"))
            .bearer(&token)
            .send()
    };
    let before = price().await.at("/data/info/price/amount_total").clone();
    shop.put(
        &format!("/api/v1/quote/{uuid}"),
        &json!({ "product": product }),
    )
    .bearer(&token)
    .send()
    .await
    .expect(StatusCode::OK);
    assert_eq!(price().await.at("/data/info/price/amount_total"), &before);
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
    let mut product = two_vehicles();
    product["values"]["key_cover"] = json!(true);
    shop.put(
        &format!("/api/v1/quote/{}", quote.uuid),
        &json!({ "product": product }),
    )
    .bearer(&quote.token)
    .send()
    .await
    .expect(StatusCode::OK);
    let again = accept().await.expect(StatusCode::OK);
    assert_eq!(first.body, again.body);
    let refused = shop.initiate(&quote).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "not_accepted");
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
async fn the_form_check_says_what_shows_and_what_is_wrong_on_one_step() {
    let shop = Shop::new().await;
    let check = |body: Value| shop.post("/api/v1/form/breakdown", &body).send();
    let answer = check(json!({ "values": { "cover_type": 1, "cover_level": 5, "cover_length": 2 }, "multi": {}, "step": 1 }))
        .await
        .expect(StatusCode::OK);
    let datasets = answer.at("/data/form/datasets").as_array().unwrap();
    let dataset = |name: &str| {
        datasets
            .iter()
            .find(|dataset| dataset["identifier"] == name)
            .unwrap()
    };
    assert_eq!(dataset("trips")["visible"], true);
    assert_eq!(dataset("vehicles")["visible"], false);
    // Step 1 doesn't ask for the dates, the length or the people (part 5).
    let faults: Vec<&Value> = dataset("cover")["fields"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|field| !field["errors"].as_array().unwrap().is_empty())
        .collect();
    assert_eq!(faults, Vec::<&Value>::new());
    check(json!({ "values": 3 }))
        .await
        .expect(StatusCode::BAD_REQUEST);
    shop.post("/api/v1/form/boats", &json!({}))
        .send()
        .await
        .expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_profile_of_a_token_is_what_was_typed() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let profile = shop
        .get("/api/v1/profile")
        .bearer(&quote.token)
        .send()
        .await
        .expect(StatusCode::OK);
    assert_eq!(profile.at("/first_name"), "Ann");
    assert_eq!(profile.at("/email_primary"), "ann@example.org");
    assert_eq!(profile.at("/user_uuid"), &Value::Null);
    shop.get("/api/v1/profile")
        .send()
        .await
        .expect(StatusCode::UNAUTHORIZED);
}
