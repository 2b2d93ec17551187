//! A cancellation and a change, both for a later day: which of them takes effect.

use chrono::TimeDelta;
use layby::app::payments::status;
use serde_json::json;

use super::*;
use crate::policies::covered;

const FEE: i64 = 1500;
const DAY: &str = "2027-03-03";

#[tokio::test]
async fn a_change_before_the_end_comes_first_and_the_refund_counts_it() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    // 100 days are left from 17 August, 267 from 3 March.
    let end = ends(&ann, &policy, "2027-08-17").await;
    let alone = pence(activities(&ann, &policy).await.at("/data/0/refund/amount"));
    assert_eq!(alone, share(paid, 100) - FEE);
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/change_days/last"), "2027-08-16");
    for day in ["2027-08-17", "2027-09-01"] {
        let refused = ann
            .asks(&policy, json!({ "cover_level": 4 }), Some(day))
            .await;
        let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(
            refused
                .text("/errors/effective_date/0")
                .contains("16 August 2027")
        );
    }
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), "2027-03-03").await;
    let expected = share(offer.after, 100) - FEE;
    let shown = activities(&ann, &policy).await;
    assert_eq!(pence(shown.at("/data/0/refund/amount")), expected);
    assert_eq!(shown.at("/data/0/dropped_change"), &Value::Null);
    // Both days are missed. Both actions are applied, each for its own day.
    sleeps_until(&mut ann, "2027-09-01").await;
    assert_eq!(change(&ann, &policy, &offer.id).await["status"], "applied");
    let done = activities(&ann, &policy).await;
    assert_eq!(done.at("/data/0/id"), end.as_str());
    assert_eq!(pence(done.at("/data/0/refund/amount")), expected);
    assert_eq!(books(&ann, &policy), (paid + offer.amount - expected, 0));
}

#[tokio::test]
async fn less_cover_before_the_end_counts_in_the_refund_of_the_first_days_too() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await; // 1 December.
    let paid = ann.balance(&policy).0;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 1 }), "2026-12-03").await;
    ends(&ann, &policy, "2026-12-05").await;
    let shown = activities(&ann, &policy).await;
    assert_eq!(
        pence(shown.at("/data/0/refund/amount")),
        paid + offer.amount
    );
    sleeps_until(&mut ann, "2026-12-05").await;
    // In total everything that was paid is refunded, and the books are at zero.
    let done = activities(&ann, &policy).await;
    assert_eq!(pence(done.at("/data/0/refund/amount")), paid + offer.amount);
    assert_eq!(books(&ann, &policy), (0, 0));
    assert_eq!(earned(&ann, &policy), (0, 0));
}

#[tokio::test]
async fn more_cover_before_the_end_comes_back_with_all_in_the_first_days() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), "2026-12-03").await;
    ends(&ann, &policy, "2026-12-05").await;
    let shown = activities(&ann, &policy).await;
    assert_eq!(
        pence(shown.at("/data/0/refund/amount")),
        paid + offer.amount
    );
    sleeps_until(&mut ann, "2026-12-05").await;
    assert_eq!(books(&ann, &policy), (0, 0));
    assert_eq!(earned(&ann, &policy), (0, 0));
}

#[tokio::test]
async fn an_end_on_the_day_of_a_change_or_before_drops_it_and_pays_it_back_at_once() {
    for day in ["2027-03-03", "2027-02-01"] {
        let (mut ann, policy) = covered().await;
        ann.sleeps(10).await;
        let paid = ann.balance(&policy).0;
        let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), "2027-03-03").await;
        let more = json!({ "effective_date": day, "preview": true });
        let look = ann.cancels(&policy, more).await.expect(StatusCode::OK);
        let dropped = look.at("/data/dropped_change");
        assert_eq!(dropped["adjustment_id"], offer.id.as_str());
        assert_eq!(dropped["effective_date"], "2027-03-03");
        assert_eq!(pence(&dropped["amount_back"]), offer.amount);
        assert_eq!(change(&ann, &policy, &offer.id).await["status"], "agreed");

        let end = ends(&ann, &policy, day).await;
        ann.works().await;
        assert_eq!(books(&ann, &policy), (paid, 0));
        let gone = change(&ann, &policy, &offer.id).await;
        assert_eq!(gone["status"], "superseded");
        assert_eq!(gone["refund"]["status"], "paid");
        assert_eq!(pence(&gone["refund"]["amount"]), offer.amount);
        let shown = activities(&ann, &policy).await;
        assert_eq!(shown.at("/data/0/dropped_change"), dropped);
        assert_eq!(shown.at("/data/0/refund"), look.at("/data/refund"));
        let letters = told(&ann, "ends on the day you chose");
        assert!(
            letters[0].text.contains(&gbp(offer.amount)),
            "{}",
            letters[0].text
        );
        ntu(&ann, &offer.id).await.expect(StatusCode::CONFLICT);

        // Withdrawing the cancellation does not restore the change, and the response states this.
        goes_on(&ann, &end).await.expect(StatusCode::OK);
        ann.works().await;
        let letters = told(&ann, "goes on");
        let text = letters[0].text.replace('\n', " ");
        assert!(text.contains("stays dropped"), "{text}");
        sleeps_until(&mut ann, "2027-03-04").await;
        assert_eq!(level(&ann, &policy).await, 3);
        assert_eq!(books(&ann, &policy), (paid, 0));
    }
}

#[tokio::test]
async fn a_cancellation_for_today_drops_both_and_pays_the_change_back() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = ann.balance(&policy).0;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), "2027-03-03").await;
    let end = ends(&ann, &policy, "2027-06-01").await;
    sleeps_until(&mut ann, "2027-01-10").await; // 319 days are left.
    let look = ann.cancels(&policy, json!({ "preview": true })).await;
    let look = look.expect(StatusCode::OK);
    assert_eq!(
        pence(look.at("/data/dropped_change/amount_back")),
        offer.amount
    );
    let done = ann.cancels(&policy, json!({})).await;
    let done = done.expect(StatusCode::OK);
    let back = share(paid, 319) - FEE;
    assert_eq!(pence(done.at("/data/refund/amount")), back);
    assert_eq!(done.at("/data/refund/lines"), look.at("/data/refund/lines"));
    assert_eq!(
        pence(done.at("/data/dropped_change/amount_back")),
        offer.amount
    );
    ann.works().await;
    assert_eq!(books(&ann, &policy), (paid - back, 0));
    assert_eq!(
        change(&ann, &policy, &offer.id).await["status"],
        "superseded"
    );
    let shown = activities(&ann, &policy).await;
    assert_eq!(shown.at("/data/1/id"), end.as_str());
    assert_eq!(shown.at("/data/1/status"), "overtaken");
    let letters = told(&ann, "is cancelled");
    let text = letters[0].text.replace('\n', " ");
    assert!(text.contains(&gbp(offer.amount)), "{text}");
    assert!(text.contains(&gbp(back)), "{text}");
    sleeps_until(&mut ann, "2027-06-02").await;
    assert_eq!(books(&ann, &policy), (paid - back, 0));
}

#[tokio::test]
async fn a_change_that_is_paid_after_its_day_was_cancelled_is_paid_back() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let paid = books(&ann, &policy);
    let offer = offer(&ann, &policy, json!({ "cover_level": 4 }), "2027-03-03").await;
    let body = json!({ "uuid": offer.id });
    let begun = ann.post("/api/v1/gateway/sandbox/initiate", &body);
    let begun = begun.succeeds().await;
    ends(&ann, &policy, "2027-02-01").await;
    ann.shop.pay(&begun.text("/data/url"), PAYS).await;
    let payment = begun.text("/data/payment_id").parse().unwrap();
    status::sync_payment_status(&ann.shop.app, payment)
        .await
        .unwrap();
    ann.works().await;
    assert_eq!(
        change(&ann, &policy, &offer.id).await["status"],
        "superseded"
    );
    assert_eq!(books(&ann, &policy), paid);

    assert_eq!(status(&ann, &policy).await, 5);
}

/// Withdraws an offer or a change several times: at once, later, and with a repeated idempotency key.
async fn taken_back(ann: &Customer, id: &str) {
    let first = ntu(ann, id).await.expect(StatusCode::OK);
    assert_eq!(first.at("/data/adjustment/status"), "withdrawn");
    let path = format!("/api/v1/policy/ntu/{id}");
    for key in ["withdraw-0001", "withdraw-0001", "withdraw-0002"] {
        ann.shop.clock.advance(TimeDelta::minutes(5));
        let again = ann
            .put(&path, &json!({}))
            .header("Idempotency-Key", key)
            .send();
        let again = again.await.expect(StatusCode::OK);
        assert_eq!(again.at("/data"), first.at("/data"));
    }
}

#[tokio::test]
async fn what_was_taken_back_is_answered_the_same_again_without_a_key() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let offer = ann.asks(&policy, json!({ "cover_level": 1 }), Some(DAY));
    let offer = offer.await.expect(StatusCode::OK);
    taken_back(&ann, &offer.text("/data/adjustment_id")).await;
    let change = agreed(&ann, &policy, json!({ "cover_level": 4 }), DAY).await;
    taken_back(&ann, &change.id).await;
    let end = ends(&ann, &policy, DAY).await;
    let first = goes_on(&ann, &end).await.expect(StatusCode::OK);
    assert_eq!(first.at("/data/status"), "withdrawn");
    for _ in 0..2 {
        ann.shop.clock.advance(TimeDelta::minutes(5));
        let again = goes_on(&ann, &end).await.expect(StatusCode::OK);
        assert_eq!(again.at("/data"), first.at("/data"));
    }
    // Each was withdrawn once: one refund, and one letter about the agreed change.
    let paid = ann.in_hand(&policy).0;
    ann.works().await;
    assert_eq!(books(&ann, &policy), (paid, 0));
    assert_eq!(told(&ann, "stays as it is").len(), 1);
    assert_eq!(told(&ann, "goes on").len(), 1);
}
