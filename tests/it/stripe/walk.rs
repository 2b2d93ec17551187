//! The money of one policy through Stripe. The policy is bought, changed with a payment, and cancelled with a
//! refund. The payments are disputed, paid out and reconciled. The test prints the ledger after each step
//! (`cargo nextest run --no-capture -E 'test(stripe::walk)'`).

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use chrono::TimeDelta;
use layby::app::accounting::reconcile::{self, Reconciliation};
use layby::app::check::{self, CheckReport};
use layby::app::payments::ledger;
use layby::clock::Clock;
use layby::domain::money::ledger::Account;
use poem::http::{Method, StatusCode};
use serde_json::json;

use super::double::{Card, Double, Outcome};
use super::now;
use super::till::{CALLBACK, settings};
use crate::policies::{Customer, pence, young_vehicles};
use crate::support::Shop;
use crate::support::stores::snapshot;

/// A customer of a shop that takes payments through the double.
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
        let body = json!({ "product": young_vehicles() });
        let path = "/api/v2/public/quote/breakdown";
        let quote = self.ann.post(path, &body).send().await;
        self.policy = quote.expect(StatusCode::CREATED).text("/data/uuid");
        let agreed = json!({
            "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": false,
        });
        let path = format!("/api/v1/quote/update-accept/{}", self.policy);
        self.ann.post(&path, &agreed).succeeds().await;
        self.pays_for(&self.policy.clone()).await;
    }

    /// Pays for a quote or a change on Stripe's page, and delivers Stripe's report.
    async fn pays_for(&self, uuid: &str) {
        let body = json!({ "uuid": uuid });
        let call = self.ann.post("/api/v1/gateway/stripe/initiate", &body);
        let started = call.succeeds().await;
        let url = started.text("/data/url");
        let session = url.rsplit('/').next().unwrap();
        let paid = self
            .double
            .books(|books, now| books.pay(session, Card::VISA, now).unwrap());
        assert_eq!(paid, Outcome::Paid);
        self.hears().await;
        self.ann.works().await;
    }

    /// Delivers Stripe's webhooks, twice.
    async fn hears(&self) {
        let told = self.double.webhooks();
        for webhook in told.iter().chain(&told) {
            let call = self.ann.shop.call(Method::POST, CALLBACK);
            let call = call.header("Stripe-Signature", &webhook.signature);
            call.body(webhook.body.clone()).succeeds().await;
        }
        self.ann.works().await;
    }

    /// Checks the balance of each account after a step, in pence. The order is customer, gateway, bank,
    /// provider fees, premium, tax, fees, refunds owed, disputes, written off. Prints the ledger, and runs
    /// all checks.
    fn stands(&self, step: &str, expected: [i64; 10]) {
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
        let is =
            Account::all("stripe").map(|account| ledger::balance(&tx, policy, &account).unwrap().0);
        println!("  {is:?}");
        assert_eq!(is, expected, "{step}");
        assert_eq!(is.iter().sum::<i64>(), 0, "{step}");
        let mut said = Vec::new();
        let checked = check::check_running(&self.ann.shop.app.store, None, &mut |report| {
            if let CheckReport::Text(line) = report {
                said.push(line);
            }
            ControlFlow::Continue(())
        });
        assert!(checked.is_ok(), "{step}: {said:?}");
        // The gateway account in the ledger equals Stripe's own books.
        assert_eq!(is[1], self.at_stripe(), "{step}");
    }

    /// Returns Stripe's id of the first payment.
    fn first_payment(&self) -> String {
        let first = |books: &mut super::double::Books, _| books.intents.all()[0]["id"].clone();
        self.double.books(first).as_str().unwrap().to_owned()
    }

    /// Disputes the first payment. Returns Stripe's id of the dispute.
    async fn is_disputed(&self) -> String {
        let first = self.first_payment();
        let dispute = self
            .double
            .books(|books, now| books.dispute(&first, now).unwrap());
        self.hears().await;
        dispute["id"].as_str().unwrap().to_owned()
    }

    /// Decides the dispute.
    async fn is_decided(&self, dispute: &str, won: bool) {
        self.double
            .books(|books, now| books.close_dispute(dispute, won, now).unwrap());
        self.hears().await;
    }

    /// Pays out Stripe's whole balance, and reads its report twice. Returns the messages of the first read.
    async fn is_paid_out(&self) -> Vec<String> {
        let report = self.double.books(|books, now| {
            let payout = books.pay_out(now);
            books.payout_report(payout["id"].as_str().unwrap())
        });
        let said = self.reconciles(&report).await;
        let again = self.reconciles(&report).await;
        assert!(again.last().unwrap().contains("0 are new"), "{again:#?}");
        self.hears().await;
        said
    }

    /// Returns the balance in Stripe's own books, without its fees.
    fn at_stripe(&self) -> i64 {
        self.double.books(|books, _| {
            let open = books.movements.all().iter();
            let open = open.filter(|one| one["status"] == "pending" && one["type"] != "payout");
            open.map(|one| one["amount"].as_i64().unwrap()).sum()
        })
    }

    async fn reconciles(&self, report: &str) -> Vec<String> {
        let order = Reconciliation {
            gateway: None,
            report: report.to_owned(),
        };
        let mut said = Vec::new();
        let now = self.ann.shop.clock.now();
        let done = reconcile::execute(
            (&self.ann.shop.app.store, &self.ann.shop.app.config),
            &order,
            now,
            &mut said,
        );
        done.await.unwrap();
        said
    }
}

/// A year of national cover for two vehicles costs 80.49: 71.87 and 12 % tax of 8.62. With home cover it
/// costs 101.21. It is bought on 21 November 2026 for the 365 days from 25 November.
///
/// - From 21 December 339 days are left: (101.21 - 80.49) * 339 / 365 = 19.24 more. Of this, 19.24 * 12 / 112
///   = 2.06 is tax and 17.18 premium.
/// - From 20 January 2027 309 days are left: 101.21 * 309 / 365 = 85.68 is refunded. Of this, 9.18 is tax and
///   76.50 premium. Less a fee of 15.00 it is 70.68. The newest payment is refunded first: 19.24 of the
///   change, and 51.44 of the first payment. 80.49 - 51.44 = 29.05 is left of that.
/// - The shop earns the fee of 15.00, and 71.87 + 17.18 - 76.50 = 12.55 premium. The tax is
///   8.62 + 2.06 - 9.18 = 1.50. The sum is the 29.05.
/// - Stripe charges 1.5 % and 20 pence for a payment (1.41 and 0.49), and 20.00 for a dispute: 21.90 in
///   total. So the bank gets 7.15 of the 29.05. The second dispute costs the 29.05 and another 20.00.
#[tokio::test]
async fn the_whole_money_of_a_policy_goes_through_stripe_and_its_books_agree() {
    let mut walk = Walk::begun().await;
    walk.buys().await;
    walk.stands("bought", [0, 8049, 0, 0, -7187, -862, 0, 0, 0, 0]);

    walk.ann.sleeps(30).await;
    let offer = walk
        .ann
        .asks(&walk.policy, json!({ "cover_level": 4 }), None)
        .await;
    let change = offer.expect(StatusCode::OK).text("/data/adjustment_id");
    walk.pays_for(&change).await;
    walk.stands("changed", [0, 9973, 0, 0, -8905, -1068, 0, 0, 0, 0]);

    walk.ann.sleeps(30).await;
    let ended = walk.ann.cancels(&walk.policy, json!({})).await;
    ended.expect(StatusCode::OK);
    let owed = [0, 9973, 0, 0, -1255, -150, -1500, -7068, 0, 0];
    walk.stands("cancelled, and the refund owed", owed);
    walk.ann.works().await;
    walk.hears().await;
    let kept = [0, 2905, 0, 0, -1255, -150, -1500, 0, 0, 0];
    walk.stands("refunded", kept);

    walk.ann.shop.clock.advance(TimeDelta::days(3));
    let dispute = walk.is_disputed().await;
    walk.stands("disputed", [0, 0, 0, 0, -1255, -150, -1500, 0, 2905, 0]);
    walk.is_decided(&dispute, true).await;
    walk.stands("won", kept);

    walk.ann.shop.clock.advance(TimeDelta::days(2));
    let said = walk.is_paid_out().await;
    // Two payments, two refunds, and a dispute's two movements.
    let all = "6 lines: 6 matched, of which 6 are new to the ledger";
    assert!(said.last().unwrap().starts_with(all), "{said:#?}");
    let paid_out = [0, 0, 715, 2190, -1255, -150, -1500, 0, 0, 0];
    walk.stands("paid out", paid_out);

    let dispute = walk.is_disputed().await;
    let again = [0, -2905, 715, 2190, -1255, -150, -1500, 0, 2905, 0];
    walk.stands("disputed again", again);
    walk.is_decided(&dispute, false).await;
    let lost = [0, -2905, 715, 2190, -1255, -150, -1500, 0, 0, 2905];
    walk.stands("lost", lost);
    walk.ann.shop.clock.advance(TimeDelta::days(2));
    walk.is_paid_out().await;
    let end = [0, 0, -4190, 4190, -1255, -150, -1500, 0, 0, 2905];
    walk.stands("kept back from the next payout", end);
}

#[tokio::test]
async fn a_change_that_costs_less_than_a_card_can_pay_says_so() {
    let mut walk = Walk::begun().await;
    walk.buys().await;
    walk.ann.sleeps(366).await;
    let offer = walk
        .ann
        .asks(&walk.policy, json!({ "cover_level": 4 }), None);
    let offer = offer.await.expect(StatusCode::OK);
    let amount = pence(offer.at("/data/amount_now"));
    assert!((1..30).contains(&amount), "{amount}");
    let body = json!({ "uuid": offer.text("/data/adjustment_id") });
    let call = walk.ann.post("/api/v1/gateway/stripe/initiate", &body);
    let refused = call.answers(StatusCode::CONFLICT).await;
    assert_eq!(refused.text("/code"), "below_minimum");
    assert!(refused.text("/message").contains("Please call us on"));
    assert_eq!(walk.double.times("POST /v1/checkout/sessions"), 1);
}
