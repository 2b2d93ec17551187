//! A year of seven customers who pay monthly, at each provider's double: one pays, one's decline recovers, one
//! replaces the card, one changes the cover, one lapses, and two cancel. The books are clean on every day.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use layby::app::jobs;
use layby::domain::money::ledger::Account;
use layby::domain::payment::Payment;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::changes::changes;
use super::{accepts_monthly, collects, plan};
use crate::globalpayments::double::Double as GlobalPayments;
use crate::money::books::is_clean;
use crate::policies::{Customer, pence, young_vehicles};
use crate::smartpayfuse::double::Double as SmartpayFuse;
use crate::stripe::double::Double as Stripe;
use crate::support::card_keeper::CardKeeper;
use crate::support::provider::Card;
use crate::support::{Answer, NOW, Shop};

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

const PAYS: usize = 0;
const RECOVERS: usize = 1;
const REPLACES: usize = 2;
const CHANGES: usize = 3;
const LAPSES: usize = 4;
const WITHDRAWS: usize = 5;
const CANCELS: usize = 6;

/// The shop, the provider, and the policies in the order of their purchase, one a day.
pub(super) struct Year<P: CardKeeper> {
    pub(super) provider: P,
    time: Arc<AtomicI64>,
    pub(super) ann: Customer,
    pub(super) policies: Vec<String>,
    /// The annual price of each policy at its sale, in pence.
    pub(super) price: i64,
}

impl<P: CardKeeper> Year<P> {
    pub(super) async fn open() -> Self {
        let now: DateTime<Utc> = NOW.parse().unwrap();
        let time = Arc::new(AtomicI64::new(now.timestamp()));
        let provider = P::with_clock(&time);
        let shop = Shop::configured(&provider.shop_settings()).await;
        Self {
            provider,
            time,
            ann: Customer::of(shop).await,
            policies: Vec::new(),
            price: 0,
        }
    }

    pub(super) fn today(&self) -> NaiveDate {
        self.ann.shop.app.clock.today()
    }

    pub(super) async fn buys(&mut self) {
        let mut product = young_vehicles();
        let start = (self.today() + Days::new(4)).format("%d.%m.%Y").to_string();
        product["values"]["start_date"] = json!(start);
        let (policy, accepted) = accepts_monthly(&self.ann, &product, false).await;
        self.price = pence(accepted.expect(StatusCode::OK).at("/data/plan/total"));
        let path = format!("/api/v1/gateway/{}/initiate", P::NAME);
        let started = self
            .ann
            .post(&path, &json!({ "uuid": policy }))
            .send()
            .await;
        self.pays(started.expect(StatusCode::OK)).await;
        self.policies.push(policy);
    }

    /// Pays on a page that was begun.
    pub(super) async fn pays(&self, started: Answer) {
        let page = started.at("/data");
        assert!(self.provider.pay(&self.ann.shop, page, Card::Good).await);
        self.receives().await;
        let path = format!("/api/v1/payment/{}", started.text("/data/payment_id"));
        let read = self.ann.get(&path).succeeds().await;
        assert_eq!(read.at("/data/status"), "paid");
        self.ann.works().await;
    }

    pub(super) async fn receives(&self) {
        for message in self.provider.take_messages(&self.ann.shop) {
            let status = self.provider.send(&self.ann.shop, &message).await;
            assert_eq!(status, StatusCode::OK);
        }
    }

    /// Advances both clocks by some days at once, and runs the daily round once at the end.
    pub(super) async fn sleeps(&mut self, days: i64) {
        self.time.fetch_add(days * DAY, Ordering::SeqCst);
        self.ann.sleeps(days).await;
        self.receives().await;
    }

    /// Advances both clocks by some minutes, and runs no job.
    pub(super) fn advances(&self, minutes: i64) {
        self.time.fetch_add(minutes * 60, Ordering::SeqCst);
        self.ann.shop.clock.advance(TimeDelta::minutes(minutes));
    }

    /// Runs the rounds of the next day, and checks the books.
    pub(super) async fn lives(&mut self, declines: Option<&'static str>) {
        self.time.fetch_add(DAY, Ordering::SeqCst);
        self.provider.decline_charges(declines);
        self.ann.waits(1).await;
        collects(&self.ann).await;
        self.receives().await;
        self.provider.end_day();
        is_clean(&self.ann.shop, &self.today().to_string());
    }

    /// Returns the plan of a policy.
    pub(super) async fn plan(&self, which: usize) -> Value {
        plan(&self.ann, &self.policies[which]).await
    }

    async fn cancels(&self, which: usize) {
        let cancelled = self.ann.cancels(&self.policies[which], json!({})).await;
        cancelled.expect(StatusCode::OK);
        self.ann.works().await;
    }

    /// Returns the charges of stored cards.
    pub(super) fn charges(&self) -> Vec<Payment> {
        let rows = self.ann.shop.rows(&tables::PAYMENTS).into_iter();
        let charges = rows.map(|(_, payment)| payment);
        charges
            .filter(|payment| payment.instrument().is_some())
            .collect()
    }
}

/// Returns the code with which the card declines on a day of the year. The policies are due one day after
/// another, and on the same days of each month.
fn declines<P: CardKeeper>(day: NaiveDate) -> Option<&'static str> {
    let is = |text: &str| day == text.parse::<NaiveDate>().unwrap();
    let recovers = is("2026-12-22");
    let lapses = ["2027-03-25", "2027-03-28", "2027-04-01"];
    match () {
        () if recovers || lapses.iter().any(|own| is(own)) => Some(P::LATER),
        () if is("2027-01-23") => Some(P::NEVER),
        () => None,
    }
}

/// Nobody is charged twice on a day, and the provider made each of our charges once.
fn no_charge_is_made_twice<P: CardKeeper>(year: &Year<P>) {
    let mut days = BTreeSet::new();
    let mut paid = BTreeMap::new();
    for payment in year.charges() {
        let day = payment.created.date_naive();
        assert!(days.insert((payment.quote, day)), "{payment:?}");
        if payment.is_applied() {
            paid.insert(payment.id.to_string(), payment.amount.0);
        }
    }
    let made = year.provider.charges();
    assert_eq!(made.len(), paid.len());
    assert_eq!(made.into_iter().collect::<BTreeMap<_, _>>(), paid);
}

async fn lives_a_year<P: CardKeeper>() {
    let mut year = Year::<P>::open().await;
    for _ in 0..7 {
        year.buys().await;
        year.lives(None).await;
    }
    let mut changed = 0;
    let end: NaiveDate = "2027-12-02".parse().unwrap();
    while year.today() < end {
        let next = year.today().succ_opt().unwrap();
        year.lives(declines::<P>(next)).await;
        match next.to_string().as_str() {
            "2026-12-06" => year.cancels(WITHDRAWS).await,
            "2026-12-22" => assert_eq!(year.plan(RECOVERS).await["status"], "failed"),
            "2026-12-25" => assert_eq!(year.plan(RECOVERS).await["status"], "active"),
            "2027-01-24" => {
                assert_eq!(year.plan(REPLACES).await["next_try"], Value::Null);
                let path = format!("/api/v1/policy/{}/pay", year.policies[REPLACES]);
                let body = json!({ "provider": P::NAME, "keep_card": true });
                let started = year.ann.post(&path, &body).send().await;
                year.pays(started.expect(StatusCode::OK)).await;
            }
            "2027-01-26" => year.cancels(CANCELS).await,
            "2027-05-10" => changed = changes(&year.ann, &year.policies[CHANGES], 4, None).await.1,
            "2027-04-15" => assert_eq!(year.plan(LAPSES).await["status"], "notice"),
            _ => {}
        }
    }
    let money = |which: usize, account: Account| year.ann.account(&year.policies[which], account).0;
    let held = |which| money(which, Account::gateway(P::NAME));
    let mut total = 0;
    for which in [PAYS, RECOVERS, REPLACES, CHANGES] {
        let own = year.plan(which).await;
        assert_eq!(own["left"], 0, "{which}: {own:#}");
        assert_eq!(own["status"], "ended");
    }
    assert!(changed > 0);
    assert_eq!(held(CHANGES), held(PAYS) + changed);
    assert_eq!(held(RECOVERS), held(PAYS));
    assert_eq!(held(REPLACES), held(PAYS));
    assert_eq!(held(WITHDRAWS), 0, "all comes back within 14 days");
    for which in [LAPSES, CANCELS] {
        assert_eq!(year.plan(which).await["status"], "ended");
        assert!(0 < held(which) && held(which) < held(PAYS) / 2, "{which}");
    }
    for which in 0..7 {
        assert_eq!(money(which, Account::Customer), 0, "{which}");
        assert_eq!(money(which, Account::Refunds), 0, "{which}");
        total += held(which);
    }
    assert_eq!(year.provider.balance(&year.ann.shop), total);
    no_charge_is_made_twice(&year);
    let letters = year.ann.shop.letters();
    let count = |words: &str| {
        letters
            .iter()
            .filter(|one| one.subject.contains(words))
            .count()
    };
    assert_eq!(count("A payment for your"), 3);
    assert_eq!(count("will end unless you pay"), 1);
    assert_eq!(count("ends in a few days"), 1);
    assert_eq!(count("We have cancelled"), 1);
    assert_eq!(count("is fully paid"), 4);
    let none = year.provider.take_messages(&year.ann.shop);
    assert!(none.is_empty());
}

#[tokio::test]
async fn seven_customers_live_a_year_with_stripe() {
    lives_a_year::<Stripe>().await;
}

#[tokio::test]
async fn seven_customers_live_a_year_with_global_payments() {
    lives_a_year::<GlobalPayments>().await;
}

#[tokio::test]
async fn seven_customers_live_a_year_with_barclaycard() {
    lives_a_year::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_charge_that_is_taken_back_before_it_is_known_has_failed() {
    let mut year = Year::<SmartpayFuse>::open().await;
    year.buys().await;
    for _ in 0..29 {
        year.lives(None).await;
    }
    year.time.fetch_add(24 * 60 * 60, Ordering::SeqCst);
    year.ann.shop.clock.advance(TimeDelta::days(1));
    year.provider.lose_charge(true);
    jobs::collect(&year.ann.shop.app).await.unwrap();
    year.ann.shop.work_with_failures().await;
    assert_eq!(year.provider.charges().len(), 1);
    year.provider.books(|books, _| {
        books.rows.last_mut().unwrap().status = "VOIDED";
    });
    year.ann.cookie = year.ann.shop.log_in(year.ann.address()).await;
    assert_eq!(year.plan(PAYS).await["is_charging"], true);
    year.lives(None).await;
    let own = year.plan(PAYS).await;
    assert_eq!(
        (&own["status"], &own["is_charging"]),
        (&json!("failed"), &json!(false))
    );
}
