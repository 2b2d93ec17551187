//! `layby resolve` of an unresolved payment, after a person found out its outcome.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{PaymentWay, Resolution, ResolutionWay};
use layby::app::jobs;
use layby::domain::payment::refund::RefundMethod;
use layby::domain::payment::{PaymentStatus, UnresolvedReason};
use layby::store::tables;

use super::Till;
use super::fault_table::PAYS_SILENTLY;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::support::gateways::Limits;
use crate::support::stores::snapshot;

/// Returns a payment without any report for three days.
async fn unheard() -> Till {
    let till = Till::limited(Limits::CAN_DO_NOTHING).await;
    till.pay(PAYS_SILENTLY).await;
    for _ in 0..75 {
        till.waits(TimeDelta::hours(1)).await;
    }
    assert_eq!(till.row().status, PaymentStatus::Unresolved);
    till
}

fn says(till: &Till, method: ResolutionWay) -> Resolution {
    Resolution {
        id: till.row().id,
        method,
        by: "Jo Bloggs".to_string(),
        why: "looked it up at the gateway".to_string(),
    }
}

#[tokio::test]
async fn a_payment_that_was_not_made_is_closed_and_its_quote_goes_in_time() {
    let till = unheard().await;
    let reason = till.row().unresolved_reason();
    assert_eq!(reason, Some(UnresolvedReason::NoAnswer));
    let read = till.payment().await;
    assert_eq!(read.at("/data/unresolved"), "no_answer");
    let shop = &till.shop;
    assert!(
        unresolved(shop).await[0]
            .to_do
            .contains("--method not-paid")
    );

    let wrong = says(&till, ResolutionWay::Refund(RefundMethod::Transfer));
    let refused = resolves(shop, &wrong).await.unwrap_err();
    assert!(
        refused.contains("say `--method not-paid`, `--method given-back` or"),
        "{refused}"
    );
    let good = says(&till, ResolutionWay::Payment(PaymentWay::NotPaid));
    let said = resolves(shop, &good).await.unwrap();
    assert!(
        said.ends_with("is closed: the card was not charged"),
        "{said}"
    );
    let again = resolves(shop, &good).await.unwrap_err();
    assert!(again.contains("by Jo Bloggs: looked it up"), "{again}");

    assert_eq!(unresolved(shop).await, []);
    is_clean(shop, "after it was closed");
    let read = till.payment().await;
    assert_eq!(read.at("/data/status"), "failed");
    assert_eq!(read.at("/data/charged"), false);
    assert!(read.at("/data/unresolved").is_null());

    let quote = till.row().quote;
    shop.clock.advance(TimeDelta::days(92));
    jobs::daily(&shop.app).await.unwrap();
    let tx = snapshot(&shop.app.store);
    assert!(!tables::QUOTES.has(&tx, &quote).unwrap());
}

#[tokio::test]
async fn news_that_comes_after_it_was_closed_counts_unless_the_money_was_given_back() {
    for way in [PaymentWay::NotPaid, PaymentWay::GivenBack] {
        let till = unheard().await;
        let resolution = says(&till, ResolutionWay::Payment(way));
        resolves(&till.shop, &resolution).await.unwrap();
        for _ in 0..24 {
            till.waits(TimeDelta::hours(1)).await;
        }
        till.hears_late_news().await;
        let row = till.row();
        assert_eq!(row.charged(), Some(true), "{way:?}: {row:?}");
        // If a person has refunded the payment, the payment buys nothing, and no second refund is owed.
        let is_given_back = way == PaymentWay::GivenBack;
        assert_eq!(row.status == PaymentStatus::Unresolved, is_given_back);
        assert!(!is_given_back || !row.is_applied());
        is_clean(&till.shop, "after the news");
    }
}
