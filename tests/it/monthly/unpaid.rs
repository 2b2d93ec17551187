//! A charge fails: letters, more tries, a notice, a reminder, and the end of cover.

use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::store::{Direction, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{
    DECLINED_LATER, amounts, collects, covered_monthly, in_letter, letters, lives_until, plan,
    sleeps_until,
};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;

#[tokio::test]
async fn an_unpaid_plan_ends_after_three_tries_a_notice_and_a_reminder() {
    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    let all = amounts(&plan(&ann, &policy).await);
    lives_until(&mut ann, "2026-12-21").await;
    let own = plan(&ann, &policy).await;
    assert_eq!(
        (&own["status"], &own["last_day"]),
        (&json!("failed"), &Value::Null)
    );
    assert_eq!(letters(&ann, "A payment for your"), 1);
    let first = ann.shop.letters().pop().unwrap();
    assert!(first.text.contains("24 December 2026"), "{}", first.text);
    lives_until(&mut ann, "2026-12-27").await;
    assert_eq!(letters(&ann, "will end unless you pay"), 0);
    lives_until(&mut ann, "2026-12-28").await;
    let tries = ann.shop.rows(&tables::PAYMENTS).into_iter();
    let tries =
        tries.filter(|(_, one)| one.quote.to_string() == policy && one.instrument().is_some());
    assert_eq!(tries.count(), 3);
    assert_eq!(letters(&ann, "A payment for your"), 1, "told once");
    assert_eq!(letters(&ann, "will end unless you pay"), 1);
    let notice = ann.shop.letters().pop().unwrap();
    assert!(notice.text.contains("11 January 2027"), "{}", notice.text);
    assert!(notice.text.contains(&in_letter(all[1])), "{}", notice.text);
    // 14 whole days after the day of the letter.
    let own = plan(&ann, &policy).await;
    assert_eq!(
        (&own["status"], &own["last_day"]),
        (&json!("notice"), &json!("2027-01-11"))
    );
    lives_until(&mut ann, "2027-01-08").await;
    assert_eq!(letters(&ann, "ends in a few days"), 0);
    lives_until(&mut ann, "2027-01-09").await;
    assert_eq!(letters(&ann, "ends in a few days"), 1);
    lives_until(&mut ann, "2027-01-11").await;
    assert_eq!(ann.policy(&policy).await.at("/data/info/status_id"), 5);
    is_clean(&ann.shop, "before the end");
    lives_until(&mut ann, "2027-01-12").await;
    let ended = ann.policy(&policy).await;
    assert_eq!(ended.at("/data/policy/plan/status"), "ended");
    let cancelled = ended.at("/data/policy/cancellation");
    assert_eq!(cancelled["reason"], "Payments that were due were not made");
    assert_eq!(
        (&cancelled["effective_date"], &cancelled["last_day"]),
        (&json!("2027-01-12"), &json!("2027-01-11"))
    );
    assert_eq!(letters(&ann, "We have cancelled"), 1);
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    assert_eq!(
        ann.account(&policy, Account::gateway("sandbox")),
        Pence(all[0])
    );
    assert!(ann.account(&policy, Account::WrittenOff) > Pence::ZERO);
    is_clean(&ann.shop, "after the end");
    // Nobody can give our own reason.
    let refused = ann.cancels(&policy, json!({ "reason_id": 100 })).await;
    assert_ne!(refused.status, StatusCode::OK);
}

#[tokio::test]
async fn a_shop_that_was_closed_gives_the_notice_and_the_reminder_in_full() {
    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    lives_until(&mut ann, "2026-12-28").await;
    // The shop opens again a week after the day of the notice.
    sleeps_until(&ann, "2027-01-19");
    ann.sleeps(0).await;
    collects(&ann).await;
    let own = plan(&ann, &policy).await;
    assert_eq!(
        (&own["status"], &own["last_day"]),
        (&json!("notice"), &json!("2027-01-21"))
    );
    assert_eq!(letters(&ann, "ends in a few days"), 1);
    lives_until(&mut ann, "2027-01-22").await;
    assert_eq!(
        ann.policy(&policy).await.at("/data/policy/plan/status"),
        "ended"
    );
    is_clean(&ann.shop, "after a late end");
}

#[tokio::test]
async fn a_plan_without_a_card_asks_for_one_and_charges_nothing() {
    let (mut ann, policy) = covered_monthly(super::PAYS).await;
    let id = policy.parse().unwrap();
    let remove = move |tx: &mut layby::store::WriteTx<'_>| {
        let mut row = tables::POLICIES.get(tx, &id)?.unwrap();
        row.instrument = None;
        tables::POLICIES.put(tx, &id, &row)
    };
    ann.shop.app.store.write(remove).await.unwrap();
    lives_until(&mut ann, "2026-12-21").await;
    assert_eq!(plan(&ann, &policy).await["status"], "failed");
    let letter = ann.shop.letters().pop().unwrap();
    assert!(
        letter.text.contains("we have no card that we can charge"),
        "{}",
        letter.text
    );
    lives_until(&mut ann, "2026-12-28").await;
    assert_eq!(plan(&ann, &policy).await["status"], "notice");
    assert_eq!(ann.shop.attempts(&made(&policy)).len(), 1);
}

#[tokio::test]
async fn a_plan_whose_card_is_of_a_gateway_without_keys_is_listed() {
    let (ann, policy) = covered_monthly(super::PAYS).await;
    assert_eq!(unresolved(&ann.shop).await, []);
    let move_card = |tx: &mut layby::store::WriteTx<'_>| {
        for row in tables::INSTRUMENTS.list(tx, &(), Direction::Forward, 10)? {
            let (id, mut card) = row;
            card.gateway = "stripe".to_owned();
            tables::INSTRUMENTS.put(tx, &id, &card)?;
        }
        Ok::<_, layby::store::StoreError>(())
    };
    ann.shop.app.store.write(move_card).await.unwrap();
    let listed = unresolved(&ann.shop).await;
    assert_eq!(listed.len(), 1, "{listed:?}");
    let row = &listed[0];
    assert_eq!(
        (row.what.as_str(), row.gateway.as_str()),
        ("plan", "stripe")
    );
    assert_eq!(row.id, Some(policy.parse().unwrap()));
    assert!(row.facts.contains("no keys"), "{row:?}");
}

/// Returns a policy as a quote, for the helpers of quotes.
fn made(policy: &str) -> crate::support::Made {
    crate::support::Made {
        uuid: policy.to_owned(),
        token: String::new(),
        body: Value::Null,
    }
}
