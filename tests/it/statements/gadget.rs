//! Gadget cover for a phone and a laptop: bought, changed twice, renewed automatically and cancelled for a
//! later day.
//!
//! Complete cover costs 54.00 and 43.00, theft 45 % and 30 % of that (37.20), loss 16.00 and 12.00. Two
//! gadgets cost a tenth less: 162.20 - 16.22 = 145.98, 17.52 tax, 163.50. With an excess of 50 instead of 75,
//! cover and theft cost 12 % more (16.10). So it is 178.30 - 17.83 = 160.47, 19.26 tax, 179.73. Without loss:
//! 150.30 - 15.03 = 135.27, 16.23 tax, 151.50.
//!
//! From 1 February it is 293 of 365 days: 16.23 * 293 / 365 = 13.03. From 1 April it is 234: -28.23 * 234 /
//! 365 = -18.10. In total 163.50 + 13.03 - 18.10 = 158.43.

use serde_json::json;

use super::Life;
use crate::support::two_gadgets;

#[tokio::test]
async fn gadget_cover_through_its_whole_life() {
    let mut life = Life::of(&two_gadgets(), true).await;
    assert_eq!(
        life.letter()[4..],
        [
            "Your cover begins at 12:00, 21 November 2026.",
            "If you need help under this cover, call 01632 960 123. 9am to 5pm Monday to Friday.",
            "You may change your mind: cancel by the end of 5 December 2026, and you get back everything \
             you paid.",
            "Policy: Gadget cover",
            "Reference: GAD000000018",
            "Your cover: Phone, Laptop; Complete cover; GBP 75 excess; Theft; Loss; Accidental damage and breakdown",
            "Cover begins: 12:00, 21 November 2026",
            "Cover ends: end of 20 November 2027",
            "You paid: GBP 163.50",
            "Your next year: renews by itself; the card that paid is charged on 10 November 2027",
            "Full refund: if you cancel by 5 December 2026",
        ]
    );
    life.document("Policy Schedule").await.says(&[
        "First day 21 November 2026 Last day 20 November 2027 Cover begins 21 November 2026 at 12:00",
        "Phone, Laptop Complete cover £75 excess Theft Loss",
        "Complete cover for your gadgets £97.00 Theft £37.20 Loss £28.00 More than one gadget −£16.22 \
         Insurance Premium Tax (12%) £17.52 Your price £163.50",
        "this is true of every gadget when we first cover it:",
        "at most 18 months old",
    ]);
    life.document("Demands and Needs Statement")
        .await
        .says(&["21 November 2026", "theft"]);
    life.document("Receipt")
        .await
        .says(&["£163.50", "Term 21 November 2026 to 20 November 2027"]);
    assert_eq!(
        life.listed().await,
        json!(["Live", "2026-11-21", "2027-11-20", 163.5])
    );

    life.until("2027-02-01").await;
    life.changes(json!({ "excess": 50 }), "2027-02-01").await;
    assert_eq!(
        life.letter()[5..],
        [
            "What changed: How much would you pay towards each claim?: £75 → £50",
            "From: 1 February 2027",
            "You paid: GBP 13.03",
        ]
    );
    life.document("Receipt")
        .await
        .says(&["your payment of £13.03", "Gadget cover, changed from"]);
    life.document("Change of Policy").await.says(&[
        "before £163.50 Price for the whole term now £179.73 Charged for 293 of 365 days",
        "You paid £13.03",
    ]);
    life.changes(json!({ "loss": false }), "2027-04-01").await;
    assert_eq!(
        life.letter()[5..],
        [
            "What changes: Cover for loss: Yes → No",
            "From: start of 1 April 2027",
            "Refund: GBP 18.10, to the card that paid, on 1 April 2027",
        ]
    );
    life.until("2027-04-01").await;
    life.letters();
    life.document("Policy Schedule")
        .await
        .says(&[
            "Changed from 1 April 2027",
            "Complete cover £50 excess Theft Accidental damage",
            "£50 excess £16.10",
            "Price for the whole term £151.50",
        ])
        .never_says(&["Cover for loss", "Loss £"]);
    assert_eq!(life.page("/data/policy/paid").await, 158.43);
    assert_eq!(life.listed().await[3], 151.5);

    life.until("2027-10-24").await;
    let told = life.letter();
    assert!(told[2].contains("on 10 November 2027"), "{told:?}");
    assert_eq!(
        told[6..],
        [
            "Your current cover: GBP 151.50, until 20 November 2027",
            "Your next year: GBP 151.50, from 21 November 2027",
            "A new customer today: GBP 151.50",
        ]
    );
    life.document("Renewal Notice")
        .await
        .says(&[
            "£151.50",
            "£151.50",
            "£151.50",
            "We charge £151.50",
            "10 November 2027",
        ])
        .never_says(&["year older", "£158.43"]);
    let next = life.page("/data/policy/renewal/quote_uuid").await;
    let old = life.policy.clone();
    life.until("2027-11-03").await;
    let reminder = life.letter();
    assert!(
        reminder.contains(&"We take: GBP 151.50, on 10 November 2027".to_owned()),
        "{reminder:?}"
    );
    for day in ["2027-11-09", "2027-11-10"] {
        life.until(day).await;
    }
    life.policy = next.as_str().unwrap().to_owned();
    assert_eq!(
        life.letter()[10..],
        [
            "Cover begins: 00:00, 21 November 2027",
            "Cover ends: end of 19 November 2028",
            "We took: GBP 151.50",
            "From: card ending in 4242",
            "Full refund: if you cancel by 5 December 2027",
            "Your next year: renews by itself; the same card is charged on 9 November 2028",
        ]
    );
    life.document("Policy Schedule").await.says(&[
        "First day 21 November 2027 Last day 19 November 2028",
        "Your price £151.50",
        "this is true of every gadget when we first cover it:",
    ]);
    life.document("Receipt")
        .await
        .says(&["£151.50", "Paid on 10 November 2027"]);
    life.until("2027-11-21").await;
    assert_eq!(
        life.listed().await,
        json!(["Live", "2027-11-21", "2028-11-19", 151.5])
    );
    let new = std::mem::replace(&mut life.policy, old);
    assert_eq!(life.listed().await[0], "Renewed");
    life.policy = new;

    // From 1 March to 19 November 2028 it is 264 of 365 days: 151.50 * 264 / 365 = 109.58.
    life.until("2028-01-15").await;
    life.letters();
    let asked = life.cancels("2028-03-01").await;
    let fee = asked["refund"]["lines"][1]["amount"].as_f64().unwrap();
    assert_eq!(asked["refund"]["lines"][0]["amount"], 109.58);
    let back = format!("GBP {:.2}", 109.58 + fee);
    assert_eq!(
        life.letter()[5..],
        [
            "Cover ends: end of 29 February 2028".to_owned(),
            format!("Refund: {back}, to the card that paid, on 1 March 2028"),
        ]
    );
    life.until("2028-03-01").await;
    assert_eq!(
        life.letter()[5..],
        [
            "Cover ended: end of 29 February 2028".to_owned(),
            format!("Refund: {back}, to the card that paid"),
        ]
    );
    life.document("Cancellation Letter").await.says(&[
        "First day without cover 1 March 2028 Last day of cover 29 February 2028",
        "Premium for the 264 of 365 days that are left £109.58",
    ]);
}
