//! The free key cover campaign.

use poem::http::StatusCode;
use serde_json::json;

use crate::support::{Shop, two_vehicles};

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
