//! Cards that Stripe keeps: bought with automatic renewal, and charged a year later.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::TimeDelta;
use layby::app::jobs;
use layby::domain::payment::{CardExpiry, DeclineClass, Payment, PaymentStatus};
use layby::store::tables;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::double::{Card, Double, Fault};
use super::now;
use super::till::{CALLBACK, settings};
use crate::money::books::is_clean;
use crate::policies::{Customer, young_vehicles};
use crate::support::Shop;

/// A customer whose card Stripe keeps.
struct Renewal {
    double: Double,
    time: Arc<AtomicI64>,
    ann: Customer,
    policy: String,
    renewal: String,
}

impl Renewal {
    /// Buys a policy with automatic renewal, and waits until the day before the charge.
    async fn open() -> Self {
        let time = Arc::new(AtomicI64::new(now().timestamp()));
        let ticking = time.clone();
        let tick = move || ticking.load(Ordering::SeqCst);
        let double = Double::start("127.0.0.1:0", None, tick).unwrap();
        let shop = Shop::configured(&settings(&double, "[\"stripe\"]")).await;
        let ann = Customer::of(shop).await;
        let saved = ann.create(&young_vehicles());
        let policy = saved.answers(StatusCode::CREATED).await;
        let policy = policy.text("/data/uuid");
        ann.accepts(&policy, true).await;
        let mut story = Self {
            double,
            time,
            ann,
            policy,
            renewal: String::new(),
        };
        story.pays(&story.policy).await;
        story.ann.sleeps(340).await;
        let read = story.ann.policy(&story.policy).await;
        assert_eq!(read.at("/data/policy/next_year"), "by_itself");
        story.renewal = read.text("/data/policy/renewal/quote_uuid");
        story.ann.waits(17).await;
        assert_eq!(story.charges().len(), 0);
        story
    }

    /// Pays on Stripe's page. The shop asks for the outcome.
    async fn pays(&self, uuid: &str) {
        let at_stripe = self.ann.shop.clock.now().timestamp();
        self.time.store(at_stripe, Ordering::SeqCst);
        let body = json!({ "uuid": uuid });
        let started = self.ann.post("/api/v1/gateway/stripe/initiate", &body);
        let started = started.succeeds().await;
        let page = started.text("/data/url");
        let session = page.rsplit('/').next().unwrap();
        let paid = |books: &mut super::double::Books, now| books.pay(session, Card::VISA, now);
        self.double.books(paid).unwrap();
        let path = format!("/api/v1/payment/{}", started.text("/data/payment_id"));
        let read = self.ann.get(&path).succeeds().await;
        assert_eq!(read.at("/data/status"), "paid");
        self.ann.works().await;
    }

    /// Runs the daily round of the day of the charge, and no job.
    async fn last_day(&self) {
        self.ann.shop.clock.advance(TimeDelta::days(1));
        jobs::daily(&self.ann.shop.app).await.unwrap();
    }

    /// Returns the shop's charges of stored cards.
    fn charges(&self) -> Vec<Payment> {
        let rows = self.ann.shop.rows(&tables::PAYMENTS).into_iter();
        let charges = rows.map(|(_, row)| row);
        charges.filter(|row| row.instrument().is_some()).collect()
    }

    /// Returns the off-session payments at Stripe.
    fn charged(&self) -> Vec<Value> {
        let renewal = self.charges();
        let ours: Vec<_> = renewal.iter().map(|row| row.id.to_string()).collect();
        self.double.books(|books, _| {
            let all = books.intents.all().iter();
            let own = all.filter(|one| {
                let id = one["metadata"]["layby_payment"].as_str();
                id.is_some_and(|id| ours.iter().any(|own| own == id))
            });
            own.cloned().collect()
        })
    }

    async fn status(&self, uuid: &str) -> Value {
        let path = format!("/api/v2/openapi/quote/read/{uuid}");
        let read = self.ann.get(&path).succeeds().await;
        read.at("/data/info/status_id").clone()
    }

    fn letters(&self, subject: &str) -> usize {
        let letters = self.ann.shop.letters().into_iter();
        letters.filter(|one| one.subject.contains(subject)).count()
    }
}

#[tokio::test]
async fn a_kept_card_renews_once_a_year_later() {
    let mut story = Renewal::open().await;
    let cards = story.ann.shop.rows(&tables::INSTRUMENTS);
    let [(_, card)] = cards.as_slice() else {
        panic!("{cards:?}");
    };
    assert_eq!(card.card.last_four.as_deref(), Some("4242"));
    assert_eq!(card.card.scheme_reference.as_deref(), Some("105827430913"));
    assert!(
        card.consent
            .text
            .contains("we charge that price to the card")
    );
    // No token is in a debug print.
    let printed = format!("{card:?}");
    assert!(
        !printed.contains("cus_0") && !printed.contains("pm_0"),
        "{printed}"
    );

    story.ann.waits(3).await;
    let charges = story.charges();
    assert_eq!(charges.len(), 1);
    assert_eq!(charges[0].status, PaymentStatus::Paid);
    let charged = story.charged();
    assert_eq!(charged.len(), 1);
    assert_eq!(charged[0]["amount"], charges[0].amount.0);
    assert_eq!(story.status(&story.renewal).await, 5);
    let next = story.ann.policy(&story.renewal).await;
    assert_eq!(next.at("/data/policy/auto_renew"), true);
}

#[tokio::test]
async fn a_charge_with_a_lost_answer_is_made_once() {
    for fault in [Fault::Reset, Fault::FailsAfter] {
        let mut story = Renewal::open().await;
        for _ in 0..3 {
            story.double.fail("POST /v1/payment_intents", fault);
        }
        story.last_day().await;
        // The process may stop after the charge. The job runs again.
        for _ in 0..3 {
            story.ann.shop.work_with_failures().await;
            story.ann.shop.clock.advance(TimeDelta::minutes(1));
        }
        assert_eq!(story.charged().len(), 1, "{fault:?}");
        assert_eq!(story.charges()[0].status, PaymentStatus::Paid);
        story.ann.waits(1).await;
        assert_eq!(story.status(&story.renewal).await, 5);
        assert_eq!(story.charged().len(), 1);
    }
}

#[tokio::test]
async fn each_decline_is_stored_with_its_class_and_leads_to_the_page() {
    for (code, advice, class) in [
        ("lost_card", None, DeclineClass::Never),
        ("insufficient_funds", None, DeclineClass::Retryable),
        (
            "insufficient_funds",
            Some("do_not_try_again"),
            DeclineClass::Never,
        ),
        ("authentication_required", None, DeclineClass::Customer),
    ] {
        let mut story = Renewal::open().await;
        story
            .double
            .books(|books, _| books.declines_charges = Some((code, advice)));
        story.ann.waits(1).await;
        let charges = story.charges();
        assert_eq!(charges.len(), 1);
        assert_eq!(charges[0].status, PaymentStatus::Failed);
        let decline = charges[0].decline.clone().unwrap();
        assert_eq!(
            (decline.class, decline.code.as_deref()),
            (class, Some(code))
        );
        // Nobody can pay the declined charge later.
        assert_eq!(story.charged()[0]["status"], "canceled");
        assert_eq!(story.letters("is not renewed yet"), 1);
        // The customer renews on the page.
        story.ann.accepts(&story.renewal, false).await;
        story.pays(&story.renewal).await;
        assert_eq!(story.status(&story.renewal).await, 5);
        assert_eq!(story.charges().len(), 1);
    }
}

#[tokio::test]
async fn a_card_that_its_bank_replaces_has_the_new_digits_and_is_charged() {
    let mut story = Renewal::open().await;
    let at_stripe = story.ann.shop.clock.now().timestamp();
    story.time.store(at_stripe, Ordering::SeqCst);
    story.double.webhooks();
    story.double.books(|books, now| {
        let id = books.stored_cards().remove(0);
        let card = json!({ "brand": "visa", "last4": "1881", "exp_month": 1, "exp_year": 2038 });
        let method = books.methods.change(&id, json!({ "card": card }));
        books.tell("payment_method.automatically_updated", &method, now);
        let other = json!({ "id": "pm_other", "object": "payment_method", "card": card });
        books.tell("payment_method.automatically_updated", &other, now);
    });
    let told = story.double.webhooks();
    for told in told.iter().chain(&told) {
        let call = story.ann.shop.call(Method::POST, CALLBACK);
        let call = call.header("Stripe-Signature", &told.signature);
        call.body(told.body.clone()).succeeds().await;
    }
    let cards = story.ann.shop.rows(&tables::INSTRUMENTS);
    let [(_, card)] = cards.as_slice() else {
        panic!("{cards:?}");
    };
    let expiry = CardExpiry {
        month: 1,
        year: 2038,
    };
    assert_eq!(
        (card.card.last_four.as_deref(), card.card.expiry),
        (Some("1881"), Some(expiry))
    );
    is_clean(&story.ann.shop, "with another card number");
    story.ann.waits(1).await;
    assert_eq!(story.charged().len(), 1);
}
