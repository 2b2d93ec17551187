//! The first term of cover for two vehicles, changed twice.
//!
//! National cover costs 43.00 for the car and 38.50 for the bike, a quarter less for the second. So it is
//! 81.50 - 9.63 = 71.87, and 80.49 with 12 % tax (8.62). National and home: 102.50 - 12.13 = 90.37, 10.84
//! tax, 101.21. Local and home: 67.50 - 8.00 = 59.50, 7.14 tax, 66.64.
//!
//! From 1 February 297 of 365 days are left: (101.21 - 80.49) * 297 / 365 = 16.86. From 1 April it is 238:
//! (66.64 - 101.21) * 238 / 365 = -22.54. In total 80.49 + 16.86 - 22.54 = 74.81 was paid.

use serde_json::json;

use super::Life;
use crate::policies::young_vehicles;

/// Returns a first term with a paid change on 1 February, and a change for 1 April with a refund.
pub(super) async fn changed_twice(auto_renew: bool) -> Life {
    let mut life = Life::of(&young_vehicles(), auto_renew).await;
    life.until("2027-02-01").await;
    life.changes(json!({ "cover_level": 4 }), "2027-02-01")
        .await;
    life.changes(json!({ "cover_level": 2 }), "2027-04-01")
        .await;
    life.until("2027-04-01").await;
    life.letters();
    life
}

#[tokio::test]
async fn the_first_term() {
    let mut life = Life::of(&young_vehicles(), true).await;
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018",
            "Your policy is set up",
            "Thank you. Your payment has arrived and your policy is set up.",
            "It is in your account. Log in with this email address to see it, change it or cancel it.",
            "Your cover begins at 00:00, 25 November 2026.",
            "If you need help under this cover, call 01632 960 999. At any hour.",
            "You may change your mind: cancel by the end of 9 December 2026, and you get back everything \
             you paid.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Your cover: AB12 CDE, K1 NGS; Vehicle cover; National cover; Unlimited callouts",
            "Cover begins: 00:00, 25 November 2026",
            "Cover ends: end of 24 November 2027",
            "You paid: GBP 80.49",
            "Your next year: renews by itself; the card that paid is charged on 14 November 2027",
            "Full refund: if you cancel by 9 December 2026",
        ]
    );
    life.document("Policy Schedule")
        .await
        .says(&[
            "First day 25 November 2026 Last day 24 November 2027 Cover begins 25 November 2026 at \
             00:00 Bought on 21 November 2026 Your cover AB12 CDE, K1 NGS Vehicle cover National \
             cover Unlimited callouts",
            "Cover starts 25/11/2026 Your cover ends 24/11/2027",
            "National cover for your vehicles £81.50 More than one vehicle −£9.63 Insurance Premium \
             Tax (12%) £8.62 Your price £80.49",
        ])
        .never_says(&["Changed from", "whole term", "Key cover", "£30 Excess"]);
    life.document("Demands and Needs Statement").await.says(&[
        "21 November 2026",
        "these vehicles, whoever drives them: AB12 CDE, K1 NGS.",
        "You want help anywhere in the UK",
        "National cover",
    ]);
    life.document("Receipt").await.says(&[
        "We have received your payment of £80.49.",
        "Paid on 21 November 2026 For Vehicle breakdown cover Policy number BRK000000018 Term 25 \
         November 2026 to 24 November 2027 Paid by Card",
        "Insurance Premium Tax (12%) £8.62 Paid £80.49",
    ]);
    let row = json!(["Live", "2026-11-25", "2027-11-24", 80.49]);
    assert_eq!(life.listed().await, row);
    let policy = life.page("/data/policy").await;
    assert_eq!(policy["paid"], 80.49);
    assert_eq!(policy["cover_begins"], "2026-11-25T00:00:00Z");
    for none in [
        "renewal",
        "scheduled_change",
        "pending_cancellation",
        "cancellation",
    ] {
        assert_eq!(policy[none], json!(null), "{none}");
    }
    let price = life.page("/data/info/price").await;
    assert_eq!(
        json!([
            price["amount_total"],
            price["amount_net"],
            price["amount_tax"],
            price["per"]
        ]),
        json!([80.49, 71.87, 8.62, "year"])
    );
}

#[tokio::test]
async fn more_cover_from_today() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.until("2027-02-01").await;
    life.letters();
    let offer = life
        .changes(json!({ "cover_level": 4 }), "2027-02-01")
        .await;
    assert_eq!(
        json!([
            offer["premium_before"],
            offer["premium_after"],
            offer["amount_now"],
            offer["days_left"],
            offer["lines"][0]["amount"],
            offer["lines"][1]["amount"],
        ]),
        // 101.21 and 80.49, each for 297 of 365 days.
        json!([80.49, 101.21, 16.86, 297, 82.35, -65.49])
    );
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018 has changed",
            "Your change is made",
            "Your policy has been changed as you asked. New documents follow.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "What changed: Cover level: National → National and home",
            "From: 1 February 2027",
            "You paid: GBP 16.86",
        ]
    );
    life.document("Policy Schedule")
        .await
        .says(&[
            "Last day 24 November 2027",
            "Bought on 21 November 2026 Changed from 1 February 2027",
            "National and home cover Unlimited callouts",
            "Insurance Premium Tax (12%) £10.84 Price for the whole term £101.21",
        ])
        .never_says(&["£80.49", "Your price £"]);
    life.document("Receipt").await.says(&[
        "We have received your payment of £16.86.",
        "Paid on 1 February 2027 For Vehicle breakdown cover, changed from 1 February 2027",
        "New premium for 297 of 365 days £82.35 Less your present premium for 297 of 365 days \
         −£65.49 Paid £16.86",
    ]);
    life.document("Change of Policy").await.says(&[
        "We have changed your policy from 1 February 2027.",
        "Cover level National National and home",
        "Price for the whole term before £80.49 Price for the whole term now £101.21 Charged for \
         297 of 365 days",
        "You paid £16.86",
    ]);
    assert_eq!(life.page("/data/policy/paid").await, 97.35);
    let row = json!(["Live", "2026-11-25", "2027-11-24", 101.21]);
    assert_eq!(life.listed().await, row);
}

#[tokio::test]
async fn less_cover_from_a_later_day() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.until("2027-02-01").await;
    life.changes(json!({ "cover_level": 4 }), "2027-02-01")
        .await;
    life.letters();
    life.changes(json!({ "cover_level": 2 }), "2027-04-01")
        .await;
    let changes = "Cover level: National and home → Local and home";
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018 changes on a later day",
            "Your change is agreed",
            "Your policy changes as 1 April 2027 begins, and your new documents follow then. Until \
             then your cover stays as it is, and you can withdraw the change in your account.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            &format!("What changes: {changes}"),
            "From: start of 1 April 2027",
            "Refund: GBP 22.54, to the card that paid, on 1 April 2027",
        ]
    );
    // Only the scheduled change shows yet.
    life.document("Policy Schedule")
        .await
        .says(&["Price for the whole term £101.21"]);
    let coming = life.page("/data/policy/scheduled_change").await;
    assert_eq!(
        json!([
            coming["status"],
            coming["effective_date"],
            coming["refund"]["amount"]
        ]),
        json!(["agreed", "2027-04-01", 22.54])
    );
    assert_eq!(life.page("/data/policy/paid").await, 97.35);
    assert_eq!(life.listed().await[3], 101.21);

    life.until("2027-04-01").await;
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018 has changed",
            "Your change is made",
            "Your policy has been changed as you asked on 1 February 2027. New documents follow.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            &format!("What changed: {changes}"),
            "From: 1 April 2027",
            "Refund: GBP 22.54, to the card that paid",
        ]
    );
    life.document("Policy Schedule").await.says(&[
        "Changed from 1 April 2027",
        "Local and home cover",
        "Price for the whole term £66.64",
    ]);
    // 101.21 and 66.64, each for 238 of 365 days.
    life.document("Change of Policy").await.says(&[
        "We have changed your policy from 1 April 2027.",
        "Price for the whole term before £101.21 Price for the whole term now £66.64 Given back for \
         238 of 365 days",
        "Your premium before for 238 of 365 days £65.99 Less your new premium for 238 of 365 days \
         −£43.45 You get back £22.54",
    ]);
    let policy = life.page("/data/policy").await;
    assert_eq!(policy["paid"], 74.81);
    assert_eq!(policy["scheduled_change"], json!(null));
    assert_eq!(life.listed().await[3], 66.64);
}

#[tokio::test]
async fn less_cover_that_is_withdrawn() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.until("2027-02-01").await;
    let offer = life
        .changes(json!({ "cover_level": 2 }), "2027-04-01")
        .await;
    life.letters();
    let id = offer["adjustment_id"].as_str().unwrap();
    let path = format!("/api/v1/policy/ntu/{id}");
    life.ann.put(&path, &json!({})).succeeds().await;
    life.ann.works().await;
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018 stays as it is",
            "Your change is withdrawn",
            "As you asked, your policy does not change on 1 April 2027. Your cover stays as it is.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "What would have changed: Cover level: National → Local and home",
            "Refund: nothing",
        ]
    );
    life.until("2027-04-02").await;
    assert_eq!(life.letters().len(), 0);
    life.document("Policy Schedule")
        .await
        .says(&["National cover", "Your price £80.49"]);
    assert_eq!(life.page("/data/policy/paid").await, 80.49);
}
