//! Disputes. Reports come in any order and any number, and the ledger has each once.

use layby::app::accounting::unresolved::{self, UnresolvedRow};
use layby::app::payments;
use layby::domain::money::Pence;
use layby::domain::money::ledger::{Account, Movement};
use layby::domain::payment::dispute::{Dispute, DisputeEvent, DisputeNews, DisputeStatus};
use layby::domain::payment::refund::RefundStatus;
use layby::store::tables;
use uuid::Uuid;

use super::{PAYS, Sold, balance, dispute_news, give_back, in_hand, movements, sell, shop};
use crate::support::Shop;

/// Returns the list of cases that need a person.
pub async fn unresolved(shop: &Shop) -> Vec<UnresolvedRow> {
    let found = unresolved::list(&shop.app.store, &shop.app.config, shop.clock.now());
    found.await.unwrap()
}

/// Returns the sandbox's report of a payment's dispute.
pub(super) fn news(sold: &Sold, event: DisputeEvent, moves: &[(&str, i64)]) -> DisputeNews {
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
