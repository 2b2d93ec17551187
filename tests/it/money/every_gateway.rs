//! The list of unresolved money and `layby resolve`, for every gateway that the settings can name.

use layby::app::accounting::resolve::{PaymentWay, RefundMethod, Resolution, ResolutionWay};
use layby::config::GatewayName;
use layby::domain::money::Pence;
use layby::domain::payment::refund::RefundStatus;
use layby::domain::payment::{PaymentStatus, Unresolved, UnresolvedReason};
use layby::store::{StoreError, WriteTx, tables};
use uuid::Uuid;

use super::disputes::unresolved;
use super::manual_resolution::resolves;
use super::payouts::{plain, reconcile};
use super::{PAYS, give_back, pay_again, sell, shop};

#[tokio::test]
async fn a_payment_a_refund_and_a_line_of_each_gateway_are_listed_and_resolved() {
    for gateway in GatewayName::ALL.map(GatewayName::name) {
        let shop = shop().await;
        let sold = sell(&shop, PAYS).await;
        let refund = give_back(&shop, sold.policy, Uuid::from_u128(7), Pence(500)).await[0].id;
        let second = pay_again(&shop, &sold).await.id;
        let first = sold.payment.id;
        let write = move |tx: &mut WriteTx<'_>| {
            for id in [first, second] {
                let mut payment = tables::PAYMENTS.get(tx, &id)?.unwrap();
                payment.provider = gateway.to_string();
                if id == second {
                    payment.status = PaymentStatus::Unresolved;
                    payment.unapplied = None;
                    payment.unresolved = Some(Unresolved {
                        reason: UnresolvedReason::NoAnswer,
                        resolution: None,
                    });
                }
                tables::PAYMENTS.put(tx, &id, &payment)?;
            }
            let mut owed = tables::REFUNDS.get(tx, &refund)?.unwrap();
            owed.status = RefundStatus::Refused;
            tables::REFUNDS.put(tx, &refund, &owed)?;
            Ok::<_, StoreError>(())
        };
        shop.app.store.write(write).await.unwrap();
        let report = plain(&[("nobody's", 300, 0, "payment")]);
        reconcile(&shop, Some(gateway), &report).await.unwrap();

        let listed = unresolved(&shop).await;
        let kinds: Vec<_> = listed.iter().map(|row| row.what.as_str()).collect();
        assert_eq!(kinds, ["payment", "refund", "payout line"], "{gateway}");
        for row in listed {
            assert_eq!(row.gateway, gateway);
            let resolution = Resolution {
                id: row.id.unwrap(),
                method: match row.what.as_str() {
                    "payment" => ResolutionWay::Payment(PaymentWay::NotPaid),
                    _ => ResolutionWay::Refund(RefundMethod::Transfer),
                },
                by: "Jo Bloggs".to_string(),
                why: format!("seen at {gateway}"),
            };
            resolves(&shop, &resolution).await.unwrap();
        }
        assert_eq!(unresolved(&shop).await, [], "{gateway}");
    }
}
