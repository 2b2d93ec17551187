//! A quote that is opened after a new version of its product.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Made, Shop, shop_with_prices, two_vehicles, two_vehicles_with};

/// National cover for a car and a motorbike, for £1 more each.
const DEARER: (&str, &str) = (
    "keys = [\"vehicle_age\"]\nrows = [[\"0-4\", 0], [\"5-9\", 12], [\"10-12\", 28], [\"13+\", 45]]",
    "keys = [\"vehicle_age\"]\nrows = [[\"0-4\", 0], [\"5-9\", 12], [\"10-12\", 30], [\"13+\", 60]]",
);
const CHEAPER: (&str, &str) = (
    "keys = [\"vehicle_age\"]\nrows = [[\"0-4\", 0], [\"5-9\", 12], [\"10-12\", 28], [\"13+\", 45]]",
    "keys = [\"vehicle_age\"]\nrows = [[\"0-4\", 0], [\"5-9\", 12], [\"10-12\", 20], [\"13+\", 30]]",
);

/// Returns the price of two vehicles today.
async fn price(shop: &Shop) -> f64 {
    let body = json!({ "product_identifier": "breakdown", "product": two_vehicles() });
    let answer = shop.post("/api/v1/price", &body).send().await;
    answer.at("/data/figures/amount_total").as_f64().unwrap()
}

async fn save(shop: &Shop, quote: &Made, product: &Value) {
    let path = format!("/api/v1/quote/{}", quote.uuid);
    let body = json!({ "product": product });
    shop.put(&path, &body).bearer(&quote.token).succeeds().await;
}

#[tokio::test]
async fn its_price_is_kept_while_nothing_that_decides_it_changes_and_both_prices_are_said() {
    let shop = shop_with_prices("2026-11-23", &[DEARER]).await;
    let quote = shop.quote(&two_vehicles()).await;
    let offered = shop.read(&quote).await;
    let held = offered
        .at("/data/info/price/amount_total")
        .as_f64()
        .unwrap();
    assert_eq!(offered.at("/data/info/notices"), &json!([]));
    shop.clock.set("2026-11-24T09:00:00Z".parse().unwrap());
    let newer = price(&shop).await;
    assert!(newer > held);
    let read = shop.read(&quote).await;
    assert_eq!(
        read.text("/data/info/notices/0"),
        format!(
            "Our prices have gone up: the same cover costs £{newer:.2} today. Yours stays at \
             £{held:.2} until the end of 25 November 2026, unless you change an answer that decides \
             the price."
        )
    );

    let ticked = two_vehicles_with("terms_and_conditions", true);
    save(&shop, &quote, &ticked).await;
    let read = shop.read(&quote).await;
    assert_eq!(read.at("/data/info/price/amount_total"), held);
    let accepted = shop.accept(&quote).await.expect(StatusCode::OK);
    assert_eq!(accepted.at("/data/amount_due"), held);

    // The customer changes the level and changes it back. The offer is lost, and the new price list applies.
    let mut other = ticked.clone();
    other["values"]["cover_level"] = json!(5);
    save(&shop, &quote, &other).await;
    save(&shop, &quote, &ticked).await;
    let read = shop.read(&quote).await;
    assert_eq!(read.at("/data/info/price/amount_total"), newer);
    assert_eq!(read.at("/data/info/notices"), &json!([]));
}

#[tokio::test]
async fn a_lower_price_is_said_too_with_the_way_to_it() {
    let shop = shop_with_prices("2026-11-23", &[CHEAPER]).await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.clock.set("2026-11-24T09:00:00Z".parse().unwrap());
    let (newer, read) = (price(&shop).await, shop.read(&quote).await);
    let said = read.text("/data/info/notices/0");
    assert!(said.contains(&format!("costs £{newer:.2} today")), "{said}");
    assert!(said.ends_with("A new quote with the same answers gives you today's price."));
}

#[tokio::test]
async fn once_it_has_lapsed_it_is_saved_at_the_price_of_the_day() {
    let shop = shop_with_prices("2026-11-23", &[DEARER]).await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.clock.set("2026-11-26T09:00:00Z".parse().unwrap());
    let read = shop.read(&quote).await;
    assert_eq!(read.at("/data/info/status_id"), 32);
    assert_eq!(read.at("/data/info/notices"), &json!([]));
    let later = two_vehicles_with("start_date", "27.11.2026");
    save(&shop, &quote, &later).await;
    let read = shop.read(&quote).await;
    let body = json!({ "product_identifier": "breakdown", "product": later });
    let priced = shop.post("/api/v1/price", &body).send().await;
    let now = priced.at("/data/figures/amount_total");
    assert_eq!(read.at("/data/info/price/amount_total"), now);
    assert_eq!(read.at("/data/info/flags/buyable"), true);
}
