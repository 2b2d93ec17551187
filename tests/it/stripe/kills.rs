//! Kills the process between any two writes of the store. The customer buys a policy, pays for a change, and
//! cancels with a refund. After the restart each step is completed once, and the books of shop and Stripe
//! agree.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use layby::app::check::{self, CheckReport};
use layby::app::jobs::{self, JobQueue};
use layby::app::payments::ledger;
use layby::domain::money::ledger::Account;
use layby::store::{Direction, Store, tables};
use poem::http::{Method, StatusCode};
use serde_json::json;
use uuid::Uuid;

use super::double::{Books, Card, Double, Outcome, Webhook};
use super::now;
use super::till::{CALLBACK, settings};
use crate::faults::disk::{Fault, Faulty};
use crate::support::stores::snapshot;
use crate::support::{Shop, two_vehicles};

/// The customer's actions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Story {
    Buys,
    Changes,
    Cancels,
}

/// The state outside the process, which survives a kill.
#[derive(Clone)]
struct Outside {
    disk: Vec<u8>,
    books: Books,
    time: i64,
    ann: String,
    cookie: String,
    /// The policy, or its quote.
    policy: String,
}

/// A shop, its customer and Stripe, in the middle of a story.
struct World {
    story: Story,
    disk: Arc<Faulty>,
    shop: Shop,
    double: Double,
    time: Arc<AtomicI64>,
    ann: String,
    cookie: String,
    policy: String,
    /// The requested change.
    change: Option<String>,
    /// The session of the customer's payment page.
    session: Option<String>,
    paid: bool,
    cancelled: bool,
    /// Undelivered webhooks of Stripe.
    untold: Vec<Webhook>,
}

async fn shop_over(disk: &Arc<Faulty>, double: &Double, time: i64) -> Shop {
    let store = Store::on_disk(disk.clone()).unwrap();
    let now = DateTime::from_timestamp(time, 0).unwrap().to_rfc3339();
    Shop::configured_over(store, &now, &settings(double, "[\"stripe\"]")).await
}

fn double_at(time: &Arc<AtomicI64>) -> Double {
    let ticking = time.clone();
    Double::start("127.0.0.1:0", None, move || ticking.load(Ordering::SeqCst)).unwrap()
}

impl World {
    /// Makes an accepted quote of a logged-in customer.
    async fn begun() -> Outside {
        let time = Arc::new(AtomicI64::new(now().timestamp()));
        let (disk, double) = (Arc::new(Faulty::default()), double_at(&time));
        let shop = shop_over(&disk, &double, now().timestamp()).await;
        let (ann, cookie) = shop.customer().await;
        let body = json!({ "product": two_vehicles() });
        let made = shop.post("/api/v2/public/quote/breakdown", &body);
        let policy = made
            .cookies(&cookie)
            .answers(StatusCode::CREATED)
            .await
            .text("/data/uuid");
        let agreed = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
        let path = format!("/api/v1/quote/update-accept/{policy}");
        shop.post(&path, &agreed).cookies(&cookie).succeeds().await;
        drop(shop);
        Outside {
            disk: disk.bytes(),
            books: Books::default(),
            time: now().timestamp(),
            ann,
            cookie,
            policy,
        }
    }

    async fn of(outside: &Outside, story: Story) -> Self {
        let time = Arc::new(AtomicI64::new(outside.time));
        let (disk, double) = (Arc::new(Faulty::of(outside.disk.clone())), double_at(&time));
        double.books(|books, _| *books = outside.books.clone());
        // Delivered webhooks are not sent again.
        double.webhooks();
        Self {
            story,
            shop: shop_over(&disk, &double, outside.time).await,
            disk,
            double,
            time,
            ann: outside.ann.clone(),
            cookie: outside.cookie.clone(),
            policy: outside.policy.clone(),
            change: None,
            session: None,
            paid: false,
            cancelled: false,
            untold: Vec::new(),
        }
    }

    /// Restarts the shop after a kill: its writes remain, and Stripe runs on.
    async fn restarted(&mut self) {
        let left = self.disk.bytes();
        self.disk = Arc::new(Faulty::of(left));
        // A failed job is due again after a minute.
        let time = self.time.fetch_add(60, Ordering::SeqCst) + 60;
        self.shop = shop_over(&self.disk, &self.double, time).await;
    }

    fn wait(&self, time: TimeDelta) {
        self.shop.clock.advance(time);
        self.time.fetch_add(time.num_seconds(), Ordering::SeqCst);
    }

    async fn asks_for_more(&mut self) -> bool {
        let body = json!({ "product": { "values": { "cover_level": 4 } } });
        let path = format!("/api/v1/policy/{}/mta/confirm", self.policy);
        let offer = self.shop.put(&path, &body).cookies(&self.cookie).send();
        let offer = offer.await;
        if offer.status == StatusCode::OK {
            self.change = Some(offer.text("/data/adjustment_id"));
        }
        self.change.is_some()
    }

    async fn begins_to_pay(&mut self) -> bool {
        let uuid = self.change.as_ref().unwrap_or(&self.policy);
        let body = json!({ "uuid": uuid });
        let call = self.shop.post("/api/v1/gateway/stripe/initiate", &body);
        let started = call.cookies(&self.cookie).send().await;
        if started.status == StatusCode::OK {
            let url = started.text("/data/url");
            self.session = url.rsplit('/').next().map(str::to_owned);
        }
        self.session.is_some()
    }

    async fn cancels(&mut self) -> bool {
        let body = json!({
            "type": "cancellation", "policy_uuid": self.policy, "reason_id": 2,
            "effective_date": self.shop.app.clock.today(),
        });
        let call = self.shop.post("/api/v1/activity/create", &body);
        let answer = call.cookies(&self.cookie).send().await.status;
        // A call whose response was lost may have done it already.
        self.cancelled = [StatusCode::OK, StatusCode::CONFLICT].contains(&answer);
        self.cancelled
    }

    /// Delivers Stripe's webhooks in order. Returns false at the first that is not accepted, and keeps that
    /// one for the next call.
    async fn hears(&mut self) -> bool {
        self.untold.extend(self.double.webhooks());
        while let Some(told) = self.untold.first() {
            let call = self.shop.call(Method::POST, CALLBACK);
            let call = call.header("Stripe-Signature", &told.signature);
            if call.body(told.body.clone()).send().await.status != StatusCode::OK {
                return false;
            }
            self.untold.remove(0);
        }
        true
    }

    /// Runs the jobs that move money.
    async fn works(&self) -> bool {
        let app = &self.shop.app;
        while let Ok(due) = jobs::due_jobs(&app.store, &app.clock, JobQueue::Shop, 100).await {
            if due.jobs.is_empty() {
                return true;
            }
            for (key, job) in due.jobs {
                let done =
                    tokio::time::timeout(Duration::from_millis(500), jobs::run_job(app, key, job));
                if !matches!(done.await, Ok(Ok(()))) {
                    return false;
                }
            }
        }
        false
    }

    /// Continues the story. Returns false at the first step that is not acknowledged.
    async fn goes_on(&mut self) -> bool {
        if self.story == Story::Changes && self.change.is_none() && !self.asks_for_more().await {
            return false;
        }
        if self.story == Story::Cancels {
            if !self.cancelled && !self.cancels().await {
                return false;
            }
        } else {
            if self.session.is_none() && !self.begins_to_pay().await {
                return false;
            }
            if let Some(session) = self.session.clone().filter(|_| !self.paid) {
                let pay = |books: &mut Books, now| books.pay(&session, Card::VISA, now);
                assert_eq!(self.double.books(pay).unwrap(), Outcome::Paid);
                self.paid = true;
            }
        }
        self.hears().await && self.works().await && self.hears().await
    }

    /// Returns the shop's money at Stripe in pence: payments less refunds.
    fn at_stripe(&self) -> i64 {
        self.double.books(|books, _| {
            let charges = books.charges.all().iter();
            let pence = |one: &serde_json::Value, name: &str| one[name].as_i64().unwrap();
            charges
                .map(|one| pence(one, "amount") - pence(one, "amount_refunded"))
                .sum()
        })
    }

    /// Checks for one policy with its money, or neither, and for correct books.
    fn assert_right(&self, n: u32, sold: bool) {
        let tx = snapshot(&self.shop.app.store);
        let policies = tables::POLICIES.list(&tx, &(), Direction::Forward, 10);
        assert_eq!(policies.unwrap().len(), usize::from(sold), "{n}");
        let policy: Uuid = self.policy.parse().unwrap();
        let balance = |account| ledger::balance(&tx, policy, &account).unwrap().0;
        assert_eq!(balance(Account::gateway("stripe")), self.at_stripe(), "{n}");
        assert_eq!(balance(Account::Customer), 0, "{n}");
        assert_eq!(balance(Account::Refunds), 0, "{n}");
        let mut said = Vec::new();
        let checked = check::check_running(&self.shop.app.store, None, &mut |report| {
            if let CheckReport::Text(line) = report {
                said.push(line);
            }
            ControlFlow::Continue(())
        });
        assert!(checked.is_ok(), "{n}: {said:?}");
    }

    fn outside(self) -> Outside {
        drop(self.shop);
        Outside {
            disk: self.disk.bytes(),
            books: self.double.books(|books, _| books.clone()),
            time: self.time.load(Ordering::SeqCst),
            ann: self.ann,
            cookie: self.cookie,
            policy: self.policy,
        }
    }
}

/// Plays the story without a kill. Returns the number of syncs, the final state, and the money at Stripe.
async fn played(before: &Outside, story: Story) -> (u32, Outside, i64) {
    let mut world = World::of(before, story).await;
    world.disk.fault(u32::MAX, Fault::Killed);
    assert!(world.goes_on().await, "{story:?}");
    let syncs = world.disk.synced();
    world.assert_right(0, true);
    let held = world.at_stripe();
    // A month passes, and the customer logs in for the next story.
    world.wait(TimeDelta::days(30));
    world.cookie = world.shop.log_in(&world.ann).await;
    (syncs, world.outside(), held)
}

/// Plays the story with a kill after each sync of the store.
async fn killed_everywhere(before: &Outside, story: Story) -> Outside {
    let (syncs, after, held) = played(before, story).await;
    println!("{story:?} is killed at {syncs} places");
    assert!(syncs > 5, "{story:?} syncs more than {syncs} times");
    for n in 0..syncs {
        let mut world = World::of(before, story).await;
        world.disk.fault(n, Fault::Killed);
        let done = world.goes_on().await;
        assert!(world.disk.has_failed() || done, "{story:?} {n}");
        // In every second run all of Stripe's pending webhooks are lost.
        if n % 2 == 1 {
            world.untold.clear();
            world.double.webhooks();
        }
        world.restarted().await;
        if story == Story::Buys && n % 3 == 0 && !world.paid {
            // The customer had no page yet, and does not return.
            for hours in [1, 24, 1] {
                world.wait(TimeDelta::hours(hours));
                assert!(world.works().await);
            }
            world.assert_right(n, false);
            assert_eq!(world.at_stripe(), 0);
            continue;
        }
        for _ in 0..2 {
            world.wait(TimeDelta::minutes(1));
            assert!(world.goes_on().await, "{story:?} {n}");
        }
        world.assert_right(n, true);
        assert_eq!(world.at_stripe(), held, "{story:?} {n}");
    }
    after
}

#[tokio::test]
async fn a_kill_between_any_two_writes_of_a_purchase_a_change_and_a_refund_keeps_the_money_right() {
    let accepted = World::begun().await;
    let bought = killed_everywhere(&accepted, Story::Buys).await;
    let changed = killed_everywhere(&bought, Story::Changes).await;
    killed_everywhere(&changed, Story::Cancels).await;
}
