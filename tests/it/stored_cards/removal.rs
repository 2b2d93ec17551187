//! A stored card is removed: before a charge, under a charge, twice, and by another user.

use chrono::TimeDelta;
use layby::domain::payment::PaymentStatus;
use layby::products::Catalogue;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::Renewal;
use crate::globalpayments::double::Double as GlobalPayments;
use crate::money::disputes::unresolved;
use crate::monthly::stop_charging::stops;
use crate::smartpayfuse::double::Double as SmartpayFuse;
use crate::stripe::double::Double as Stripe;
use crate::support::Answer;
use crate::support::card_keeper::CardKeeper;
use crate::support::provider::Provider;

const CARDS: &str = "/api/v1/profile/cards";

async fn removes<P: CardKeeper>(story: &Renewal<P>, id: &str) -> Answer {
    let path = format!("{CARDS}/{id}/remove");
    story.ann.post(&path, &json!({})).send().await
}

async fn listed<P: CardKeeper>(story: &Renewal<P>) -> Vec<Value> {
    let read = story.ann.get(CARDS).succeeds().await;
    read.at("/data").as_array().unwrap().clone()
}

async fn is_shown_and_removed<P: CardKeeper>() {
    let mut story = Renewal::<P>::bought().await;
    let cards = listed(&story).await;
    assert_eq!(cards.len(), 1);
    let card = story.card();
    assert_eq!(cards[0]["gateway"], P::NAME);
    assert_eq!(cards[0]["last_four"], card.card.last_four.clone().unwrap());
    assert!(cards[0]["expiry"].as_str().unwrap().ends_with("34-12"));
    assert_eq!(cards[0]["consent"], card.consent.text);
    assert_eq!(cards[0]["policies"][0]["uuid"], story.policy);
    assert_eq!(cards[0]["policies"][0]["renews"], true);
    let text = cards[0].to_string();
    for token in card.card.tokens.0.values() {
        assert!(!text.contains(token.as_str()));
    }
    let id = cards[0]["id"].as_str().unwrap();

    // For another user the card does not exist, and neither does a wrong id.
    let path = format!("{CARDS}/{id}/remove");
    let shop = &story.ann.shop;
    let nothing = shop
        .get(CARDS)
        .cookies(&story.ann.stranger().await)
        .succeeds()
        .await;
    assert_eq!(nothing.at("/data"), &json!([]));
    let theirs = shop
        .post(&path, &json!({}))
        .cookies(&story.ann.stranger().await);
    let theirs = theirs.answers(StatusCode::NOT_FOUND).await.body;
    let missing = removes(&story, &uuid::Uuid::nil().to_string()).await;
    assert_eq!(missing.expect(StatusCode::NOT_FOUND).body, theirs);
    removes(&story, "x").await.expect(StatusCode::NOT_FOUND);
    shop.post(&path, &json!({}))
        .answers(StatusCode::UNAUTHORIZED)
        .await;
    shop.get(CARDS).answers(StatusCode::UNAUTHORIZED).await;

    // Of two calls at once one removes the card.
    let (one, other) = tokio::join!(removes(&story, id), removes(&story, id));
    let mut both = [one, other];
    both.sort_by_key(|answer| answer.status);
    let [removed, refused] = both;
    let removed = removed.expect(StatusCode::OK);
    assert_eq!(removed.at("/data/stops/0/uuid"), story.policy.as_str());
    assert_eq!(removed.at("/data/is_charging"), false);
    refused.expect(StatusCode::NOT_FOUND);
    assert_eq!(listed(&story).await, [] as [Value; 0]);
    let read = story.ann.policy(&story.policy).await;
    assert_eq!(read.at("/data/policy/auto_renew"), false);
    assert_eq!(read.at("/data/policy/card_stored"), false);
    assert_eq!(read.at("/data/policy/can/auto_renew"), false);

    // The job removes the token, also after lost answers.
    assert_eq!(story.provider.cards(), 1);
    story.provider.lose_removal();
    story.sets_clock();
    story.ann.shop.work_with_failures().await;
    story.ann.shop.clock.advance(TimeDelta::minutes(1));
    story.sets_clock();
    story.ann.shop.work_with_failures().await;
    assert_eq!(story.provider.cards(), 0);
    assert!(story.card().card.tokens.0.is_empty());
    // A later report of the payment does not keep the card again.
    story.waits(4).await;
    assert!(story.card().card.tokens.0.is_empty());
    let read = story.ann.policy(&story.policy).await;
    assert_eq!(read.at("/data/policy/card_stored"), false);
}

/// The customer removes the card after the charge was queued, or objects by telephone: before the charge is stored,
/// after it was lost on its way, or after the provider made it.
async fn is_removed_under_a_charge<P: CardKeeper>() {
    for (sent, is_by_telephone) in [
        (None, false),
        (Some(true), false),
        (Some(false), true),
        (Some(true), true),
    ] {
        let mut story = Renewal::<P>::open().await;
        let id = story.card().id.to_string();
        story.charge_day().await;
        if let Some(is_made) = sent {
            story.loses_the_answer(is_made).await;
        }
        if is_by_telephone {
            let number = story.ann.policy(&story.policy).await;
            let number = number.text("/data/info/custom_id");
            stops(&story.ann, &number, "Jo", "objected").await.unwrap();
            assert_eq!(listed(&story).await.len(), 0);
        } else {
            let removed = removes(&story, &id).await.expect(StatusCode::OK);
            assert_eq!(removed.at("/data/is_charging"), true);
        }
        for _ in 0..3 {
            story.ann.shop.work_with_failures().await;
            story.ann.shop.clock.advance(TimeDelta::minutes(1));
            story.sets_clock();
        }
        story.waits(2).await;
        assert_eq!(story.provider.cards(), 0);
        let charges = story.charges();
        if sent == Some(true) {
            assert_eq!(charges.len(), 1);
            assert_eq!(charges[0].status, PaymentStatus::Paid);
            assert_eq!(story.provider.charges().len(), 1);
            let next = story.ann.policy(&story.renewal).await;
            assert_eq!(next.at("/data/policy/auto_renew"), false);
        } else {
            assert_eq!(story.provider.charges(), []);
            assert_eq!(charges.len(), usize::from(sent.is_some()));
            assert_eq!(story.letters("is not renewed yet"), 1);
        }
    }
}

/// The settings drop the gateway after the charge was queued, before or after the provider's answer.
async fn gateway_is_dropped<P: CardKeeper>() {
    for is_charged in [false, true] {
        let mut story = Renewal::<P>::open().await;
        story.charge_day().await;
        if is_charged {
            story.loses_the_answer(true).await;
        }
        let settings = "[payments]\ngateways = [\"sandbox\"]\n";
        let catalogue = Catalogue::load(None).unwrap();
        story.ann.shop = story.ann.shop.restarted(settings, catalogue).await;
        for _ in 0..3 {
            story.ann.shop.work_with_failures().await;
            story.ann.shop.clock.advance(TimeDelta::minutes(1));
        }
        story.waits(4).await;
        let charges = story.charges();
        let expected = usize::from(is_charged);
        assert_eq!(story.provider.charges().len(), expected);
        assert_eq!(charges.len(), expected);
        if is_charged {
            // Nobody can ask. A person looks the charge up.
            assert_eq!(charges[0].status, PaymentStatus::Unresolved);
            assert_eq!(story.letters("and your card"), 1);
        } else {
            assert_eq!(story.letters("is not renewed yet"), 1);
        }
    }
}

/// A card is listed while its gateway has no keys in the settings.
#[tokio::test]
async fn a_card_of_a_gateway_without_keys_is_listed_while_a_policy_renews_by_it() {
    let mut story = Renewal::<Stripe>::bought().await;
    let card = story.card().id;
    assert_eq!(unresolved(&story.ann.shop).await, []);
    let without = "[payments]\ngateways = [\"sandbox\"]\n".to_owned();
    for (settings, is_listed) in [(&without, true), (&story.provider.shop_settings(), false)] {
        let catalogue = Catalogue::load(None).unwrap();
        story.ann.shop = story.ann.shop.restarted(settings, catalogue).await;
        let listed = unresolved(&story.ann.shop).await;
        let cards: Vec<_> = listed
            .iter()
            .map(|one| (one.what.as_str(), one.id))
            .collect();
        let expected: &[_] = if is_listed {
            &[("card", Some(card))]
        } else {
            &[]
        };
        assert_eq!(cards, expected);
    }
    let catalogue = Catalogue::load(None).unwrap();
    story.ann.shop = story.ann.shop.restarted(&without, catalogue).await;
    let removed = removes(&story, &card.to_string()).await;
    removed.expect(StatusCode::OK);
    assert_eq!(unresolved(&story.ann.shop).await, []);
}

#[tokio::test]
async fn a_user_removes_their_card_at_stripe() {
    is_shown_and_removed::<Stripe>().await;
}

#[tokio::test]
async fn a_card_removed_under_a_charge_at_stripe_is_charged_once_or_not() {
    is_removed_under_a_charge::<Stripe>().await;
}

#[tokio::test]
async fn a_user_removes_their_card_at_global_payments() {
    is_shown_and_removed::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_card_removed_under_a_charge_at_global_payments_is_charged_once_or_not() {
    is_removed_under_a_charge::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_user_removes_their_card_at_smartpay_fuse() {
    is_shown_and_removed::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_card_removed_under_a_charge_at_smartpay_fuse_is_charged_once_or_not() {
    is_removed_under_a_charge::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_charge_at_stripe_whose_gateway_is_dropped_is_made_once_or_not() {
    gateway_is_dropped::<Stripe>().await;
}

#[tokio::test]
async fn a_charge_at_global_payments_whose_gateway_is_dropped_is_made_once_or_not() {
    gateway_is_dropped::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_charge_at_smartpay_fuse_whose_gateway_is_dropped_is_made_once_or_not() {
    gateway_is_dropped::<SmartpayFuse>().await;
}
