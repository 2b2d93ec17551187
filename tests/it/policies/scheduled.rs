//! Days that customers choose: a change and a cancellation for a later day of the term.

mod changes;
mod day;
mod documents;
mod ends;
mod ends_and_changes;
mod offers;
mod renewals;

use chrono::NaiveDate;
use layby::app::jobs;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::store::{StoreError, WriteTx, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::renewals::{gbp, told};
use super::{Customer, PAYS, pence};
use crate::support::Answer;
use crate::support::stores::snapshot;

/// Returns a share of a year's price by days. Half a penny is rounded away from zero.
fn share(premium: i64, days: i64) -> i64 {
    let twice = 2 * premium * days;
    (twice + 365 * twice.signum()) / (365 * 2)
}

/// A change for a day, priced but not agreed yet.
struct Offer {
    id: String,
    /// Due now, in pence.
    amount: i64,
    /// The price of a whole term before and after, in pence.
    before: i64,
    after: i64,
}

async fn offer(ann: &Customer, policy: &str, values: Value, day: &str) -> Offer {
    let offered = ann.asks(policy, values, Some(day)).await;
    let offered = offered.expect(StatusCode::OK);
    assert_eq!(offered.at("/data/effective_date"), day);
    assert_eq!(offered.at("/data/status"), "pending");
    assert_eq!(offered.at("/data/can_withdraw"), true);
    let of = |name: &str| pence(offered.at(&format!("/data/{name}")));
    Offer {
        id: offered.text("/data/adjustment_id"),
        amount: of("amount_now"),
        before: of("premium_before"),
        after: of("premium_after"),
    }
}

/// Agrees a change for a day, and pays if money is due.
async fn agreed(ann: &Customer, policy: &str, values: Value, day: &str) -> Offer {
    let offer = offer(ann, policy, values, day).await;
    if offer.amount > 0 {
        ann.enters_card(&offer.id, PAYS).await;
    } else {
        let agreed = ann.agrees(policy, &offer.id).await.expect(StatusCode::OK);
        assert_eq!(agreed.at("/data/status"), "agreed");
    }
    ann.works().await;
    assert_eq!(change(ann, policy, &offer.id).await["status"], "agreed");
    offer
}

/// Returns a change from the policy's history.
async fn change(ann: &Customer, policy: &str, id: &str) -> Value {
    let path = format!("/api/v1/policy/{policy}/mta");
    let history = ann.get(&path).succeeds().await;
    let all = history.at("/data").as_array().unwrap().clone();
    let mut own = all.into_iter().filter(|one| one["adjustment_id"] == id);
    own.next().unwrap()
}

/// Withdraws a change, or undoes a policy.
async fn ntu(ann: &Customer, id: &str) -> Answer {
    let path = format!("/api/v1/policy/ntu/{id}");
    ann.put(&path, &json!({})).send().await
}

/// Schedules a policy's cancellation for a day. Returns the cancellation's id.
async fn ends(ann: &Customer, policy: &str, day: &str) -> String {
    let asked = ann.cancels(policy, json!({ "effective_date": day })).await;
    let asked = asked.expect(StatusCode::OK);
    assert_eq!(asked.at("/data/status"), "pending");
    asked.text("/data/id")
}

/// Withdraws a cancellation.
async fn goes_on(ann: &Customer, id: &str) -> Answer {
    let path = format!("/api/v1/activity/{id}/withdraw");
    ann.put(&path, &json!({})).send().await
}

async fn activities(ann: &Customer, policy: &str) -> Answer {
    let path = format!("/api/v1/activities?policy={policy}&type=cancellation");
    ann.get(&path).succeeds().await
}

async fn status(ann: &Customer, policy: &str) -> Value {
    let read = ann.policy(policy).await;
    read.at("/data/info/status_id").clone()
}

async fn level(ann: &Customer, policy: &str) -> Value {
    let read = ann.policy(policy).await;
    read.at("/data/values/cover_level").clone()
}

/// Advances the clock to noon of a day. The daily runs in between are missed.
async fn sleeps_until(ann: &mut Customer, day: &str) {
    let day: NaiveDate = day.parse().unwrap();
    let days = (day - ann.shop.app.clock.today()).num_days();
    ann.sleeps(days).await;
}

/// Checks that the ledger balances. Returns the net amount received and the amount owed to the customer, in
/// pence. The difference is premium, tax and charges.
fn books(ann: &Customer, policy: &str) -> (i64, i64) {
    let received = ann.balance(policy);
    let owed = -ann.account(policy, Account::Refunds);
    let all: Pence = Account::all("sandbox")
        .into_iter()
        .map(|account| ann.account(policy, account))
        .sum();
    assert_eq!(all, Pence::ZERO);
    (received.0, owed.0)
}

/// Returns the earned premium with its tax, in pence.
fn earned(ann: &Customer, policy: &str) -> (i64, i64) {
    let premium = -ann.account(policy, Account::Premium);
    let tax = -ann.account(policy, Account::Tax);
    ((premium + tax).0, tax.0)
}

/// Returns the tax in a premium, in pence.
fn tax_in(gross: i64) -> i64 {
    (gross * 12 * 2 + 112) / (112 * 2)
}

/// Repeats today's daily run, as after a stop in the middle of it.
async fn round_again(ann: &Customer) {
    let forget = move |tx: &mut WriteTx<'_>| {
        tables::LAST_DAILY_RUN.delete(tx, &())?;
        Ok::<_, StoreError>(())
    };
    ann.shop.app.store.write(forget).await.unwrap();
    jobs::daily(&ann.shop.app).await.unwrap();
    ann.works().await;
}

/// Returns the days in the index of due actions.
fn coming_days(ann: &Customer) -> Vec<NaiveDate> {
    ann.shop
        .rows(&tables::POLICY_BY_SCHEDULED_DAY)
        .into_iter()
        .map(|((day, _), ())| day)
        .collect()
}
