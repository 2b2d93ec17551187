//! Sales and payments in the ledger.

use layby::app::payments::status;
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Movement};
use layby::domain::payment::refund::RefundStatus;
use layby::domain::payment::{Payment, PaymentStatus};
use layby::store::tables;
use poem::http::StatusCode;
use uuid::Uuid;

use super::{
    PAYS, accepted, at_gateway, balance, give_back, in_hand, movements, paid_at_the_gateway,
    pay_again, payment_row, refund_about, sell, shop, twin,
};

#[tokio::test]
async fn a_sale_is_in_the_ledger_to_the_penny() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    assert_eq!(
        movements(&shop, sold.policy),
        [Movement::Sale, Movement::Payment]
    );
    let price = shop.read(&sold.quote).await.expect(StatusCode::OK);
    let total: Pence =
        serde_json::from_value(price.at("/data/info/price/amount_total").clone()).unwrap();
    let of = |account| balance(&shop, sold.policy, account);
    assert_eq!(of(Account::gateway("sandbox")), total);
    assert_eq!(of(Account::Customer), Pence::ZERO);
    assert_eq!(of(Account::Tax), -(total.fraction(12, 112)));
    assert_eq!(
        of(Account::Premium) + of(Account::Tax) + of(Account::Fees),
        -total
    );
    assert_eq!(in_hand(&shop, sold.policy), total);
    // A repeated report of the gateway moves nothing.
    status::sync_payment_status(&shop.app, sold.payment.id)
        .await
        .unwrap();
    assert_eq!(movements(&shop, sold.policy).len(), 2);
}

#[tokio::test]
async fn demonstration_policies_have_their_money_too() {
    let shop = shop().await;
    shop.seed(3, 8).await;
    let mut policies = shop.rows(&tables::POLICIES);
    // A policy that is paid monthly owes the rest. tests/it/seed.rs checks its books.
    policies.retain(|(_, policy)| policy.instrument.is_none());
    assert!(!policies.is_empty());
    for (uuid, policy) in policies {
        assert_eq!(at_gateway(&shop, uuid), policy.paid);
        assert_eq!(balance(&shop, uuid, Account::Customer), Pence::ZERO);
        give_back(&shop, uuid, Uuid::from_u128(1), policy.paid).await;
        shop.work().await;
        assert_eq!(at_gateway(&shop, uuid), Pence::ZERO);
    }
}

#[tokio::test]
async fn a_payment_that_bought_nothing_goes_back_and_both_are_in_the_ledger() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let second = pay_again(&shop, &sold).await;
    let amount = sold.payment.amount;
    assert_eq!(at_gateway(&shop, sold.policy), amount + amount);
    assert_eq!(balance(&shop, sold.policy, Account::Refunds), -amount);
    assert_eq!(in_hand(&shop, sold.policy), amount);

    shop.work().await;
    let refund = refund_about(&shop, sold.policy, second.id);
    assert_eq!((refund.amount, refund.status), (amount, RefundStatus::Paid));
    assert!(!payment_row(&shop, second.id).is_applied());
    assert_eq!(
        movements(&shop, sold.policy),
        [
            Movement::Sale,
            Movement::Payment,
            Movement::Payment,
            Movement::Unapplied,
            Movement::Refund
        ]
    );
    assert_eq!(at_gateway(&shop, sold.policy), amount);
    assert_eq!(balance(&shop, sold.policy, Account::Refunds), Pence::ZERO);
    assert_eq!(balance(&shop, sold.policy, Account::Customer), Pence::ZERO);
}

#[tokio::test]
async fn an_amount_that_was_not_the_accepted_one_goes_back_as_it_was_taken() {
    let shop = shop().await;
    let (_, quote) = accepted(&shop).await;
    let sold = sell(&shop, PAYS).await;
    let wrong = twin(&shop, &sold.payment, |twin| {
        twin.status = PaymentStatus::Pending;
        twin.quote = quote;
        twin.amount = Pence(5000);
    })
    .await;
    let taken = Payment {
        amount: Pence(4999),
        ..wrong.clone()
    };
    paid_at_the_gateway(&shop, &taken, sold.payment.id).await;
    status::sync_payment_status(&shop.app, wrong.id)
        .await
        .unwrap();
    assert_eq!(at_gateway(&shop, quote), Pence(4999));
    shop.work().await;
    assert_eq!(refund_about(&shop, quote, wrong.id).amount, Pence(4999));
    assert_eq!(at_gateway(&shop, quote), Pence::ZERO);
}
