//! Policies that are paid monthly, from the sale to their end.

mod any_order;
mod bank_transfer;
mod cards;
mod changes;
mod collecting;
mod ends;
mod gateways;
mod guest;
mod letter_texts;
mod losses;
mod notice;
mod pay_now;
mod sale;
pub mod stop_charging;
mod two_shops;
mod unpaid;
mod withdrawn_product;
mod year;

use chrono::{NaiveDate, TimeDelta};
use layby::app::jobs;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::policies::{Customer, PAYS, pence};
use crate::support::{Answer, two_vehicles};

/// This card pays, and a later charge of it is declined.
const DECLINED_LATER: &str = "4000 0000 0000 0341";

/// Makes a quote and accepts it with monthly payments. Returns its uuid and the answer.
pub async fn accepts_monthly(
    ann: &Customer,
    product: &Value,
    auto_renew: bool,
) -> (String, Answer) {
    let quote = ann.create(product).answers(StatusCode::CREATED).await;
    let uuid = quote.text("/data/uuid");
    let accepted = accept(ann, &uuid, "monthly", auto_renew).await;
    (uuid, accepted)
}

async fn accept(ann: &Customer, quote: &str, frequency: &str, auto_renew: bool) -> Answer {
    let read = ann.get(&format!("/api/v2/public/quote/read/{quote}"));
    read.succeeds().await;
    let accept = json!({
        "payment_frequency": frequency, "terms_and_conditions": true, "auto_renew": auto_renew,
    });
    ann.post(&format!("/api/v1/quote/update-accept/{quote}"), &accept)
        .send()
        .await
}

/// Buys cover for two vehicles from 25 November 2026, on 21 November, with a card that pays monthly.
async fn covered_monthly(card: &str) -> (Customer, String) {
    let ann = Customer::new().await;
    let (policy, accepted) = accepts_monthly(&ann, &two_vehicles(), false).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, card).await;
    (ann, policy)
}

/// Returns the plan of a policy as its owner reads it.
async fn plan(ann: &Customer, policy: &str) -> Value {
    ann.policy(policy).await.at("/data/policy/plan").clone()
}

/// Returns the amounts of a plan's payments, in pence.
fn amounts(plan: &Value) -> Vec<i64> {
    let payments = plan["payments"].as_array().unwrap();
    payments.iter().map(|own| pence(&own["amount"])).collect()
}

/// Advances the clock to noon of each day until `day`, and runs the jobs of each day.
async fn lives_until(ann: &mut Customer, day: &str) {
    let day: NaiveDate = day.parse().unwrap();
    while ann.shop.app.clock.today() < day {
        ann.waits(1).await;
        collects(ann).await;
    }
}

/// Runs the collection and its jobs, and again for what follows from their outcome.
async fn collects(ann: &Customer) {
    for _ in 0..2 {
        jobs::collect(&ann.shop.app).await.unwrap();
        ann.works().await;
    }
}

/// Advances the clock to noon of a later day, while the shop is closed.
fn sleeps_until(ann: &Customer, day: &str) {
    let day: NaiveDate = day.parse().unwrap();
    let days = (day - ann.shop.app.clock.today()).num_days();
    ann.shop.clock.advance(TimeDelta::days(days));
}

/// Returns the states of a plan's payments.
fn states(plan: &Value) -> Vec<&str> {
    let payments = plan["payments"].as_array().unwrap().iter();
    payments.map(|own| own["state"].as_str().unwrap()).collect()
}

/// Returns the subjects of the letters whose subject has `words`.
fn letters(ann: &Customer, words: &str) -> usize {
    let letters = ann.shop.letters();
    letters
        .iter()
        .filter(|letter| letter.subject.contains(words))
        .count()
}

/// Returns an amount as letters show it.
fn in_letter(pence: i64) -> String {
    layby::domain::money::Pence(pence)
        .to_string()
        .replace('£', "GBP ")
}
