//! A bank or a gateway takes a payment of a plan back.

use layby::app::payments;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::domain::payment::dispute::DisputeEvent;
use layby::domain::payment::{Payment, PaymentStatus};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::pay_now::{enter_card, pay};
use super::{PAYS, amounts, covered_monthly, in_letter, letters, lives_until, plan, states};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::{attempts, dispute_news};
use crate::policies::Customer;

/// Tells the shop of a dispute of a payment.
pub async fn disputes(
    ann: &Customer,
    payment: &Payment,
    event: DisputeEvent,
    moves: &[(&str, i64)],
) {
    let app = &ann.shop.app;
    let news = dispute_news(payment.id, payment.amount, event, moves);
    let applied = payments::apply_dispute_news(&app.store, &app.clock, &app.work_added, news);
    assert!(applied.await.unwrap());
    ann.works().await;
}

/// Returns what the gateway holds of a policy.
fn held(ann: &Customer, policy: &str) -> Pence {
    ann.account(policy, Account::gateway("sandbox"))
}

/// Returns the payments of a policy, the first one first.
fn payments_of(ann: &Customer, policy: &str) -> Vec<Payment> {
    let mut all = attempts(&ann.shop, policy.parse().unwrap());
    all.sort_by_key(|payment| payment.created);
    all
}

/// Buys cover whose second payment, of 21 January, is lost to a dispute. Returns that payment.
pub async fn loses_third() -> (Customer, String, Payment) {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    lives_until(&mut ann, "2027-01-25").await;
    let third = payments_of(&ann, &policy).remove(2);
    let taken = [("txn_1", third.amount.0)];
    disputes(&ann, &third, DisputeEvent::Opened, &taken).await;
    assert_eq!(plan(&ann, &policy).await["status"], "active");
    disputes(&ann, &third, DisputeEvent::Lost, &[]).await;
    (ann, policy, third)
}

#[tokio::test]
async fn a_lost_dispute_makes_a_payment_due_again_and_nobody_charges_the_card_for_it() {
    let (mut ann, policy, third) = loses_third().await;
    let own = plan(&ann, &policy).await;
    assert_eq!(own["status"], "failed");
    assert_eq!(states(&own)[..4], ["paid", "paid", "due", "upcoming"]);
    assert_eq!(own["next_try"], Value::Null);
    let letters_of = ann.shop.letters();
    let letter = letters_of
        .iter()
        .find(|one| one.text.contains("you keep the"));
    let letter = &letter.unwrap().text;
    let due = format!("so {} is to be paid again", in_letter(third.amount.0));
    let words: Vec<_> = letter.split_whitespace().collect();
    assert!(words.join(" ").contains(&due), "{letter}");
    assert!(!letter.contains("stays as it is"), "{letter}");
    assert_eq!(ann.account(&policy, Account::WrittenOff), Pence::ZERO);
    is_clean(&ann.shop, "after a lost dispute");

    lives_until(&mut ann, "2027-01-31").await;
    assert_eq!(letters(&ann, "will end unless you pay"), 0);
    lives_until(&mut ann, "2027-02-01").await;
    assert_eq!(letters(&ann, "will end unless you pay"), 1);
    assert_eq!(payments_of(&ann, &policy).len(), 3, "nobody charged");
    let started = pay(&ann, &policy, json!({})).await.expect(StatusCode::OK);
    enter_card(&ann, &started, PAYS).await;
    lives_until(&mut ann, "2027-02-21").await;
    let own = plan(&ann, &policy).await;
    assert_eq!(own["status"], "active");
    assert_eq!(
        states(&own)[..5],
        ["paid", "paid", "paid", "paid", "upcoming"]
    );
    is_clean(&ann.shop, "after the payment");
}

#[tokio::test]
async fn an_appeal_that_is_won_collects_the_payment_again_and_refunds_a_second_one() {
    for pays_again in [false, true] {
        let (mut ann, policy, third) = loses_third().await;
        if pays_again {
            let started = pay(&ann, &policy, json!({})).await.expect(StatusCode::OK);
            enter_card(&ann, &started, PAYS).await;
        }
        let taken = third.amount.0;
        disputes(&ann, &third, DisputeEvent::Won, &[("txn_2", -taken)]).await;
        let own = plan(&ann, &policy).await;
        assert_eq!((&own["status"], &own["due"]), (&json!("active"), &json!(0)));
        let letter = ann.shop.letters();
        let letter = letter
            .iter()
            .find(|letter| letter.text.contains("the payment stands"));
        let letter = &letter.unwrap().text;
        assert_eq!(letter.contains("We refund"), pays_again, "{letter}");
        let all = amounts(&own);
        assert_eq!(held(&ann, &policy), Pence(all[..3].iter().sum()));
        lives_until(&mut ann, "2027-02-21").await;
        assert_eq!(held(&ann, &policy), Pence(all[..4].iter().sum()));
        assert_eq!(ann.account(&policy, Account::Refunds), Pence::ZERO);
        is_clean(&ann.shop, "after a won appeal");
    }
}

#[tokio::test]
async fn what_comes_back_at_the_end_counts_no_lost_payment() {
    let (ann, policy, third) = loses_third().await;
    let all = amounts(&plan(&ann, &policy).await);
    let paid = held(&ann, &policy);
    assert_eq!(paid, Pence(all[..2].iter().sum()));
    let cancelled = ann.cancels(&policy, json!({ "reason_id": 1 })).await;
    cancelled.expect(StatusCode::OK);
    ann.works().await;
    let ended = ann.policy(&policy).await;
    let lines = ended
        .at("/data/policy/cancellation/refund/lines")
        .to_string();
    assert!(
        lines.contains(&format!("{}", paid.0 as f64 / 100.0)),
        "{lines}"
    );
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    is_clean(&ann.shop, "after the end");
    // Nothing is due of an ended plan.
    disputes(
        &ann,
        &third,
        DisputeEvent::Won,
        &[("txn_2", -third.amount.0)],
    )
    .await;
    assert_eq!(ann.account(&policy, Account::Customer), Pence::ZERO);
    is_clean(&ann.shop, "after a won appeal");
}

#[tokio::test]
async fn a_dispute_of_the_purchase_makes_the_first_payment_due_again() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let first = payments_of(&ann, &policy).remove(0);
    let taken = [("txn_1", first.amount.0)];
    disputes(&ann, &first, DisputeEvent::Lost, &taken).await;
    let own = plan(&ann, &policy).await;
    assert_eq!(states(&own)[..2], ["due", "upcoming"]);
    let unpaid = unresolved(&ann.shop).await;
    assert!(unpaid.iter().all(|row| row.what != "payment"), "{unpaid:?}");
    assert_eq!(first.status, PaymentStatus::Paid);
    for (day, status) in [("2026-12-12", 5), ("2026-12-13", 8)] {
        lives_until(&mut ann, day).await;
        let own = ann.policy(&policy).await;
        assert_eq!(own.at("/data/info/status_id"), status, "{day}");
    }
    is_clean(&ann.shop, "after the end");
}
