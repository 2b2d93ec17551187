//! Renewals: quoted four weeks ahead, then paid by hand or by the stored card.

mod by_hand;
mod card_owner;
mod card_removed;
mod card_unclear;
mod missed_rounds;
mod notified_price;
mod preview;
mod products;
mod quoted;
mod requotes;
mod stored_card;

use layby::app::jobs::{self, JobQueue};
use layby::store::tables;
use serde_json::Value;

use super::{Customer, PAYS, pence, young_vehicles};
use crate::support::{Answer, Letter, Shop};

pub(super) use crate::support::shop_with_prices;

/// Days from the purchase to the day of the renewal quote, 27 October 2027.
pub const QUOTED: i64 = 340;
/// Days from the purchase to the last day, 24 November 2027.
pub const LAST_DAY: i64 = 368;

/// Returns a customer with cover from 25 November 2026, without automatic renewal.
pub(super) async fn by_hand() -> (Customer, String) {
    let ann = Customer::new().await;
    let policy = ann.buys_for_now(&young_vehicles(), PAYS, false).await;
    (ann, policy)
}

pub async fn renewal_of(ann: &Customer, policy: &str) -> String {
    let read = ann.policy(policy).await;
    read.text("/data/policy/renewal/quote_uuid")
}

/// Reads the renewal's comparison with its policy. Checks that its lines lead from one price to the other.
pub(super) async fn compare(ann: &Customer, renewal: &str) -> Answer {
    let path = format!("/api/v1/renewal/{renewal}");
    let answer = ann.get(&path).succeeds().await;
    if answer.at("/data/price").is_null() {
        return answer;
    }
    let price = |name: &str| pence(answer.at(&format!("/data/{name}")));
    let differences = answer.at("/data/differences").as_array().unwrap();
    let sum: i64 = differences.iter().map(|one| pence(&one["amount"])).sum();
    assert_eq!(price("price_last_year") + sum, price("price"));
    assert!(price("price") <= price("price_new_customer"));
    answer
}

pub(super) async fn status(ann: &Customer, uuid: &str) -> Value {
    let path = format!("/api/v2/openapi/quote/read/{uuid}");
    let read = ann.get(&path).succeeds().await;
    read.at("/data/info/status_id").clone()
}

pub(super) fn told(ann: &Customer, about: &str) -> Vec<Letter> {
    let letters = ann.shop.letters().into_iter();
    letters
        .filter(|letter| letter.subject.contains(about))
        .collect()
}

/// Returns the number of charges of a stored card for renewals.
pub(super) fn charges(ann: &Customer) -> usize {
    let payments = ann.shop.rows(&tables::PAYMENTS).into_iter();
    payments
        .filter(|(_, one)| one.instrument().is_some())
        .count()
}

pub(super) fn gbp(pence: i64) -> String {
    format!("GBP {}.{:02}", pence / 100, pence % 100)
}

pub(super) async fn listed(ann: &Customer, query: &str) -> Vec<Value> {
    let path = format!("/api/v2/policy/list?limit=100&{query}");
    let list = ann.get(&path).succeeds().await;
    list.at("/data").as_array().unwrap().clone()
}

const LATER_DECLINED: &str = "4000 0000 0000 0341";
/// Days from the renewal quote to the last day.
const TO_THE_LAST: i64 = LAST_DAY - QUOTED;
/// Days from the renewal's quote to the first charge of the card, 14 November 2027.
pub const TO_THE_CHARGE: i64 = TO_THE_LAST - 10;

/// Returns a customer with automatic renewal, the policy, and its renewal quote.
async fn renewing(shop: Option<Shop>, card: &str) -> (Customer, String, String) {
    let mut ann = match shop {
        Some(shop) => Customer::of(shop).await,
        None => Customer::new().await,
    };
    let policy = ann.buys(&young_vehicles(), card).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    (ann, policy, renewal)
}

/// Runs the due jobs of one queue.
async fn work_off(ann: &Customer, queue: JobQueue) {
    for (key, job) in jobs::due_jobs(&ann.shop.app.store, &ann.shop.app.clock, queue, 100)
        .await
        .unwrap()
        .jobs
    {
        jobs::run_job(&ann.shop.app, key, job).await.unwrap();
    }
}
