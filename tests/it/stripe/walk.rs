//! The whole money of one policy, through Stripe: bought, changed with a payment, cancelled with a
//! refund, disputed, paid out and reconciled. The ledger is printed after each step
//! (`cargo nextest run --no-capture -E 'test(stripe::walk)'`).

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use chrono::TimeDelta;
use layby::app::books::reconcile::{self, Reconciliation};
use layby::app::check::{self, Report};
use layby::app::payments::ledger;
use layby::clock::Clock;
use layby::domain::ledger::Account;
use poem::http::{Method, StatusCode};
use serde_json::json;

use super::double::{Card, Double, Outcome};
use super::now;
use super::till::{CALLBACK, settings};
use crate::policies::{Customer, pence};
use crate::support::stores::snapshot;
use crate::support::{Shop, two_vehicles};

/// A customer of a shop that takes money through the double.
struct Walk {
    double: Double,
    ann: Customer,
    policy: String,
}

impl Walk {
    async fn begun() -> Self {
        let clock: Arc<OnceLock<Clock>> = Arc::default();
        let ticking = clock.clone();
        let tick = move || ticking.get().map_or_else(now, Clock::now).timestamp();
        let double = Double::start("127.0.0.1:0", None, tick).unwrap();
        let shop = Shop::configured(&settings(&double, "[\"stripe\"]")).await;
        clock.set(shop.clock.clone()).ok().unwrap();
        let ann = Customer::of(shop).await;
        let policy = String::new();
        Self {
            double,
            ann,
            policy,
        }
    }

    async fn buys(&mut self) {
        let body = json!({ "product": two_vehicles() });
        let path = "/api/v2/public/quote/breakdown";
        let quote = self.ann.post(path, &body).send().await;
        self.policy = quote.expect(StatusCode::CREATED).text("/data/uuid");
        let agreed = json!({
            "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": false,
        });
        let path = format!("/api/v1/quote/update-accept/{}", self.policy);
        self.ann
            .post(&path, &agreed)
            .send()
            .await
            .expect(StatusCode::OK);
        self.pays_for(&self.policy.clone()).await;
    }

    /// Pays for a quote or a change on Stripe's page, and Stripe says so.
    async fn pays_for(&self, uuid: &str) {
        let body = json!({ "uuid": uuid });
        let call = self.ann.post("/api/v1/gateway/stripe/initiate", &body);
        let started = call.send().await.expect(StatusCode::OK);
        let url = started.text("/data/url");
        let session = url.rsplit('/').next().unwrap();
        let paid = self
            .double
            .books(|books, now| books.pay(session, Card::VISA, now).unwrap());
        assert_eq!(paid, Outcome::Paid);
        self.hears().await;
        self.ann.works().await;
    }

    /// What Stripe has to tell arrives, and once more.
    async fn hears(&self) {
        let told = self.double.webhooks();
        for webhook in told.iter().chain(&told) {
            let call = self.ann.shop.call(Method::POST, CALLBACK);
            let call = call.header("Stripe-Signature", &webhook.signature);
            let heard = call.body(webhook.body.clone()).send().await;
            heard.expect(StatusCode::OK);
        }
        self.ann.works().await;
    }

    /// Prints the ledger, has everything checked, and answers what stands on the accounts of gateway,
    /// refunds, disputes, written off, bank and fees, pence.
    fn books(&self, step: &str) -> [i64; 6] {
        let tx = snapshot(&self.ann.shop.app.store);
        let policy = self.policy.parse().unwrap();
        println!("{step}:");
        for entry in ledger::entries(&tx, policy).unwrap() {
            let parts = entry.postings().iter();
            let parts: Vec<_> = parts
                .map(|part| format!("{:?} {}", part.account, part.amount))
                .collect();
            println!("  {:?}: {}", entry.movement, parts.join(", "));
        }
        assert_eq!(
            ledger::balance(&tx, policy, &Account::Customer).unwrap().0,
            0,
            "{step}"
        );
        let mut said = Vec::new();
        let checked = check::running(&self.ann.shop.app.store, &mut |report| {
            if let Report::Says(line) = report {
                said.push(line);
            }
            ControlFlow::Continue(())
        });
        assert!(checked.is_ok(), "{step}: {said:?}");
        [
            Account::gateway("stripe"),
            Account::Refunds,
            Account::Disputes,
            Account::WrittenOff,
            Account::Bank,
            Account::ProviderFees,
        ]
        .map(|account| ledger::balance(&tx, policy, &account).unwrap().0)
    }

    /// What Stripe's own books say is on the balance, without its fees.
    fn at_stripe(&self) -> i64 {
        self.double.books(|books, _| {
            let open = books.movements.all().iter();
            let open = open.filter(|one| one["status"] == "pending");
            open.map(|one| one["amount"].as_i64().unwrap()).sum()
        })
    }

    async fn reconciles(&self, report: &str) -> Vec<String> {
        let order = Reconciliation {
            gateway: None,
            report: report.to_owned(),
        };
        let mut said = Vec::new();
        let mut hear = |line| {
            said.push(line);
            ControlFlow::Continue(())
        };
        let now = self.ann.shop.clock.now();
        let done = reconcile::perform(&self.ann.shop.app.store, &order, now, &mut hear);
        done.await.unwrap();
        said
    }
}

#[tokio::test]
async fn the_whole_money_of_a_policy_goes_through_stripe_and_its_books_agree() {
    let mut walk = Walk::begun().await;
    walk.buys().await;
    let price = walk.books("bought")[0];
    assert!(price > 0);
    assert_eq!(walk.books("bought"), [price, 0, 0, 0, 0, 0]);
    assert_eq!(walk.at_stripe(), price);

    // More cover, paid for on a page of its own.
    walk.ann.sleeps(30).await;
    let offer = walk
        .ann
        .asks(&walk.policy, json!({ "cover_level": 4 }), None)
        .await;
    let offer = offer.expect(StatusCode::OK);
    let (more, change) = (
        pence(offer.at("/data/amount_now")),
        offer.text("/data/adjustment_id"),
    );
    assert!(more > 0);
    walk.pays_for(&change).await;
    assert_eq!(walk.books("changed"), [price + more, 0, 0, 0, 0, 0]);
    assert_eq!(walk.at_stripe(), price + more);

    // Cancelled: what is not used goes back, to the newest payment first.
    walk.ann.sleeps(30).await;
    let ended = walk.ann.cancels(&walk.policy, json!({})).await;
    let ended = ended.expect(StatusCode::OK);
    let back = pence(ended.at("/data/refund/amount"));
    assert!(back > 0);
    walk.ann.works().await;
    walk.hears().await;
    let kept = price + more - back;
    assert_eq!(walk.books("cancelled"), [kept, 0, 0, 0, 0, 0]);
    assert_eq!(walk.at_stripe(), kept);

    // The first payment is disputed: what is left of it is taken, and comes back when the shop wins.
    walk.ann.shop.clock.advance(TimeDelta::days(3));
    let first = walk
        .double
        .books(|books, _| books.intents.all()[0]["id"].as_str().unwrap().to_owned());
    let dispute = walk
        .double
        .books(|books, now| books.dispute(&first, now).unwrap());
    let taken = dispute["amount"].as_i64().unwrap();
    assert!(taken > 0);
    walk.hears().await;
    assert_eq!(walk.books("disputed"), [kept - taken, 0, taken, 0, 0, 0]);
    assert_eq!(walk.at_stripe(), kept - taken);
    let id = dispute["id"].as_str().unwrap();
    walk.double
        .books(|books, now| books.close_dispute(id, true, now).unwrap());
    walk.hears().await;
    assert_eq!(walk.books("won"), [kept, 0, 0, 0, 0, 0]);
    assert_eq!(walk.at_stripe(), kept);

    // Everything is paid out, and agrees line by line; a second run posts nothing.
    walk.ann.shop.clock.advance(TimeDelta::days(2));
    let (payout, report) = walk.double.books(|books, now| {
        let payout = books.pay_out(now);
        let report = books.payout_report(payout["id"].as_str().unwrap());
        (payout["amount"].as_i64().unwrap(), report)
    });
    let said = walk.reconciles(&report).await;
    let [gateway, refunds, disputes, lost, bank, fees] = walk.books("paid out");
    assert_eq!([gateway, refunds, disputes, lost], [0; 4], "{said:#?}");
    assert_eq!((bank, bank + fees), (payout, kept));
    let again = walk.reconciles(&report).await;
    let books = walk.books("paid out, and read again");
    assert_eq!(books, [0, 0, 0, 0, bank, fees], "{again:#?}");
    walk.hears().await;
}
