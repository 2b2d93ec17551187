//! A term with a scheduled cancellation: the first term, and one that followed a changed term.

use serde_json::{Value, json};

use super::Life;
use super::renewed::renewed_by_hand;
use crate::policies::young_vehicles;

/// Returns the policy page's figures of a cancellation and its refund.
fn figures(of: &Value) -> Value {
    json!([
        of["status"],
        of["effective_date"],
        of["last_day"],
        of["refund"]["amount"],
        of["refund"]["lines"][0]["amount"],
        of["refund"]["lines"][1]["amount"]
    ])
}

/// From 1 March to 23 November 2028 it is 268 of 365 days: 74.64 * 268 / 365 = 54.80. Less the fee of 15.00
/// it is 39.80; 74.64 - 39.80 = 34.84 stay paid.
#[tokio::test]
async fn a_renewed_term() {
    let mut life = renewed_by_hand().await;
    life.until("2027-12-01").await;
    life.letters();
    let asked = life.cancels("2028-03-01").await;
    let pending = json!(["pending", "2028-03-01", "2028-02-29", 39.8, 54.8, -15]);
    assert_eq!(figures(&asked), pending);
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000026 ends on the day you chose",
            "Your policy is to be cancelled",
            "As you asked, your policy ends as 1 March 2028 begins: from 00:00 on 1 March 2028 you \
             are no longer covered. Until then nothing changes, and you can withdraw this in your \
             account. It does not renew by itself.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000026",
            "Cover ends: end of 29 February 2028",
            "Refund: GBP 39.80, to the card that paid, on 1 March 2028",
        ]
    );
    let policy = life.page("/data/policy").await;
    assert_eq!(figures(&policy["pending_cancellation"]), pending);
    assert_eq!(policy["paid"], 74.64);
    assert_eq!(
        life.listed().await,
        json!(["Live", "2027-11-25", "2028-11-23", 74.64])
    );

    life.until("2028-03-01").await;
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000026 is cancelled",
            "Your policy is cancelled",
            "Your policy has ended as you asked. You are no longer covered.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000026",
            "Cover ended: end of 29 February 2028",
            "Refund: GBP 39.80, to the card that paid",
        ]
    );
    life.document("Cancellation Letter").await.says(&[
        "1 March 2028",
        "As you asked, your policy ended as 1 March 2028 began: from 00:00 on that day it covers you \
         no more.",
        "First day without cover 1 March 2028 Last day of cover 29 February 2028",
        "Premium for the 268 of 365 days that are left £54.80 Cancellation fee −£15.00 You get back \
         £39.80",
    ]);
    let policy = life.page("/data/policy").await;
    let done = json!(["done", "2028-03-01", "2028-02-29", 39.8, 54.8, -15]);
    assert_eq!(figures(&policy["cancellation"]), done);
    assert_eq!(policy["cancellation"]["refund"]["status"], "paid");
    assert_eq!(policy["pending_cancellation"], json!(null));
    assert_eq!(policy["paid"], 34.84);
    assert_eq!(life.listed().await[0], "Cancelled");
}

/// 267 of 365 days from 3 March: 80.49 * 267 / 365 = 58.88, less 15.00 is 43.88. More cover from 1 June is
/// (101.21 - 80.49) * 177 / 365 = 10.05, which is refunded too.
#[tokio::test]
async fn a_first_term_whose_change_never_comes() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.until("2026-12-20").await;
    life.changes(json!({ "cover_level": 4 }), "2027-06-01")
        .await;
    life.letters();
    let asked = life.cancels("2027-03-03").await;
    let pending = json!(["pending", "2027-03-03", "2027-03-02", 43.88, 58.88, -15]);
    assert_eq!(figures(&asked), pending);
    let told = life.letter();
    assert_eq!(
        told[3..],
        [
            "The change that was agreed for 1 June 2027 will not come. What you paid for it goes \
             back to the card that paid.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Cover ends: end of 2 March 2027",
            "Refund: GBP 43.88, to the card that paid, on 3 March 2027",
            "Refund of the change: GBP 10.05, to the card that paid",
        ]
    );
    assert_eq!(life.page("/data/policy/paid").await, 80.49);

    life.until("2027-03-03").await;
    assert_eq!(
        life.letter()[2..],
        [
            "Your policy has ended as you asked. You are no longer covered.",
            "The change that was agreed for 1 June 2027 will not come. What you paid for it goes \
             back to the card that paid.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Cover ended: end of 2 March 2027",
            "Refund: GBP 43.88, to the card that paid",
            "Refund of the change: GBP 10.05, to the card that paid",
        ]
    );
    life.document("Cancellation Letter").await.says(&[
        "The change that was agreed for 1 June 2027 does not come. What you paid for it is no part of \
         the refund below: £10.05 goes back to the card it came from. Most banks show it within three \
         to five working days.",
        "Last day of cover 2 March 2027",
        "You get back £43.88",
    ]);
    assert_eq!(life.page("/data/policy/paid").await, 36.61);
}

#[tokio::test]
async fn an_end_that_is_withdrawn_and_cover_that_is_not_taken_up() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.until("2026-12-20").await;
    life.letters();
    let asked = life.cancels("2027-03-03").await;
    life.letters();
    let id = asked["id"].as_str().unwrap();
    let path = format!("/api/v1/activity/{id}/withdraw");
    life.ann.put(&path, &json!({})).succeeds().await;
    life.ann.works().await;
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018 goes on",
            "Your policy goes on",
            "As you asked, your policy does not end as 3 March 2027 begins. You stay covered, and \
             everything else is as it was.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Cover ends: end of 24 November 2027",
        ]
    );
    assert_eq!(
        life.page("/data/policy/pending_cancellation").await,
        json!(null)
    );

    let mut other = Life::of(&young_vehicles(), true).await;
    other.letters();
    let path = format!("/api/v1/policy/ntu/{}", other.policy);
    other.ann.put(&path, &json!({})).succeeds().await;
    other.ann.works().await;
    assert_eq!(
        other.letter(),
        [
            "Your layby policy BRK000000018 was not taken up",
            "Your policy was undone",
            "Your policy was undone before it began. You are not covered by it.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Refund: GBP 80.49, to the card that paid",
        ]
    );
    other.document("Cancellation Letter").await.says(&[
        "your policy was undone on 21 November 2026, before it began",
        "Undone on 21 November 2026",
        "You get back £80.49",
        "This policy does not cover you.",
    ]);
    other
        .document("Cancellation Letter")
        .await
        .never_says(&["no longer", "Your reason"]);
    assert_eq!(other.page("/data/policy/paid").await, 0);
    assert_eq!(other.listed().await[0], "Not taken up");
}

#[tokio::test]
async fn an_end_as_the_first_day_of_cover_begins() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.letters();
    let asked = life.cancels("2026-11-25").await;
    assert_eq!(asked["last_day"], json!(null));
    let told = life.letter();
    assert_eq!(
        told[2],
        "As you asked, your policy ends as 25 November 2026 begins, its first day of cover: it will \
         not cover you at all. Until then you can withdraw this in your account."
    );
    life.until("2026-11-25").await;
    assert_eq!(
        life.letter()[2],
        "Your policy has ended as you asked, before its cover began. It never covered you."
    );
    life.document("Cancellation Letter")
        .await
        .says(&[
            "your policy ended as 25 November 2026 began, its first day of cover. You have never been \
             covered by it.",
            "This policy does not cover you.",
        ])
        .never_says(&["no longer", "covers you no more"]);
}

#[tokio::test]
async fn an_end_at_once_before_the_cover_begins() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.letters();
    life.cancels("2026-11-21").await;
    let told = life.letter();
    assert_eq!(
        told[2],
        "Your policy has ended as you asked, before its cover began. It never covered you."
    );
    assert!(
        told.contains(&"Ended on: 21 November 2026".to_string()),
        "{told:?}"
    );
    life.document("Cancellation Letter")
        .await
        .says(&[
            "we ended your policy on 21 November 2026, before its cover began. You have never been \
             covered by it.",
            "This policy does not cover you.",
        ])
        .never_says(&["no longer", "covers you no more"]);
}
