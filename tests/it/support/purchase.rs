//! A visitor makes a quote, and buys it.

use poem::http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::call::{Answer, Call};
use super::shop::Shop;

/// A quote that was just made, and the visitor's right to it.
pub struct Made {
    pub uuid: String,
    pub token: String,
    pub body: Value,
}

impl Shop {
    /// The call that makes a quote.
    pub fn create(&self, product: &Value) -> Call<'_> {
        let identifier = product["product_identifier"].as_str().unwrap();
        let path = format!("/api/v2/public/quote/{identifier}");
        self.post(&path, &json!({ "product": product }))
    }

    /// Makes a quote from a whole set of answers.
    pub async fn quote(&self, product: &Value) -> Made {
        let answer = self.create(product).answers(StatusCode::CREATED).await;
        Made {
            uuid: answer.text("/data/uuid"),
            token: answer.text("/data/consumer_token"),
            body: answer.body,
        }
    }

    /// The call by which its visitor saves a quote.
    pub fn update(&self, quote: &Made, product: &Value) -> Call<'_> {
        let path = format!("/api/v1/quote/{}", quote.uuid);
        self.put(&path, &json!({ "product": product }))
            .bearer(&quote.token)
    }

    /// The call by which a mailed link opens its quote.
    pub fn resume(&self, secret: &str) -> Call<'_> {
        self.post("/api/v1/quote/resume", &json!({ "secret": secret }))
    }

    /// Accepts a quote as its visitor.
    pub async fn accept(&self, quote: &Made) -> Answer {
        self.post(
            &format!("/api/v1/quote/update-accept/{}", quote.uuid),
            &json!({ "payment_frequency": "annual", "terms_and_conditions": true }),
        )
        .bearer(&quote.token)
        .send()
        .await
    }

    /// Starts to pay; answers the frame's address.
    pub async fn initiate(&self, quote: &Made) -> Answer {
        self.post(
            "/api/v1/gateway/sandbox/initiate",
            &json!({ "uuid": quote.uuid }),
        )
        .bearer(&quote.token)
        .send()
        .await
    }

    /// Posts a card to the gateway's frame.
    pub async fn pay(&self, frame: &str, card: &str) -> poem::test::TestResponse {
        self.page(Method::POST, frame)
            .content_type("application/x-www-form-urlencoded")
            .body(format!(
                "card_number={}&expiry=12%2F30&cvc=123&cardholder=Ann+Other",
                card.replace(' ', "+")
            ))
            .send()
            .await
    }

    /// Starts to pay and enters a card; answers the payment's id.
    pub async fn enter_card(&self, quote: &Made, card: &str) -> Uuid {
        let started = self.initiate(quote).await.expect(StatusCode::OK);
        let page = self.pay(&started.text("/data/url"), card).await;
        page.assert_status_is_ok();
        started.text("/data/payment_id").parse().unwrap()
    }

    /// Accepts a quote and pays for it.
    pub async fn buy(&self, quote: &Made, card: &str) -> Uuid {
        self.accept(quote).await.expect(StatusCode::OK);
        self.enter_card(quote, card).await
    }

    /// How a quote's payment stands.
    pub async fn payment(&self, quote: &Made) -> Answer {
        self.get(&format!("/api/v1/payment/{}", quote.uuid))
            .bearer(&quote.token)
            .send()
            .await
    }

    /// Reads a quote as its visitor.
    pub async fn read(&self, quote: &Made) -> Answer {
        self.get(&format!("/api/v2/public/quote/read/{}", quote.uuid))
            .bearer(&quote.token)
            .send()
            .await
    }
}
