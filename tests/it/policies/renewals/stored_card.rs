//! Automatic renewal: the stored card is charged once, ten days before the last day.

use chrono::TimeDelta;
use layby::app::jobs::{self, JobKey, JobQueue};
use layby::app::payments::status;
use layby::domain::payment::PaymentStatus;
use layby::domain::policy::renewal::{CardCharge, QuotedRenewal, RenewalStatus};
use layby::products::Catalogue;
use layby::store::tables::{self, Job, Task};
use layby::store::{Direction, StoreError, WriteTx};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{
    LAST_DAY, LATER_DECLINED, QUOTED, TO_THE_CHARGE, TO_THE_LAST, charges, compare, listed,
    renewal_of, renewing, status, told,
};
use crate::policies::{Customer, PAYS, pence, young_vehicles};
use crate::support::Shop;
use crate::support::gateways::Limits;
use crate::support::stores::snapshot;

/// Returns the job that charges the card.
async fn charge(ann: &Customer) -> Option<(JobKey, Job)> {
    let jobs = jobs::due_jobs(
        &ann.shop.app.store,
        &ann.shop.app.clock,
        JobQueue::Shop,
        100,
    )
    .await
    .unwrap()
    .jobs;
    let mut jobs = jobs.into_iter();
    jobs.find(|(_, job)| matches!(job.task, Task::RenewByCard { .. }))
}

#[tokio::test]
async fn the_stored_card_is_charged_once_before_the_last_day() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    let compared = compare(&ann, &renewal).await;
    assert_eq!(compared.at("/data/charge_on"), "2027-11-14");
    assert!(told(&ann, "renewal")[0].text.contains("14 November 2027"));
    ann.waits(TO_THE_CHARGE - 1).await;
    assert_eq!(charges(&ann), 0);
    ann.shop.clock.advance(TimeDelta::days(1));
    for _ in 0..3 {
        jobs::daily(&ann.shop.app).await.unwrap();
        ann.works().await;
        // Simulates a stop in the middle of the daily run.
        forget_the_day(&ann).await;
    }
    ann.waits(13).await;
    assert_eq!(charges(&ann), 1);
    assert_eq!(status(&ann, &policy).await, 16);
    let next = ann.policy(&renewal).await;
    assert_eq!(next.at("/data/info/status_id"), 5);
    assert_eq!(next.at("/data/policy/auto_renew"), true);
    assert_eq!(next.at("/data/policy/paid"), compared.at("/data/price"));
    assert_eq!(ann.balance(&renewal).0, pence(compared.at("/data/price")));
    assert!(told(&ann, "has ended").is_empty());
    assert!(told(&ann, "not renewed").is_empty());
}

async fn forget_the_day(ann: &Customer) {
    let forget = |tx: &mut layby::store::WriteTx<'_>| {
        tables::LAST_DAILY_RUN.delete(tx, &())?;
        Ok::<_, layby::store::StoreError>(())
    };
    ann.shop.app.store.write(forget).await.unwrap();
}

#[tokio::test]
async fn a_card_that_is_refused_leaves_the_day_to_renew_by_hand() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), LATER_DECLINED).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    ann.waits(TO_THE_CHARGE).await;
    assert_eq!(charges(&ann), 1);
    let letters = told(&ann, "is not renewed yet");
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].link("/quote/edit/"), renewal);
    assert_eq!(status(&ann, &renewal).await, 1);
    let compared = compare(&ann, &renewal).await;
    assert_eq!(compared.at("/data/charge_on"), &Value::Null, "once is all");
    // A customer who pays by hand is asked again about automatic renewal.
    let read = ann.get(&format!("/api/v2/public/quote/read/{renewal}"));
    let read = read.succeeds().await;
    assert_eq!(read.at("/data/auto_renew"), false);
    ann.pays_for(&renewal, PAYS, false).await;
    ann.waits(12).await;
    assert_eq!(charges(&ann), 1);
    assert_eq!(told(&ann, "is not renewed yet").len(), 1);
    assert_eq!(status(&ann, &policy).await, 16);
    assert_eq!(status(&ann, &renewal).await, 5);
}

#[tokio::test]
async fn switched_off_no_card_is_charged() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let path = format!("/api/v1/policy/{policy}/auto-renew");
    let off = ann.put(&path, &json!({ "auto_renew": false })).send().await;
    assert_eq!(
        off.expect(StatusCode::OK).at("/data"),
        &json!({ "auto_renew": false })
    );
    ann.waits(30).await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(status(&ann, &policy).await, 15);
    ann.put(&path, &json!({ "auto_renew": true }))
        .answers(StatusCode::CONFLICT)
        .await;
}

#[tokio::test]
async fn a_shop_that_was_closed_for_the_whole_time_quotes_nothing_and_ends_the_policy() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(LAST_DAY + 5).await;
    assert_eq!(status(&ann, &policy).await, 15);
    assert_eq!(charges(&ann), 0);
    assert_eq!(told(&ann, "has ended").len(), 1);
    assert!(listed(&ann, "flags[]=renewal_quote").await.is_empty());
}

#[tokio::test]
async fn without_its_gateway_no_card_is_charged_and_the_customer_is_told_once() {
    let (mut ann, policy, renewal) = renewing(None, PAYS).await;
    // Simulates that another gateway took the card. The settings no longer have that gateway's keys.
    let policy: uuid::Uuid = policy.parse().unwrap();
    let elsewhere = move |tx: &mut WriteTx<'_>| {
        let card_id = tables::POLICIES
            .get(tx, &policy)?
            .unwrap()
            .instrument
            .unwrap();
        let mut card = tables::INSTRUMENTS.get(tx, &card_id)?.unwrap();
        card.gateway = "stripe".to_string();
        tables::INSTRUMENTS.put(tx, &card_id, &card)
    };
    ann.shop.app.store.write(elsewhere).await.unwrap();
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(told(&ann, "is not renewed yet").len(), 1);
    let left = ann.shop.rows(&tables::JOBS);
    let is_charge = |job: &Job| matches!(job.task, Task::RenewByCard { .. });
    assert!(!left.iter().any(|(_, job)| is_charge(job)), "{left:?}");
    ann.waits(2).await;
    assert_eq!(told(&ann, "is not renewed yet").len(), 1);
    assert_eq!(status(&ann, &renewal).await, 32);
}

#[tokio::test]
async fn a_gateway_that_new_sales_use_no_more_still_charges_the_cards_it_keeps() {
    let (mut ann, _, renewal) = renewing(None, PAYS).await;
    let builtin = Catalogue::load(None).unwrap();
    let off = "[payments]\ngateways = []\n";
    ann.shop = ann.shop.restarted(off, builtin).await;
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 1);
    assert_eq!(status(&ann, &renewal).await, 5);
}

#[tokio::test]
async fn a_refused_card_is_asked_once_whatever_stops_in_between() {
    for heard_of in [true, false] {
        let (mut ann, policy, _) = renewing(None, LATER_DECLINED).await;
        ann.waits(TO_THE_CHARGE - 1).await;
        ann.shop.clock.advance(TimeDelta::days(1));
        jobs::daily(&ann.shop.app).await.unwrap();
        let (key, job) = charge(&ann).await.unwrap();
        let app = ann.shop.app.clone();
        jobs::run_job(&app, key, job.clone()).await.unwrap();
        assert_eq!(charges(&ann), 1);
        // A stop before the job was deleted, or right after the attempt was stored.
        if !heard_of {
            undo_charge(&ann, &policy).await;
        }
        jobs::run_job(&app, key, job).await.unwrap();
        ann.waits(1).await;
        assert_eq!(charges(&ann), 1, "{heard_of}");
        assert_eq!(told(&ann, "is not renewed yet").len(), 1, "{heard_of}");
    }
}

/// Restores the store to the state with a stored attempt and no charge.
async fn undo_charge(ann: &Customer, policy: &str) {
    let uuid = policy.parse().unwrap();
    let undo = move |tx: &mut WriteTx<'_>| {
        let mut row = tables::POLICIES.get(tx, &uuid)?.unwrap();
        row.renewal = RenewalStatus::Quoted(QuotedRenewal {
            card: CardCharge::Queued,
            ..*row.renewal.quoted().unwrap()
        });
        tables::POLICIES.put(tx, &uuid, &row)?;
        for (key, _) in tables::POLICY_LETTERS.list(tx, &(), Direction::Forward, 100)? {
            tables::POLICY_LETTERS.delete(tx, &key)?;
        }
        let payments = tables::PAYMENTS.list(tx, &(), Direction::Forward, usize::MAX)?;
        for (id, mut payment) in payments {
            if payment.instrument().is_some() {
                payment.status = PaymentStatus::Started;
                tables::PAYMENTS.put(tx, &id, &payment)?;
                tables::SANDBOX.delete(tx, &id)?;
            }
        }
        Ok::<_, StoreError>(())
    };
    ann.shop.app.store.write(undo).await.unwrap();
}

#[tokio::test]
async fn a_charge_that_a_stop_interrupted_on_the_last_day_is_not_made_after_it() {
    let (mut ann, policy, _) = renewing(None, LATER_DECLINED).await;
    ann.waits(TO_THE_CHARGE - 1).await;
    // The shop is closed until the last day.
    ann.shop.clock.advance(TimeDelta::days(11));
    jobs::daily(&ann.shop.app).await.unwrap();
    let (key, job) = charge(&ann).await.unwrap();
    let app = ann.shop.app.clone();
    jobs::run_job(&app, key, job.clone()).await.unwrap();
    undo_charge(&ann, &policy).await;
    ann.shop.clock.advance(TimeDelta::days(1));
    jobs::run_job(&app, key, job).await.unwrap();
    ann.works().await;
    let tx = snapshot(&ann.shop.app.store);
    let payments = tables::PAYMENTS.list(&tx, &(), Direction::Forward, usize::MAX);
    let mut charged = payments
        .unwrap()
        .into_iter()
        .filter(|(_, one)| one.instrument().is_some());
    assert!(charged.all(|(id, one)| {
        one.status == PaymentStatus::Failed && !tables::SANDBOX.has(&tx, &id).unwrap()
    }));
}

#[tokio::test]
async fn a_page_that_is_paid_beside_the_stored_card_renews_nothing_again_and_goes_back() {
    let shop = Shop::limited_at(Limits::CLOSES_NO_PAGE, "http://127.0.0.1:9").await;
    let (mut ann, policy, renewal) = renewing(Some(shop), PAYS).await;
    ann.waits(TO_THE_CHARGE - 1).await;
    // On the next day, the card is charged while a page is open. The gateway can't close this page.
    ann.shop.clock.advance(TimeDelta::days(1));
    ann.accepts(&renewal, false).await;
    let body = json!({ "uuid": renewal });
    let open = ann.post("/api/v1/gateway/sandbox/initiate", &body);
    let open = open.send().await.expect(StatusCode::OK);
    jobs::daily(&ann.shop.app).await.unwrap();
    ann.works().await;
    assert_eq!(charges(&ann), 1);
    let renewed = ann.policy(&renewal).await;
    let paid = pence(renewed.at("/data/policy/paid"));
    assert_eq!(ann.balance(&renewal).0, paid);

    let page = ann.shop.pay(&open.text("/data/url"), PAYS).await;
    page.assert_status_is_ok();
    let attempt = open.text("/data/payment_id");
    status::sync_payment_status(&ann.shop.app, attempt.parse().unwrap())
        .await
        .unwrap();
    ann.works().await;
    let read = ann.get(&format!("/api/v1/payment/{attempt}")).send().await;
    assert_eq!(read.expect(StatusCode::OK).at("/data/status"), "refunded");
    assert_eq!(ann.balance(&renewal).0, paid, "the year is paid for once");
    assert_eq!(
        pence(ann.policy(&renewal).await.at("/data/policy/paid")),
        paid
    );
    ann.waits(11).await;
    assert_eq!(status(&ann, &policy).await, 16);
}
