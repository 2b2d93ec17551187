//! `layby stop-charging`, and the list of plans that need a person.

use layby::app::policies::stop_charging::{ChargingStop, stop_charging};
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::json;

use super::{PAYS, accepts_monthly, covered_monthly, letters, lives_until, plan};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::policies::{Customer, young_vehicles};

pub async fn stops(ann: &Customer, policy: &str, by: &str, why: &str) -> Result<String, String> {
    let order = ChargingStop {
        policy: policy.to_owned(),
        by: by.to_owned(),
        why: why.to_owned(),
    };
    let done = stop_charging(&ann.shop.app.store, &order, ann.shop.clock.now()).await;
    done.map_err(|error| error.log_text())
}

#[tokio::test]
async fn after_an_objection_no_card_is_charged_and_the_plan_is_listed() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    assert!(unresolved(&ann.shop).await.is_empty());
    let number = ann.policy(&policy).await.text("/data/info/custom_id");
    stops(&ann, &number, " ", "objected").await.unwrap_err();
    stops(&ann, &number, "Jo", "").await.unwrap_err();
    stops(&ann, "BRK000000000", "Jo", "objected")
        .await
        .unwrap_err();
    let lines = stops(&ann, &number.to_lowercase(), "Jo", "objected")
        .await
        .unwrap();
    assert_eq!(
        lines,
        format!("the card of {number} is not charged any more")
    );
    stops(&ann, &number, "Jo", "objected").await.unwrap_err();
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/card_stored"), false);
    let (_, card) = ann.shop.rows(&tables::INSTRUMENTS).remove(0);
    assert!(card.removed.is_some(), "the gateway keeps it no longer");
    let listed = unresolved(&ann.shop).await;
    assert_eq!((listed.len(), listed[0].what.as_str()), (1, "plan"));
    assert!(listed[0].facts.contains("No card"), "{listed:?}");
    lives_until(&mut ann, "2026-12-21").await;
    assert_eq!(plan(&ann, &policy).await["status"], "failed");
    assert_eq!(letters(&ann, "A payment for your"), 1);
    lives_until(&mut ann, "2026-12-28").await;
    let listed = unresolved(&ann.shop).await;
    assert!(listed[0].facts.contains("11 January 2027"), "{listed:?}");
    // The gateway's late word about the first payment keeps no card again.
    ann.works().await;
    assert_eq!(
        ann.policy(&policy).await.at("/data/policy/card_stored"),
        &json!(false)
    );
    is_clean(&ann.shop, "after an objection");
}

#[tokio::test]
async fn an_objection_names_the_next_policy_that_still_charges_the_card() {
    let ann = Customer::new().await;
    let (policy, accepted) = accepts_monthly(&ann, &young_vehicles(), true).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    let mut ann = ann;
    lives_until(&mut ann, "2027-11-20").await;
    let renewed = ann.policy(&policy).await.text("/data/policy/renewed_by");
    let [old, new] = [&policy, &renewed].map(|policy| ann.policy(policy));
    let old = old.await.text("/data/info/custom_id");
    let new = new.await.text("/data/info/custom_id");
    let done = stops(&ann, &old, "Jo", "objected").await.unwrap();
    assert!(done.contains(&format!("{new} still charges it")), "{done}");
    let next = ann.policy(&renewed).await;
    assert_eq!(next.at("/data/policy/card_stored"), true);
    stops(&ann, &new, "Jo", "objected").await.unwrap();
    let (_, card) = ann.shop.rows(&tables::INSTRUMENTS).remove(0);
    assert!(card.removed.is_some());
    is_clean(&ann.shop, "after both objections");
}
