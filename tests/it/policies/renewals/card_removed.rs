//! The customer removes the stored card in the account.

use serde_json::json;

use super::{QUOTED, TO_THE_LAST, charges, compare, renewal_of, status, told};
use crate::policies::{Customer, PAYS, young_vehicles};

#[tokio::test]
async fn a_removed_card_is_not_charged_and_its_owner_renews_by_hand() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    let listed = ann.get("/api/v1/profile/cards").succeeds().await;
    assert_eq!(listed.at("/data/0/gateway"), "sandbox");
    let id = listed.text("/data/0/id");
    let path = format!("/api/v1/profile/cards/{id}/remove");
    let removed = ann.post(&path, &json!({})).succeeds().await;
    assert_eq!(removed.at("/data/stops/0/uuid"), policy.as_str());
    let compared = compare(&ann, &renewal).await;
    assert_eq!(compared.at("/data/charge_on"), &json!(null));
    assert_eq!(compared.at("/data/auto_renew"), false);
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 0);
    assert!(told(&ann, "is not renewed yet").is_empty());
    ann.pays_for(&renewal, PAYS, true).await;
    // The payment keeps another card, which replaces the removed one.
    let listed = ann.get("/api/v1/profile/cards").succeeds().await;
    assert_eq!(listed.at("/data/0/policies/0/uuid"), renewal.as_str());
    assert_ne!(listed.text("/data/0/id"), id);
    ann.waits(1).await;
    assert_eq!(status(&ann, &policy).await, 16);
}
