//! A shop over a disk that fails on demand, its customer, and a provider that outlives the shop.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use layby::app::jobs::{self, JobQueue};
use layby::store::Store;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::faults::disk::Faulty;
use crate::support::provider::{Card, Provider};
use crate::support::{Answer, NOW, Shop, two_vehicles};

/// The state outside the process, which survives a kill.
#[derive(Clone)]
pub struct Outside<B> {
    disk: Vec<u8>,
    books: B,
    time: i64,
    ann: String,
    cookie: String,
    /// The policy, or its quote.
    policy: String,
}

impl<B> Outside<B> {
    /// Returns the state after a restore of an older copy of the store.
    pub fn with_store_of(self, older: &Self) -> Self {
        Self {
            disk: older.disk.clone(),
            ..self
        }
    }
}

pub struct World<P: Provider> {
    pub disk: Arc<Faulty>,
    pub shop: Shop,
    pub provider: P,
    time: Arc<AtomicI64>,
    ann: String,
    cookie: String,
    pub policy: String,
    /// The requested change.
    pub change: Option<String>,
    /// The customer's payment page.
    pub page: Option<Value>,
    /// Messages of the provider that were not accepted yet.
    pub waiting: Vec<P::Message>,
}

async fn shop_over(disk: &Arc<Faulty>, provider: &impl Provider, time: i64) -> Shop {
    let store = Store::on_disk(disk.clone()).unwrap();
    let now = DateTime::from_timestamp(time, 0).unwrap().to_rfc3339();
    Shop::configured_over(store, &now, &provider.shop_settings()).await
}

impl<P: Provider> World<P> {
    /// Makes an accepted quote of a logged-in customer.
    pub async fn begun() -> Outside<P::Books> {
        Self::accepted(&two_vehicles(), false).await
    }

    /// Makes an accepted quote for `product`, with or without automatic renewal.
    pub async fn accepted(product: &Value, auto_renew: bool) -> Outside<P::Books> {
        let now = NOW.parse::<DateTime<Utc>>().unwrap().timestamp();
        let time = Arc::new(AtomicI64::new(now));
        let (disk, provider) = (Arc::new(Faulty::default()), P::with_clock(&time));
        let shop = shop_over(&disk, &provider, now).await;
        let (ann, cookie) = shop.customer().await;
        let body = json!({ "product": product });
        let made = shop.post("/api/v2/public/quote/breakdown", &body);
        let policy = made
            .cookies(&cookie)
            .answers(StatusCode::CREATED)
            .await
            .text("/data/uuid");
        let agreed = json!({
            "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": auto_renew,
        });
        let path = format!("/api/v1/quote/update-accept/{policy}");
        shop.post(&path, &agreed).cookies(&cookie).succeeds().await;
        drop(shop);
        Outside {
            disk: disk.bytes(),
            books: P::Books::default(),
            time: now,
            ann,
            cookie,
            policy,
        }
    }

    pub async fn start(outside: &Outside<P::Books>) -> Self {
        let time = Arc::new(AtomicI64::new(outside.time));
        let disk = Arc::new(Faulty::of(outside.disk.clone()));
        let provider = P::with_clock(&time);
        provider.replace_books(outside.books.clone());
        let shop = shop_over(&disk, &provider, outside.time).await;
        // Delivered messages are not sent again.
        provider.take_messages(&shop);
        Self {
            shop,
            disk,
            provider,
            time,
            ann: outside.ann.clone(),
            cookie: outside.cookie.clone(),
            policy: outside.policy.clone(),
            change: None,
            page: None,
            waiting: Vec::new(),
        }
    }

    /// Buys a policy.
    pub async fn bought() -> Self {
        let mut world = Self::start(&Self::begun().await).await;
        assert!(world.begins_to_pay().await);
        let page = world.page.take().unwrap();
        assert!(world.provider.pay(&world.shop, &page, Card::Good).await);
        assert!(world.receives().await);
        world
    }

    pub fn outside(self) -> Outside<P::Books> {
        drop(self.shop);
        Outside {
            disk: self.disk.bytes(),
            books: self.provider.copy_books(),
            time: self.time.load(Ordering::SeqCst),
            ann: self.ann,
            cookie: self.cookie,
            policy: self.policy,
        }
    }

    /// Restarts the shop over the bytes that a kill or a power cut has left. The provider runs on.
    pub async fn restarted(&mut self, left: Vec<u8>) {
        self.disk = Arc::new(Faulty::of(left));
        // A failed job is due again after a minute.
        let time = self.time.fetch_add(60, Ordering::SeqCst) + 60;
        self.shop = shop_over(&self.disk, &self.provider, time).await;
    }

    pub fn wait(&self, time: TimeDelta) {
        self.shop.clock.advance(time);
        self.time.fetch_add(time.num_seconds(), Ordering::SeqCst);
    }

    pub async fn logs_in(&mut self) {
        self.cookie = self.shop.log_in(&self.ann).await;
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.shop.get(path).cookies(&self.cookie).send().await
    }

    /// Asks for the price of another level of cover. Returns the offer.
    pub async fn asks_for(&self, level: u8) -> Option<Answer> {
        let body = json!({ "product": { "values": { "cover_level": level } } });
        let path = format!("/api/v1/policy/{}/mta/confirm", self.policy);
        let offer = self.shop.put(&path, &body).cookies(&self.cookie).send();
        Some(offer.await).filter(|offer| offer.status == StatusCode::OK)
    }

    /// Agrees to a change that costs no more.
    pub async fn agrees(&self, change: &str) {
        let path = format!("/api/v1/policy/{}/mta", self.policy);
        let body = json!({ "adjustment_id": change });
        self.shop
            .put(&path, &body)
            .cookies(&self.cookie)
            .send()
            .await;
    }

    /// Returns what is paid for: the requested change, or the quote.
    pub fn payable(&self) -> &str {
        self.change.as_ref().unwrap_or(&self.policy)
    }

    pub async fn begins_to_pay(&mut self) -> bool {
        let body = json!({ "uuid": self.payable() });
        let path = format!("/api/v1/gateway/{}/initiate", P::NAME);
        let call = self.shop.post(&path, &body).cookies(&self.cookie);
        let started = call.send().await;
        if started.status == StatusCode::OK {
            self.page = Some(started.at("/data").clone());
        }
        self.page.is_some()
    }

    /// Cancels the policy. A call whose response was lost may have done it already.
    pub async fn cancels(&self) -> bool {
        let body = json!({
            "type": "cancellation", "policy_uuid": self.policy, "reason_id": 2,
            "effective_date": self.shop.app.clock.today(),
        });
        let call = self.shop.post("/api/v1/activity/create", &body);
        let answer = call.cookies(&self.cookie).send().await.status;
        [StatusCode::OK, StatusCode::CONFLICT].contains(&answer)
    }

    /// Delivers the provider's messages in order. Returns false at the first that is not accepted, and keeps
    /// that one for the next call.
    pub async fn receives(&mut self) -> bool {
        self.waiting.extend(self.provider.take_messages(&self.shop));
        while let Some(message) = self.waiting.first() {
            if self.provider.send(&self.shop, message).await != StatusCode::OK {
                return false;
            }
            self.waiting.remove(0);
        }
        true
    }

    /// Runs the jobs that move money. The story itself sends the sandbox's messages.
    pub async fn works(&self) -> bool {
        let app = &self.shop.app;
        while let Ok(mut due) = jobs::due_jobs(&app.store, &app.clock, JobQueue::Shop, 100).await {
            due.jobs
                .retain(|(_, job)| !job.task.name().starts_with("sandbox "));
            if due.jobs.is_empty() {
                return true;
            }
            for (key, job) in due.jobs {
                let is_done = tokio::select! {
                    done = jobs::run_job(app, key, job) => done.is_ok(),
                    () = self.is_killed() => false,
                };
                if !is_done {
                    return false;
                }
            }
        }
        false
    }

    /// Waits for the kill. Without it a job would wait for its store.
    pub async fn is_killed(&self) {
        while !self.disk.has_failed() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}
