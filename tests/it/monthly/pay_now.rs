//! The customer pays what is due, or all that is left, on a page.

use layby::app::jobs;
use layby::app::payments::status;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::changes::changes;
use super::{
    DECLINED_LATER, PAYS, amounts, collects, covered_monthly, letters, lives_until, plan,
    sleeps_until, states,
};
use crate::money::books::is_clean;
use crate::policies::{Customer, pence};
use crate::support::Answer;

pub(super) async fn pay(ann: &Customer, policy: &str, more: Value) -> Answer {
    let mut body = json!({ "provider": "sandbox" });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    ann.post(&format!("/api/v1/policy/{policy}/pay"), &body)
        .send()
        .await
}

/// Enters a card on a started page, and asks for the outcome.
pub(super) async fn enter_card(ann: &Customer, started: &Answer, card: &str) {
    ann.shop.pay(&started.text("/data/url"), card).await;
    let payment = started.text("/data/payment_id").parse().unwrap();
    status::sync_payment_status(&ann.shop.app, payment)
        .await
        .unwrap();
    ann.works().await;
}

#[tokio::test]
async fn paying_what_is_due_with_another_card_stops_the_notice_and_the_plan_goes_on() {
    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    let all = amounts(&plan(&ann, &policy).await);
    lives_until(&mut ann, "2027-01-05").await;
    assert_eq!(plan(&ann, &policy).await["status"], "notice");
    let started = pay(&ann, &policy, json!({ "keep_card": true })).await;
    let started = started.expect(StatusCode::OK);
    let again = pay(&ann, &policy, json!({ "keep_card": true })).await;
    let again = again.expect(StatusCode::OK);
    assert_eq!(
        again.at("/data/payment_id"),
        started.at("/data/payment_id"),
        "one page"
    );
    enter_card(&ann, &started, PAYS).await;
    let own = plan(&ann, &policy).await;
    assert_eq!((&own["status"], &own["due"]), (&json!("active"), &json!(0)));
    let read = ann.get(&format!(
        "/api/v1/payment/{}",
        started.text("/data/payment_id")
    ));
    let read = read.succeeds().await;
    assert_eq!(
        (read.at("/data/status"), read.at("/data/amount")),
        (&json!("paid"), &json!(all[1] as f64 / 100.0))
    );
    // The next payment is charged to the new card.
    lives_until(&mut ann, "2027-01-21").await;
    assert_eq!(
        states(&plan(&ann, &policy).await)[..4],
        ["paid", "paid", "paid", "upcoming"]
    );
    assert_eq!(letters(&ann, "We have cancelled"), 0);
    is_clean(&ann.shop, "after a payment by the customer");
    let nothing = pay(&ann, &policy, json!({}))
        .await
        .expect(StatusCode::CONFLICT);
    assert_eq!(nothing.text("/code"), "nothing_due");
}

#[tokio::test]
async fn paying_the_rest_ends_the_charges_and_an_old_page_goes_back() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let all = amounts(&plan(&ann, &policy).await);
    let started = pay(&ann, &policy, json!({ "rest": true }))
        .await
        .expect(StatusCode::OK);
    // The page stays open while the card is charged.
    lives_until(&mut ann, "2026-12-21").await;
    ann.shop.pay(&started.text("/data/url"), PAYS).await;
    let old = started.text("/data/payment_id").parse().unwrap();
    status::sync_payment_status(&ann.shop.app, old)
        .await
        .unwrap();
    ann.works().await;
    let paid = ann.shop.row(&layby::store::tables::PAYMENTS, &old);
    assert!(!paid.is_applied(), "{paid:?}");
    let started = pay(&ann, &policy, json!({ "rest": true }))
        .await
        .expect(StatusCode::OK);
    enter_card(&ann, &started, PAYS).await;
    let own = plan(&ann, &policy).await;
    assert!(states(&own).iter().all(|state| *state == "paid"));
    assert_eq!(letters(&ann, "is fully paid"), 1);
    lives_until(&mut ann, "2027-01-22").await;
    assert_eq!(ann.balance(&policy), Pence(all.iter().sum()));
    is_clean(&ann.shop, "after the rest");
}

#[tokio::test]
async fn before_a_later_end_nothing_is_paid_for_the_time_after_it() {
    let (ann, policy) = covered_monthly(PAYS).await;
    let all = amounts(&plan(&ann, &policy).await);
    let end = json!({ "effective_date": "2027-03-21" });
    ann.cancels(&policy, end).await.expect(StatusCode::OK);
    let left = pence(&plan(&ann, &policy).await["left"]);
    assert_eq!(left, all[1..4].iter().sum::<i64>());
    // The page of a tab that was opened before.
    let started = pay(&ann, &policy, json!({ "rest": true })).await;
    let started = started.expect(StatusCode::OK);
    enter_card(&ann, &started, PAYS).await;
    let own = plan(&ann, &policy).await;
    let expected = ["paid", "paid", "paid", "paid", "stopped"];
    assert_eq!(states(&own)[..5], expected);
    let taken = ann.account(&policy, Account::gateway("sandbox"));
    assert_eq!(taken, Pence(all[..4].iter().sum()));
    for more in [json!({ "rest": true }), json!({ "keep_card": true })] {
        let nothing = pay(&ann, &policy, more).await;
        nothing.expect(StatusCode::CONFLICT);
    }
    is_clean(&ann.shop, "after the rest before an end");
}

#[tokio::test]
async fn a_payment_waits_while_the_card_is_charged_and_is_the_owners_alone() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let nothing = pay(&ann, &policy, json!({}))
        .await
        .expect(StatusCode::CONFLICT);
    assert_eq!(nothing.text("/code"), "nothing_due");
    let body = json!({ "provider": "sandbox", "rest": true });
    let path = format!("/api/v1/policy/{policy}/pay");
    let stranger = ann
        .shop
        .post(&path, &body)
        .cookies(&ann.stranger().await)
        .send()
        .await;
    stranger.expect(StatusCode::NOT_FOUND);
    pay(&ann, &policy, json!({ "provider": "unheard" }))
        .await
        .expect(StatusCode::NOT_FOUND);
    sleeps_until(&ann, "2026-12-21");
    ann.cookie = ann.shop.log_in(ann.address()).await;
    jobs::collect(&ann.shop.app).await.unwrap();
    let waits = pay(&ann, &policy, json!({ "rest": true }))
        .await
        .expect(StatusCode::CONFLICT);
    assert_eq!(waits.text("/code"), "charge_open");
    collects(&ann).await;
    pay(&ann, &policy, json!({ "rest": true }))
        .await
        .expect(StatusCode::OK);
}

#[tokio::test]
async fn what_was_paid_of_an_increase_comes_back_when_it_is_withdrawn() {
    let (ann, policy) = covered_monthly(PAYS).await;
    let before: i64 = amounts(&plan(&ann, &policy).await).iter().sum();
    let (change, more) = changes(&ann, &policy, 4, Some("2027-03-01")).await;
    let letters = ann.shop.letters();
    let agreed = letters
        .iter()
        .find(|one| one.subject.contains("changes on a later day"));
    let agreed = &agreed.unwrap().text;
    assert!(!agreed.contains("You paid"), "{agreed}");
    assert!(
        agreed.contains("Your later monthly payments change"),
        "{agreed}"
    );
    let started = pay(&ann, &policy, json!({ "rest": true })).await;
    enter_card(&ann, &started.expect(StatusCode::OK), PAYS).await;
    // The ledger has the change from its day on.
    assert_eq!(ann.account(&policy, Account::Customer), Pence(-more));
    let path = format!("/api/v1/policy/ntu/{change}");
    ann.put(&path, &json!({})).succeeds().await;
    ann.works().await;
    assert_eq!(ann.balance(&policy), Pence(before));
    is_clean(&ann.shop, "after the withdrawal of a paid increase");
}
