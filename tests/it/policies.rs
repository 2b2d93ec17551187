//! A policy in its owner's hands: changed, ended, renewed, over and over.

mod adjustments;
mod cancellation;
mod daily;
mod documents;
mod lapses;
mod later;
mod live_cover;
mod pro_rata;
pub mod renewals;
mod repeats;
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

/// A shop, and a customer who is logged in.
pub struct Customer {
    pub shop: Shop,
    pub cookie: String,
    /// The session of another customer, who has nothing to do with this.
    pub stranger: String,
    addresses: Vec<String>,
}

impl Customer {
    /// In a shop whose gateway reaches nobody: whatever happens is asked for.
    pub async fn new() -> Self {
        Self::of(Shop::reachable_at(empty_store().await, NOW, "http://127.0.0.1:9").await).await
    }

    pub async fn of(shop: Shop) -> Self {
        let addresses = shop.seed(2, 0).await;
        let cookie = shop.log_in(&addresses[0]).await;
        let stranger = shop.log_in(&addresses[1]).await;
        Self {
            shop,
            cookie,
            stranger,
            addresses,
        }
    }

    /// The customer's mail address.
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

    /// The call that makes a quote.
    pub fn create(&self, product: &Value) -> Call<'_> {
        self.shop.create(product).cookies(&self.cookie)
    }

    /// Buys `product` with a card, to be renewed by itself; answers the policy's uuid.
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

    /// Reads a quote and accepts what it says.
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

    /// Asks what changed answers cost.
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

    /// Some days later, at the same time of day, with each day's work done.
    pub async fn waits(&mut self, days: i64) {
        for _ in 0..days {
            self.shop.clock.advance(TimeDelta::days(1));
            jobs::daily(&self.shop.app).await.unwrap();
            self.works().await;
        }
        self.logs_in().await;
    }

    /// Jumps some days ahead; the daily work is done once, after all of them.
    pub async fn sleeps(&mut self, days: i64) {
        self.shop.clock.advance(TimeDelta::days(days));
        jobs::daily(&self.shop.app).await.unwrap();
        self.works().await;
        self.logs_in().await;
    }

    /// A session doesn't last for ever.
    async fn logs_in(&mut self) {
        let session = self.get("/api/v1/profile").send().await;
        if session.status == StatusCode::UNAUTHORIZED {
            self.cookie = self.shop.log_in(&self.addresses[0]).await;
        }
    }

    pub async fn stranger_again(&self) -> String {
        self.shop.log_in(&self.addresses[1]).await
    }

    /// All the work that is due; what the gateway is to tell nobody hears.
    pub async fn works(&self) {
        self.shop.work_without_callbacks().await;
    }

    /// Every entry of a policy sums to zero; answers what the customer has paid on balance.
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

    /// What stands on one account of a policy.
    pub fn account(&self, uuid: &str, account: Account) -> Pence {
        let tx = snapshot(&self.shop.app.store);
        ledger::balance(&tx, uuid.parse().unwrap(), &account).unwrap()
    }

    /// What could be given back of a policy.
    pub fn in_hand(&self, uuid: &str) -> Pence {
        let tx = snapshot(&self.shop.app.store);
        unrefunded::net_paid(&tx, uuid.parse().unwrap()).unwrap()
    }
}

/// Pounds of the wire in pence.
pub fn pence(pounds: &Value) -> i64 {
    (pounds.as_f64().unwrap() * 100.0).round() as i64
}

/// Cover for two vehicles young enough to be renewed for years.
pub fn young_vehicles() -> Value {
    let mut product = two_vehicles();
    for vehicle in product["multi"]["vehicles"].as_array_mut().unwrap() {
        vehicle["vehicle_registration_date"] = json!("01.03.2022");
    }
    product
}

/// Cover for two vehicles from 25 November 2026, and its owner.
pub async fn covered() -> (Customer, String) {
    let customer = Customer::new().await;
    let policy = customer.buys(&two_vehicles(), PAYS).await;
    (customer, policy)
}
