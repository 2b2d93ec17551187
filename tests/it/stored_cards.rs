//! Cards that each provider keeps: bought with automatic renewal, and charged a year later.

mod removal;
mod stories;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::TimeDelta;
use layby::app::jobs;
use layby::domain::payment::{Instrument, Payment};
use layby::store::tables::{self, Task};
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::policies::{Customer, young_vehicles};
use crate::support::card_keeper::CardKeeper;
use crate::support::provider::Card;
use crate::support::{NOW, Shop};

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// A customer whose card the provider keeps, on the day before the card is charged.
pub struct Renewal<P: CardKeeper> {
    pub provider: P,
    time: Arc<AtomicI64>,
    pub ann: Customer,
    pub policy: String,
    pub renewal: String,
}

impl<P: CardKeeper> Renewal<P> {
    pub async fn open() -> Self {
        let mut story = Self::bought().await;
        story.time.fetch_add(338 * DAY, Ordering::SeqCst);
        story.ann.sleeps(338).await;
        let read = story.ann.policy(&story.policy).await;
        assert_eq!(read.at("/data/policy/next_year"), "by_itself");
        story.renewal = read.text("/data/policy/renewal/quote_uuid");
        story.waits(17).await;
        assert_eq!(story.charges().len(), 0);
        story
    }

    /// Buys a policy with automatic renewal.
    pub async fn bought() -> Self {
        let now: chrono::DateTime<chrono::Utc> = NOW.parse().unwrap();
        let time = Arc::new(AtomicI64::new(now.timestamp()));
        let provider = P::with_clock(&time);
        let shop = Shop::configured(&provider.shop_settings()).await;
        let ann = Customer::of(shop).await;
        let saved = ann.create(&young_vehicles());
        let policy = saved.answers(StatusCode::CREATED).await;
        let policy = policy.text("/data/uuid");
        ann.accepts(&policy, true).await;
        let mut story = Self {
            provider,
            time,
            ann,
            policy,
            renewal: String::new(),
        };
        story.pays(&story.policy).await;
        // The shop asks for what the messages did not have.
        story.waits(2).await;
        story
    }

    /// Advances both clocks by some days, and runs the jobs of each day.
    pub async fn waits(&mut self, days: i64) {
        for _ in 0..days {
            self.time.fetch_add(DAY, Ordering::SeqCst);
            self.ann.waits(1).await;
        }
    }

    /// Sets the provider's clock to the shop's.
    pub fn sets_clock(&self) {
        let now = self.ann.shop.clock.now().timestamp();
        self.time.store(now, Ordering::SeqCst);
    }

    /// Pays on the provider's page. The provider sends its messages, and the shop asks for the outcome.
    pub async fn pays(&self, uuid: &str) {
        self.sets_clock();
        let path = format!("/api/v1/gateway/{}/initiate", P::NAME);
        let started = self.ann.post(&path, &json!({ "uuid": uuid }));
        let started = started.succeeds().await;
        let page = started.at("/data");
        assert!(self.provider.pay(&self.ann.shop, page, Card::Good).await);
        for message in self.provider.take_messages(&self.ann.shop) {
            let status = self.provider.send(&self.ann.shop, &message).await;
            assert_eq!(status, StatusCode::OK);
        }
        let path = format!("/api/v1/payment/{}", started.text("/data/payment_id"));
        let read = self.ann.get(&path).succeeds().await;
        assert_eq!(read.at("/data/status"), "paid");
        self.ann.works().await;
    }

    /// Begins the day of the charge. Runs the daily round, and no job.
    pub async fn charge_day(&self) {
        self.ann.shop.clock.advance(TimeDelta::days(1));
        self.sets_clock();
        jobs::daily(&self.ann.shop.app).await.unwrap();
    }

    /// Runs the job that charges the card. The answer is lost. Without `is_made` the charge is lost too.
    pub async fn loses_the_answer(&self, is_made: bool) {
        for _ in 0..3 {
            self.provider.lose_charge(is_made);
        }
        let mut due = self.ann.shop.due().await;
        due.retain(|(_, job)| matches!(job.task, Task::RenewByCard { .. }));
        let (key, job) = due.remove(0);
        jobs::run_job(&self.ann.shop.app, key, job).await.unwrap();
        assert_eq!(self.provider.charges().len(), usize::from(is_made));
    }

    /// Returns the shop's charges of stored cards.
    pub fn charges(&self) -> Vec<Payment> {
        let rows = self.ann.shop.rows(&tables::PAYMENTS).into_iter();
        let charges = rows.map(|(_, row)| row);
        charges.filter(|row| row.instrument().is_some()).collect()
    }

    /// Returns the only stored card.
    pub fn card(&self) -> Instrument {
        let mut rows = self.ann.shop.rows(&tables::INSTRUMENTS);
        assert_eq!(rows.len(), 1);
        rows.remove(0).1
    }

    pub async fn status(&self, uuid: &str) -> Value {
        let path = format!("/api/v2/openapi/quote/read/{uuid}");
        let read = self.ann.get(&path).succeeds().await;
        read.at("/data/info/status_id").clone()
    }

    pub fn letters(&self, subject: &str) -> usize {
        let letters = self.ann.shop.letters().into_iter();
        letters.filter(|one| one.subject.contains(subject)).count()
    }
}
