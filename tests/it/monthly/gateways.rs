//! A charge of a plan at each provider's double: a bank that allows no other try, a payment that is taken back, and
//! a card that is removed meanwhile.

use layby::app::jobs;
use layby::domain::payment::{DeclineClass, PaymentStatus};
use layby::store::tables::{self, Task};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::stop_charging::stops;
use super::year::Year;
use super::{amounts, states};
use crate::globalpayments::double::Double as GlobalPayments;
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::smartpayfuse::double::Double as SmartpayFuse;
use crate::stripe::double::Double as Stripe;
use crate::support::Letter;
use crate::support::card_keeper::CardKeeper;
use crate::support::provider::Provider;

/// Buys a policy whose second payment is due on the next day, 21 December.
async fn bought<P: CardKeeper>() -> Year<P> {
    let mut year = Year::open().await;
    year.buys().await;
    year.sleeps(29).await;
    year
}

/// Returns the letters whose subject has `subject`, oldest first.
fn letters<P: CardKeeper>(year: &Year<P>, subject: &str) -> Vec<Letter> {
    let mut letters = year.ann.shop.letters();
    letters.retain(|letter| letter.subject.contains(subject));
    letters
}

/// Pays what is due on the provider's page, with a card that is not kept.
async fn pays_due<P: CardKeeper>(year: &Year<P>) {
    let path = format!("/api/v1/policy/{}/pay", year.policies[0]);
    let started = year.ann.post(&path, &json!({ "provider": P::NAME }));
    year.pays(started.succeeds().await).await;
}

/// Checks that a declined payment is not tried again, and that the customer pays it on the page. Returns the year a
/// day before the next payment.
async fn is_paid_by_hand<P: CardKeeper>(code: &'static str, class: DeclineClass) -> Year<P> {
    let mut year = bought::<P>().await;
    year.lives(Some(code)).await;
    let own = year.plan(0).await;
    assert_eq!(
        (&own["status"], &own["next_try"]),
        (&json!("failed"), &Value::Null)
    );
    let decline = year.charges().remove(0).decline.unwrap();
    assert_eq!(
        (decline.class, decline.code.as_deref()),
        (class, Some(code))
    );
    for _ in 0..7 {
        year.lives(None).await;
    }
    assert_eq!(year.charges().len(), 1);
    assert_eq!(year.plan(0).await["status"], "notice");
    pays_due(&year).await;
    let own = year.plan(0).await;
    assert_eq!((&own["status"], &own["due"]), (&json!("active"), &json!(0)));
    assert_eq!(states(&own)[..3], ["paid", "paid", "upcoming"]);
    assert_eq!(year.provider.charges(), []);
    year.sleeps(23).await;
    year
}

async fn is_declined_for_good<P: CardKeeper>() {
    let mut year = is_paid_by_hand::<P>(P::NEVER, DeclineClass::Never).await;
    let policy = year.policies[0].clone();
    let page = format!("/policy/view/{policy}#payments");
    let mails = letters(&year, "A payment for your");
    assert!(
        mails[0].text.contains("We do not charge this card"),
        "{mails:?}"
    );
    assert!(mails[0].text.contains(&page), "{mails:?}");
    let (_, card) = year.ann.shop.rows(&tables::INSTRUMENTS).remove(0);
    assert!(card.is_unusable);
    assert_eq!(year.plan(0).await["card_id"], Value::Null);
    let listed = unresolved(&year.ann.shop).await;
    assert_eq!((listed.len(), listed[0].what.as_str()), (1, "plan"));
    assert!(listed[0].facts.contains("No card"), "{listed:?}");

    year.lives(None).await;
    assert_eq!(year.charges().len(), 1);
    assert_eq!(year.provider.charges(), []);
    assert_eq!(year.plan(0).await["status"], "failed");
    let mails = letters(&year, "A payment for your");
    assert_eq!(mails.len(), 2);
    let text = &mails[1].text;
    assert!(
        text.contains("we have no card that we can charge"),
        "{text}"
    );
}

async fn needs_customer<P: CardKeeper>() {
    let mut year = is_paid_by_hand::<P>(P::CUSTOMER, DeclineClass::Customer).await;
    let policy = year.policies[0].clone();
    let page = format!("/payment/{policy}?plan=due");
    let mails = letters(&year, "A payment for your");
    assert_eq!(mails.len(), 1);
    assert!(
        mails[0].text.contains("This payment needs you"),
        "{mails:?}"
    );
    assert!(mails[0].text.contains(&page), "{mails:?}");
    assert_eq!(unresolved(&year.ann.shop).await, []);

    // The next payment is charged to the same card.
    year.lives(None).await;
    assert_eq!(year.charges().len(), 2);
    assert_eq!(year.provider.charges().len(), 1);
    assert_eq!(states(&year.plan(0).await)[..3], ["paid"; 3]);
}

/// The provider takes the second payment back. The shop asks for that on the next day.
async fn is_taken_back<P: CardKeeper>(take_back: impl Fn(&P)) {
    let mut year = bought::<P>().await;
    year.lives(None).await;
    let all = amounts(&year.plan(0).await);
    assert_eq!(year.provider.balance(&year.ann.shop), all[0] + all[1]);
    take_back(&year.provider);
    for _ in 0..4 {
        year.lives(None).await;
    }
    let own = year.plan(0).await;
    assert_eq!(
        (&own["status"], &own["next_try"]),
        (&json!("failed"), &Value::Null)
    );
    assert_eq!(states(&own)[..3], ["paid", "due", "upcoming"]);
    let charges = year.charges();
    assert_eq!(charges.len(), 1, "nobody charged the card again");
    assert_eq!(charges[0].status, PaymentStatus::Reversed);
    assert_eq!(charges[0].unresolved, None);
    assert_eq!(unresolved(&year.ann.shop).await, []);
    assert_eq!(year.provider.balance(&year.ann.shop), all[0]);
    let mails = letters(&year, "was taken back");
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("Please pay it again"), "{mails:?}");
    pays_due(&year).await;
    assert_eq!(year.plan(0).await["status"], "active");
    assert_eq!(year.provider.balance(&year.ann.shop), all[0] + all[1]);
    is_clean(&year.ann.shop, "after the payment");
}

/// The customer removes the card after the charge was queued, before or after the provider's answer. Or the customer
/// objects by telephone.
async fn is_removed_under_a_charge<P: CardKeeper>(is_charged: bool, is_by_telephone: bool) {
    let mut year = bought::<P>().await;
    year.advances(24 * 60);
    year.ann.cookie = year.ann.shop.log_in(year.ann.address()).await;
    jobs::collect(&year.ann.shop.app).await.unwrap();
    if is_charged {
        for _ in 0..3 {
            year.provider.lose_charge(true);
        }
        let mut due = year.ann.shop.due().await;
        due.retain(|(_, job)| matches!(job.task, Task::Collect { .. }));
        let (key, job) = due.remove(0);
        jobs::run_job(&year.ann.shop.app, key, job).await.unwrap();
        assert_eq!(year.provider.charges().len(), 1);
    }
    if is_by_telephone {
        let number = year.ann.policy(&year.policies[0]).await;
        let number = number.text("/data/info/custom_id");
        stops(&year.ann, &number, "Jo", "objected").await.unwrap();
    } else {
        let cards = year.ann.get("/api/v1/profile/cards").succeeds().await;
        let path = format!("/api/v1/profile/cards/{}/remove", cards.text("/data/0/id"));
        let removed = year.ann.post(&path, &json!({}));
        let removed = removed.answers(StatusCode::OK).await;
        assert_eq!(removed.at("/data/is_charging"), true);
        assert_eq!(removed.at("/data/stops/0/pays_plan"), true);
    }
    for _ in 0..3 {
        year.ann.shop.work_with_failures().await;
        year.advances(1);
    }
    for _ in 0..2 {
        year.lives(None).await;
    }
    assert_eq!(year.provider.cards(), 0);
    assert_eq!(year.provider.charges().len(), usize::from(is_charged));
    let own = year.plan(0).await;
    assert_eq!(own["card_id"], Value::Null);
    let (status, second, outcome) = match is_charged {
        true => ("active", "paid", PaymentStatus::Paid),
        false => ("failed", "due", PaymentStatus::Failed),
    };
    assert_eq!(own["status"], status);
    assert_eq!(states(&own)[..3], ["paid", second, "upcoming"]);
    // No card is charged for this payment or the next one.
    year.sleeps(29).await;
    year.lives(None).await;
    let charges = year.charges();
    assert_eq!((charges.len(), charges[0].status), (1, outcome));
    assert_eq!(year.provider.charges().len(), usize::from(is_charged));
    assert_ne!(year.plan(0).await["status"], "active");
}

#[tokio::test]
async fn a_card_that_is_declined_for_good_at_stripe_pays_for_nothing_more() {
    is_declined_for_good::<Stripe>().await;
}

#[tokio::test]
async fn a_payment_that_needs_the_customer_at_stripe_is_made_on_the_page() {
    needs_customer::<Stripe>().await;
}

#[tokio::test]
async fn a_card_removed_under_a_charge_of_a_plan_at_stripe_is_charged_once_or_not() {
    for (is_charged, is_by_telephone) in [(true, false), (false, false), (false, true)] {
        is_removed_under_a_charge::<Stripe>(is_charged, is_by_telephone).await;
    }
}

#[tokio::test]
async fn a_card_that_is_declined_for_good_at_global_payments_pays_for_nothing_more() {
    is_declined_for_good::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_payment_that_needs_the_customer_at_global_payments_is_made_on_the_page() {
    needs_customer::<GlobalPayments>().await;
}

#[tokio::test]
async fn a_card_removed_under_a_charge_of_a_plan_at_global_payments_is_charged_once_or_not() {
    for (is_charged, is_by_telephone) in [(true, false), (false, false), (false, true)] {
        is_removed_under_a_charge::<GlobalPayments>(is_charged, is_by_telephone).await;
    }
}

#[tokio::test]
async fn a_card_that_is_declined_for_good_at_barclaycard_pays_for_nothing_more() {
    is_declined_for_good::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_payment_that_needs_the_customer_at_barclaycard_is_made_on_the_page() {
    needs_customer::<SmartpayFuse>().await;
}

#[tokio::test]
async fn a_card_removed_under_a_charge_of_a_plan_at_barclaycard_is_charged_once_or_not() {
    for (is_charged, is_by_telephone) in [(true, false), (false, false), (false, true)] {
        is_removed_under_a_charge::<SmartpayFuse>(is_charged, is_by_telephone).await;
    }
}

#[tokio::test]
async fn a_payment_that_global_payments_takes_back_is_due_again() {
    is_taken_back::<GlobalPayments>(Provider::reverse).await;
}

#[tokio::test]
async fn a_payment_that_barclaycard_takes_back_is_due_again() {
    let take_back = |double: &SmartpayFuse| {
        double.books(|books, _| {
            let id = books.charges().last().unwrap().id.clone();
            books.change(&id, |row| row.status = "REVERSED");
        });
    };
    is_taken_back::<SmartpayFuse>(take_back).await;
}
