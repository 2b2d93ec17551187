//! A policy that is paid monthly, and whose product is sold no longer.

use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::products::Catalogue;
use poem::http::StatusCode;
use serde_json::json;

use super::changes::changes;
use super::{PAYS, accepts_monthly, amounts, lives_until, plan, states};
use crate::money::books::is_clean;
use crate::policies::{Customer, young_vehicles};
use crate::support::shop_with_own_product;

#[tokio::test]
async fn the_plan_of_a_product_that_is_sold_no_longer_is_charged_changed_and_cancelled() {
    let mut ann = Customer::of(shop_with_own_product().await).await;
    let mut product = young_vehicles();
    product["product_identifier"] = json!("roadside");
    let (policy, accepted) = accepts_monthly(&ann, &product, false).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    let before = plan(&ann, &policy).await;
    ann.shop = ann.shop.restarted("", Catalogue::load(None).unwrap()).await;
    let refused = ann.create(&product).send().await;
    refused.expect(StatusCode::NOT_FOUND);
    assert_eq!(plan(&ann, &policy).await, before);

    lives_until(&mut ann, "2026-12-22").await;
    let own = plan(&ann, &policy).await;
    assert_eq!(states(&own)[..3], ["paid", "paid", "upcoming"]);
    let (_, more) = changes(&ann, &policy, 4, None).await;
    assert!(more > 0);
    lives_until(&mut ann, "2027-01-22").await;
    let all = amounts(&plan(&ann, &policy).await);
    let paid = ann.account(&policy, Account::gateway("sandbox"));
    assert_eq!(paid, Pence(all[..3].iter().sum()));
    is_clean(&ann.shop, "after the third payment");
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(plan(&ann, &policy).await["status"], "ended");
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    is_clean(&ann.shop, "after the end");
}
