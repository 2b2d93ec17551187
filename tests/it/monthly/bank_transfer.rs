//! A customer pays what is due of a plan by bank transfer, and a person records it.

use layby::app::accounting::resolve::{RefundMethod, Resolution, ResolutionWay};
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::dispute::DisputeEvent;
use serde_json::json;
use uuid::Uuid;

use super::losses::{disputes, loses_third};
use super::{DECLINED_LATER, amounts, covered_monthly, letters, lives_until, plan, states};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::policies::{Customer, pence};

async fn records(ann: &Customer, id: Uuid, method: ResolutionWay) -> Result<String, String> {
    let resolution = Resolution {
        id,
        method,
        by: "Jo Bloggs".to_owned(),
        why: "Faster payment 4711".to_owned(),
    };
    let done = resolves(&ann.shop, &resolution).await;
    ann.works().await;
    done
}

#[tokio::test]
async fn a_bank_transfer_stops_the_notice() {
    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    let id = policy.parse().unwrap();
    let nothing = records(&ann, id, ResolutionWay::PlanPayment).await;
    assert!(nothing.unwrap_err().contains("nothing is due"));
    lives_until(&mut ann, "2026-12-30").await;
    let own = plan(&ann, &policy).await;
    assert_eq!(own["status"], "notice");
    let listed = unresolved(&ann.shop).await;
    assert_eq!((listed[0].what.as_str(), listed[0].id), ("plan", Some(id)));
    let transfer = ResolutionWay::Refund(RefundMethod::Transfer);
    let refused = records(&ann, id, transfer).await.unwrap_err();
    assert!(refused.contains("--method plan-paid"), "{refused}");
    let line = records(&ann, id, ResolutionWay::PlanPayment).await.unwrap();
    let due = pence(&own["due"]);
    assert!(line.starts_with(&Pence(due).to_string()), "{line}");
    assert_eq!(ann.account(&policy, Account::Bank), Pence(due));
    let after = plan(&ann, &policy).await;
    assert_eq!(
        (&after["status"], &after["due"]),
        (&json!("active"), &json!(0))
    );
    assert_eq!(states(&after)[..3], ["paid", "paid", "upcoming"]);
    assert_eq!(amounts(&after), amounts(&own));
    is_clean(&ann.shop, "after a bank transfer");
    records(&ann, id, ResolutionWay::PlanPayment)
        .await
        .unwrap_err();
    lives_until(&mut ann, "2027-01-15").await;
    assert_eq!(ann.policy(&policy).await.at("/data/info/status_id"), 5);
    assert_eq!(letters(&ann, "We have cancelled"), 0);
}

#[tokio::test]
async fn a_bank_transfer_that_paid_twice_comes_back_by_transfer() {
    let (ann, policy, third) = loses_third().await;
    let id = policy.parse().unwrap();
    records(&ann, id, ResolutionWay::PlanPayment).await.unwrap();
    let due = ann.account(&policy, Account::Bank);
    // The shop wins the appeal, so the third payment stands.
    let back = [("txn_2", -third.amount.0)];
    disputes(&ann, &third, DisputeEvent::Won, &back).await;
    let listed = unresolved(&ann.shop).await;
    let owed = listed.iter().find(|row| row.what == "refund").unwrap();
    assert_eq!(owed.amount, due);
    let mailbox = ann.shop.letters();
    let letter = mailbox
        .iter()
        .find(|one| one.subject.contains("refund for"));
    let text = &letter.unwrap().text;
    assert!(text.contains("You paid by bank transfer on"), "{text}");
    assert!(!text.contains("card that paid"), "{text}");
    let transfer = ResolutionWay::Refund(RefundMethod::Transfer);
    records(&ann, owed.id.unwrap(), transfer).await.unwrap();
    assert_eq!(ann.account(&policy, Account::Bank), Pence::ZERO);
    is_clean(&ann.shop, "after the refund of a bank transfer");
}
