//! The price of a quote: from few answers, and until its start day ends.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Shop, two_trips, two_vehicles, two_vehicles_with};

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
        .succeeds()
        .await;
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
    // By default cover begins tomorrow, and ends 364 days later.
    assert_eq!(figures["inception"], "2026-11-22");
    assert_eq!(figures["expiry"], "2027-11-21");
    assert_eq!(figures["per"], "year");
}

#[tokio::test]
async fn the_default_year_ends_364_days_after_its_start_not_after_today() {
    let shop = Shop::new().await;
    // Today is the 21st. 364 days after today is 20.11.2027, which would be a day too few.
    for said in [json!(null), json!("20.11.2027")] {
        let values = json!({ "cover_type": 2, "cover_level": 1, "cover_end_date": said });
        let product = json!({ "values": values, "multi": {} });
        let answer = shop
            .post(
                "/api/v1/price",
                &json!({ "product_identifier": "breakdown", "quote_ready": true, "product": product }),
            )
            .succeeds().await;
        assert_eq!(answer.at("/data/figures/inception"), "2026-11-22");
        assert_eq!(answer.at("/data/figures/expiry"), "2027-11-21");
    }
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
    // A new save with a future day gives the lapsed quote a price again.
    let product = two_vehicles_with("start_date", "01.12.2026");
    let saved = shop.update(&quote, &product).succeeds().await;
    assert_eq!(saved.at("/data/status_id"), 1);
}

/// Key cover pays nothing in its first 14 days, and a trip may be shorter.
#[tokio::test]
async fn an_extra_that_could_never_pay_is_not_offered_with_a_single_trip() {
    let shop = Shop::new().await;
    let mut trip = two_trips();
    trip["values"]["key_cover"] = json!(true);
    trip["values"]["motor_legal_protection"] = json!(true);
    let price = async |product: &serde_json::Value| {
        let body =
            json!({ "product_identifier": "breakdown", "product": product, "quote_ready": true });
        let answer = shop.post("/api/v1/price", &body).succeeds().await;
        let lines = answer.at("/data/figures/lines").as_array().unwrap();
        let codes = lines
            .iter()
            .map(|line| line["code"].as_str().unwrap().to_owned());
        codes.collect::<Vec<_>>()
    };
    let codes = price(&trip).await;
    assert!(
        codes.contains(&"motor_legal_protection".to_owned()),
        "{codes:?}"
    );
    assert!(!codes.contains(&"key_cover".to_owned()), "{codes:?}");
    let quote = shop.quote(&trip).await;
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/values/motor_legal_protection"), true);
    assert_eq!(read.at("/data/values").get("key_cover"), None);

    let year = two_vehicles_with("key_cover", true);
    let codes = price(&year).await;
    assert!(codes.contains(&"key_cover".to_owned()), "{codes:?}");
}

#[tokio::test]
async fn a_trip_without_days_is_priced_by_the_day_until_they_are_known() {
    let shop = Shop::new().await;
    let figures = async |values: Value, trips: Value| {
        let product = json!({ "values": values, "multi": { "trips": trips, "vehicles": [] } });
        let body = json!({ "product_identifier": "breakdown", "product": product });
        let answer = shop.post("/api/v1/price", &body).send().await;
        answer.expect(StatusCode::OK).at("/data/figures").clone()
    };
    let trip = json!({ "cover_type": 1, "cover_level": 5, "cover_length": 2 });
    let start = json!({ "trip_start_date": "01.12.2026" });
    let days = json!({ "trip_start_date": "01.12.2026", "trip_end_date": "14.12.2026" });
    let open = json!({ "trip_start_date": "", "trip_end_date": null });
    for trips in [
        json!([]),
        json!([{}]),
        json!([start]),
        json!([open]),
        json!([{}, {}]),
    ] {
        let day = figures(trip.clone(), trips.clone()).await;
        assert_eq!(day["basis"], "day", "{trips}");
        // Without valid days, the price is for one assumed day.
        assert_eq!(day["amount_total"], 8.85, "{trips}");
        assert_eq!(day["per"], "trip");
    }
    let known = figures(trip.clone(), json!([days])).await;
    assert_eq!(known["basis"], "term");
    assert!(known["amount_total"].as_f64().unwrap() > 50.0);
    let year = json!({ "cover_type": 1, "cover_level": 5, "cover_length": 1 });
    assert_eq!(figures(year, json!([])).await["basis"], "term");
    let local = json!({ "cover_type": 1, "cover_level": 1 });
    assert_eq!(figures(local, json!([])).await["basis"], "term");
}

/// Asks for the monthly price of a product's answers.
async fn monthly_price(shop: &Shop, product: &Value) -> Answer {
    let body = json!({ "product_identifier": "breakdown", "product": product });
    shop.post("/api/v1/monthly-price", &body).send().await
}

#[tokio::test]
async fn the_monthly_price_is_twelve_payments_without_a_charge() {
    let shop = Shop::new().await;
    let answer = monthly_price(&shop, &two_vehicles()).await;
    let answer = answer.expect(StatusCode::OK);
    let body = json!({ "product_identifier": "breakdown", "product": two_vehicles() });
    let whole = shop.post("/api/v1/price", &body).succeeds().await;
    let total = &whole.at("/data/figures/amount_total");
    let pence = (total.as_f64().unwrap() * 100.0).round() as i64;
    let pounds = |pence: i64| json!(pence as f64 / 100.0).as_f64();
    let plan = answer.at("/data/pf");
    assert_eq!(plan["instalments"], 11);
    assert_eq!(plan["instalment_amount"].as_f64(), pounds(pence / 12));
    assert_eq!(plan["last_instalment_amount"], plan["instalment_amount"]);
    assert_eq!(
        plan["deposit"].as_f64(),
        pounds(pence / 12 + pence % 12),
        "the first payment has the odd pence"
    );
    assert_eq!(plan["total"], **total);
}

#[tokio::test]
async fn no_monthly_price_is_answered_for_trips_and_small_prices() {
    let shop = Shop::new().await;
    let smallest = json!({ "values": { "cover_type": 2, "cover_level": 1, "excess": 1 } });
    for product in [two_trips(), smallest] {
        let refused = monthly_price(&shop, &product).await;
        let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.at("/code"), "monthly_not_offered");
        assert_eq!(refused.at("/message"), "This cover can't be paid monthly.");
    }
}
