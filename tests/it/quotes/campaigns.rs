//! The free key cover campaign.

use poem::http::StatusCode;
use serde_json::json;

use crate::support::{Made, Shop, two_vehicles, two_vehicles_with};

#[tokio::test]
async fn the_free_key_cover_campaign_makes_its_line_zero_and_says_why() {
    let shop = Shop::new().await;
    let price = |source: String, campaign: &'static str, medium: &'static str| {
        let product = two_vehicles_with("key_cover", true);
        let shop = &shop;
        async move {
            let answer = shop
                .post(
                    "/api/v1/price",
                    &json!({
                        "product_identifier": "breakdown", "product": product,
                        "source_tracking": {
                            "utm_source": source, "utm_campaign": campaign, "utm_medium": medium,
                        },
                    }),
                )
                .succeeds()
                .await;
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
    let numbered = (1..=10).map(|number| format!("source{number}"));
    let others = ["SOURCE10", "Bnp", "brooks"].map(str::to_string);
    for source in numbered.chain(others) {
        let line = price(source.clone(), "FKC", "Affiliate").await;
        assert_eq!(line["amount"], 0, "{source}");
        assert!(line["note"].as_str().is_some_and(|note| !note.is_empty()));
    }
    for (source, campaign, medium) in [
        ("source11", "fkc", "affiliate"),
        ("source0", "fkc", "affiliate"),
        ("", "fkc", "affiliate"),
        ("bnpx", "fkc", "affiliate"),
        ("bnp", "spring", "affiliate"),
        ("bnp", "", "affiliate"),
        ("bnp", "fkc", "email"),
        ("bnp", "fkc", "cpc"),
    ] {
        let line = price(source.to_string(), campaign, medium).await;
        assert_ne!(line["amount"], 0, "{source} {campaign} {medium}");
    }
}

#[tokio::test]
async fn a_campaign_holds_when_the_quote_is_saved_again() {
    let shop = Shop::new().await;
    let product = two_vehicles_with("key_cover", true);
    let made = shop
        .post(
            "/api/v2/public/quote/breakdown",
            &json!({ "product": product, "source_tracking": {
                "utm_source": "brooks", "utm_campaign": "fkc", "utm_medium": "affiliate",
            } }),
        )
        .answers(StatusCode::CREATED)
        .await;
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
    .succeeds()
    .await;
    assert_eq!(price().await.at("/data/info/price/amount_total"), &before);
}

#[tokio::test]
async fn where_a_customer_came_from_is_kept_to_the_policy_and_the_export() {
    let shop = Shop::new().await;
    let tracking = json!({
        "external_uuid": "e1", "utm_source": "<b>paper</b>", "utm_campaign": "spring",
        "utm_medium": "print",
    });
    let extra = json!({ "multiple": true, "requests": { "c1": { "page": 7 } } });
    let body = json!({
        "product": two_vehicles(), "source_tracking": tracking, "affiliate_uuid": "a1",
        "affiliate_request_uuid": "r1", "affiliate_extra": extra,
    });
    let made = shop.post("/api/v2/openapi/quote/breakdown", &body);
    let made = made.answers(StatusCode::CREATED).await;
    let quote = Made {
        uuid: made.text("/data/uuid"),
        token: made.text("/data/consumer_token"),
        body: made.body,
    };
    // Another quote, or a save without a campaign, does not replace the quote's campaign.
    shop.quote(&two_vehicles()).await;
    shop.update(&quote, &two_vehicles()).succeeds().await;
    shop.buy(&quote, "4242 4242 4242 4242").await;
    assert_eq!(shop.payment(&quote).await.text("/data/status"), "paid");
    let policies = shop.exported_policies().await;
    let [policy] = policies.as_slice() else {
        panic!("{policies:?}")
    };
    assert_eq!(policy["uuid"], quote.uuid.as_str());
    for (name, kept) in tracking.as_object().unwrap() {
        assert_eq!(&policy[name], kept, "{name}");
    }
    assert_eq!(policy["affiliate_uuid"], "a1");
    assert_eq!(policy["affiliate_request_uuid"], "r1");
    assert_eq!(policy["affiliate_extra"], extra);
}
