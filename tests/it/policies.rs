//! A policy of a logged-in owner: changed, cancelled and renewed, many times.

mod adjustments;
mod cancellation;
mod daily;
mod documents;
mod lapses;
mod live_cover;
mod pro_rata;
pub mod renewals;
mod repeats;
mod scheduled;
mod three_years;

use chrono::TimeDelta;
use layby::app::jobs;
use layby::app::payments::refunds::unrefunded;
use layby::app::payments::{ledger, status};
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use poem::http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::database::empty_store;
use crate::support::stores::snapshot;
use crate::support::{Answer, Call, NOW, Shop, two_vehicles};

pub const PAYS: &str = "4242 4242 4242 4242";

/// A shop, and a logged-in customer.
pub struct Customer {
    pub shop: Shop,
    pub cookie: String,
    addresses: Vec<String>,
}

impl Customer {
    /// Creates a customer of a shop without callbacks from the gateway. Tests call each step.
    pub async fn new() -> Self {
        Self::of(Shop::reachable_at(empty_store().await, NOW, "http://127.0.0.1:9").await).await
    }

    pub async fn of(shop: Shop) -> Self {
        let addresses = shop.seed(2, 0).await;
        let cookie = shop.log_in(&addresses[0]).await;
        Self {
            shop,
            cookie,
            addresses,
        }
    }

    /// Logs in the other customer of the same shop.
    pub async fn into_stranger(mut self) -> Self {
        self.cookie = self.stranger().await;
        self.addresses.reverse();
        self
    }

    /// Returns the customer's mail address.
    pub fn address(&self) -> &str {
        &self.addresses[0]
    }

    pub fn get(&self, path: &str) -> Call<'_> {
        self.shop.get(path).cookies(&self.cookie)
    }

    pub fn post(&self, path: &str, body: &Value) -> Call<'_> {
        self.shop.post(path, body).cookies(&self.cookie)
    }

    pub fn put(&self, path: &str, body: &Value) -> Call<'_> {
        self.shop.put(path, body).cookies(&self.cookie)
    }

    /// Returns the call that makes a quote.
    pub fn create(&self, product: &Value) -> Call<'_> {
        self.shop.create(product).cookies(&self.cookie)
    }

    /// Buys `product` with a card, with automatic renewal. Returns the policy's uuid.
    pub async fn buys(&self, product: &Value, card: &str) -> String {
        self.buys_for_now(product, card, true).await
    }

    pub async fn buys_for_now(&self, product: &Value, card: &str, auto_renew: bool) -> String {
        let quote = self.create(product).answers(StatusCode::CREATED).await;
        let uuid = quote.text("/data/uuid");
        self.pays_for(&uuid, card, auto_renew).await;
        uuid
    }

    /// Accepts and pays for a quote.
    pub async fn pays_for(&self, quote: &str, card: &str, auto_renew: bool) {
        self.accepts(quote, auto_renew).await;
        self.enters_card(quote, card).await;
    }

    /// Reads a quote and accepts its terms.
    pub async fn accepts(&self, quote: &str, auto_renew: bool) {
        let read = self.get(&format!("/api/v2/public/quote/read/{quote}"));
        read.succeeds().await;
        let accept = json!({
            "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": auto_renew,
        });
        self.post(&format!("/api/v1/quote/update-accept/{quote}"), &accept)
            .succeeds()
            .await;
    }

    /// Starts to pay for a quote or a change, and enters a card.
    pub async fn enters_card(&self, uuid: &str, card: &str) {
        let started = self
            .post("/api/v1/gateway/sandbox/initiate", &json!({ "uuid": uuid }))
            .succeeds()
            .await;
        self.shop.pay(&started.text("/data/url"), card).await;
        let payment = started.text("/data/payment_id").parse().unwrap();
        status::sync_payment_status(&self.shop.app, payment)
            .await
            .unwrap();
    }

    pub async fn policy(&self, uuid: &str) -> Answer {
        self.get(&format!("/api/v2/policy/{uuid}")).succeeds().await
    }

    /// Asks for the price of changed answers.
    pub async fn asks(&self, uuid: &str, values: Value, effective: Option<&str>) -> Answer {
        let body = json!({ "product": { "values": values }, "effective_date": effective });
        self.put(&format!("/api/v1/policy/{uuid}/mta/confirm"), &body)
            .send()
            .await
    }

    pub async fn agrees(&self, uuid: &str, change: &str) -> Answer {
        let body = json!({ "adjustment_id": change });
        self.put(&format!("/api/v1/policy/{uuid}/mta"), &body)
            .send()
            .await
    }

    pub async fn cancels(&self, uuid: &str, more: Value) -> Answer {
        let mut body = json!({
            "type": "cancellation", "policy_uuid": uuid, "reason_id": 2,
            "effective_date": self.shop.app.clock.today(),
        });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.post("/api/v1/activity/create", &body).send().await
    }

    /// Advances the clock by some days, and runs the jobs of each day.
    pub async fn waits(&mut self, days: i64) {
        for _ in 0..days {
            self.shop.clock.advance(TimeDelta::days(1));
            jobs::daily(&self.shop.app).await.unwrap();
            self.works().await;
        }
        self.logs_in().await;
    }

    /// Advances the clock by some days at once, and runs the daily jobs once at the end.
    pub async fn sleeps(&mut self, days: i64) {
        self.shop.clock.advance(TimeDelta::days(days));
        jobs::daily(&self.shop.app).await.unwrap();
        self.works().await;
        self.logs_in().await;
    }

    /// Logs in again, because a session expires.
    async fn logs_in(&mut self) {
        let session = self.get("/api/v1/profile").send().await;
        if session.status == StatusCode::UNAUTHORIZED {
            self.cookie = self.shop.log_in(&self.addresses[0]).await;
        }
    }

    /// Returns the session of an unrelated customer.
    pub async fn stranger(&self) -> String {
        self.shop.log_in(&self.addresses[1]).await
    }

    /// Runs all due jobs, without the gateway's callbacks.
    pub async fn works(&self) {
        self.shop.work_without_callbacks().await;
    }

    /// Checks that every ledger entry of a policy sums to zero. Returns what the customer has paid on
    /// balance.
    pub fn balance(&self, uuid: &str) -> Pence {
        let tx = snapshot(&self.shop.app.store);
        let uuid: Uuid = uuid.parse().unwrap();
        for entry in ledger::entries(&tx, uuid).unwrap() {
            let sum: Pence = entry.postings().iter().map(|posting| posting.amount).sum();
            assert_eq!(sum, Pence::ZERO, "{entry:?}");
        }
        let customer = ledger::balance(&tx, uuid, &Account::Customer).unwrap();
        assert_eq!(customer, Pence::ZERO, "the customer owes nothing");
        ledger::balance(&tx, uuid, &Account::gateway("sandbox")).unwrap()
    }

    /// Returns the balance of one account of a policy.
    pub fn account(&self, uuid: &str, account: Account) -> Pence {
        let tx = snapshot(&self.shop.app.store);
        ledger::balance(&tx, uuid.parse().unwrap(), &account).unwrap()
    }

    /// Returns the amount of a policy that could be refunded.
    pub fn in_hand(&self, uuid: &str) -> Pence {
        let tx = snapshot(&self.shop.app.store);
        unrefunded::net_paid(&tx, uuid.parse().unwrap()).unwrap()
    }
}

/// Converts pounds of the API to pence.
pub fn pence(pounds: &Value) -> i64 {
    (pounds.as_f64().unwrap() * 100.0).round() as i64
}

/// Returns cover for two vehicles young enough for years of renewals.
pub fn young_vehicles() -> Value {
    let mut product = two_vehicles();
    for vehicle in product["multi"]["vehicles"].as_array_mut().unwrap() {
        vehicle["vehicle_registration_date"] = json!("01.03.2022");
    }
    product
}

/// Buys cover for two vehicles from 25 November 2026. Returns it with its owner.
pub async fn covered() -> (Customer, String) {
    let customer = Customer::new().await;
    let policy = customer.buys(&two_vehicles(), PAYS).await;
    (customer, policy)
}
