//! A visitor's steps from a quote to a purchase.

use layby::app::payments::refunds::unrefunded::refund_to_cards;
use layby::domain::money::Pence;
use layby::domain::payment::Payment;
use layby::store::{Direction, tables};
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::call::{Answer, Call};
use super::shop::Shop;
use super::stores::snapshot;

/// A new quote and the visitor's token for it.
pub struct Made {
    pub uuid: String,
    pub token: String,
    pub body: Value,
}

impl Made {
    /// Returns the id of the quote, and of the policy that it becomes.
    pub fn id(&self) -> Uuid {
        self.uuid.parse().unwrap()
    }
}

impl Shop {
    /// Checks whether a quote has become a policy.
    pub fn has_sold(&self, quote: &Made) -> bool {
        let tx = snapshot(&self.app.store);
        tables::POLICIES.has(&tx, &quote.id()).unwrap()
    }

    /// Returns a quote's attempts to pay, oldest first.
    pub fn attempts(&self, quote: &Made) -> Vec<Payment> {
        let tx = snapshot(&self.app.store);
        let rows = tables::PAYMENT_BY_QUOTE.list(&tx, &quote.id(), Direction::Forward, 100);
        let rows = rows.unwrap().into_iter();
        rows.map(|((_, id), ())| tables::PAYMENTS.get(&tx, &id).unwrap().unwrap())
            .collect()
    }

    /// Makes a refund of a sold quote due. Returns its id.
    pub async fn owe_refund(&self, quote: &Made, pence: i64) -> Uuid {
        let (policy, now) = (quote.id(), self.clock.now());
        let give = move |tx: &mut layby::store::WriteTx<'_>| {
            let cause = Uuid::from_u128(u128::from(pence.unsigned_abs()));
            refund_to_cards(tx, policy, cause, Pence(pence), now)
        };
        let made = self.app.store.write(give).await.unwrap();
        made[0].id
    }

    /// Returns the call that makes a quote.
    pub fn create(&self, product: &Value) -> Call<'_> {
        let identifier = product["product_identifier"].as_str().unwrap();
        let path = format!("/api/v2/public/quote/{identifier}");
        self.post(&path, &json!({ "product": product }))
    }

    /// Makes a quote from a complete set of answers.
    pub async fn quote(&self, product: &Value) -> Made {
        let answer = self.create(product).answers(StatusCode::CREATED).await;
        Made {
            uuid: answer.text("/data/uuid"),
            token: answer.text("/data/consumer_token"),
            body: answer.body,
        }
    }

    /// Returns the call by which the visitor saves a quote.
    pub fn update(&self, quote: &Made, product: &Value) -> Call<'_> {
        let path = format!("/api/v1/quote/{}", quote.uuid);
        self.put(&path, &json!({ "product": product }))
            .bearer(&quote.token)
    }

    /// Returns the call by which a mailed link reopens its quote.
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

    /// Starts a payment. The response has the address of the gateway's frame.
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

    /// Starts a payment and enters a card. Returns the payment's id.
    pub async fn enter_card(&self, quote: &Made, card: &str) -> Uuid {
        let started = self.initiate(quote).await.expect(StatusCode::OK);
        let page = self.pay(&started.text("/data/url"), card).await;
        page.assert_status_is_ok();
        started.text("/data/payment_id").parse().unwrap()
    }

    /// Accepts a quote and pays for it. Returns the payment's id.
    pub async fn buy(&self, quote: &Made, card: &str) -> Uuid {
        self.accept(quote).await.expect(StatusCode::OK);
        self.enter_card(quote, card).await
    }

    /// Reads the payment status of a quote.
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
