//! Three years of a customer's policies: day by day around events, and week by week otherwise.

use std::ops::ControlFlow;

use chrono::{NaiveDate, TimeDelta};
use layby::app::{check, jobs};
use layby::domain::money::Pence;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{Customer, PAYS, pence, young_vehicles};

const LATER_DECLINED: &str = "4000 0000 0000 0341";

/// A customer whose ledger is checked each day.
struct Life {
    ann: Customer,
    /// Every policy so far, with the net amount paid for it.
    policies: Vec<(String, i64)>,
}

impl Life {
    fn newest(&self) -> String {
        self.policies.last().unwrap().0.clone()
    }

    /// Checks that every policy's ledger balances, and shows what was paid.
    fn adds_up(&self) {
        for (policy, paid) in &self.policies {
            assert_eq!(self.ann.balance(policy), Pence(*paid), "{policy}");
            assert_eq!(self.ann.in_hand(policy), Pence(*paid), "{policy}");
        }
    }

    /// Advances to a day with each day's run. Only the last week goes day by day.
    async fn until(&mut self, day: &str) {
        let day: NaiveDate = day.parse().unwrap();
        loop {
            let left = (day - self.ann.shop.app.clock.today()).num_days();
            if left == 0 {
                break;
            }
            let step = if left > 14 { 7 } else { 1 };
            self.ann.shop.clock.advance(TimeDelta::days(step));
            jobs::daily(&self.ann.shop.app).await.unwrap();
            self.ann.works().await;
            self.adds_up();
        }
        self.ann.logs_in().await;
    }

    async fn status(&self, policy: &str) -> Value {
        let read = self.ann.policy(policy).await;
        read.at("/data/info/status_id").clone()
    }

    /// Changes the newest policy, and pays if money is due.
    async fn changes(&mut self, values: Value) -> i64 {
        let policy = self.newest();
        let offer = self.ann.asks(&policy, values, None).await;
        let offer = offer.expect(StatusCode::OK);
        let change = offer.text("/data/adjustment_id");
        let amount = pence(offer.at("/data/amount_now"));
        if amount > 0 {
            self.ann.enters_card(&change, PAYS).await;
        } else {
            let made = self.ann.agrees(&policy, &change).await;
            made.expect(StatusCode::OK);
        }
        self.ann.works().await;
        self.policies.last_mut().unwrap().1 += amount;
        self.adds_up();
        amount
    }

    /// Returns the renewal quote of the newest policy, and its price.
    async fn renewal(&self) -> (String, i64) {
        let read = self.ann.policy(&self.newest()).await;
        let price = pence(read.at("/data/policy/renewal/price"));
        (read.text("/data/policy/renewal/quote_uuid"), price)
    }
}

#[tokio::test]
async fn three_years_of_a_customers_life_and_the_ledger_balances_each_day() {
    let ann = Customer::new().await;
    let first = ann.buys_for_now(&young_vehicles(), PAYS, false).await;
    let paid = pence(ann.policy(&first).await.at("/data/policy/paid"));
    let mut life = Life {
        ann,
        policies: vec![(first.clone(), paid)],
    };
    life.adds_up();

    // The first year: more cover in spring, less in summer, renewed by hand.
    life.until("2027-03-01").await;
    assert!(life.changes(json!({ "cover_level": 5 })).await > 0);
    life.until("2027-07-15").await;
    assert!(life.changes(json!({ "cover_level": 2 })).await < 0);
    life.until("2027-11-10").await;
    let (second, price) = life.renewal().await;
    life.ann.pays_for(&second, PAYS, true).await;
    life.policies.push((second.clone(), price));
    life.until("2027-11-25").await;
    assert_eq!(life.status(&first).await, 16);
    assert_eq!(life.status(&second).await, 5);

    // The second year: renewed by the stored card, and by the same card again.
    life.until("2028-11-22").await;
    let (third, price) = life.renewal().await;
    life.ann.shop.clock.advance(TimeDelta::days(1));
    jobs::daily(&life.ann.shop.app).await.unwrap();
    life.ann.works().await;
    life.policies.push((third.clone(), price));
    life.until("2028-11-24").await;
    assert_eq!(life.status(&second).await, 16);
    assert_eq!(life.status(&third).await, 5);
    life.until("2029-11-22").await;
    let (fourth, price) = life.renewal().await;
    life.ann.shop.clock.advance(TimeDelta::days(1));
    jobs::daily(&life.ann.shop.app).await.unwrap();
    life.ann.works().await;
    life.policies.push((fourth.clone(), price));
    life.until("2029-11-24").await;
    assert_eq!(life.status(&third).await, 16);

    // The customer cancels a few days later, and gets a full refund.
    life.until("2029-11-30").await;
    let done = life.ann.cancels(&fourth, json!({})).await;
    assert_eq!(
        pence(done.expect(StatusCode::OK).at("/data/refund/amount")),
        price
    );
    life.ann.works().await;
    life.policies.last_mut().unwrap().1 = 0;

    // New cover with a card that works for one year only, and later with none.
    let mut product = young_vehicles();
    product["values"]["start_date"] = json!("05.12.2029");
    let last = life.ann.buys(&product, LATER_DECLINED).await;
    let paid = pence(life.ann.policy(&last).await.at("/data/policy/paid"));
    life.policies.push((last.clone(), paid));
    life.until("2030-12-04").await;
    let (lapsing, _) = life.renewal().await;
    let refused = |life: &Life| {
        let letters = life.ann.shop.letters();
        let about = letters.iter();
        about
            .filter(|letter| letter.subject.contains("is not renewed yet"))
            .count()
    };
    assert_eq!(refused(&life), 1);
    life.until("2030-12-07").await;
    assert_eq!(refused(&life), 1);
    assert_eq!(life.status(&last).await, 15);
    let path = format!("/api/v2/openapi/quote/read/{lapsing}");
    let read = life.ann.get(&path).succeeds().await;
    assert_eq!(read.at("/data/info/status_id"), 32);
    let statuses = [(&first, 16), (&second, 16), (&third, 16), (&fourth, 8)];
    for (policy, expected) in statuses {
        assert_eq!(life.status(policy).await, expected);
    }
    // At the end each row has its index rows, and each index row has its row.
    let store = &life.ann.shop.app.store;
    check::check_running(store, None, &mut |_| ControlFlow::Continue(())).unwrap();
}
