//! A stored card is charged for the next year, but the gateway never reports the result.

use chrono::TimeDelta;
use layby::app::jobs::{self, JobQueue};
use layby::app::payments::status;
use layby::domain::payment::sandbox::SandboxState;
use layby::domain::payment::{PaymentSource, PaymentStatus};
use layby::store::tables::{self, Job, Task};
use layby::store::{StoreError, WriteTx};
use uuid::Uuid;

use super::{TO_THE_CHARGE, compare, renewing, told};
use crate::money::disputes::unresolved;
use crate::policies::{Customer, PAYS};

/// Charges the card on the last day, because the shop was closed before. The gateway loses its keys before it responds.
async fn charged_where_nobody_answers(ann: &mut Customer, policy: &str, renewal: &str) -> Uuid {
    ann.waits(TO_THE_CHARGE - 1).await;
    ann.shop.clock.advance(TimeDelta::days(11));
    jobs::daily(&ann.shop.app).await.unwrap();
    let due = jobs::due_jobs(
        &ann.shop.app.store,
        &ann.shop.app.clock,
        JobQueue::Shop,
        100,
    )
    .await
    .unwrap();
    let mut jobs = due.jobs.into_iter();
    let charge = jobs.find(|(_, job)| matches!(job.task, Task::RenewByCard { .. }));
    let (key, _) = charge.unwrap();
    let (policy, renewal): (Uuid, Uuid) = (policy.parse().unwrap(), renewal.parse().unwrap());
    let (id, now) = (Uuid::now_v7(), ann.shop.clock.now());
    let begin = move |tx: &mut WriteTx<'_>| {
        let row = tables::POLICIES.get(tx, &policy)?.unwrap();
        let (payment, card) = (row.payment, row.instrument.unwrap());
        let quote = tables::QUOTES.get(tx, &renewal)?.unwrap();
        let mut attempt = tables::PAYMENTS.get(tx, &payment)?.unwrap();
        attempt.id = id;
        attempt.quote = renewal;
        attempt.revision = quote.current.number;
        attempt.amount = quote.current.price.unwrap().total;
        attempt.provider = "stripe".to_string();
        attempt.status = PaymentStatus::Started;
        attempt.page = None;
        attempt.references.clear();
        attempt.by = PaymentSource::Instrument(card);
        (attempt.created, attempt.updated) = (now, now);
        tables::PAYMENTS.put(tx, &id, &attempt)?;
        let task = Task::AskGateway { payment: id };
        tables::JOBS.put(tx, &(now, id), &Job::new(task))?;
        tables::JOBS.delete(tx, &key)?;
        Ok::<_, StoreError>(())
    };
    ann.shop.app.store.write(begin).await.unwrap();
    ann.works().await;
    id
}

/// Restores the gateway with the outcome of the charge.
async fn gateway_says(ann: &Customer, id: Uuid, state: SandboxState) -> PaymentStatus {
    let says = move |tx: &mut WriteTx<'_>| {
        let mut attempt = tables::PAYMENTS.get(tx, &id)?.unwrap();
        let card = attempt.instrument().unwrap();
        let paid = tables::INSTRUMENTS.get(tx, &card)?.unwrap().payment;
        let mut row = tables::SANDBOX.get(tx, &paid)?.unwrap();
        (row.payment, row.amount, row.state) = (id, attempt.amount, state);
        tables::SANDBOX.put(tx, &id, &row)?;
        attempt.provider = "sandbox".to_string();
        tables::PAYMENTS.put(tx, &id, &attempt)
    };
    ann.shop.app.store.write(says).await.unwrap();
    let status = status::sync_payment_status(&ann.shop.app, id)
        .await
        .unwrap();
    ann.works().await;
    status
}

fn said(ann: &Customer, about: &str) -> String {
    let letters = told(ann, about);
    assert_eq!(letters.len(), 1, "{about}");
    let words: Vec<_> = letters[0].text.split_whitespace().collect();
    words.join(" ")
}

async fn next_year(ann: &Customer, policy: &str) -> String {
    ann.policy(policy).await.text("/data/policy/next_year")
}

#[tokio::test]
async fn a_charge_that_nobody_answers_for_is_told_as_it_is_and_listed() {
    let (mut ann, policy, renewal) = renewing(None, PAYS).await;
    let id = charged_where_nobody_answers(&mut ann, &policy, &renewal).await;
    assert_eq!(next_year(&ann, &policy).await, "charging");

    // The policy ends meanwhile. No letter denies the charge, or asks for another payment.
    ann.waits(2).await;
    assert_eq!(next_year(&ann, &policy).await, "charging");
    let ended = said(&ann, "has ended");
    assert!(ended.contains("don't know yet whether it did. Please call us"));
    assert!(!ended.contains("You can still renew it"), "{ended}");

    // After three days a person must find out, and the customer gets one letter about it.
    ann.waits(3).await;
    let row = ann.shop.row(&tables::PAYMENTS, &id);
    assert_eq!(row.status, PaymentStatus::Unresolved);
    let letter = said(&ann, "and your card");
    for words in [
        "could not find out whether it did.",
        "Until we know, please take it that you are no longer covered.",
        "before you pay again.",
    ] {
        assert!(letter.contains(words), "{letter}");
    }
    assert!(told(&ann, "not renewed").is_empty());
    assert_eq!(next_year(&ann, &policy).await, "card_unclear");
    let compared = compare(&ann, &renewal).await;
    assert_eq!(compared.at("/data/next_year"), "card_unclear");
    let listed = unresolved(&ann.shop).await;
    let listed: Vec<_> = listed.iter().map(|row| row.id).collect();
    assert_eq!(listed, [Some(id)]);

    // The final status is declined. The customer gets a letter about that too.
    let status = gateway_says(&ann, id, SandboxState::Declined).await;
    assert_eq!(status, PaymentStatus::Failed);
    let letter = said(&ann, "is not renewed");
    assert!(letter.contains("Nothing was taken."), "{letter}");
    assert_eq!(next_year(&ann, &policy).await, "ended");
}

#[tokio::test]
async fn a_charge_that_was_made_after_all_buys_the_next_year() {
    let (mut ann, policy, renewal) = renewing(None, PAYS).await;
    let id = charged_where_nobody_answers(&mut ann, &policy, &renewal).await;
    ann.waits(4).await;
    assert_eq!(next_year(&ann, &policy).await, "card_unclear");
    let status = gateway_says(&ann, id, SandboxState::Paid).await;
    assert_eq!(status, PaymentStatus::Paid);
    assert_eq!(next_year(&ann, &policy).await, "renewed");
    assert!(told(&ann, "is not renewed").is_empty());
    assert_eq!(super::status(&ann, &renewal).await, 5);
}

#[tokio::test]
async fn a_charge_that_is_learned_of_too_late_goes_back_and_the_policy_has_ended() {
    let (mut ann, policy, renewal) = renewing(None, PAYS).await;
    let id = charged_where_nobody_answers(&mut ann, &policy, &renewal).await;
    ann.waits(5).await;
    let status = gateway_says(&ann, id, SandboxState::Paid).await;
    assert_eq!(status, PaymentStatus::Paid);
    assert!(!ann.shop.row(&tables::PAYMENTS, &id).is_applied());
    assert_eq!(next_year(&ann, &policy).await, "ended");
    let letter = said(&ann, "comes back");
    assert!(letter.contains("too late to start the cover"), "{letter}");
}
