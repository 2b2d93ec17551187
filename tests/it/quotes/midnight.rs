//! Midnight in the middle of a purchase.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Made, Shop, two_vehicles, two_vehicles_with};

/// Returns two vehicles with the default start day.
fn undated() -> Value {
    let mut product = two_vehicles();
    product["values"]
        .as_object_mut()
        .unwrap()
        .remove("start_date");
    product
}

async fn save(shop: &Shop, quote: &Made, product: &Value) -> Answer {
    let path = format!("/api/v1/quote/{}", quote.uuid);
    let body = json!({ "product": product });
    shop.put(&path, &body).bearer(&quote.token).send().await
}

fn set(shop: &Shop, moment: &str) {
    shop.clock.set(moment.parse().unwrap());
}

#[tokio::test]
async fn a_start_that_was_not_chosen_follows_the_day_and_one_in_the_past_is_refused_in_plain_words()
{
    let shop = Shop::new().await;
    set(&shop, "2026-11-21T23:59:59Z");
    let before = shop.quote(&undated()).await;
    let read = shop.read(&before).await;
    assert_eq!(read.at("/data/info/dates/inception"), "2026-11-22");
    set(&shop, "2026-11-22T00:00:00Z");
    let after = shop.quote(&undated()).await;
    let read = shop.read(&after).await;
    assert_eq!(read.at("/data/info/dates/inception"), "2026-11-23");

    let dated = two_vehicles_with("start_date", "22.11.2026");
    let refused = shop.create(&dated).send();
    let refused = refused.await.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["start_date"]);
    let said = refused.text("/errors/start_date/0");
    assert_eq!(said, "Enter a date on or after 23/11/2026");
}

#[tokio::test]
async fn on_its_own_start_day_a_quote_is_ticked_corrected_and_bought_at_its_price() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let offered = shop.read(&quote).await;
    set(&shop, "2026-11-25T09:00:00Z");
    let mut ticked = two_vehicles_with("terms_and_conditions", true);
    ticked["values"]["tel_primary"] = json!("07400 654321");
    ticked["multi"]["vehicles"][0]["vehicle_registration"] = json!("AB12 CDF");
    save(&shop, &quote, &ticked).await.expect(StatusCode::OK);
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    for part in [
        "price",
        "dates/inception",
        "dates/expiry",
        "dates/quote_expiry",
    ] {
        let part = format!("/data/info/{part}");
        assert_eq!(read.at(&part), offered.at(&part), "{part}");
    }
    assert_eq!(read.at("/data/info/revision_id"), 2);
    assert_eq!(read.at("/data/values/tel_primary"), "+447400654321");
    shop.accept(&quote).await.expect(StatusCode::OK);
    shop.initiate(&quote).await.expect(StatusCode::OK);

    // A new price needs a new start day, because cover can no longer start on the old day.
    let mut dearer = ticked.clone();
    dearer["values"]["cover_level"] = json!(5);
    let refused = save(&shop, &quote, &dearer).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["start_date"]);
    dearer["values"]
        .as_object_mut()
        .unwrap()
        .remove("start_date");
    save(&shop, &quote, &dearer).await.expect(StatusCode::OK);
    let read = shop.read(&quote).await;
    assert_eq!(read.at("/data/info/dates/inception"), "2026-11-26");
}

#[tokio::test]
async fn wrong_answers_are_refused_however_little_they_decide() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let wrong = two_vehicles_with("tel_primary", "not a number");
    let refused = save(&shop, &quote, &wrong).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["tel_primary"]);
    let read = shop.read(&quote).await;
    assert_eq!(read.at("/data/info/revision_id"), 1);
}
