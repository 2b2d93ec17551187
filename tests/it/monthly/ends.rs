//! A policy that is paid monthly is cancelled: what is paid and not earned comes back, and the payments stop.

use layby::app::jobs;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{
    DECLINED_LATER, PAYS, amounts, collects, covered_monthly, letters, plan, sleeps_until, states,
};
use crate::money::books::is_clean;
use crate::policies::pence;
use crate::support::Answer;

/// Returns the refund of an activity, after a check that its lines add up to it.
#[track_caller]
fn refund(activity: &Answer) -> i64 {
    let amount = pence(activity.at("/data/refund/amount"));
    let lines = activity.at("/data/refund/lines").as_array().unwrap();
    let sum: i64 = lines.iter().map(|line| pence(&line["amount"])).sum();
    assert_eq!(sum, amount, "{:#}", activity.body);
    amount
}

#[tokio::test]
async fn within_fourteen_days_all_that_was_paid_comes_back() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let all = amounts(&plan(&ann, &policy).await);
    ann.sleeps(10).await;
    let look = ann.cancels(&policy, json!({ "preview": true })).await;
    let look = look.expect(StatusCode::OK);
    assert_eq!(refund(&look), all[0]);
    let stopped = look.at("/data/stopped_payments");
    assert_eq!(
        (&stopped["count"], &stopped["last_day"]),
        (&json!(11), &json!("2027-10-21"))
    );
    assert_eq!(pence(&stopped["total"]), all[1..].iter().sum::<i64>());
    let done = ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    assert_eq!(refund(&done), all[0]);
    assert_eq!(done.at("/data/stopped_payments"), stopped);
    ann.works().await;
    let own = plan(&ann, &policy).await;
    assert_eq!(
        (own["status"].as_str(), &own["left"]),
        (Some("ended"), &json!(0))
    );
    assert_eq!(states(&own)[..2], ["paid", "stopped"]);
    for account in [
        Account::Customer,
        Account::Tax,
        Account::Premium,
        Account::WrittenOff,
    ] {
        assert_eq!(ann.account(&policy, account), Pence::ZERO);
    }
    assert_eq!(
        ann.account(&policy, Account::gateway("sandbox")),
        Pence::ZERO
    );
    is_clean(&ann.shop, "after a withdrawal");
}

#[tokio::test]
async fn what_is_earned_and_unpaid_is_written_off_without_its_tax() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let all = amounts(&plan(&ann, &policy).await);
    // 29 January: 65 days are earned, and only the first payment is made.
    ann.sleeps(69).await;
    let look = ann.cancels(&policy, json!({ "preview": true })).await;
    assert_eq!(refund(&look.expect(StatusCode::OK)), 0);
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    assert_eq!(ann.account(&policy, Account::Refunds), Pence::ZERO);
    assert_eq!(
        ann.account(&policy, Account::gateway("sandbox")),
        Pence(all[0])
    );
    let lost = ann.account(&policy, Account::WrittenOff);
    let tax = ann.account(&policy, Account::Tax);
    let earned = -ann.account(&policy, Account::Premium) - tax;
    let price: i64 = all.iter().sum();
    let share = Pence(price - Pence(price).fraction(300, 365).0);
    assert_eq!(earned, Pence(all[0]) + lost, "{share}");
    let whole = lost + (share - Pence(all[0]) - lost);
    assert_eq!(whole, share - Pence(all[0]));
    assert!(lost > Pence::ZERO && lost < whole, "{lost} of {whole}");
    is_clean(&ann.shop, "after an end in arrears");
}

#[tokio::test]
async fn a_later_end_expects_the_payments_before_it() {
    let (ann, policy) = covered_monthly(PAYS).await;
    let all = amounts(&plan(&ann, &policy).await);
    let later = json!({ "effective_date": "2027-03-21", "preview": true });
    let look = ann.cancels(&policy, later).await.expect(StatusCode::OK);
    // Those of 21 December, January and February are due before.
    let stopped = look.at("/data/stopped_payments");
    assert_eq!(stopped["count"], 8);
    let price: i64 = all.iter().sum();
    let unearned = Pence(price).fraction(249, 365).0;
    let back = all[..4].iter().sum::<i64>() - (price - unearned);
    assert_eq!(refund(&look), (back - 1500).max(0));
    // The account promises no charge after the end.
    let ends = json!({ "effective_date": "2026-12-15" });
    ann.cancels(&policy, ends).await.expect(StatusCode::OK);
    let own = plan(&ann, &policy).await;
    assert_eq!(own["next_day"], Value::Null);
    assert_eq!((pence(&own["left"]), pence(&own["due"])), (0, 0));
    assert_eq!(states(&own)[..3], ["paid", "stopped", "stopped"]);
}

#[tokio::test]
async fn of_a_change_a_decline_and_an_end_on_one_day_the_end_wins() {
    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    let offer = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let change = offer.expect(StatusCode::OK).text("/data/adjustment_id");
    sleeps_until(&ann, "2026-12-21");
    ann.cookie = ann.shop.log_in(ann.address()).await;
    jobs::collect(&ann.shop.app).await.unwrap();
    let refused = ann.agrees(&policy, &change).await;
    refused.expect(StatusCode::CONFLICT);
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    // The decline arrives after the end.
    collects(&ann).await;
    assert_eq!(plan(&ann, &policy).await["status"], "ended");
    assert_eq!(letters(&ann, "A payment for your"), 0);
    assert_eq!(letters(&ann, "cancelled"), 1);
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    is_clean(&ann.shop, "after a day with all three");
}
