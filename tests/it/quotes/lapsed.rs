//! A quote after its start day: it stays, and can be bought after a save with another day.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::json;

use crate::support::{Shop, two_vehicles, two_vehicles_with};

#[tokio::test]
async fn the_letters_link_opens_it_for_thirty_days_and_saving_it_makes_it_buyable_again() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let read = shop.read(&quote).await;
    let price = read.at("/data/info/price/amount_total").as_f64().unwrap();
    shop.clock.advance(TimeDelta::seconds(31));
    shop.work().await;
    let letters = shop.letters();
    let text: String = letters[0]
        .text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for fact in [
        "You chose: AB12 CDE, K1 NGS; Vehicle cover; National cover; Unlimited callouts",
        &format!("Price: GBP {price:.2} a year"),
        "Price held until: end of 25 November 2026",
        "Quote and link live until: end of 21 December 2026",
    ] {
        assert!(text.contains(fact), "{fact} in {text}");
    }
    for typed in ["Neill", "High Street", "07400", "LS6"] {
        assert!(!text.contains(typed), "{typed} in {text}");
    }

    // The last second of the quote's start day, and the first second of the next day.
    shop.clock.set("2026-11-25T23:59:59Z".parse().unwrap());
    assert_eq!(shop.read(&quote).await.at("/data/info/flags/buyable"), true);
    shop.clock.set("2026-11-26T00:00:00Z".parse().unwrap());
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/info/status_id"), 32);
    let refused = shop.accept(&quote).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "quote_expired");

    shop.clock.set("2026-12-21T23:59:59Z".parse().unwrap());
    let secret = letters[0].secret_of(&quote.uuid);
    let resume = || shop.resume(&secret).send();
    resume().await.expect(StatusCode::OK);
    let later = two_vehicles_with("start_date", "22.12.2026");
    shop.update(&quote, &later).succeeds().await;
    let read = shop.read(&quote).await;
    assert_eq!(read.at("/data/info/flags/buyable"), true);
    assert_eq!(read.at("/data/info/dates/inception"), "2026-12-22");
    shop.accept(&quote).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn after_thirty_days_neither_the_link_nor_the_visitors_token_opens_it() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.clock.advance(TimeDelta::seconds(31));
    shop.work().await;
    let secret = shop.letters()[0].secret_of(&quote.uuid);
    shop.clock.set("2026-12-22T00:00:00Z".parse().unwrap());
    shop.resume(&secret).answers(StatusCode::NOT_FOUND).await;
    shop.read(&quote).await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_letter_repeats_nothing_that_a_product_lets_a_visitor_type_freely() {
    let bicycle = include_str!("../../fixtures/products/bicycle.toml");
    assert!(bicycle.contains("[[summary]]"));
    let spoken = bicycle.replacen(
        "[[summary]]",
        "[[summary]]\ncode = \"free\"\ntext = \"For {last_name}\"\n\n[[summary]]",
        1,
    );
    let product = layby::domain::product::Product::parse("bicycle.toml", &spoken).unwrap();
    let answers = serde_json::from_value(json!({
        "values": { "last_name": "visit evil.example" }, "multi": {},
    }));
    let answers = answers.unwrap();
    let shown = layby::domain::quote::summary::summary(&product, &answers);
    assert!(
        shown
            .iter()
            .any(|line| line.text == "For visit evil.example")
    );
    let told = layby::domain::quote::summary::for_letter(&product, &answers);
    assert!(!told.iter().any(|line| line.contains("evil")), "{told:?}");
}
