//! `layby resolve`: a refund that the gateway can't make is paid by bank transfer, once.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{self, Resolution, ResolutionWay};
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Movement};
use layby::domain::payment::refund::{Refund, RefundMethod, RefundStatus};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use super::books::is_clean;
use super::disputes::unresolved;
use super::{REFUND_REFUSED, movements, only_refund};
use crate::policies::{Customer, PAYS};
use crate::support::{Shop, two_vehicles};

fn by_transfer(id: Uuid) -> Resolution {
    Resolution {
        id,
        method: ResolutionWay::Refund(RefundMethod::Transfer),
        by: "Jo Bloggs".to_string(),
        why: "Faster payment 4711".to_string(),
    }
}

pub async fn resolves(shop: &Shop, resolution: &Resolution) -> Result<String, String> {
    let done = resolve::execute(&shop.app.store, resolution, shop.clock.now()).await;
    done.map_err(|error| error.log_text())
}

/// Buys a policy with a card and cancels it within 14 days. Returns its refund too.
async fn cancelled(card: &str) -> (Customer, String, Refund) {
    let ann = Customer::new().await;
    let policy = ann.buys(&two_vehicles(), card).await;
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    let refund = only_refund(&ann.shop);
    (ann, policy, refund)
}

#[tokio::test]
async fn a_refund_that_was_paid_by_transfer_is_settled_once_and_its_customer_is_told() {
    let (ann, policy, refund) = cancelled(REFUND_REFUSED).await;
    let (shop, id) = (&ann.shop, refund.id);
    let owed = |account| ann.account(&policy, account);
    let too_early = resolves(shop, &by_transfer(id)).await.unwrap_err();
    assert!(too_early.contains("still asked for it"), "{too_early}");
    ann.works().await;
    assert_eq!(owed(Account::Refunds), -refund.amount);
    let listed = unresolved(shop).await;
    assert_eq!((listed.len(), listed[0].id), (1, Some(id)));
    assert!(listed[0].to_do.contains("`layby resolve`"), "{listed:?}");

    // Of two calls at once, one counts.
    let one = by_transfer(id);
    let (first, second) = tokio::join!(resolves(shop, &one), resolves(shop, &one));
    let (said, refused) = match (first, second) {
        (Ok(said), Err(refused)) | (Err(refused), Ok(said)) => (said, refused),
        both => panic!("{both:?}"),
    };
    let amount = refund.amount;
    assert!(said.starts_with(&format!("refund {id} of {amount} of BRK")));
    assert!(said.ends_with("is closed: paid by bank transfer"), "{said}");
    assert!(
        refused.contains("it was closed on 21 November 2026 by Jo Bloggs: Faster payment 4711"),
        "{refused}"
    );
    assert_eq!(owed(Account::Refunds), Pence::ZERO);
    assert_eq!(owed(Account::Bank), -amount);
    let uuid = policy.parse().unwrap();
    let moved = movements(shop, uuid);
    assert_eq!(moved.last(), Some(&Movement::ManualRefund));
    is_clean(shop, "after the transfer");
    assert_eq!(unresolved(shop).await, []);
    let path = format!("/api/v1/activities?policy={policy}&type=cancellation");
    let read = ann.get(&path).succeeds().await;
    assert_eq!(read.at("/data/0/refund/status"), "paid");

    ann.works().await;
    let letters = shop.letters();
    let own = letters
        .iter()
        .filter(|one| one.text.contains("Your refund has been settled"));
    let own: Vec<_> = own.collect();
    assert_eq!(own.len(), 1);
    let sum = amount.to_string().replace('£', "GBP ");
    let text = own[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains(&format!("We have paid you {sum} by bank transfer")),
        "{text}"
    );
}

#[tokio::test]
async fn what_is_not_owed_or_not_said_properly_is_refused() {
    let (ann, _, refund) = cancelled(REFUND_REFUSED).await;
    ann.works().await;
    let good = by_transfer(refund.id);
    let wrong = [
        (
            by_transfer(Uuid::from_u128(404)),
            "there is no such refund or payout line",
        ),
        (
            Resolution {
                method: ResolutionWay::Refund(RefundMethod::AlreadyRefunded),
                ..good.clone()
            },
            "of this payment £0.00 went back to them",
        ),
        (
            Resolution {
                by: "  ".to_string(),
                ..good.clone()
            },
            "--by must be one line of 1 to 200 characters.",
        ),
        (
            Resolution {
                why: "two\nlines".to_string(),
                ..good.clone()
            },
            "--why must be one line",
        ),
    ];
    for (resolution, why) in wrong {
        let refused = resolves(&ann.shop, &resolution).await.unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
    assert_eq!(unresolved(&ann.shop).await.len(), 1);
    let (ann, _, refund) = cancelled(PAYS).await;
    ann.works().await;
    let refused = resolves(&ann.shop, &by_transfer(refund.id)).await;
    let refused = refused.unwrap_err();
    assert!(
        refused.contains("the gateway made it on 21 November 2026"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_refund_that_the_gateway_does_not_make_for_a_fortnight_is_listed_and_may_be_settled() {
    let (ann, policy, refund) = cancelled(PAYS).await;
    // The gateway can't be reached meanwhile, so nothing is done.
    ann.shop.clock.advance(TimeDelta::days(14));
    let listed = unresolved(&ann.shop).await;
    assert_eq!(listed.len(), 1);
    assert!(listed[0].facts.contains("has not said"), "{listed:?}");
    resolves(&ann.shop, &by_transfer(refund.id)).await.unwrap();
    // The gateway is not asked any more.
    ann.works().await;
    let row = only_refund(&ann.shop);
    assert_eq!(row.status, RefundStatus::Pending);
    assert_eq!(ann.account(&policy, Account::Bank), -refund.amount);
    is_clean(&ann.shop, "after it was settled");
    assert_eq!(unresolved(&ann.shop).await, []);
}
