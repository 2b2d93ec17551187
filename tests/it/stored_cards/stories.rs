//! One charge for each try, whatever is lost, and the class of each decline.

use chrono::TimeDelta;
use layby::app::jobs;
use layby::domain::payment::{DeclineClass, PaymentStatus};
use layby::products::Catalogue;
use layby::store::tables::Task;
use poem::http::StatusCode;
use serde_json::json;

use super::Renewal;
use crate::globalpayments::double::Double as GlobalPayments;
use crate::smartpayfuse::double::Double as SmartpayFuse;
use crate::stripe::double::Double as Stripe;
use crate::support::card_keeper::CardKeeper;

async fn renews_once<P: CardKeeper>() {
    let mut story = Renewal::<P>::open().await;
    let card = story.card();
    let digits = card.card.last_four.as_deref().unwrap();
    assert!(digits.len() == 4 && digits.chars().all(|c| c.is_ascii_digit()));
    assert!(card.card.scheme_reference.is_some());
    assert!(card.card.expiry.is_some());
    assert!(card.consent.text.contains("we charge that price"));
    // No token is in a debug print.
    let printed = format!("{card:?}");
    for token in card.card.tokens.0.values() {
        assert!(!printed.contains(token.as_str()), "{printed}");
    }
    story.waits(3).await;
    let charges = story.charges();
    assert_eq!(charges.len(), 1);
    assert_eq!(charges[0].status, PaymentStatus::Paid);
    let charged = (charges[0].id.to_string(), charges[0].amount.0);
    assert_eq!(story.provider.charges(), [charged]);
    assert_eq!(story.status(&story.renewal).await, 5);
    let next = story.ann.policy(&story.renewal).await;
    assert_eq!(next.at("/data/policy/auto_renew"), true);
    // The money of a charge is refunded as that of a page.
    let balance = story.provider.balance(&story.ann.shop);
    let cancelled = story.ann.cancels(&story.renewal, json!({})).await;
    cancelled.expect(StatusCode::OK);
    story.ann.works().await;
    let left = story.provider.balance(&story.ann.shop);
    assert_eq!(balance - left, charges[0].amount.0);
}

async fn lost_answers<P: CardKeeper>() {
    for is_made in [true, false] {
        let mut story = Renewal::<P>::open().await;
        let calls = if P::REPEATS { 3 } else { 1 };
        for _ in 0..calls {
            story.provider.lose_charge(is_made);
        }
        story.charge_day().await;
        // The process may stop after the charge. The job runs again.
        for _ in 0..4 {
            story.ann.shop.work_with_failures().await;
            story.ann.shop.clock.advance(TimeDelta::minutes(1));
            story.sets_clock();
        }
        if !is_made && !P::REPEATS {
            // Nobody can know for a day that no charge was made. So the shop does not call again.
            assert_eq!(story.provider.charges(), []);
            assert!(story.charges()[0].status.is_open());
            story.waits(2).await;
            assert_eq!(story.charges()[0].status, PaymentStatus::Failed);
            assert_eq!(story.provider.charges(), []);
            // Another try is due three days later.
            story.waits(3).await;
            assert_eq!(story.provider.charges().len(), 1);
            assert_eq!(story.status(&story.renewal).await, 5);
            continue;
        }
        assert_eq!(story.provider.charges().len(), 1, "{is_made}");
        assert_eq!(story.charges()[0].status, PaymentStatus::Paid);
        story.waits(1).await;
        assert_eq!(story.status(&story.renewal).await, 5);
        assert_eq!(story.provider.charges().len(), 1);
    }
}

async fn declines<P: CardKeeper>() {
    for (code, class) in [
        (P::NEVER, DeclineClass::Never),
        (P::LATER, DeclineClass::Retryable),
        (P::CUSTOMER, DeclineClass::Customer),
    ] {
        let mut story = Renewal::<P>::open().await;
        story.provider.decline_charges(Some(code));
        story.waits(1).await;
        let charges = story.charges();
        assert_eq!(charges.len(), 1);
        assert_eq!(charges[0].status, PaymentStatus::Failed);
        let decline = charges[0].decline.clone().unwrap();
        assert_eq!(
            (decline.class, decline.code.as_deref()),
            (class, Some(code))
        );
        assert_eq!(story.provider.charges(), []);
        assert_eq!(story.letters("is not renewed yet"), 1);
        // The customer renews on the page.
        story.ann.accepts(&story.renewal, false).await;
        story.pays(&story.renewal).await;
        assert_eq!(story.status(&story.renewal).await, 5);
        assert_eq!(story.charges().len(), 1);
    }
}

/// A decline that may pass is tried again after 3 and 7 days, at most until the card pays.
async fn retries<P: CardKeeper>() {
    for paying_try in [2, 3, 4] {
        let mut story = Renewal::<P>::open().await;
        story.provider.decline_charges(Some(P::LATER));
        story.waits(1).await;
        let compared = story.ann.get(&format!("/api/v1/renewal/{}", story.renewal));
        let compared = compared.succeeds().await;
        assert_eq!(compared.at("/data/charge_on"), "2027-11-17");
        assert_eq!(compared.at("/data/next_year"), "by_itself");
        assert_eq!(story.letters("is not renewed yet"), 1);
        for (tries, days) in [(2, 3), (3, 4)] {
            story.waits(days - 1).await;
            assert_eq!(
                story.charges().len(),
                (tries - 1).min(paying_try),
                "{paying_try}"
            );
            if tries == paying_try {
                story.provider.decline_charges(None);
            }
            story.waits(1).await;
            assert_eq!(story.charges().len(), tries.min(paying_try), "{paying_try}");
        }
        // Three days are left to pay in another way.
        let is_paid = paying_try < 4;
        assert_eq!(story.provider.charges().len(), usize::from(is_paid));
        let read = story.ann.policy(&story.policy).await;
        let next_year = if is_paid { "renewed" } else { "card_refused" };
        assert_eq!(read.at("/data/policy/next_year"), next_year);
        let letters = if is_paid { 1 } else { 2 };
        assert_eq!(story.letters("is not renewed yet"), letters);
        story.waits(5).await;
        assert_eq!(story.charges().len(), paying_try.min(3));
    }
}

/// Switched off between two tries, the card is not charged again.
async fn is_switched_off<P: CardKeeper>() {
    let mut story = Renewal::<P>::open().await;
    story.provider.decline_charges(Some(P::LATER));
    story.waits(1).await;
    story.provider.decline_charges(None);
    let path = format!("/api/v1/policy/{}/auto-renew", story.policy);
    story
        .ann
        .put(&path, &json!({ "auto_renew": false }))
        .succeeds()
        .await;
    story.waits(8).await;
    assert_eq!(story.charges().len(), 1);
    assert_eq!(story.provider.charges(), []);
}

/// The provider has no such card any more.
async fn card_is_gone<P: CardKeeper>() {
    let mut story = Renewal::<P>::open().await;
    assert_eq!(story.provider.cards(), 1);
    story.provider.remove_cards();
    story.waits(1).await;
    let charges = story.charges();
    assert_eq!(charges[0].status, PaymentStatus::Failed);
    let decline = charges[0].decline.clone().unwrap();
    assert_eq!(decline.class, DeclineClass::Customer, "{decline:?}");
    assert_eq!(story.provider.charges(), []);
    assert_eq!(story.letters("is not renewed yet"), 1);
}

/// The provider refuses the shop's request, and not the card. The shop calls again, and the card stays usable.
async fn refuses_request<P: CardKeeper>() {
    let story = Renewal::<P>::open().await;
    story.provider.refuse_charges(true);
    story.charge_day().await;
    for _ in 0..2 {
        story.ann.shop.work_with_failures().await;
        story.ann.shop.clock.advance(TimeDelta::hours(2));
        story.sets_clock();
    }
    let charge = story.charges().remove(0);
    assert!(charge.status.is_open());
    assert_eq!((charge.decline, charge.failure), (None, None));
    assert!(!story.card().is_unusable);
    assert_eq!(story.letters("is not renewed yet"), 0);
    story.provider.refuse_charges(false);
    story.ann.shop.work_with_failures().await;
    let charges = story.charges();
    assert_eq!(charges.len(), 1);
    assert_eq!(charges[0].status, PaymentStatus::Paid);
    assert_eq!(story.provider.charges().len(), 1);
}

/// Two shops with one store run the same job at once. Later one of them runs it again.
async fn two_shops<P: CardKeeper>() {
    for decline in [None, Some(P::LATER)] {
        let mut story = Renewal::<P>::open().await;
        story.provider.decline_charges(decline);
        story.charge_day().await;
        let first = &story.ann.shop;
        let settings = story.provider.shop_settings();
        let catalogue = Catalogue::load(None).unwrap();
        let second = first.restarted(&settings, catalogue).await;
        let mut due = first.due().await;
        due.retain(|(_, job)| matches!(job.task, Task::RenewByCard { .. }));
        let (key, job) = due.remove(0);
        let (one, other) = tokio::join!(
            jobs::run_job(&first.app, key, job.clone()),
            jobs::run_job(&second.app, key, job.clone())
        );
        one.unwrap();
        other.unwrap();
        jobs::run_job(&first.app, key, job).await.unwrap();
        story.waits(1).await;
        assert_eq!(story.charges().len(), 1, "{decline:?}");
        let (status, made) = match decline {
            None => (PaymentStatus::Paid, 1),
            Some(_) => (PaymentStatus::Failed, 0),
        };
        assert_eq!(story.charges()[0].status, status);
        assert_eq!(story.provider.charges().len(), made);
    }
}

#[tokio::test]
async fn a_card_at_stripe_renews_once() {
    renews_once::<Stripe>().await;
}

#[tokio::test]
async fn a_lost_answer_of_stripe_charges_once() {
    lost_answers::<Stripe>().await;
}

#[tokio::test]
async fn a_decline_at_stripe_has_its_class() {
    declines::<Stripe>().await;
}

#[tokio::test]
async fn a_card_that_stripe_has_removed_is_declined() {
    card_is_gone::<Stripe>().await;
}

#[tokio::test]
async fn a_request_that_stripe_refuses_leaves_the_card_usable() {
    refuses_request::<Stripe>().await;
}

#[tokio::test]
async fn two_shops_charge_a_card_at_stripe_once() {
    two_shops::<Stripe>().await;
}

#[tokio::test]
async fn a_card_at_global_payments_renews_once() {
    renews_once::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_lost_answer_of_global_payments_charges_once() {
    lost_answers::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_decline_at_global_payments_has_its_class() {
    declines::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_card_that_global_payments_has_removed_is_declined() {
    card_is_gone::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_request_that_global_payments_refuses_leaves_the_card_usable() {
    refuses_request::<GlobalPayments>().await;
}

#[tokio::test]
async fn two_shops_charge_a_card_at_global_payments_once() {
    two_shops::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_card_at_smartpay_fuse_renews_once() {
    renews_once::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_lost_answer_of_smartpay_fuse_charges_once() {
    lost_answers::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_decline_at_smartpay_fuse_has_its_class() {
    declines::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_card_that_smartpay_fuse_has_removed_is_declined() {
    card_is_gone::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_request_that_smartpay_fuse_refuses_leaves_the_card_usable() {
    refuses_request::<SmartpayFuse>().await;
}

#[tokio::test]
async fn two_shops_charge_a_card_at_smartpay_fuse_once() {
    two_shops::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_decline_at_stripe_that_may_pass_is_tried_again() {
    retries::<Stripe>().await;
}

#[tokio::test]
async fn switched_off_a_card_at_stripe_is_not_tried_again() {
    is_switched_off::<Stripe>().await;
}

#[tokio::test]
async fn a_decline_at_global_payments_that_may_pass_is_tried_again() {
    retries::<GlobalPayments>().await;
}

#[tokio::test]
async fn switched_off_a_card_at_global_payments_is_not_tried_again() {
    is_switched_off::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_decline_at_smartpay_fuse_that_may_pass_is_tried_again() {
    retries::<SmartpayFuse>().await;
}

#[tokio::test]
async fn switched_off_a_card_at_smartpay_fuse_is_not_tried_again() {
    is_switched_off::<SmartpayFuse>().await;
}
