//! Single trips: five days in France and three in Spain, within 1 to 12 December 2026.
//!
//! 8 days at 7.90 are 63.20. 15 % less for 8 days or more (9.48) is 53.72, 6.45 tax, 60.17.

use serde_json::json;

use super::Life;
use crate::support::two_trips;

#[tokio::test]
async fn trips_that_are_bought_and_over() {
    let mut life = Life::of(&two_trips(), false).await;
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018",
            "Your policy is set up",
            "Thank you. Your payment has arrived and your policy is set up.",
            "It is in your account. Log in with this email address to see it, change it or cancel it.",
            "Your cover begins at 00:00, 1 December 2026.",
            "If you need help under this cover, call 01632 960 999. At any hour.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Your cover: Personal cover; European cover; Unlimited callouts",
            "Cover begins: 00:00, 1 December 2026",
            "Cover ends: end of 12 December 2026",
            // There is no line about a next year.
            "You paid: GBP 60.17",
        ]
    );
    life.document("Policy Schedule")
        .await
        .says(&[
            "First day 1 December 2026 Last day 12 December 2026 Cover begins 1 December 2026 at \
             00:00",
            "European cover",
            "France 01/12/2026 05/12/2026 Spain 10/12/2026 12/12/2026",
            "European cover for you £63.20 Longer trips −£9.48 Insurance Premium Tax (12%) £6.45 Your \
             price £60.17",
        ])
        .never_says(&["2027"]);
    life.document("Demands and Needs Statement")
        .await
        .says(&["covered in Europe for these trips: France, Spain."])
        .never_says(&["for a year"]);
    life.document("Receipt").await.says(&[
        "your payment of £60.17",
        "Term 1 December 2026 to 12 December 2026",
        "Paid £60.17",
    ]);
    assert_eq!(
        life.listed().await,
        json!(["Live", "2026-12-01", "2026-12-12", 60.17])
    );
    let price = life.page("/data/info/price").await;
    assert_eq!(
        json!([price["amount_total"], price["per"], price["basis"]]),
        json!([60.17, "trip", "term"])
    );
    assert_eq!(
        life.page("/data/policy/why_not/auto_renew").await,
        "Single trips don't renew."
    );

    life.until("2026-12-13").await;
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018 has ended",
            "Your policy has ended",
            "Your policy has run to its end. You are no longer covered by it.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Ended: end of 12 December 2026",
        ]
    );
    assert_eq!(life.listed().await[0], "Expired");
}

#[tokio::test]
async fn trips_that_are_cancelled_before_and_within() {
    for (day, back) in [("2026-11-30", true), ("2026-12-03", false)] {
        let mut life = Life::of(&two_trips(), false).await;
        life.until(day).await;
        life.letters();
        let asked = life.cancels(day).await;
        let figures = if back {
            json!([60.17, 0])
        } else {
            json!([0, 60.17])
        };
        assert_eq!(asked["refund"]["amount"], figures[0], "{day}");
        let (on, says, refund, lines) = if back {
            (
                "30 November 2026",
                "Your policy has ended as you asked, before its cover began. It never covered you.",
                "GBP 60.17, to the card that paid",
                [
                    "Everything you paid: your cover hasn't begun £60.17",
                    "You get back £60.17 £60.17 goes back",
                ],
            )
        } else {
            (
                "3 December 2026",
                "Your policy has ended as you asked. You are no longer covered.",
                "nothing",
                [
                    "Nothing comes back once a trip of less than a month has begun £0.00",
                    "There is nothing to pay back.",
                ],
            )
        };
        assert_eq!(
            life.letter()[1..],
            [
                "Your policy is cancelled",
                says,
                "Policy: Vehicle breakdown cover",
                "Reference: BRK000000018",
                &format!("Ended on: {on}"),
                &format!("Refund: {refund}"),
            ]
        );
        life.document("Cancellation Letter")
            .await
            .says(&[&format!("we ended your policy on {on}")])
            .says(&lines);
        assert_eq!(life.page("/data/policy/paid").await, figures[1]);
        assert_eq!(life.listed().await[0], "Cancelled");
        // No letter is sent at the end of the trips.
        life.until("2026-12-14").await;
        assert_eq!(life.letters().len(), 0);
    }
}

#[tokio::test]
async fn trips_that_are_changed_before_departure() {
    let mut life = Life::of(&two_trips(), false).await;
    life.letters();
    // With the excess 12 % less: 53.72 - 6.45 = 47.27, 5.67 tax, 52.94; 60.17 - 52.94 = 7.23.
    life.changes(json!({ "excess": 1 }), "2026-12-01").await;
    let told = life.letter();
    assert_eq!(
        told[told.len() - 2..],
        [
            "From: 1 December 2026",
            "Refund: GBP 7.23, to the card that paid"
        ]
    );
    life.document("Change of Policy").await.says(&[
        "Price for the whole term before £60.17 Price for the whole term now £52.94 Given back for 12 \
         of 12 days",
        "You get back £7.23",
    ]);
    life.document("Policy Schedule")
        .await
        .says(&["Price for the whole term £52.94"]);
    assert_eq!(life.page("/data/policy/paid").await, 52.94);
}
