//! The documents of a scheduled change and a scheduled cancellation, and when they are printed.

use serde_json::json;

use super::*;
use crate::policies::covered;
use crate::support::pdf::says;

const DAY: &str = "2027-03-03";

/// Returns the titles of the policy's own documents of the revision in force.
async fn titles(ann: &Customer, policy: &str) -> Vec<String> {
    let path = format!("/api/v1/policy/{policy}/documents");
    let listed = ann.get(&path).succeeds().await;
    let groups = listed.at("/data/documents").as_array().unwrap().iter();
    groups
        .filter(|group| group["title"] != "About your cover")
        .flat_map(|group| group["documents"].as_array().unwrap())
        .map(|one| one["title"].as_str().unwrap().to_string())
        .collect()
}

#[tokio::test]
async fn money_that_is_paid_now_has_its_receipt_now_and_the_change_its_papers_on_its_day() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let sold = titles(&ann, &policy).await;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), DAY).await;
    let waiting = titles(&ann, &policy).await;
    assert_eq!(waiting.len(), sold.len() + 1, "{waiting:?}");
    let receipts = waiting.iter().filter(|title| *title == "Receipt");
    assert_eq!(receipts.count(), 2);
    let before = ann.document(&policy, "Policy Schedule").await;
    sleeps_until(&mut ann, "2027-03-10").await;
    // The shop was closed on the day. The documents state the effective day.
    assert_eq!(
        titles(&ann, &policy).await,
        [
            "Policy Schedule",
            "Demands and Needs Statement",
            "Change of Policy"
        ]
    );
    let schedule = ann.document(&policy, "Policy Schedule").await;
    assert_ne!(schedule, before);
    says(&schedule, &["Changed from 3 March 2027"]);
    let paid = format!("£{}.{:02}", offer.amount / 100, offer.amount % 100);
    says(
        &ann.document(&policy, "Change of Policy").await,
        &[
            "changed your policy from 3 March 2027",
            &paid,
            "267 of 365 days",
        ],
    );
}

#[tokio::test]
async fn the_letter_about_a_later_end_says_the_last_day_that_was_covered() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let offer = agreed(&ann, &policy, json!({ "cover_level": 4 }), "2027-06-01").await;
    ends(&ann, &policy, DAY).await;
    ann.works().await;
    assert!(
        !titles(&ann, &policy)
            .await
            .contains(&"Cancellation Letter".to_string())
    );
    sleeps_until(&mut ann, DAY).await;
    let back = pence(activities(&ann, &policy).await.at("/data/0/refund/amount"));
    let pounds = |pence: i64| format!("£{}.{:02}", pence / 100, pence % 100);
    says(
        &ann.document(&policy, "Cancellation Letter").await,
        &[
            "your policy ended as 3 March 2027 began",
            "First day without cover 3 March 2027",
            "Last day of cover 2 March 2027",
            "The change that was agreed for 1 June 2027 does not come",
            &pounds(offer.amount),
            &pounds(back),
        ],
    );
}

#[tokio::test]
async fn the_letter_about_an_end_at_once_says_the_day_and_no_other() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    ann.works().await;
    says(
        &ann.document(&policy, "Cancellation Letter").await,
        &[
            "we ended your policy on 1 December 2026",
            "Ended on 1 December 2026",
        ],
    );
}
