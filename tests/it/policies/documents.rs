//! The documents of a policy's life.

use chrono::TimeDelta;
use layby::app::jobs::{self, JobQueue};
use layby::store::{Direction, WriteTx, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::renewals::{QUOTED, by_hand, compare, renewal_of};
use super::{Customer, PAYS, covered, pence, young_vehicles};
use crate::support::Answer;
use crate::support::pdf::says;
use crate::support::stores::snapshot;

impl Customer {
    async fn documents(&self, policy: &str) -> Answer {
        let path = format!("/api/v1/policy/{policy}/documents");
        self.get(&path).succeeds().await
    }

    /// Returns the newest document with this title as PDF, for the revision of the policy in force.
    pub async fn document(&self, policy: &str, title: &str) -> Vec<u8> {
        let documents = self.documents(policy).await;
        let documents = own(&documents);
        let found = documents
            .iter()
            .rfind(|document| document["title"] == title);
        let found = found.unwrap_or_else(|| panic!("no {title} in {documents:?}"));
        let id = found["identifier"].as_str().unwrap();
        let call = self.get(&format!("/api/v1/documents/{id}"));
        call.succeeds().await.bytes
    }
}

/// Returns the policy's own documents.
fn own(documents: &Answer) -> Vec<Value> {
    let groups = documents.at("/data/documents").as_array().unwrap().iter();
    groups
        .filter(|group| group["title"] != "About your cover")
        .flat_map(|group| group["documents"].as_array().unwrap().clone())
        .collect()
}

fn titles(documents: &Answer) -> Vec<String> {
    let title = |document: &Value| document["title"].as_str().unwrap().to_string();
    own(documents).iter().map(title).collect()
}

fn pounds(pence: i64) -> String {
    format!("£{}.{:02}", pence / 100, pence % 100)
}

#[tokio::test]
async fn more_cover_has_a_receipt_of_its_own_and_less_cover_has_none() {
    let (ann, policy) = covered().await;
    let offer = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let change = offer.text("/data/adjustment_id");
    let due = pounds(pence(offer.at("/data/amount_now")));
    ann.enters_card(&change, PAYS).await;
    ann.works().await;
    assert_eq!(
        titles(&ann.documents(&policy).await),
        [
            "Policy Schedule",
            "Demands and Needs Statement",
            "Receipt",
            "Change of Policy"
        ]
    );
    says(
        &ann.document(&policy, "Receipt").await,
        &[
            &format!("We have received your payment of {due}."),
            "changed from 25 November 2026",
        ],
    );
    says(
        &ann.document(&policy, "Change of Policy").await,
        &["National and home", &due],
    );

    let offer = ann.asks(&policy, json!({ "cover_level": 2 }), None).await;
    let back = pounds(-pence(offer.at("/data/amount_now")));
    let change = offer.text("/data/adjustment_id");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(
        titles(&ann.documents(&policy).await),
        [
            "Policy Schedule",
            "Demands and Needs Statement",
            "Change of Policy"
        ]
    );
    says(&ann.document(&policy, "Change of Policy").await, &[&back]);

    // The sold revision keeps the receipt of its payment.
    let path = format!("/api/v1/policy/{policy}/documents?revision=1");
    let first = ann.get(&path).succeeds().await;
    assert!(titles(&first).contains(&"Receipt".to_string()));
}

#[tokio::test]
async fn the_letter_about_a_cancellation_says_what_comes_back() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(60).await;
    let ended = ann.cancels(&policy, json!({})).await;
    let back = pence(ended.expect(StatusCode::OK).at("/data/refund/amount"));
    assert!(back > 0);
    ann.works().await;
    says(
        &ann.document(&policy, "Cancellation Letter").await,
        &["20 January 2027", &pounds(back)],
    );
}

fn notices(documents: &Answer) -> usize {
    let titles = titles(documents).into_iter();
    titles
        .filter(|title| title.starts_with("Renewal Notice"))
        .count()
}

#[tokio::test]
async fn the_renewal_notice_has_both_prices_and_comes_again_with_each_new_one() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    let price = async |ann: &Customer, name: &str| {
        let compared = compare(ann, &renewal).await;
        pounds(pence(compared.at(&format!("/data/{name}"))))
    };
    let (last_year, first) = (
        price(&ann, "price_last_year").await,
        price(&ann, "price").await,
    );
    assert_eq!(notices(&ann.documents(&policy).await), 1);
    says(
        &ann.document(&policy, "Renewal Notice").await,
        &[
            "Your cover ends on 24 November 2027.",
            &format!("Your current cover, until 24 November 2027 {last_year}"),
            &format!("Your next year, from 25 November 2027 {first}"),
            "A new customer today",
            "Your policy does not renew by itself.",
            "National",
        ],
    );

    // The customer asks for more cover in the next year.
    let mut wanted = young_vehicles();
    wanted["values"]["cover_level"] = json!(5);
    let path = format!("/api/v1/quote/{renewal}");
    let body = json!({ "product": wanted });
    ann.put(&path, &body).succeeds().await;
    ann.shop.clock.advance(TimeDelta::minutes(2));
    ann.works().await;
    let second = price(&ann, "price").await;
    assert_ne!(first, second);
    assert_eq!(notices(&ann.documents(&policy).await), 2);
    says(
        &ann.document(&policy, "Renewal Notice").await,
        &[
            &format!("Your next year, from 25 November 2027 {second}"),
            "Why the price is different",
            &format!("Your current cover {last_year}"),
            &format!("Your next year {second}"),
            "European",
        ],
    );

    // A change of the policy makes another revision, with its own notice.
    let offer = ann.asks(&policy, json!({ "excess": 1 }), None).await;
    let change = offer.expect(StatusCode::OK).text("/data/adjustment_id");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    ann.works().await;
    let third = price(&ann, "price").await;
    assert_ne!(second, third);
    says(
        &ann.document(&policy, "Renewal Notice").await,
        &[&format!("Your next year, from 25 November 2027 {third}")],
    );
    let path = format!("/api/v1/policy/{policy}/documents?revision=1");
    let first = ann.get(&path).succeeds().await;
    assert_eq!(notices(&first), 2);
}

#[tokio::test]
async fn a_notice_is_of_the_price_it_was_called_for_and_without_one_there_is_none() {
    for of_its_revision in [true, false] {
        let (ann, policy) = by_hand().await;
        ann.shop.clock.advance(TimeDelta::days(QUOTED));
        jobs::daily(&ann.shop.app).await.unwrap();
        for (key, job) in jobs::due_jobs(
            &ann.shop.app.store,
            &ann.shop.app.clock,
            JobQueue::PolicyLetters,
            100,
        )
        .await
        .unwrap()
        .jobs
        {
            jobs::run_job(&ann.shop.app, key, job).await.unwrap();
        }
        let renewal = ann
            .shop
            .row(&tables::POLICIES, &policy.parse().unwrap())
            .renewal
            .quote()
            .unwrap();
        // Older notices did not record the revision. Meanwhile the renewal is saved as a draft, without a
        // price.
        let spoil = move |tx: &mut WriteTx<'_>| {
            for (id, mut row) in tables::DOCUMENTS.list(tx, &(), Direction::Forward, 100)? {
                row.subject_revision = row.subject_revision.filter(|_| of_its_revision);
                tables::DOCUMENTS.put(tx, &id, &row)?;
            }
            let mut quote = tables::QUOTES.get(tx, &renewal)?.unwrap();
            let number = quote.current.number;
            tables::REVISIONS.put(tx, &(renewal, number), &quote.current)?;
            quote.current.number += 1;
            quote.current.price = None;
            tables::QUOTES.put(tx, &renewal, &quote)
        };
        ann.shop.app.store.write(spoil).await.unwrap();
        ann.works().await;
        let tx = snapshot(&ann.shop.app.store);
        let left = tables::DOCUMENTS_TO_MAKE.list(&tx, &(), Direction::Forward, 100);
        assert_eq!(left.unwrap().len(), 0, "nothing is tried for ever");
        let rows = tables::DOCUMENTS.list(&tx, &(), Direction::Forward, 100);
        let rows = rows.unwrap().into_iter();
        let made = rows.filter(|(_, row)| row.subject_id == Some(renewal) && row.made.is_some());
        assert_eq!(made.count(), usize::from(of_its_revision));
    }
}
