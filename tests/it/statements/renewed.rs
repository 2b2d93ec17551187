//! A changed term that is renewed, by hand and automatically.
//!
//! On 25 November 2027 the vehicles are in their sixth year, which costs 12 % more. The renewal costs 67.50 +
//! 8.10 - 8.96 = 66.64, 8.00 tax, 74.64. That is 8.00 more than the 66.64 of the cover in force.

use serde_json::{Value, json};

use super::changed::changed_twice;
use super::{Life, stated};
use crate::policies::PAYS;

/// The day of the renewal quote, 28 days ahead.
const QUOTED: &str = "2027-10-28";

/// Returns the renewal quote of the policy.
async fn renewal(life: &Life) -> String {
    let found = life.page("/data/policy/renewal/quote_uuid").await;
    found.as_str().unwrap().to_owned()
}

/// Returns the renewed policy of a changed term, paid by hand.
pub(super) async fn renewed_by_hand() -> Life {
    let mut life = changed_twice(false).await;
    life.until(QUOTED).await;
    let next = renewal(&life).await;
    life.ann.pays_for(&next, PAYS, false).await;
    life.ann.works().await;
    life.letters();
    life.policy = next;
    life
}

fn told(by_itself: &str) -> Vec<String> {
    [
        "Your layby renewal: policy BRK000000018",
        "Your cover is due for renewal",
        by_itself,
        "Please check that this cover still suits you. You may be able to get the cover you want \
         at a better price if you shop around.",
        "Policy: Vehicle breakdown cover",
        "Reference: BRK000000018",
        "Your current cover: GBP 66.64, until 24 November 2027",
        "Your next year: GBP 74.64, from 25 November 2027",
        "A new customer today: GBP 74.64",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Returns the policy page's data about its renewal.
async fn compared(life: &Life) -> Value {
    let of = life.page("/data/policy/renewal").await;
    json!([
        of["price_last_year"],
        of["price"],
        of["price_new_customer"],
        of["starts"],
        of["charge_on"]
    ])
}

#[tokio::test]
async fn quoted_and_paid_for_by_hand() {
    let mut life = changed_twice(false).await;
    life.until(QUOTED).await;
    assert_eq!(
        life.letter(),
        told(
            "Your policy doesn't renew by itself. To stay covered, please renew it before it ends."
        )
    );
    life.document("Renewal Notice")
        .await
        .says(&[
            "Your cover ends on 24 November 2027.",
            "Your current cover, until 24 November 2027 £66.64 Your next year, from 25 November 2027 \
             £74.64 A new customer today £74.64",
            "Your current cover £66.64 What you cover is a year older, and any offer has ended £8.00 \
             Your next year £74.64",
            "Your policy does not renew by itself.",
            "by 24 November 2027. If you do nothing, your cover ends that day.",
            "Local and home cover",
        ])
        // The amount paid differs from the price of the cover in force.
        .never_says(&["We charge", "you paid", "£80.49", "£74.81"]);
    let by_hand = json!([66.64, 74.64, 74.64, "2027-11-25", null]);
    assert_eq!(compared(&life).await, by_hand);

    let (old, next) = (life.policy.clone(), renewal(&life).await);
    life.ann.pays_for(&next, PAYS, true).await;
    life.ann.works().await;
    life.policy = next.clone();
    assert_eq!(
        life.letter()[1..],
        [
            "Your policy is set up",
            "Thank you. Your payment has arrived and your policy is set up.",
            "It is in your account. Log in with this email address to see it, change it or cancel it.",
            "Your policy BRK000000018 covers you until the end of 24 November 2027, and this one from \
             then on.",
            "If you need help under this cover, call 01632 960 999. At any hour.",
            "You may change your mind: cancel by the end of 9 December 2027, and you get back everything \
             you paid.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000026",
            "Your cover: AB12 CDE, K1 NGS; Vehicle cover; Local and home cover; Unlimited callouts",
            "Cover begins: 00:00, 25 November 2027",
            // 2028 is a leap year.
            "Cover ends: end of 23 November 2028",
            "You paid: GBP 74.64",
            "Your next year: renews by itself; the card that paid is charged on 13 November 2028",
            "Full refund: if you cancel by 9 December 2027",
        ]
    );
    life.document("Policy Schedule")
        .await
        .says(&[
            "First day 25 November 2027 Last day 23 November 2028 Cover begins 25 November 2027 at \
             00:00 Bought on 28 October 2027",
            "Your cover ends 23/11/2028",
            "£67.50 Older vehicles £8.10 More than one vehicle −£8.96 Insurance Premium Tax (12%) \
             £8.00 Your price £74.64",
        ])
        .never_says(&["Changed from"]);
    life.document("Demands and Needs Statement")
        .await
        .says(&["28 October 2027", "Local and home"]);
    life.document("Receipt").await.says(&[
        "your payment of £74.64",
        "Paid on 28 October 2027",
        "Term 25 November 2027 to 23 November 2028",
    ]);
    assert_eq!(
        life.listed().await,
        json!(["Live", "2027-11-25", "2028-11-23", 74.64])
    );
    assert_eq!(life.page("/data/policy/renews").await, old.as_str());

    // The earlier policy covers until its last day, and no card is charged for it.
    life.policy = old;
    assert_eq!(
        life.listed().await,
        json!(["Live", "2026-11-25", "2027-11-24", 66.64])
    );
    assert_eq!(life.page("/data/policy/renewed_by").await, next.as_str());
    assert_eq!(
        life.page("/data/policy/renewal/charge_on").await,
        json!(null)
    );
    life.until("2027-11-25").await;
    assert_eq!(life.listed().await[0], "Renewed");
    assert_eq!(life.letters().len(), 0);
}

#[tokio::test]
async fn quoted_and_paid_for_by_its_card() {
    let mut life = changed_twice(true).await;
    life.until(QUOTED).await;
    assert_eq!(
        life.letter(),
        told(
            "Your policy renews by itself. We charge the card that paid for it on 14 November 2027. \
             You can switch that off in one press in your account."
        )
    );
    life.document("Renewal Notice").await.says(&[
        "Your policy renews by itself. We charge £74.64 to the card that paid for it on 14 November \
         2027.",
    ]);
    let by_card = json!([66.64, 74.64, 74.64, "2027-11-25", "2027-11-14"]);
    assert_eq!(compared(&life).await, by_card);

    let next = renewal(&life).await;
    life.until("2027-11-07").await;
    let reminder = life.letter();
    for line in [
        "Your cover renews by itself soon",
        "Your next year: GBP 74.64, from 25 November 2027",
        "We take: GBP 74.64, on 14 November 2027",
        "Your current cover: until 24 November 2027",
    ] {
        assert!(reminder.contains(&line.to_owned()), "{line}: {reminder:?}");
    }
    for day in ["2027-11-13", "2027-11-14"] {
        life.until(day).await;
    }
    let renewed = life.letter();
    for line in [
        "Your cover has renewed by itself",
        "We took: GBP 74.64",
        "From: card ending in 4242",
        "Full refund: if you cancel by 9 December 2027",
        "Your next year: renews by itself; the same card is charged on 13 November 2028",
    ] {
        assert!(renewed.contains(&line.to_owned()), "{line}: {renewed:?}");
    }
    life.policy = next;
    let policy = life.page("/data/policy").await;
    assert_eq!(
        json!([policy["paid"], policy["auto_renew"]]),
        json!([74.64, true])
    );
    life.document("Receipt")
        .await
        .says(&["£74.64", "Paid on 14 November 2027"]);
}

/// A card that pays once and is declined later.
const LATER_DECLINED: &str = "4000 0000 0000 0341";

#[tokio::test]
async fn a_card_that_is_refused_and_a_policy_that_ends() {
    let ann = crate::policies::Customer::new().await;
    let policy = ann
        .buys(&crate::policies::young_vehicles(), LATER_DECLINED)
        .await;
    let mut life = Life {
        ann,
        policy,
        read: Vec::new(),
    };
    life.until(QUOTED).await;
    life.letters();
    for day in ["2027-11-23", "2027-11-24"] {
        life.until(day).await;
    }
    // National cover for vehicles one year older: 81.50 + 9.78 - 10.78 = 80.50, 9.66 tax, 90.16.
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018 is not renewed yet",
            "We couldn't renew your policy",
            "The card that paid for your policy has not paid for its renewal. Nothing was taken. To stay \
             covered, please renew with a card before your cover ends.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Your next year: GBP 90.16",
            "Cover ends: end of 24 November 2027",
        ]
    );
    // No text announces a charge any more.
    let next = renewal(&life).await;
    assert_eq!(
        compared(&life).await,
        json!([80.49, 90.16, 90.16, "2027-11-25", null])
    );
    let path = format!("/api/v1/renewal/{next}");
    let read = life.ann.get(&path).succeeds().await;
    assert_eq!(read.at("/data/charge_on"), &json!(null));

    // While the charge may still succeed, no letter reports the end.
    life.until("2027-11-25").await;
    assert_eq!(life.letters().len(), 0);
    life.until("2027-11-27").await;
    assert_eq!(
        life.letter(),
        [
            "Your layby policy BRK000000018 has ended",
            "Your policy has ended",
            "Your policy has run to its end. You are no longer covered by it.",
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Ended: end of 24 November 2027",
        ]
    );
    assert_eq!(life.listed().await[0], "Expired");
}

#[tokio::test]
async fn what_cannot_be_renewed_says_why_and_until_when_it_covers() {
    // The vehicle was registered in March 2012. At the start of the next term it is over 15 years old.
    let mut life = Life::of(&crate::support::two_vehicles(), true).await;
    life.until(QUOTED).await;
    let letters: Vec<_> = life.ann.shop.letters().iter().map(stated).collect();
    let last = letters.last().unwrap();
    assert_eq!(last[0], "Your layby policy BRK000000018 can't be renewed");
    assert_eq!(last[1], "We can't renew this cover as it is");
    assert!(last[2].starts_with("We can't cover a vehicle that will be over 15 years old"));
    assert_eq!(last[5], "Cover ends: end of 24 November 2027");
    assert_eq!(last.len(), 6);
    assert_eq!(
        life.page("/data/policy/renewal/charge_on").await,
        json!(null)
    );
}
