//! What a policy's life leaves in writing.

use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{Customer, PAYS, covered, pence};
use crate::support::Answer;
use crate::support::pdf::says;

impl Customer {
    async fn papers(&self, policy: &str) -> Answer {
        let path = format!("/api/v1/policy/{policy}/documents");
        self.get(&path).send().await.expect(StatusCode::OK)
    }

    /// The page of a policy's document of the revision in force.
    async fn paper(&self, policy: &str, title: &str) -> Vec<u8> {
        let papers = self.papers(policy).await;
        let papers = own(&papers);
        let found = papers.iter().find(|paper| paper["title"] == title);
        let found = found.unwrap_or_else(|| panic!("no {title} in {papers:?}"));
        let id = found["identifier"].as_str().unwrap();
        let call = self.get(&format!("/api/v1/documents/{id}"));
        call.send().await.expect(StatusCode::OK).bytes
    }
}

/// Those that are the policy's own.
fn own(papers: &Answer) -> Vec<Value> {
    let groups = papers.at("/data/documents").as_array().unwrap().iter();
    groups
        .filter(|group| group["title"] != "About your cover")
        .flat_map(|group| group["documents"].as_array().unwrap().clone())
        .collect()
}

fn titles(papers: &Answer) -> Vec<String> {
    let title = |paper: &Value| paper["title"].as_str().unwrap().to_string();
    own(papers).iter().map(title).collect()
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
        titles(&ann.papers(&policy).await),
        [
            "Policy Schedule",
            "Demands and Needs Statement",
            "Receipt",
            "Change of Policy"
        ]
    );
    says(
        &ann.paper(&policy, "Receipt").await,
        &[
            &format!("We have received your payment of {due}."),
            "changed from 25 November 2026",
        ],
    );
    says(
        &ann.paper(&policy, "Change of Policy").await,
        &["National and home", &due],
    );

    let offer = ann.asks(&policy, json!({ "cover_level": 2 }), None).await;
    let back = pounds(-pence(offer.at("/data/amount_now")));
    let change = offer.text("/data/adjustment_id");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(
        titles(&ann.papers(&policy).await),
        [
            "Policy Schedule",
            "Demands and Needs Statement",
            "Change of Policy"
        ]
    );
    says(&ann.paper(&policy, "Change of Policy").await, &[&back]);

    // What was sold keeps the receipt of what was paid for it.
    let path = format!("/api/v1/policy/{policy}/documents?revision=1");
    let first = ann.get(&path).send().await.expect(StatusCode::OK);
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
        &ann.paper(&policy, "Cancellation Letter").await,
        &["20 January 2027", &pounds(back)],
    );
}
