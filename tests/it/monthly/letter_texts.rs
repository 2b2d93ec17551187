//! The letters about monthly payments state what the shop knows, and lead to the payments.

use layby::app::jobs;
use layby::app::payments;
use layby::app::policies::stop_charging::{ChargingStop, stop_charging};
use layby::domain::payment::{Decline, DeclineClass};
use layby::domain::policy::plan::PlanStatus;
use layby::store::tables;
use poem::http::{Method, StatusCode};
use serde_json::json;
use uuid::Uuid;

use super::changes::changes;
use super::{
    PAYS, accepts_monthly, amounts, collects, covered_monthly, in_letter, lives_until, plan,
    sleeps_until,
};
use crate::policies::{Customer, pence, young_vehicles};
use crate::support::gateways::{Limits, form_reversal};
use crate::support::pdf::{pages, says, text_of};
use crate::support::{Shop, two_gadgets, two_vehicles, two_vehicles_with};

const DECLINED_LATER: &str = "4000 0000 0000 0341";

/// Returns the text of the only letter whose subject has `words`, without line breaks.
#[track_caller]
fn letter(ann: &Customer, words: &str) -> String {
    let mut letters = ann.shop.letters();
    letters.retain(|letter| letter.subject.contains(words));
    assert_eq!(letters.len(), 1, "{words}: {letters:#?}");
    let text = letters[0].text.split_whitespace();
    text.collect::<Vec<_>>().join(" ")
}

/// Checks that a letter has all of `sentences`.
#[track_caller]
fn states(letter: &str, sentences: &[&str]) {
    for sentence in sentences {
        assert!(letter.contains(sentence), "{sentence}: {letter}");
    }
}

/// Checks that a letter has none of `sentences`.
#[track_caller]
fn omits(letter: &str, sentences: &[&str]) {
    for sentence in sentences {
        assert!(!letter.contains(sentence), "{sentence}: {letter}");
    }
}

fn payments_page(policy: &str) -> String {
    format!("/policy/view/{policy}#payments")
}

async fn stops(ann: &Customer, policy: &str) {
    let order = ChargingStop {
        policy: ann.policy(policy).await.text("/data/info/custom_id"),
        by: "Jo".to_owned(),
        why: "objected".to_owned(),
    };
    let stopped = stop_charging(&ann.shop.app.store, &order, ann.shop.clock.now()).await;
    stopped.unwrap();
}

/// Makes the charge that is due, without its letter. Returns the attempt.
async fn charge(ann: &Customer) -> Uuid {
    jobs::collect(&ann.shop.app).await.unwrap();
    let all = ann.shop.rows(&tables::PAYMENTS).into_iter();
    let mut charges: Vec<_> = all
        .map(|(_, payment)| payment)
        .filter(|payment| payment.instrument().is_some())
        .collect();
    charges.sort_by_key(|payment| payment.created);
    let id = charges.last().unwrap().id;
    payments::collect(&ann.shop.app, id).await.unwrap();
    id
}

#[tokio::test]
async fn without_a_card_nothing_is_charged_and_no_letter_says_so() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    stops(&ann, &policy).await;
    lives_until(&mut ann, "2026-12-21").await;
    let text = letter(&ann, "A payment for your");
    states(
        &text,
        &[
            "is due, and we have no card that we can charge",
            &payments_page(&policy),
        ],
    );
    omits(&text, &["could not charge", "We try again", "this card"]);
}

#[tokio::test]
async fn a_try_is_announced_only_while_the_plan_has_a_card() {
    let (ann, policy) = covered_monthly(DECLINED_LATER).await;
    sleeps_until(&ann, "2026-12-21");
    charge(&ann).await;
    remove_card(&ann, &policy).await;
    ann.works().await;
    let text = letter(&ann, "A payment for your");
    states(&text, &["We could not charge your card"]);
    omits(&text, &["We try again"]);
}

/// Takes the card off the policy.
async fn remove_card(ann: &Customer, policy: &str) {
    let id: Uuid = policy.parse().unwrap();
    let remove = move |tx: &mut layby::store::WriteTx<'_>| {
        let mut row = tables::POLICIES.get(tx, &id)?.unwrap();
        row.instrument = None;
        tables::POLICIES.put(tx, &id, &row)
    };
    ann.shop.app.store.write(remove).await.unwrap();
}

#[tokio::test]
async fn a_payment_that_needs_the_customer_leads_to_the_page() {
    let (ann, policy) = covered_monthly(DECLINED_LATER).await;
    sleeps_until(&ann, "2026-12-21");
    let attempt = charge(&ann).await;
    let id: Uuid = policy.parse().unwrap();
    let needs_customer = move |tx: &mut layby::store::WriteTx<'_>| {
        let mut payment = tables::PAYMENTS.get(tx, &attempt)?.unwrap();
        payment.decline = Some(Decline {
            class: DeclineClass::Customer,
            code: None,
        });
        tables::PAYMENTS.put(tx, &attempt, &payment)?;
        let mut plan = tables::PLANS.get(tx, &id)?.unwrap();
        if let PlanStatus::Failed { next_try, .. } = &mut plan.status {
            *next_try = None;
        }
        tables::PLANS.put(tx, &id, &plan)
    };
    ann.shop.app.store.write(needs_customer).await.unwrap();
    ann.works().await;
    let text = letter(&ann, "A payment for your");
    let page = format!("/payment/{policy}?plan=due");
    states(&text, &["This payment needs you", &page]);
    omits(&text, &["do not charge this card", "We try again"]);
}

#[tokio::test]
async fn a_notice_names_the_end_that_comes_first() {
    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    lives_until(&mut ann, "2026-12-27").await;
    let end = json!({ "effective_date": "2027-01-05" });
    let asked = ann.cancels(&policy, end).await.expect(StatusCode::OK);
    let end = asked.text("/data/id");
    lives_until(&mut ann, "2026-12-28").await;
    let text = letter(&ann, "is still unpaid");
    states(
        &text,
        &[
            "Your policy ends at the end of 4 January 2027, as you asked.",
            "your cover ends at the end of 11 January 2027 unless you pay all that is due.",
        ],
    );
    omits(&text, &["we cancel your policy", "unless you pay</"]);
    let path = format!("/api/v1/activity/{end}/withdraw");
    ann.put(&path, &json!({})).succeeds().await;
    ann.works().await;
    states(
        &letter(&ann, "goes on"),
        &["Cover ends: end of 11 January 2027, unless you pay"],
    );

    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    let all = amounts(&plan(&ann, &policy).await);
    sleeps_until(&ann, "2027-11-08");
    collects(&ann).await;
    lives_until(&mut ann, "2027-11-15").await;
    let text = letter(&ann, "is still unpaid");
    states(
        &text,
        &["Your policy runs to its last day, 24 November 2027."],
    );
    omits(&text, &["we cancel your policy"]);
    lives_until(&mut ann, "2027-11-25").await;
    let left: i64 = all[1..].iter().sum();
    let stopped = format!("Monthly payments that stop: 11, {} in all", in_letter(left));
    let text = letter(&ann, "has ended");
    states(&text, &[&stopped, "do not ask for what is unpaid"]);
}

#[tokio::test]
async fn letters_about_an_end_name_the_payments_that_stop() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let all = amounts(&plan(&ann, &policy).await);
    let end = json!({ "effective_date": "2027-03-21" });
    ann.cancels(&policy, end).await.expect(StatusCode::OK);
    ann.works().await;
    let left: i64 = all[4..].iter().sum();
    let stopped = format!("Monthly payments that stop: 8, {} in all", in_letter(left));
    let later = "due on 21 March 2027 or later stop. Those before are still due.";
    states(
        &letter(&ann, "ends on the day you chose"),
        &[&stopped, later],
    );
    lives_until(&mut ann, "2027-03-21").await;
    let none_more = "We collect no more monthly payments for it.";
    states(&letter(&ann, "is cancelled"), &[&stopped, none_more]);
}

#[tokio::test]
async fn a_later_end_gives_back_the_payments_that_are_made_until_then() {
    let ann = Customer::new().await;
    let product = two_vehicles_with("start_date", "20.12.2026");
    let (policy, accepted) = accepts_monthly(&ann, &product, false).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    let mut ann = ann;
    let all = amounts(&plan(&ann, &policy).await);
    let end = json!({ "effective_date": "2026-12-30" });
    let asked = ann.cancels(&policy, end).await.expect(StatusCode::OK);
    let back = pence(asked.at("/data/refund/amount"));
    assert_eq!(back, all[0] + all[1], "one of them is not made yet");
    ann.works().await;
    let refund = format!("Refund: {}, to the card that paid", in_letter(back));
    states(&letter(&ann, "ends on the day you chose"), &[&refund]);
    lives_until(&mut ann, "2026-12-30").await;
    states(&letter(&ann, "is cancelled"), &[&refund]);
}

#[tokio::test]
async fn an_end_for_unpaid_payments_is_nobodys_wish() {
    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    let all = amounts(&plan(&ann, &policy).await);
    lives_until(&mut ann, "2027-01-12").await;
    let left: i64 = all[1..].iter().sum();
    let stopped = format!("Monthly payments that stop: 11, {} in all", in_letter(left));
    states(&letter(&ann, "We have cancelled"), &[&stopped]);
    let document = ann.document(&policy, "Cancellation Letter").await;
    says(
        &document,
        &[
            "We cancelled your policy as 12 January 2027 began",
            "Payments that were due were not made",
            "We do not collect the 11 monthly payments that were left",
            "so there is nothing to pay back",
        ],
    );
    let text = text_of(&document).unwrap_or_default();
    assert!(!text.contains("As you asked"), "{text}");
}

#[tokio::test]
async fn new_payments_are_announced_without_a_card_that_is_gone() {
    let (ann, policy) = covered_monthly(PAYS).await;
    stops(&ann, &policy).await;
    changes(&ann, &policy, 4, None).await;
    let text = letter(&ann, "New monthly payments");
    states(
        &text,
        &[
            "We have no card that we can charge",
            &payments_page(&policy),
        ],
    );
    omits(&text, &["We charge your card"]);
    let document = ann.document(&policy, "Payment Plan").await;
    says(&document, &["We have no card that we can charge."]);
}

#[tokio::test]
async fn what_was_refunded_is_not_paid_in_all() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    changes(&ann, &policy, 5, None).await;
    lives_until(&mut ann, "2027-09-22").await;
    changes(&ann, &policy, 1, None).await;
    let text = letter(&ann, "No more monthly payments");
    states(&text, &["no monthly payment is left"]);
    let refunds = ann.shop.rows(&tables::REFUNDS);
    assert!(!refunds.is_empty(), "the decrease exceeds what is left");
    changes(&ann, &policy, 5, None).await;
    lives_until(&mut ann, "2027-10-22").await;
    let paid = ann.balance(&policy);
    let text = letter(&ann, "is fully paid");
    states(&text, &[&format!("You paid in all: {}", in_letter(paid.0))]);
}

#[tokio::test]
async fn a_payment_after_the_end_comes_back_and_the_policy_does_not_stay_as_it_is() {
    let (mut ann, policy) = covered_monthly(PAYS).await;
    let started = ann
        .post(
            &format!("/api/v1/policy/{policy}/pay"),
            &json!({ "provider": "sandbox", "rest": true }),
        )
        .succeeds()
        .await;
    ann.shop.pay(&started.text("/data/url"), PAYS).await;
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    let payment = started.text("/data/payment_id").parse().unwrap();
    payments::status::sync_payment_status(&ann.shop.app, payment)
        .await
        .unwrap();
    ann.waits(1).await;
    let text = letter(&ann, "comes back");
    states(&text, &["Your policy has ended.", &payments_page(&policy)]);
    omits(&text, &["stays as it is"]);
}

#[tokio::test]
async fn a_reversed_instalment_is_not_the_whole_cover() {
    let shop = Shop::limited_at(Limits::BY_FORM, "http://127.0.0.1:9").await;
    let ann = Customer::of(shop).await;
    let (policy, accepted) = accepts_monthly(&ann, &two_vehicles(), false).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    ann.works().await;
    let (_, paid) = ann.shop.rows(&tables::PAYMENTS).remove(0);
    let key = paid.keys.0.values().next().unwrap();
    let message = form_reversal(&ann.shop.row(&tables::SANDBOX, &paid.id), key);
    let call = ann
        .shop
        .call(Method::POST, "/api/v1/gateway/sandbox/callback");
    let call = call.header("Content-Type", "application/x-www-form-urlencoded");
    call.body(message).succeeds().await;
    ann.works().await;
    let text = letter(&ann, "was taken back");
    states(
        &text,
        &[
            "so what it paid of your monthly payments is unpaid.",
            &payments_page(&policy),
        ],
    );
    omits(&text, &["your cover is not paid"]);
}

#[tokio::test]
async fn a_renewal_that_unpaid_payments_stop_says_so() {
    let ann = Customer::new().await;
    let (policy, accepted) = accepts_monthly(&ann, &young_vehicles(), true).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, DECLINED_LATER).await;
    let mut ann = ann;
    let due = amounts(&plan(&ann, &policy).await);
    sleeps_until(&ann, "2027-10-26");
    lives_until(&mut ann, "2027-11-15").await;
    let text = letter(&ann, "is not renewed yet");
    let due: i64 = due[1..].iter().sum();
    states(
        &text,
        &[
            "We have not charged your card for your next year, because a monthly payment",
            &format!("Due now: {}", in_letter(due)),
            &payments_page(&policy),
        ],
    );
    omits(&text, &["has not paid for its renewal"]);
}

#[tokio::test]
async fn the_schedule_says_how_the_policy_is_paid() {
    let (ann, policy) = covered_monthly(PAYS).await;
    ann.works().await;
    let schedule = ann.document(&policy, "Policy Schedule").await;
    says(&schedule, &["You pay in 12 monthly payments."]);
    let text = text_of(&ann.document(&policy, "Payment Plan").await);
    assert!(text.is_none_or(|text| pages(&text) == 1), "one page");
    let annual = ann.buys_for_now(&two_gadgets(), PAYS, false).await;
    ann.works().await;
    let schedule = ann.document(&annual, "Policy Schedule").await;
    let text = text_of(&schedule).unwrap_or_default();
    assert!(!text.contains("monthly"), "{text}");
}

#[tokio::test]
async fn the_renewal_letter_has_the_payments_of_the_next_year() {
    let ann = Customer::new().await;
    let (policy, accepted) = accepts_monthly(&ann, &young_vehicles(), true).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    let mut ann = ann;
    lives_until(&mut ann, "2027-10-28").await;
    let text = letter(&ann, "renewal: policy");
    states(
        &text,
        &[
            "You pay monthly, as you do now.",
            "If a payment is unpaid on that day, we don't charge the card",
            "Payment 1: ",
            "Payment 12: ",
        ],
    );
    omits(&text, &[", paid"]);
    let notice = ann.document(&policy, "Renewal Notice").await;
    let unpaid = "If a payment is unpaid on that day, we do not charge the card";
    says(&notice, &[unpaid]);
}

#[tokio::test]
async fn an_end_before_the_first_day_is_told_as_one() {
    let mut ann = Customer::new().await;
    let product = two_vehicles_with("start_date", "19.01.2027");
    let (policy, accepted) = accepts_monthly(&ann, &product, false).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, DECLINED_LATER).await;
    lives_until(&mut ann, "2027-01-12").await;
    let text = letter(&ann, "We have cancelled");
    states(&text, &["before its cover began. It never covered you."]);
    omits(&text, &["no longer covered", "Cover ended"]);
}

#[tokio::test]
async fn a_reminder_before_a_renewal_names_what_is_unpaid() {
    let mut ann = Customer::new().await;
    let (policy, accepted) = accepts_monthly(&ann, &young_vehicles(), true).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, DECLINED_LATER).await;
    let all = amounts(&plan(&ann, &policy).await);
    sleeps_until(&ann, "2027-10-27");
    lives_until(&mut ann, "2027-11-07").await;
    let unpaid = in_letter(all[1..].iter().sum());
    let unpaid = format!("{unpaid} of your monthly payments for this year is unpaid.");
    let condition = "If it is paid by then, on 14 November 2027 we take";
    let text = letter(&ann, "renews soon");
    states(&text, &[&unpaid, condition, "If not, we take nothing"]);
    omits(&text, &["You need do nothing"]);
}
