//! The card of a renewal: only its payer's consent before the payment allows a charge.

use layby::app::payments::status;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{QUOTED, charges, compare, renewal_of, status, told};
use crate::policies::{Customer, PAYS, young_vehicles};
use crate::support::{Answer, Made};

/// Buys cover as a visitor with the mail address of the customer Ann. The policy is in Ann's account.
async fn bought_by_a_visitor(ann: &Customer, agreed: bool) -> Made {
    let shop = &ann.shop;
    let mut product = young_vehicles();
    product["values"]["email_primary"] = json!(ann.address());
    let quote = shop.quote(&product).await;
    let accept = json!({
        "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": agreed,
    });
    let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
    shop.post(&path, &accept)
        .bearer(&quote.token)
        .succeeds()
        .await;
    let payment = shop.enter_card(&quote, PAYS).await;
    status::sync_payment_status(&shop.app, payment)
        .await
        .unwrap();
    ann.works().await;
    let read = ann.policy(&quote.uuid).await;
    assert_eq!(read.at("/data/info/account"), "mine");
    quote
}

async fn switch(ann: &Customer, policy: &str, on: bool) -> Answer {
    let path = format!("/api/v1/policy/{policy}/auto-renew");
    ann.put(&path, &json!({ "auto_renew": on })).send().await
}

/// Checks that no reader of the policy, its payment or its letters learns anything of the card.
async fn nothing_of_the_card_is_told(ann: &Customer, policy: &str) {
    let mut told = vec![ann.policy(policy).await.body];
    let path = format!("/api/v1/policy/{policy}/documents");
    told.push(ann.get(&path).succeeds().await.body);
    let mut told: Vec<_> = told.iter().map(Value::to_string).collect();
    told.extend(ann.shop.letters().into_iter().map(|letter| letter.text));
    for text in told {
        assert!(!text.contains("4242"), "{text}");
    }
}

#[tokio::test]
async fn the_owner_cant_have_a_card_charged_whose_payer_did_not_agree() {
    let mut ann = Customer::new().await;
    let policy = bought_by_a_visitor(&ann, false).await.uuid;
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/auto_renew"), false);
    assert_eq!(read.at("/data/policy/card_stored"), false);
    assert_eq!(read.at("/data/policy/can/auto_renew"), false);
    let why = "This was not chosen when the policy was paid for. You can choose it when you pay for \
               a renewal.";
    assert_eq!(read.text("/data/policy/why_not/auto_renew"), why);
    let refused = switch(&ann, &policy, true).await;
    assert_eq!(refused.expect(StatusCode::CONFLICT).text("/message"), why);
    nothing_of_the_card_is_told(&ann, &policy).await;

    ann.sleeps(QUOTED).await;
    assert!(told(&ann, "renewal")[0].text.contains("doesn't renew by"));
    ann.waits(30).await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(status(&ann, &policy).await, 15);
}

#[tokio::test]
async fn what_its_payer_agreed_to_goes_on_and_the_owner_can_stop_it() {
    let mut ann = Customer::new().await;
    let policy = bought_by_a_visitor(&ann, true).await;
    // The payer's page can't switch automatic renewal, because another account owns the policy.
    let path = format!("/api/v1/policy/{}/auto-renew", policy.uuid);
    let off = json!({ "auto_renew": false });
    let theirs = ann.shop.put(&path, &off).bearer(&policy.token);
    theirs.answers(StatusCode::UNAUTHORIZED).await;
    let policy = policy.uuid;
    nothing_of_the_card_is_told(&ann, &policy).await;
    // The owner switches automatic renewal off and on again. The payer has consented to automatic renewal.
    for on in [false, true] {
        let switched = switch(&ann, &policy, on).await.expect(StatusCode::OK);
        assert_eq!(switched.at("/data/auto_renew"), on);
        let read = ann.policy(&policy).await;
        assert_eq!(read.at("/data/policy/auto_renew"), on);
        assert_eq!(read.at("/data/policy/card_stored"), true);
    }
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    let compared = compare(&ann, &renewal).await;
    assert_eq!(compared.at("/data/charge_on"), "2027-11-14");
    let letter: Vec<_> = told(&ann, "renewal")[0]
        .text
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let said = letter.join(" ");
    assert!(said.contains("We charge the card that paid for it on 14 November 2027."));
    nothing_of_the_card_is_told(&ann, &policy).await;
    ann.waits(30).await;
    assert_eq!(charges(&ann), 1);
    // The renewal was paid by the same card, whose payer agreed.
    let next = ann.policy(&renewal).await;
    assert_eq!(next.at("/data/policy/auto_renew"), true);
    switch(&ann, &renewal, false).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_renewal_that_is_paid_by_hand_asks_its_payer_anew() {
    let mut ann = Customer::new().await;
    let policy = bought_by_a_visitor(&ann, false).await.uuid;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    ann.pays_for(&renewal, PAYS, true).await;
    let read = ann.policy(&renewal).await;
    assert_eq!(read.at("/data/policy/auto_renew"), true);
    assert_eq!(read.at("/data/policy/can/auto_renew"), true);
    assert_eq!(read.at("/data/policy/card_stored"), true);
}
