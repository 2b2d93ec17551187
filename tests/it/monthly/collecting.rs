//! The collection charges each payment on its day, once.

use chrono::TimeDelta;
use layby::app::jobs;
use layby::app::payments;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::{PaymentStatus, Purpose};
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use super::{
    DECLINED_LATER, PAYS, accepts_monthly, amounts, collects, covered_monthly, letters,
    lives_until, plan, sleeps_until, states,
};
use crate::money::books::is_clean;
use crate::policies::Customer;
use crate::support::{Shop, two_vehicles};

/// Returns the charges of a policy's instalments, oldest first.
fn charges(ann: &Customer, policy: &str) -> Vec<layby::domain::payment::Payment> {
    let policy: Uuid = policy.parse().unwrap();
    let all = ann.shop.rows(&tables::PAYMENTS).into_iter();
    let mut own: Vec<_> = all
        .map(|(_, payment)| payment)
        .filter(|payment| payment.quote == policy && payment.instrument().is_some())
        .collect();
    own.sort_by_key(|payment| payment.created);
    own
}

#[tokio::test]
async fn each_payment_is_charged_on_its_day_until_all_is_paid() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let all = amounts(&plan(&ann, &policy).await);
    lives_until(&mut ann, "2026-12-20").await;
    assert!(charges(&ann, &policy).is_empty());
    lives_until(&mut ann, "2026-12-21").await;
    let paid = charges(&ann, &policy);
    assert_eq!(paid.len(), 1);
    assert_eq!(
        (paid[0].status, paid[0].amount),
        (PaymentStatus::Paid, Pence(all[1]))
    );
    assert!(matches!(paid[0].purpose, Purpose::Instalments(_)));
    assert_eq!(
        states(&plan(&ann, &policy).await)[..3],
        ["paid", "paid", "upcoming"]
    );
    is_clean(&ann.shop, "after the second payment");
    lives_until(&mut ann, "2027-10-22").await;
    assert_eq!(charges(&ann, &policy).len(), 11);
    let own = plan(&ann, &policy).await;
    assert!(states(&own).iter().all(|state| *state == "paid"));
    assert_eq!(ann.balance(&policy), Pence(all.iter().sum()));
    assert_eq!(letters(&ann, "is fully paid"), 1);
    assert_eq!(letters(&ann, "Your monthly payments for"), 1);
    is_clean(&ann.shop, "after the last payment");
}

#[tokio::test]
async fn a_day_s_charge_begins_at_six_and_is_made_once_however_often_the_collection_runs() {
    let (ann, policy) = covered_monthly(PAYS).await;
    sleeps_until(&ann, "2026-12-21");
    ann.shop.clock.advance(TimeDelta::minutes(-6 * 60 - 1));
    collects(&ann).await;
    assert!(charges(&ann, &policy).is_empty(), "05:59 in London");
    ann.shop.clock.advance(TimeDelta::minutes(2));
    // Two runs at once, then the job twice at once.
    let (one, other) = tokio::join!(jobs::collect(&ann.shop.app), jobs::collect(&ann.shop.app));
    one.unwrap();
    other.unwrap();
    let started = charges(&ann, &policy);
    assert_eq!(started.len(), 1);
    assert_eq!(started[0].status, PaymentStatus::Started);
    let id = started[0].id;
    let (one, other) = tokio::join!(
        payments::collect(&ann.shop.app, id),
        payments::collect(&ann.shop.app, id)
    );
    assert_eq!(
        (one.unwrap(), other.unwrap()),
        (PaymentStatus::Paid, PaymentStatus::Paid)
    );
    collects(&ann).await;
    assert_eq!(charges(&ann, &policy).len(), 1);
    assert_eq!(
        ann.shop
            .rows(&tables::SANDBOX)
            .iter()
            .filter(|(id, _)| *id == started[0].id)
            .count(),
        1
    );
    is_clean(&ann.shop, "after two runs at once");
}

#[tokio::test]
async fn a_missed_week_is_caught_up_one_payment_a_day() {
    let (ann, policy) = covered_monthly(PAYS).await;
    sleeps_until(&ann, "2027-02-25");
    for made in 1..=3 {
        collects(&ann).await;
        collects(&ann).await;
        assert_eq!(charges(&ann, &policy).len(), made);
        ann.shop.clock.advance(TimeDelta::days(1));
    }
    collects(&ann).await;
    assert_eq!(charges(&ann, &policy).len(), 3);
    assert_eq!(letters(&ann, "failed"), 0);
}

#[tokio::test]
async fn a_kill_between_the_row_and_the_call_charges_once_and_an_end_meanwhile_charges_nothing() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    sleeps_until(&ann, "2026-12-21");
    jobs::collect(&ann.shop.app).await.unwrap();
    // The process was killed after the write. The job is still queued.
    is_clean(&ann.shop, "with a charge to be made");
    ann.shop.clock.advance(TimeDelta::hours(1));
    collects(&ann).await;
    assert_eq!(charges(&ann, &policy)[0].status, PaymentStatus::Paid);

    sleeps_until(&ann, "2027-01-21");
    jobs::collect(&ann.shop.app).await.unwrap();
    ann.cookie = ann.shop.log_in(ann.address()).await;
    let ended = ann.cancels(&policy, json!({})).await;
    ended.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(charges(&ann, &policy)[1].status, PaymentStatus::Started);
    // After a day no call can arrive any more.
    ann.shop.clock.advance(TimeDelta::hours(25));
    ann.works().await;
    assert_eq!(charges(&ann, &policy)[1].status, PaymentStatus::Failed);
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    assert_eq!(letters(&ann, "payment for your"), 0, "the policy has ended");
    is_clean(&ann.shop, "after an end before the charge");
}

#[tokio::test]
async fn a_charge_without_an_outcome_stays_open_and_a_late_success_after_the_end_goes_back() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    sleeps_until(&ann, "2026-12-21");
    jobs::collect(&ann.shop.app).await.unwrap();
    let charge = charges(&ann, &policy).remove(0);
    // The gateway has taken the money, and its answer was lost.
    let sold = ann.shop.rows(&tables::PAYMENTS).into_iter();
    let mut sold =
        sold.filter(|(_, one)| one.quote.to_string() == policy && one.instrument().is_none());
    crate::money::paid_at_the_gateway(&ann.shop, &charge, sold.next().unwrap().0).await;
    ann.cookie = ann.shop.log_in(ann.address()).await;
    let ended = ann.cancels(&policy, json!({})).await;
    ended.expect(StatusCode::OK);
    ann.works().await;
    ann.shop.clock.advance(TimeDelta::hours(25));
    ann.works().await;
    let late = charges(&ann, &policy).remove(0);
    assert_eq!(late.status, PaymentStatus::Paid);
    assert!(late.unapplied.is_some(), "it goes back");
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    is_clean(&ann.shop, "after a late payment");
}

/// Returns the number of collections with an outcome. All tests of a process count together.
async fn collections(ann: &Customer, outcome: &str) -> u64 {
    let metrics = ann.shop.get("/metrics").succeeds().await;
    let metrics = String::from_utf8(metrics.bytes).unwrap();
    let name = format!("layby_collections_total{{outcome=\"{outcome}\"}} ");
    let mut lines = metrics.lines();
    let number = lines.find_map(|line| line.strip_prefix(&name));
    number.map_or(0, |number| number.parse().unwrap())
}

#[tokio::test]
async fn collections_that_were_paid_or_failed_are_counted() {
    for (card, outcome) in [(DECLINED_LATER, "failed"), (PAYS, "paid")] {
        let shop = Shop::configured("[server]\nmetrics_allow = [\"0.0.0.0\"]\n").await;
        let mut ann = Customer::of(shop).await;
        let (policy, accepted) = accepts_monthly(&ann, &two_vehicles(), false).await;
        accepted.expect(StatusCode::OK);
        ann.enters_card(&policy, card).await;
        let before = collections(&ann, outcome).await;
        lives_until(&mut ann, "2026-12-22").await;
        assert!(collections(&ann, outcome).await > before, "{outcome}");
    }
}
