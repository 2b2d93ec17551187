//! `layby end-cover`: the shop ends a policy with 14 days' notice.

use layby::app::letters::delivery::outbox::{self, MailOrder};
use layby::app::policies::cancellations::end_cover::{CoverEnd, EndCause, end_cover};
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::money::books::is_clean;
use crate::monthly::accepts_monthly;
use crate::policies::{Customer, PAYS, covered, pence};
use crate::support::two_vehicles;

async fn orders(ann: &Customer, policy: &str, cause: Option<EndCause>) -> Result<String, String> {
    let order = CoverEnd {
        policy: ann.policy(policy).await.text("/data/info/custom_id"),
        cause,
        by: "Jo".to_owned(),
        why: "a secret finding".to_owned(),
    };
    let done = end_cover(&ann.shop.app.store, &order, ann.shop.clock.now()).await;
    ann.works().await;
    done.map_err(|error| error.log_text())
}

/// Returns the text of the newest letter with this subject.
#[track_caller]
fn newest(ann: &Customer, subject: &str) -> String {
    let mut letters = ann.shop.letters();
    letters.retain(|letter| letter.subject.contains(subject));
    let letter = letters.pop().unwrap();
    assert!(!letter.text.contains("a secret finding"), "{}", letter.text);
    letter.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn pending(ann: &Customer, policy: &str) -> Value {
    let read = ann.policy(policy).await;
    read.at("/data/policy/pending_cancellation").clone()
}

#[tokio::test]
async fn a_notice_ends_cover_after_14_days_and_only_the_shop_withdraws_it() {
    let (mut ann, policy) = covered().await;
    ann.waits(30).await;
    // The clock says 21 December.
    orders(&ann, &policy, None).await.unwrap_err();
    let line = orders(&ann, &policy, Some(EndCause::LostDispute)).await;
    let line = line.unwrap();
    assert!(line.contains("ends with 6 January 2027"), "{line}");
    let letter = newest(&ann, "We will end your");
    for sentence in [
        "Your bank took back a payment for this policy, so we will end your policy.",
        "You are covered until the end of 6 January 2027",
    ] {
        assert!(letter.contains(sentence), "{sentence}: {letter}");
    }
    orders(&ann, &policy, Some(EndCause::Fraud))
        .await
        .unwrap_err();
    let own = pending(&ann, &policy).await;
    assert_eq!(
        (&own["is_by_shop"], &own["can_withdraw"]),
        (&json!(true), &json!(false))
    );
    let id = own["id"].as_str().unwrap();
    let withdraw = ann.put(&format!("/api/v1/activity/{id}/withdraw"), &json!({}));
    let refused = withdraw.send().await.expect(StatusCode::CONFLICT);
    assert!(
        refused.text("/error").contains("We have ended this cover"),
        "{:#}",
        refused.body
    );
    let later = json!({ "effective_date": "2027-02-01" });
    ann.cancels(&policy, later)
        .await
        .expect(StatusCode::CONFLICT);
    is_clean(&ann.shop, "with a notice");

    orders(&ann, &policy, None).await.unwrap();
    let letter = newest(&ann, "goes on");
    assert!(letter.contains("We have withdrawn that"), "{letter}");
    assert_eq!(pending(&ann, &policy).await, Value::Null);

    orders(&ann, &policy, Some(EndCause::Fraud)).await.unwrap();
    let expected = pence(&pending(&ann, &policy).await["refund"]["amount"]);
    assert!(expected > 0);
    ann.waits(16).await;
    assert_eq!(ann.policy(&policy).await.at("/data/info/status_id"), 5);
    ann.waits(1).await;
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/info/status_id"), 8);
    let done = read.at("/data/policy/cancellation");
    assert_eq!(pence(&done["refund"]["amount"]), expected);
    let letter = newest(&ann, "We have cancelled your");
    assert!(
        letter.contains("what we were told about this policy is not true, so we"),
        "{letter}"
    );
    assert!(!letter.contains("monthly payments"), "{letter}");
    is_clean(&ann.shop, "after a notice");
}

#[tokio::test]
async fn a_notice_whose_letter_is_not_sent_ends_nothing() {
    let (mut ann, policy) = covered().await;
    ann.waits(30).await;
    std::fs::remove_dir_all(ann.shop.mail_folder()).unwrap();
    orders(&ann, &policy, Some(EndCause::Fraud)).await.unwrap();
    ann.waits(5).await;
    std::fs::create_dir(ann.shop.mail_folder()).unwrap();
    let requeue = MailOrder::Requeue(Vec::new());
    let now = ann.shop.clock.now();
    outbox::execute(&ann.shop.app.store, &requeue, now, &mut Vec::new())
        .await
        .unwrap();
    ann.waits(20).await;
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/info/status_id"), 5);
    assert_eq!(read.at("/data/policy/pending_cancellation"), &Value::Null);
    let letters = ann.shop.letters();
    assert!(
        letters
            .iter()
            .all(|letter| !letter.subject.contains("We will end")),
        "{letters:#?}"
    );
    is_clean(&ann.shop, "after a notice that was not sent");
}

#[tokio::test]
async fn a_notice_replaces_a_later_end_and_stops_the_payments_of_a_plan() {
    let mut ann = Customer::new().await;
    let (policy, accepted) = accepts_monthly(&ann, &two_vehicles(), true).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    ann.waits(5).await;
    let ends = json!({ "effective_date": "2027-06-01" });
    ann.cancels(&policy, ends).await.expect(StatusCode::OK);
    let line = orders(&ann, &policy, Some(EndCause::Fraud)).await.unwrap();
    assert!(line.contains("12 December 2026"), "{line}");
    let letter = newest(&ann, "We will end your");
    assert!(
        letter.contains("Monthly payments that stop: 11"),
        "{letter}"
    );
    ann.waits(17).await;
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/info/status_id"), 8);
    assert_eq!(read.at("/data/policy/plan/status"), "ended");
    is_clean(&ann.shop, "after the end of a plan");
    orders(&ann, &policy, Some(EndCause::Fraud))
        .await
        .unwrap_err();
}
