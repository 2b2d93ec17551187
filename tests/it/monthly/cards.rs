//! The card of a plan: replaced, and charged without an answer.

use layby::domain::payment::PaymentStatus;
use layby::store::{StoreError, WriteTx, tables};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use super::pay_now::{enter_card, pay};
use super::{PAYS, accepts_monthly, collects, letters, lives_until, plan, sleeps_until};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::policies::Customer;

#[tokio::test]
async fn a_card_that_replaces_another_pays_for_the_renewal_and_the_old_one_is_removed() {
    let mut ann = Customer::new().await;
    let product = crate::policies::young_vehicles();
    let (policy, accepted) = accepts_monthly(&ann, &product, true).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    let consent = plan(&ann, &policy).await["consent"].clone();
    let consent = consent.as_str().unwrap();
    assert!(
        consent.contains("before your cover ends we write"),
        "{consent}"
    );
    let id: Uuid = policy.parse().unwrap();
    let first = ann.shop.row(&tables::POLICIES, &id).instrument.unwrap();
    let started = pay(&ann, &policy, json!({ "rest": true, "keep_card": true })).await;
    enter_card(&ann, &started.expect(StatusCode::OK), PAYS).await;
    let row = ann.shop.row(&tables::POLICIES, &id);
    let second = row.instrument.unwrap();
    assert_ne!(second, first);
    let second = ann.shop.row(&tables::INSTRUMENTS, &second);
    assert_eq!(second.consent.text, consent);
    let first = ann.shop.row(&tables::INSTRUMENTS, &first);
    assert!(
        first.removed.is_some() && first.card.tokens.0.is_empty(),
        "{first:?}"
    );
    lives_until(&mut ann, "2027-11-25").await;
    let renewed = ann.policy(&policy).await.text("/data/policy/renewed_by");
    assert_eq!(plan(&ann, &renewed).await["payments"][0]["state"], "paid");
    is_clean(&ann.shop, "after the renewal");
}

/// Moves the open charge of a policy to a gateway that doesn't answer.
async fn loses_gateway(ann: &Customer, policy: &str) -> Uuid {
    let id: Uuid = policy.parse().unwrap();
    let payments = ann.shop.rows(&tables::PAYMENTS);
    let open = payments
        .into_iter()
        .find(|(_, one)| one.quote == id && one.status.is_open());
    let (charge, mut attempt) = open.unwrap();
    attempt.provider = "stripe".to_string();
    let put = move |tx: &mut WriteTx<'_>| {
        tables::PAYMENTS.put(tx, &charge, &attempt)?;
        Ok::<_, StoreError>(())
    };
    ann.shop.app.store.write(put).await.unwrap();
    charge
}

#[tokio::test]
async fn a_charge_without_an_answer_is_told_and_listed_and_no_other_follows() {
    let (mut ann, policy) = super::covered_monthly(PAYS).await;
    sleeps_until(&ann, "2026-12-21");
    layby::app::jobs::collect(&ann.shop.app).await.unwrap();
    let charge = loses_gateway(&ann, &policy).await;
    lives_until(&mut ann, "2026-12-26").await;
    collects(&ann).await;
    let row = ann.shop.row(&tables::PAYMENTS, &charge);
    assert_eq!(row.status, PaymentStatus::Unresolved);
    assert_eq!(letters(&ann, "and your card"), 1);
    let letter = ann.shop.letters().pop().unwrap();
    assert!(letter.text.contains("a monthly payment"), "{}", letter.text);
    assert_eq!(plan(&ann, &policy).await["is_unclear"], true);
    let waits = pay(&ann, &policy, json!({ "rest": true })).await;
    let waits = waits.expect(StatusCode::CONFLICT).text("/message");
    assert!(waits.starts_with("We could not find out"), "{waits}");
    let listed = unresolved(&ann.shop).await;
    assert!(
        listed.iter().any(|row| row.id == Some(charge)),
        "{listed:?}"
    );
    lives_until(&mut ann, "2027-01-22").await;
    assert_eq!(ann.shop.rows(&tables::PAYMENTS).len(), 2);
    assert_eq!(letters(&ann, "A payment for your"), 0);
}

#[tokio::test]
async fn a_card_that_was_removed_still_gets_its_refund() {
    let (ann, policy) = super::covered_monthly(PAYS).await;
    let listed = ann.get("/api/v1/profile/cards").succeeds().await;
    let path = format!("/api/v1/profile/cards/{}/remove", listed.text("/data/0/id"));
    let removed = ann.post(&path, &json!({})).succeeds().await;
    assert_eq!(removed.at("/data/stops/0/pays_plan"), true);
    ann.works().await;
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    ann.works().await;
    let gateway = layby::domain::money::ledger::Account::gateway("sandbox");
    assert_eq!(ann.account(&policy, gateway).0, 0);
    assert!(unresolved(&ann.shop).await.is_empty());
    is_clean(&ann.shop, "after the refund");
}

#[tokio::test]
async fn if_nothing_is_due_another_card_pays_the_next_payment_early() {
    let (mut ann, policy) = super::covered_monthly(PAYS).await;
    let next = super::amounts(&plan(&ann, &policy).await)[1];
    pay(&ann, &policy, json!({}))
        .await
        .expect(StatusCode::CONFLICT);
    let started = pay(&ann, &policy, json!({ "keep_card": true })).await;
    let started = started.expect(StatusCode::OK);
    enter_card(&ann, &started, PAYS).await;
    let payment = ann.shop.row(
        &tables::PAYMENTS,
        &started.text("/data/payment_id").parse().unwrap(),
    );
    assert_eq!((payment.amount.0, payment.is_applied()), (next, true));
    lives_until(&mut ann, "2026-12-22").await;
    assert_eq!(ann.shop.rows(&tables::PAYMENTS).len(), 2, "it is paid");
    lives_until(&mut ann, "2027-01-21").await;
    let charges = ann.shop.rows(&tables::PAYMENTS).into_iter();
    let charged: Vec<_> = charges.filter_map(|(_, one)| one.instrument()).collect();
    let card = layby::domain::payment::Instrument::id_of(payment.id);
    assert_eq!(charged, [card]);
    is_clean(&ann.shop, "after the next charge");
}
