//! A gateway that never answers, beside one that does.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;
use layby::app::jobs::{self, JobQueue};
use layby::config::LogFormat;
use layby::domain::payment::PaymentStatus;
use layby::domain::payment::refund::RefundStatus;
use layby::store::tables::{self, Job, Task};
use layby::store::{StoreError, WriteTx};
use poem::http::StatusCode;
use serde_json::json;
use tokio::sync::watch;
use uuid::Uuid;

use super::gateways::Gateway;
use crate::globalpayments::double::{Double as GlobalPayments, Entered, Outcome};
use crate::smartpayfuse::double::Double as SmartpayFuse;
use crate::stripe::double::{Card, Double as Stripe, Fault};
use crate::support::{Answer, Made, NOW, Shop, log, two_vehicles};
use crate::{globalpayments, stripe};

/// A shop with every gateway. A test makes one or two of them hang.
struct Till {
    stripe: Stripe,
    global_payments: GlobalPayments,
    smartpay_fuse: SmartpayFuse,
    shop: Shop,
}

impl Till {
    async fn open() -> Self {
        let now = NOW.parse::<chrono::DateTime<chrono::Utc>>().unwrap();
        let time = move || now.timestamp();
        let stripe = Stripe::start("127.0.0.1:0", None, time).unwrap();
        let global_payments = GlobalPayments::start("127.0.0.1:0", time).unwrap();
        let smartpay_fuse = SmartpayFuse::start("127.0.0.1:0", time).unwrap();
        let names = "[\"stripe\", \"globalpayments\", \"smartpayfuse\"]";
        let settings = stripe::till::settings(&stripe, names)
            + &globalpayments::till::section(&global_payments)
            + &Gateway::SmartpayFuse(smartpay_fuse.clone()).settings();
        let shop = Shop::configured(&settings).await;
        Self {
            stripe,
            global_payments,
            smartpay_fuse,
            shop,
        }
    }

    async fn accepted_quote(&self) -> Made {
        let quote = self.shop.quote(&two_vehicles()).await;
        self.shop.accept(&quote).await.expect(StatusCode::OK);
        quote
    }

    async fn initiate(&self, quote: &Made, gateway: &str) -> Answer {
        let path = format!("/api/v1/gateway/{gateway}/initiate");
        let call = self.shop.post(&path, &json!({ "uuid": quote.uuid }));
        call.bearer(&quote.token).send().await
    }

    /// Three customers begin to pay at a gateway without an answer. Each waits for 8 s, which is less than the
    /// time of a call.
    async fn three_give_up(&self, gateway: &str) -> Vec<Made> {
        let quotes = join_all((0..3).map(|_| self.accepted_quote())).await;
        let waits = quotes.iter().map(|quote| self.initiate(quote, gateway));
        for busy in join_all(waits).await {
            busy.expect(StatusCode::SERVICE_UNAVAILABLE);
        }
        quotes
    }

    /// Pays at Global Payments, whose message gets lost.
    async fn pay_without_messages(&self, quote: &Made) {
        let started = self.initiate(quote, "globalpayments").await;
        started.expect(StatusCode::OK);
        let paid = self.global_payments.books(|books, now| {
            let link = books.links.last().unwrap()["id"].clone();
            books.pay(link.as_str().unwrap(), Entered::Good, now)
        });
        assert_eq!(paid, Outcome::Paid);
        self.global_payments.news();
    }

    /// Waits until `is_so`, `seconds` at most by the shop's clock. The clock runs meanwhile.
    async fn wait_until(&self, seconds: u32, is_so: impl Fn() -> bool) {
        for _ in 0..seconds * 10 {
            if is_so() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
            self.shop.clock.advance(TimeDelta::milliseconds(100));
        }
        panic!("it was not done within {seconds} s");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_500_attempts_at_each_of_two_hanging_gateways_the_third_sells_and_refunds() {
    let till = Till::open().await;
    let shop = &till.shop;
    let left = till.accepted_quote().await;
    till.initiate(&left, "stripe").await.expect(StatusCode::OK);
    let attempt = shop.attempts(&left).remove(0);
    let plant = move |tx: &mut WriteTx<'_>| {
        for number in 1..1000 {
            let mut other = attempt.clone();
            other.id = Uuid::from_u128(number);
            if number >= 500 {
                other.provider = "smartpayfuse".to_owned();
            }
            let task = Task::AskGateway { payment: other.id };
            let job = Job::new(task);
            tables::PAYMENTS.put_new(tx, &other.id, &other)?;
            tables::JOBS.put(tx, &(other.created, other.id), &job)?;
        }
        Ok::<_, StoreError>(())
    };
    shop.app.store.write(plant).await.unwrap();
    for _ in 0..2000 {
        till.stripe.fail("", Fault::LostAnswer);
        till.smartpay_fuse.fail("", Fault::LostAnswer);
    }
    shop.clock.advance(TimeDelta::seconds(5));
    let quote = till.accepted_quote().await;
    till.pay_without_messages(&quote).await;

    // The shop asks 20 s after an attempt.
    shop.clock.advance(TimeDelta::seconds(20));
    let (_stop, stopped) = watch::channel(false);
    tokio::spawn(layby::worker::run(shop.app.clone(), stopped));
    till.wait_until(30, || shop.has_sold(&quote)).await;
    let refund = shop.owe_refund(&quote, 500).await;
    let is_refunded = || shop.row(&tables::REFUNDS, &refund).status == RefundStatus::Paid;
    till.wait_until(60, is_refunded).await;

    let payments = shop.rows(&tables::PAYMENTS).into_iter();
    let (others, hanging): (Vec<_>, Vec<_>) =
        payments.partition(|(_, payment)| payment.provider == "globalpayments");
    assert!(hanging.iter().all(|(_, payment)| payment.status.is_open()));
    assert_eq!((hanging.len(), others.len()), (1000, 1));
    assert_eq!(others[0].1.status, PaymentStatus::Paid);
    assert!(till.stripe.times("GET") >= 3);
    assert!(till.smartpay_fuse.times("POST") >= 3);
}

#[tokio::test]
async fn four_jobs_of_a_hanging_gateway_leave_a_place_to_customers_and_a_fifth_is_postponed() {
    let till = Till::open().await;
    let shop = &till.shop;
    let customer = till.accepted_quote().await;
    for _ in 0..5 {
        let quote = till.accepted_quote().await;
        let started = till.initiate(&quote, "stripe").await;
        started.expect(StatusCode::OK);
    }
    for _ in 0..3 {
        till.stripe.fail("GET", Fault::LostAnswer);
    }
    shop.clock.advance(TimeDelta::seconds(20));
    let due = || jobs::due_jobs(&shop.app.store, &shop.app.clock, JobQueue::Shop, 10);
    let mut waiting = due().await.unwrap().jobs;
    let (key, job) = waiting.pop().unwrap();
    let hanging = waiting.into_iter();
    let hanging = join_all(hanging.map(|(key, job)| jobs::run_job(&shop.app, key, job)));
    let fifth = async {
        while till.stripe.times("GET") < 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        jobs::run_job(&shop.app, key, job).await.unwrap();
        let started = till.initiate(&customer, "stripe").await;
        started.expect(StatusCode::OK);
    };
    tokio::select! {
        _ = hanging => panic!("the calls have ended"),
        () = fifth => {}
    }
    assert_eq!(till.stripe.times("GET"), 3);
    let rows = shop.rows(&tables::JOBS);
    let (later, postponed) = rows.into_iter().find(|((_, id), _)| *id == key.1).unwrap();
    assert_eq!(postponed.tries, 0);
    let wait = later.0 - shop.clock.now();
    assert!(wait <= TimeDelta::seconds(10), "{wait}");
    assert!(wait > TimeDelta::milliseconds(900), "{wait}");

    // The four jobs were dropped, and their places are free.
    jobs::run_job(&shop.app, later, postponed).await.unwrap();
    assert_eq!(till.stripe.times("GET"), 4);
}

#[tokio::test]
async fn a_hanging_gateway_refuses_at_once_while_another_sells_until_it_answers_again() {
    let till = Till::open().await;
    let (lines, _log) = log::recorded(LogFormat::Text);
    let count = |what: &str| lines.text().matches(what).count();
    for _ in 0..3 {
        till.stripe.fail("", Fault::LostAnswer);
    }
    let quotes = till.three_give_up("stripe").await;
    assert_eq!((till.stripe.seen().len(), count("doesn't answer")), (3, 1));

    // Stripe is not called. The customer pays at the other gateway.
    let quote = till.accepted_quote().await;
    let busy = till.initiate(&quote, "stripe").await;
    let busy = busy.expect(StatusCode::SERVICE_UNAVAILABLE);
    let text = "We are busy for a moment. Please try again.";
    assert_eq!(busy.text("/message"), text);
    assert_eq!(till.stripe.seen().len(), 3);
    let site = till.shop.get("/api/v1/site").succeeds().await;
    assert_eq!(
        site.at("/data/providers"),
        &json!(["stripe", "globalpayments", "smartpayfuse"])
    );
    till.shop.clock.advance(TimeDelta::seconds(2));
    till.pay_without_messages(&quote).await;
    let read = till.shop.payment(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/status"), "paid");
    assert!(till.shop.has_sold(&quote));
    assert_eq!(till.stripe.seen().len(), 3);

    till.shop.clock.advance(TimeDelta::seconds(30));
    for quote in &quotes {
        till.initiate(quote, "stripe").await.expect(StatusCode::OK);
    }
    assert_eq!(count("doesn't answer"), 1);
    assert_eq!(count("a gateway answers again"), 1);
}

#[tokio::test]
async fn while_global_payments_hangs_stripe_sells() {
    let till = Till::open().await;
    for _ in 0..3 {
        let fault = globalpayments::double::Fault::LostAnswer;
        till.global_payments.fail("", fault);
    }
    till.three_give_up("globalpayments").await;
    let calls = till.global_payments.seen().len();
    let quote = till.accepted_quote().await;
    let busy = till.initiate(&quote, "globalpayments").await;
    busy.expect(StatusCode::SERVICE_UNAVAILABLE);

    till.shop.clock.advance(TimeDelta::seconds(2));
    till.initiate(&quote, "stripe").await.expect(StatusCode::OK);
    till.stripe.books(|books, now| {
        let session = books.sessions.all().last().unwrap()["id"].clone();
        books
            .pay(session.as_str().unwrap(), Card::VISA, now)
            .unwrap()
    });
    let read = till.shop.payment(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/status"), "paid");
    assert_eq!(till.global_payments.seen().len(), calls);
}
