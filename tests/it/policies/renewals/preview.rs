//! The state of the next year after a policy's last day. The page and every letter agree.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::json;

use super::{
    LATER_DECLINED, QUOTED, TO_THE_LAST, by_hand, charges, compare, renewal_of, renewing, told,
};
use crate::policies::{Customer, PAYS, young_vehicles};
use crate::support::gateways::Limits;
use crate::support::{Shop, two_trips, two_vehicles};

/// Returns the policy's next-year state, and why the switch for automatic renewal is disabled.
async fn next_year(ann: &Customer, policy: &str) -> (String, String) {
    let read = ann.policy(policy).await;
    let why = &read.body["data"]["policy"]["why_not"]["auto_renew"];
    let why = why.as_str().unwrap_or_default().to_string();
    (read.text("/data/policy/next_year"), why)
}

/// Returns the text of the newest letter with this subject, without its line breaks.
fn said(ann: &Customer, about: &str) -> String {
    let letters = told(ann, about);
    let text = &letters.last().unwrap().text;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn undoes(ann: &Customer, renewal: &str) {
    let path = format!("/api/v1/policy/ntu/{renewal}");
    ann.put(&path, &json!({})).succeeds().await;
    ann.works().await;
}

#[tokio::test]
async fn renewed_by_hand_it_is_renewed_and_undone_it_is_charged_nothing_by_itself() {
    let (mut ann, policy, renewal) = renewing(None, PAYS).await;
    assert_eq!(next_year(&ann, &policy).await.0, "by_itself");
    ann.pays_for(&renewal, PAYS, false).await;
    let renewed = ("renewed".to_owned(), "It is renewed already.".to_owned());
    assert_eq!(next_year(&ann, &policy).await, renewed);

    undoes(&ann, &renewal).await;
    let why = "Your renewal was undone, so this policy doesn't renew.";
    assert_eq!(
        next_year(&ann, &policy).await,
        ("undone".to_owned(), why.to_owned())
    );
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/auto_renew"), false);
    assert_eq!(read.text("/data/policy/why_not/renew"), why);
    let reference = read.text("/data/info/custom_id");
    let letter = said(&ann, "was not taken up");
    let says = format!(
        "Your current policy {reference} covers you until the end of 24 November 2027. It does not \
         renew, and nothing is charged for it."
    );
    assert!(letter.contains(&says), "{letter}");
    ann.waits(TO_THE_LAST + 1).await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(told(&ann, "has ended").len(), 1);
}

#[tokio::test]
async fn of_the_card_it_says_whether_it_paid_or_was_refused() {
    for (card, state, why) in [
        (
            PAYS,
            "renewed",
            "The card that paid for this policy has paid for its renewal.",
        ),
        (
            LATER_DECLINED,
            "card_refused",
            "The card was asked to pay for the renewal and did not. Nothing was taken.",
        ),
    ] {
        let (mut ann, policy, renewal) = renewing(None, card).await;
        ann.waits(TO_THE_LAST).await;
        assert_eq!(charges(&ann), 1);
        assert_eq!(
            next_year(&ann, &policy).await,
            (state.to_owned(), why.to_owned())
        );
        let compared = compare(&ann, &renewal).await;
        assert_eq!(compared.at("/data/next_year"), state);
    }
}

#[tokio::test]
async fn what_cant_be_renewed_says_why_on_its_page_too() {
    let mut ann = Customer::new().await;
    // The vehicle was registered in 2012, so it is more than 15 years old a year later.
    let policy = ann.buys(&two_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let declined = (
        "declined".to_owned(),
        "We can't renew this cover as it is.".to_owned(),
    );
    assert_eq!(next_year(&ann, &policy).await, declined);
    let read = ann.policy(&policy).await;
    let why = read.text("/data/policy/why_not/renew");
    assert!(why.contains("over 15 years old"), "{why}");
    let stranger = ann.stranger().await;
    let path = format!("/api/v2/policy/{policy}");
    ann.shop
        .get(&path)
        .cookies(&stranger)
        .answers(StatusCode::NOT_FOUND)
        .await;
}

#[tokio::test]
async fn ended_early_the_next_year_that_is_bought_stays_and_the_days_between_are_named() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    ann.pays_for(&renewal, PAYS, false).await;
    let asked = ann.cancels(&policy, json!({ "effective_date": "2027-11-05" }));
    asked.await.expect(StatusCode::OK);
    ann.works().await;
    let next = ann.policy(&renewal).await.text("/data/info/custom_id");
    let letter = said(&ann, "ends on the day you chose");
    let stays = format!(
        "Your next year, policy {next}, is bought and stays: it covers you from 25 November 2027."
    );
    assert!(letter.contains(&stays), "{letter}");
    assert!(letter.contains("The days from 5 November 2027 until then are not covered."));
    assert!(!letter.contains("does not renew"), "{letter}");
    assert_eq!(next_year(&ann, &policy).await.0, "renewed");
    ann.waits(15).await;
    let letter = said(&ann, "is cancelled");
    assert!(letter.contains(&stays), "{letter}");
    assert!(letter.contains("Before 25 November 2027 you are not covered."));
}

#[tokio::test]
async fn a_single_trip_is_never_said_to_renew() {
    let ann = Customer::new().await;
    let trip = ann.buys(&two_trips(), PAYS).await;
    ann.works().await;
    let state = (
        "single_trip".to_owned(),
        "Single trips don't renew.".to_owned(),
    );
    assert_eq!(next_year(&ann, &trip).await, state);
    let letter = said(&ann, "policy");
    assert!(!letter.contains("Your next year"), "{letter}");
}

#[tokio::test]
async fn on_the_day_after_it_can_be_renewed_from_the_payment_on() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    ann.sleeps(TO_THE_LAST + 1).await;
    let compared = compare(&ann, &renewal).await;
    assert_eq!(compared.at("/data/next_year"), "ended");
    let letter = said(&ann, "has ended");
    let until = "You can still renew it until the end of 25 November 2027. The new cover begins \
                 when you pay, not before.";
    assert!(letter.contains(until), "{letter}");
    let letters = told(&ann, "has ended");
    assert_eq!(letters[0].link("/quote/edit/"), renewal);
    ann.pays_for(&renewal, PAYS, false).await;
    let begins = ann.policy(&renewal).await;
    let begins = begins.text("/data/policy/cover_begins");
    assert!(begins.starts_with("2027-11-25T") && begins != "2027-11-25T00:00:00Z");
}

#[tokio::test]
async fn a_change_that_is_coming_is_said_to_be_counted_in_and_an_older_notice_to_be_replaced() {
    let (ann, policy, renewal) = renewing(None, PAYS).await;
    let plain = compare(&ann, &renewal).await;
    ann.shop.clock.advance(TimeDelta::minutes(2));
    assert!(plain.at("/data/change_from").is_null());
    let offer = ann.asks(&policy, json!({ "cover_level": 5 }), Some("2027-11-20"));
    let offer = offer
        .await
        .expect(StatusCode::OK)
        .text("/data/adjustment_id");
    ann.enters_card(&offer, PAYS).await;
    ann.works().await;
    let coming = compare(&ann, &renewal).await;
    assert_eq!(coming.at("/data/change_from"), "2027-11-20");
    let letter = said(&ann, "renewal");
    assert!(
        letter.contains("The change that you agreed for 20 November 2027 is counted in"),
        "{letter}"
    );
    let path = format!("/api/v1/policy/{policy}/documents");
    let list = ann.get(&path).succeeds().await;
    let groups = list.at("/data/documents").as_array().unwrap();
    let notices: Vec<_> = groups
        .iter()
        .flat_map(|group| group["documents"].as_array().unwrap())
        .filter_map(|one| one["title"].as_str())
        .filter(|title| title.starts_with("Renewal"))
        .collect();
    assert_eq!(notices.len(), 2, "{groups:?}");
    assert!(notices[0].ends_with(", replaced by a newer one"));
    assert!(!notices[1].contains("replaced"));
}

#[tokio::test]
async fn where_no_gateway_keeps_cards_nothing_is_said_to_renew_by_itself() {
    let keeps_none = Limits {
        stores_cards: false,
        ..Limits::NONE
    };
    let shop = Shop::limited_at(keeps_none, "http://127.0.0.1:9").await;
    let mut ann = Customer::of(shop).await;
    let site = ann.get("/api/v1/site").succeeds().await;
    assert_eq!(site.at("/data/renews_by_card"), false);
    // An old page or another client may still send the consent.
    let saved = ann.create(&young_vehicles());
    let policy = saved.answers(StatusCode::CREATED).await.text("/data/uuid");
    let agreed = json!({
        "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": true,
    });
    let path = format!("/api/v1/quote/update-accept/{policy}");
    ann.post(&path, &agreed).succeeds().await;
    ann.enters_card(&policy, PAYS).await;
    ann.works().await;

    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/policy/auto_renew"), false);
    assert_eq!(read.at("/data/policy/next_year"), "by_hand");
    let why = read.text("/data/policy/why_not/auto_renew");
    assert!(why.contains("don't charge cards for renewals"), "{why}");

    ann.sleeps(340).await;
    ann.waits(30).await;
    let letters = ann.shop.letters();
    let count = |subject: &str| {
        let about = letters.iter().filter(|one| one.subject.contains(subject));
        about.count()
    };
    let says = |text: &str| letters.iter().any(|letter| letter.text.contains(text));
    assert!(says("doesn't renew by itself"));
    assert!(says("Your policy doesn't renew by itself."));
    assert_eq!(count("has ended"), 1);
    assert_eq!(count("is not renewed yet"), 0);
}
