//! A policy that is paid monthly is changed and renewed: its payments change, and nothing is due at once.

use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{PAYS, amounts, covered_monthly, letters, lives_until, plan, sleeps_until};
use crate::money::books::is_clean;
use crate::policies::{Customer, pence};

/// Offers another level of cover and agrees to it. Returns the amount of the change.
pub async fn changes(ann: &Customer, policy: &str, level: u32, day: Option<&str>) -> (String, i64) {
    let offer = ann.asks(policy, json!({ "cover_level": level }), day).await;
    let offer = offer.expect(StatusCode::OK);
    let change = offer.text("/data/adjustment_id");
    assert_ne!(offer.at("/data/plan"), &Value::Null);
    let shown = amounts(offer.at("/data/plan"));
    ann.agrees(policy, &change).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(amounts(&plan(ann, policy).await), shown, "as it was shown");
    (change, pence(offer.at("/data/amount_now")))
}

#[tokio::test]
async fn an_increase_and_a_decrease_are_spread_over_the_payments_that_are_left() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let before = amounts(&plan(&ann, &policy).await);
    lives_until(&mut ann, "2026-12-22").await;
    let (_, more) = changes(&ann, &policy, 4, None).await;
    assert!(more > 0);
    let after = amounts(&plan(&ann, &policy).await);
    assert_eq!(after[..2], before[..2]);
    assert_eq!(after.iter().sum::<i64>(), before.iter().sum::<i64>() + more);
    assert_eq!(letters(&ann, "New monthly payments"), 1);
    is_clean(&ann.shop, "after an increase");
    lives_until(&mut ann, "2027-01-22").await;
    let (_, less) = changes(&ann, &policy, 1, None).await;
    assert!(less < 0);
    let last = amounts(&plan(&ann, &policy).await);
    assert_eq!(last.iter().sum::<i64>(), after.iter().sum::<i64>() + less);
    assert!(
        ann.shop.rows(&tables::REFUNDS).is_empty(),
        "nothing exceeds them"
    );
    is_clean(&ann.shop, "after a decrease");
    lives_until(&mut ann, "2027-10-22").await;
    assert_eq!(ann.balance(&policy), Pence(last.iter().sum()));
    is_clean(&ann.shop, "after the last payment");
}

#[tokio::test]
async fn a_change_for_a_later_day_is_spread_from_it_and_its_withdrawal_restores_the_payments() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let before = amounts(&plan(&ann, &policy).await);
    let (change, more) = changes(&ann, &policy, 4, Some("2027-03-01")).await;
    let after = amounts(&plan(&ann, &policy).await);
    assert_eq!(after[..4], before[..4]);
    assert_eq!(after.iter().sum::<i64>(), before.iter().sum::<i64>() + more);
    is_clean(&ann.shop, "with a change for a later day");
    let path = format!("/api/v1/policy/ntu/{change}");
    ann.put(&path, &json!({})).succeeds().await;
    ann.works().await;
    assert_eq!(amounts(&plan(&ann, &policy).await), before);
    is_clean(&ann.shop, "after the withdrawal");
    changes(&ann, &policy, 4, Some("2027-03-01")).await;
    lives_until(&mut ann, "2027-03-02").await;
    is_clean(&ann.shop, "after the day of the change");
    // An end before the next change counts what is earned at both prices.
    changes(&ann, &policy, 1, Some("2027-06-01")).await;
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    is_clean(&ann.shop, "after the end");
}

#[tokio::test]
async fn a_change_is_refused_while_a_payment_is_due() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let offer = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let change = offer.expect(StatusCode::OK).text("/data/adjustment_id");
    sleeps_until(&ann, "2026-12-21");
    ann.cookie = ann.shop.log_in(ann.address()).await;
    let due = amounts(&plan(&ann, &policy).await)[1];
    let refused = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let refused = refused.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "payment_due");
    assert!(
        refused.text("/message").contains(&Pence(due).to_string()),
        "{:?}",
        refused.body
    );
    ann.agrees(&policy, &change)
        .await
        .expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn the_renewal_keeps_the_way_of_paying() {
    let ann = Customer::new().await;
    let product = crate::policies::young_vehicles();
    let (policy, accepted) = super::accepts_monthly(&ann, &product, true).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    let mut ann = ann;
    lives_until(&mut ann, "2027-11-25").await;
    let old = ann.policy(&policy).await;
    let renewed = old.text("/data/policy/renewed_by");
    let own = plan(&ann, &renewed).await;
    assert_eq!(
        (own["status"].as_str(), amounts(&own).len()),
        (Some("active"), 12)
    );
    assert_eq!(own["payments"][0]["state"], "paid");
    lives_until(&mut ann, "2027-12-24").await;
    assert_eq!(plan(&ann, &renewed).await["payments"][1]["state"], "paid");
    is_clean(&ann.shop, "a month after the renewal");
}

#[tokio::test]
async fn one_press_pays_the_next_year_at_once() {
    let mut ann = Customer::new().await;
    let at_once = json!({ "auto_renew": true, "payment_frequency": "annual" });
    let monthly = json!({ "auto_renew": true, "payment_frequency": "monthly" });
    let annual = ann.buys(&crate::policies::young_vehicles(), PAYS).await;
    let path = format!("/api/v1/policy/{annual}/auto-renew");
    ann.put(&path, &at_once).succeeds().await;
    let weekly = json!({ "auto_renew": true, "payment_frequency": "weekly" });
    for wrong in [&monthly, &weekly] {
        ann.put(&path, wrong)
            .answers(StatusCode::UNPROCESSABLE_ENTITY)
            .await;
    }

    let product = crate::policies::young_vehicles();
    let (policy, accepted) = super::accepts_monthly(&ann, &product, true).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    for body in [&at_once, &monthly, &at_once] {
        ann.put(&format!("/api/v1/policy/{policy}/auto-renew"), body)
            .succeeds()
            .await;
    }
    lives_until(&mut ann, "2027-11-25").await;
    let renewed = ann.policy(&policy).await.text("/data/policy/renewed_by");
    let next = ann.policy(&renewed).await;
    assert_eq!(next.at("/data/policy/plan"), &Value::Null, "paid at once");
    is_clean(&ann.shop, "after a renewal that is paid at once");
}

#[tokio::test]
async fn an_end_on_a_later_day_takes_the_later_change_out_of_the_payments() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let before = amounts(&plan(&ann, &policy).await);
    changes(&ann, &policy, 4, Some("2027-03-01")).await;
    // A payment is due, and the customer can still end the cover.
    sleeps_until(&ann, "2026-12-21");
    ann.cookie = ann.shop.log_in(ann.address()).await;
    let ends = json!({ "effective_date": "2027-01-15" });
    ann.cancels(&policy, ends).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(amounts(&plan(&ann, &policy).await), before);
    is_clean(&ann.shop, "with an end on a later day");
    lives_until(&mut ann, "2027-01-16").await;
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    is_clean(&ann.shop, "after the end");
}
