//! Events after a payment or refund: a returned refund, and disputes. Reports come in any order and any
//! number, and the ledger has each once.

use layby::app::accounting::unresolved::{self, UnresolvedRow};
use layby::app::payments::{self, refunds};
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Movement};
use layby::domain::payment::dispute::{Dispute, DisputeEvent, DisputeNews, DisputeStatus};
use layby::domain::payment::refund::{CAME_BACK, RefundStatus};
use layby::store::tables;
use uuid::Uuid;

use super::{
    PAYS, REFUND_REFUSED, Sold, at_gateway, balance, dispute_news, give_back, in_hand, movements,
    pay_again, refund_about, sell, shop,
};
use crate::support::Shop;

/// Returns the list of cases that need a person.
pub async fn unresolved(shop: &Shop) -> Vec<UnresolvedRow> {
    let found = unresolved::list(&shop.app.store, shop.clock.now());
    found.await.unwrap()
}

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
    // The gateway refused it, so no bank returned it.
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

/// Returns the sandbox's report of a payment's dispute.
fn news(sold: &Sold, event: DisputeEvent, moves: &[(&str, i64)]) -> DisputeNews {
    DisputeNews {
        reason: Some("fraudulent".to_string()),
        reply_by: Some("2026-12-05T12:00:00Z".parse().unwrap()),
        ..dispute_news(sold.payment.id, sold.payment.amount, event, moves)
    }
}

fn dispute(shop: &Shop) -> Dispute {
    let id = Dispute::dispute_id("sandbox", "dp_1");
    shop.row(&tables::DISPUTES, &id)
}

#[tokio::test]
async fn a_dispute_takes_its_money_once_and_gives_it_back_when_it_is_won() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let paid = sold.payment.amount;
    let tell = async |event, moves: &[(&str, i64)]| {
        payments::apply_dispute_news(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            news(&sold, event, moves),
        )
        .await
        .unwrap()
    };
    let of = |account| balance(&shop, sold.policy, account);

    // An inquiry moves no money.
    assert!(tell(DisputeEvent::Inquired, &[]).await);
    assert!(!tell(DisputeEvent::Inquired, &[]).await);
    assert_eq!(movements(&shop, sold.policy).len(), 2);
    assert_eq!(in_hand(&shop, sold.policy), paid);
    let listed = unresolved(&shop).await;
    assert!(
        listed[0].facts.contains("No money has moved."),
        "{listed:?}"
    );
    assert!(listed[0].to_do.contains("by 5 December 2026"), "{listed:?}");

    // Funds are withdrawn; the bank takes another amount than was paid.
    let taken = ("txn_1", paid.0 - 10);
    assert!(tell(DisputeEvent::Opened, &[]).await);
    assert!(tell(DisputeEvent::Opened, &[taken]).await);
    assert!(!tell(DisputeEvent::Opened, &[taken]).await);
    assert_eq!(of(Account::gateway("sandbox")), Pence(10));
    assert_eq!(of(Account::Disputes), Pence(taken.1));
    // The dispute is undecided, so the money counts as the shop's. Refunds wait, also of the remaining ten
    // pence.
    assert_eq!(in_hand(&shop, sold.policy), paid);
    let refund = give_back(&shop, sold.policy, Uuid::from_u128(7), paid).await;
    assert_eq!(
        (refund[0].amount, refund[0].status),
        (paid, RefundStatus::Pending)
    );

    assert!(tell(DisputeEvent::Won, &[taken]).await);
    assert!(unresolved(&shop).await[0].facts.contains("still holds"));
    assert!(tell(DisputeEvent::Won, &[("txn_2", -taken.1)]).await);
    assert_eq!(of(Account::Disputes), Pence::ZERO);
    assert_eq!(of(Account::gateway("sandbox")), paid);
    assert_eq!(dispute(&shop).status, DisputeStatus::Won);
    assert_eq!(unresolved(&shop).await, []);
}

#[tokio::test]
async fn a_dispute_that_is_lost_is_written_off_in_whatever_order_it_is_told() {
    for is_late in [false, true] {
        let shop = shop().await;
        let sold = sell(&shop, PAYS).await;
        let paid = sold.payment.amount;
        let taken = [("txn_1", paid.0)];
        let mut told = vec![
            news(&sold, DisputeEvent::Opened, &taken),
            news(&sold, DisputeEvent::Lost, &[]),
        ];
        if is_late {
            told.reverse();
        }
        for news in told {
            assert!(
                payments::apply_dispute_news(
                    &shop.app.store,
                    &shop.app.clock,
                    &shop.app.work_added,
                    news
                )
                .await
                .unwrap()
            );
        }
        let of = |account| balance(&shop, sold.policy, account);
        assert_eq!(of(Account::WrittenOff), paid);
        assert_eq!(of(Account::Disputes), Pence::ZERO);
        assert_eq!(of(Account::gateway("sandbox")), Pence::ZERO);
        assert_eq!(in_hand(&shop, sold.policy), Pence::ZERO);
        assert_eq!(
            movements(&shop, sold.policy)[2..],
            [Movement::Disputed, Movement::WrittenOff]
        );
        assert_eq!(unresolved(&shop).await, []);
    }
}

#[tokio::test]
async fn a_payment_may_have_several_disputes_and_two_at_once_are_one() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let first = news(&sold, DisputeEvent::Opened, &[("txn_1", 100)]);
    let second = DisputeNews {
        reference: "dp_2".to_string(),
        ..news(&sold, DisputeEvent::Opened, &[("txn_2", 200)])
    };
    let (one, other) = tokio::join!(
        payments::apply_dispute_news(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            first.clone()
        ),
        payments::apply_dispute_news(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            first.clone()
        )
    );
    assert_ne!(one.unwrap(), other.unwrap());
    assert!(
        payments::apply_dispute_news(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            second
        )
        .await
        .unwrap()
    );
    assert_eq!(balance(&shop, sold.policy, Account::Disputes), Pence(300));
    assert_eq!(unresolved(&shop).await.len(), 2);
}

#[tokio::test]
async fn a_dispute_of_nobodys_payment_or_of_another_gateways_is_not_ours() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let other = sell(&shop, PAYS).await;
    let good = news(&sold, DisputeEvent::Opened, &[("txn_1", 100)]);
    let wrong = [
        DisputeNews {
            payment: Uuid::from_u128(404),
            ..good.clone()
        },
        DisputeNews {
            provider: "stripe".to_string(),
            ..good.clone()
        },
    ];
    for news in wrong {
        assert!(
            payments::apply_dispute_news(
                &shop.app.store,
                &shop.app.clock,
                &shop.app.work_added,
                news
            )
            .await
            .is_err()
        );
    }
    assert!(
        payments::apply_dispute_news(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            good.clone()
        )
        .await
        .unwrap()
    );
    // The same dispute can't move to another payment.
    let moved = DisputeNews {
        payment: other.payment.id,
        ..good
    };
    assert!(
        payments::apply_dispute_news(
            &shop.app.store,
            &shop.app.clock,
            &shop.app.work_added,
            moved
        )
        .await
        .is_err()
    );
    assert_eq!(balance(&shop, other.policy, Account::Disputes), Pence::ZERO);
}
