//! A partner repeats a request. The response reveals nothing of the customer's later actions.

use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{KEY, click, made, risk, send, shop};
use crate::support::{Answer, Made, Shop, two_vehicles_with};

/// Returns a response without its address, because each response has its own.
fn without_address(answer: &Answer) -> Value {
    let mut data = answer.at("/data").clone();
    data.as_object_mut().unwrap().remove("click_through");
    data
}

/// Changes the customer's answers to dearer cover and another name.
async fn correct(shop: &Shop, quote: &Made) {
    let mut corrected = two_vehicles_with("cover_level", 5);
    corrected["values"]["last_name"] = json!("Secret");
    shop.update(quote, &corrected).succeeds().await;
}

async fn buy(shop: &Shop, quote: &Made) {
    shop.buy(quote, "4242 4242 4242 4242").await;
    let paid = shop.payment(quote).await;
    assert_eq!(paid.text("/data/status"), "paid");
}

#[tokio::test]
async fn the_same_request_is_answered_as_at_first_whatever_became_of_the_quote() {
    let shop = shop().await;
    let first = send(&shop, KEY, &risk("r-1")).await.expect(StatusCode::OK);
    let first_said = without_address(&first);
    let again = async || {
        let again = send(&shop, KEY, &risk("r-1")).await.expect(StatusCode::OK);
        assert_eq!(without_address(&again), first_said);
        again.text("/data/click_through")
    };
    let quote = made(&click(&shop, &first.text("/data/click_through")).await);
    let after_the_click = again().await;
    correct(&shop, &quote).await;
    let after_the_correction = again().await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    again().await;
    buy(&shop, &quote).await;
    let after_the_sale = again().await;
    for address in [after_the_click, after_the_correction, after_the_sale] {
        let used = click(&shop, &address).await.expect(StatusCode::CONFLICT);
        assert_eq!(used.text("/code"), "click_used");
    }
    // The customer sets a password by mail, so the quote has an owner.
    shop.post(
        "/api/v1/retrieve-password-request",
        &json!({ "username": "ann@example.org" }),
    )
    .succeeds()
    .await;
    shop.work().await;
    let letters = shop.letters();
    let mut letters = letters.iter();
    let letter = letters.find(|letter| letter.text.contains("/reset-password?aid="));
    let aid = letter.unwrap().link("/reset-password?aid=");
    shop.reset_password(&aid, "Quite-new-7").succeeds().await;
    let address = again().await;
    click(&shop, &address).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_address_that_was_kept_back_opens_nothing_once_the_customer_is_in() {
    let shop = shop().await;
    let kept = send(&shop, KEY, &risk("r-1")).await;
    let given = send(&shop, KEY, &risk("r-1")).await;
    let quote = made(
        &click(&shop, &given.text("/data/click_through"))
            .await
            .expect(StatusCode::OK),
    );
    for _ in 0..2 {
        let refused = click(&shop, &kept.text("/data/click_through"))
            .await
            .expect(StatusCode::CONFLICT);
        assert_eq!(refused.text("/code"), "click_used");
        correct(&shop, &quote).await;
    }
}

#[tokio::test]
async fn a_partial_quote_that_was_completed_is_still_answered_as_partial() {
    let shop = shop().await;
    let mut partial = risk("r-1");
    let values = partial["product"]["values"].as_object_mut().unwrap();
    values.remove("tel_primary");
    let first = send(&shop, KEY, &partial).await.expect(StatusCode::OK);
    let quote = made(&click(&shop, &first.text("/data/click_through")).await);
    correct(&shop, &quote).await;
    buy(&shop, &quote).await;
    let again = send(&shop, KEY, &partial).await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/info/status_id"), 30);
    assert_eq!(without_address(&again), without_address(&first));
}

#[tokio::test]
async fn a_risk_whose_first_day_is_over_is_still_answered() {
    let shop = shop().await;
    let first = send(&shop, KEY, &risk("r-1")).await.expect(StatusCode::OK);
    shop.clock.advance(chrono::TimeDelta::days(10));
    let again = send(&shop, KEY, &risk("r-1")).await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/info/status_id"), 32);
    for figure in ["/data/info/price", "/data/info/uuid", "/data/values"] {
        assert_eq!(again.at(figure), first.at(figure), "{figure}");
    }
}
