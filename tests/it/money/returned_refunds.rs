//! Refunds that fail after the gateway made them, or that never succeed.

use layby::app::payments::{self, refunds};
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Movement};
use layby::domain::payment::dispute::DisputeEvent;
use layby::domain::payment::refund::{CAME_BACK, RefundStatus};
use uuid::Uuid;

use super::disputes::{news, unresolved};
use super::{
    PAYS, REFUND_REFUSED, at_gateway, balance, give_back, in_hand, movements, pay_again,
    refund_about, sell, shop,
};

#[tokio::test]
async fn a_refund_that_comes_back_is_owed_again_and_its_customer_is_told() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (paid, about) = (sold.payment.amount, Uuid::from_u128(7));
    let refund = give_back(&shop, sold.policy, about, Pence(500)).await[0].id;
    shop.work().await;
    assert_eq!(at_gateway(&shop, sold.policy), paid - Pence(500));
    shop.clock.advance(chrono::TimeDelta::days(20));
    assert!(
        refunds::mark_refund_failed(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            refund
        )
        .await
        .unwrap()
    );
    // A repeated report changes nothing.
    assert!(
        !refunds::mark_refund_failed(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            refund
        )
        .await
        .unwrap()
    );
    let row = refund_about(&shop, sold.policy, about);
    assert_eq!(row.status, RefundStatus::Failed);
    assert_eq!(row.message.as_deref(), Some(CAME_BACK));
    assert_eq!(
        movements(&shop, sold.policy)[2..],
        [Movement::Refund, Movement::RefundFailed]
    );
    assert_eq!(at_gateway(&shop, sold.policy), paid);
    // The refund can't be made twice, and the gateway is not asked again.
    assert_eq!(in_hand(&shop, sold.policy), paid - Pence(500));
    shop.work().await;
    assert_eq!(
        refund_about(&shop, sold.policy, about).status,
        RefundStatus::Failed
    );
    let letters = shop.letters();
    let letter = letters
        .iter()
        .find(|one| one.subject.contains("refund for"));
    let letter = letter.unwrap();
    assert!(letter.text.contains("GBP 5.00"), "{}", letter.text);
    assert!(
        letter.text.contains("your bank sent it back to us"),
        "{}",
        letter.text
    );
    assert!(
        letter.text.contains("We owe you this money."),
        "{}",
        letter.text
    );
    let listed = unresolved(&shop).await;
    assert_eq!(
        (listed[0].what.as_str(), listed[0].id),
        ("refund", Some(refund))
    );
    assert!(listed[0].facts.contains("came back"), "{listed:?}");
    assert!(
        refunds::mark_refund_failed(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            Uuid::from_u128(404)
        )
        .await
        .is_err()
    );
}

#[tokio::test]
async fn a_refund_that_fails_before_it_is_known_as_made_stays_failed() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let about = Uuid::from_u128(7);
    let refund = give_back(&shop, sold.policy, about, Pence(500)).await[0].id;
    assert!(
        refunds::mark_refund_failed(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            refund
        )
        .await
        .unwrap()
    );
    // The queued job finds that the refund has ended.
    shop.work().await;
    assert_eq!(
        refund_about(&shop, sold.policy, about).status,
        RefundStatus::Failed
    );
    assert_eq!(movements(&shop, sold.policy).len(), 2);
    assert_eq!(at_gateway(&shop, sold.policy), sold.payment.amount);
    // The gateway refused the refund, so no bank returned the refund.
    let letters = shop.letters();
    let letter = letters
        .iter()
        .find(|one| one.subject.contains("refund for"));
    let text = &letter.unwrap().text;
    assert!(text.contains("could not be made"), "{text}");
    assert!(!text.contains("your bank"), "{text}");
}

#[tokio::test]
async fn a_refund_that_never_succeeds_is_listed_and_its_customer_is_told() {
    let shop = shop().await;
    let sold = sell(&shop, REFUND_REFUSED).await;
    give_back(&shop, sold.policy, Uuid::from_u128(7), Pence(500)).await;
    shop.work().await;
    let letters = shop.letters();
    let letter = letters
        .iter()
        .find(|one| one.subject.contains("refund for"));
    let text = &letter.unwrap().text;
    assert!(
        text.contains("The refund of GBP 5.00 to the card that paid"),
        "{text}"
    );
    let listed = unresolved(&shop).await;
    assert_eq!(listed.len(), 1);
    assert!(
        listed[0]
            .facts
            .starts_with("The gateway refuses the refund.")
    );
    assert!(listed[0].to_do.contains("bank transfer"));
    assert_eq!(listed[0].amount, Pence(500));
}

#[tokio::test]
async fn a_payment_that_bought_nothing_has_a_letter_and_is_owed_again_when_it_comes_back() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let second = pay_again(&shop, &sold).await;
    shop.work().await;
    let amount = sold.payment.amount.to_string().replace('£', "GBP ");
    let letters = shop.letters();
    let own = letters
        .iter()
        .filter(|one| one.subject.contains("comes back"));
    let own: Vec<_> = own.collect();
    assert_eq!(own.len(), 1, "one letter for one payment");
    let text = own[0].text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains(&format!("card payment of {amount}")),
        "{text}"
    );
    assert!(text.contains("Your policy stays as it is."), "{text}");
    let refund = refund_about(&shop, sold.policy, second.id).id;
    assert!(
        refunds::mark_refund_failed(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            refund
        )
        .await
        .unwrap()
    );
    let refund = refund_about(&shop, sold.policy, second.id);
    assert_eq!(refund.message.as_deref(), Some(CAME_BACK));
    assert_eq!(
        balance(&shop, sold.policy, Account::Refunds),
        -sold.payment.amount
    );
    assert_eq!(in_hand(&shop, sold.policy), sold.payment.amount);
}

#[tokio::test]
async fn a_refund_that_comes_back_after_the_bank_gave_all_of_it_is_not_owed() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let (paid, about) = (sold.payment.amount, Uuid::from_u128(7));
    let refund = give_back(&shop, sold.policy, about, Pence(500)).await[0].id;
    shop.work().await;
    let taken = ("txn_1", paid.0);
    for event in [DisputeEvent::Opened, DisputeEvent::Lost] {
        payments::apply_dispute_news(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            news(&sold, event, &[taken]),
        )
        .await
        .unwrap();
    }
    shop.work().await;
    assert!(
        refunds::mark_refund_failed(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            refund
        )
        .await
        .unwrap()
    );
    shop.work().await;
    assert!(!refund_about(&shop, sold.policy, about).needs_a_person());
    let letters = shop.letters();
    assert!(
        !letters
            .iter()
            .any(|one| one.text.contains("We owe you this money."))
    );
}
