//! A gateway revokes the key of the shop's calls in the middle of a sale.

use chrono::TimeDelta;
use layby::config::LogFormat;
use layby::domain::payment::Payment;
use layby::domain::payment::refund::RefundStatus;
use layby::store::tables;
use poem::http::StatusCode;

use super::gateways::{Gateway, Sale, paid};
use crate::support::log::{Lines, recorded};
use crate::support::{Made, Shop, two_vehicles};

/// Checks that one line of the log names the refused setting, the payment and the call, and no line has a
/// secret.
#[track_caller]
fn assert_logged(lines: &Lines, gateway: &Gateway, payment: &Payment) {
    let log = lines.text();
    let setting = format!("payments.{}", gateway.name());
    let named = log.lines().filter(|line| line.contains(&setting));
    let named: Vec<_> = named.collect();
    assert_eq!(named.len(), 1, "{log}");
    assert!(named[0].contains(&payment.id.to_string()), "{log}");
    let call = match gateway {
        Gateway::Stripe(_) => ", request req_double, call ",
        Gateway::GlobalPayments(_) => ", call ",
        // Fuse's token has the id of the call.
        Gateway::SmartpayFuse(_) => "",
    };
    assert!(named[0].contains(call), "{log}");
    let is_warning = |line: &&str| line.contains("WARN") || line.contains("ERROR");
    assert_eq!(log.lines().filter(is_warning).count(), 1, "{log}");
    for secret in [gateway.secret(), gateway.call_secret()] {
        assert!(!log.contains(secret), "{log}");
    }
}

/// The customer pays after the gateway has revoked the key.
async fn late_customer(shop: &Shop, gateway: &Gateway) -> Made {
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let (lines, log) = recorded(LogFormat::Text);
    let started = gateway.initiate(shop, &quote).await;
    drop(log);
    if let Gateway::SmartpayFuse(_) = gateway {
        // Its form needs no call.
        started.expect(StatusCode::OK);
        return quote;
    }
    let refused = started.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "gateway_refused");
    assert!(refused.text("/message").contains("01632 960 123"));
    assert_logged(&lines, gateway, &shop.attempts(&quote)[0]);
    let read = shop.payment(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/charged"), false);
    quote
}

#[tokio::test]
async fn a_key_that_is_revoked_in_the_middle_of_a_sale_loses_nothing() {
    let (shop, sales) = paid().await;
    let mut late = Vec::new();
    for Sale { gateway, quote, .. } in &sales {
        gateway.revoke();
        let (lines, log) = recorded(LogFormat::Text);
        let read = shop.payment(quote).await.expect(StatusCode::OK);
        drop(log);
        assert_eq!(read.at("/data/status"), "pending");
        assert!(read.at("/data/charged").is_null());
        assert_logged(&lines, gateway, &shop.attempts(quote)[0]);
        late.push(late_customer(&shop, gateway).await);
    }

    // Messages still sell. Refunds wait.
    let mut refunds = Vec::new();
    for sale in &sales {
        sale.sells(&shop).await;
        assert_eq!(sale.gateway.balance(), sale.attempt(&shop).amount.0);
        refunds.push(shop.owe_refund(&sale.quote, 1000).await);
    }
    let balances = || sales.each_ref().map(|sale| sale.gateway.balance());
    let before = balances();
    shop.work_with_failures().await;
    assert_eq!(balances(), before);
    for sale in &sales {
        sale.gateway.restore();
    }
    shop.clock.advance(TimeDelta::seconds(10));
    shop.work_with_failures().await;
    assert_eq!(balances(), before.map(|pence| pence - 1000));
    for refund in refunds {
        let status = shop.row(&tables::REFUNDS, &refund).status;
        assert!(matches!(status, RefundStatus::Paid | RefundStatus::Pending));
    }

    for (sale, quote) in sales.iter().zip(&late) {
        let started = sale.gateway.initiate(&shop, quote).await;
        sale.gateway.pay(&started.expect(StatusCode::OK));
        shop.clock.advance(TimeDelta::seconds(2));
        let read = shop.payment(quote).await.expect(StatusCode::OK);
        assert_eq!(read.at("/data/status"), "paid");
        assert!(shop.has_sold(quote));
    }
}
