//! A cancelled policy can't be changed or cancelled again. A refused cancellation changes nothing.

use poem::http::StatusCode;
use serde_json::json;

use super::{activities, ntu, status};
use crate::policies::{Customer, PAYS, covered, young_vehicles};
use crate::support::{Answer, two_vehicles};

#[tokio::test]
async fn what_ended_is_listed_and_can_be_neither_changed_nor_ended_nor_renewed() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    let create = "/api/v2/public/quote/breakdown";
    let product = json!({ "product": young_vehicles() });
    let again = ann
        .post(create, &product)
        .answers(StatusCode::CREATED)
        .await;
    let notices = again.at("/data/notices").clone();
    assert_eq!(notices.as_array().unwrap().len(), 2);
    // The notice appears again when the quote is reopened, but not on the policy.
    let path = format!("/api/v2/public/quote/read/{}", again.text("/data/uuid"));
    let reopened = ann.get(&path).succeeds().await;
    assert_eq!(reopened.at("/data/info/notices"), &notices);
    let itself = ann.policy(&policy).await;
    assert_eq!(itself.at("/data/info/notices"), &json!([]));
    ann.sleeps(341).await; // 28 October 2027: the renewal was quoted.
    let renewal = ann
        .policy(&policy)
        .await
        .text("/data/policy/renewal/quote_uuid");
    let offer = ann.asks(&policy, json!({ "cover_level": 1 }), None).await;
    let offer = offer.text("/data/adjustment_id");
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);

    let list = ann
        .get("/api/v2/policy/list?quoteStatus[]=8")
        .succeeds()
        .await;
    assert_eq!(list.at("/data/0/policy_uuid"), policy.as_str());
    assert_eq!(list.at("/data/0/status_id"), 8);
    let read = ann.policy(&policy).await;
    for what in ["change", "cancel", "not_take_up", "renew", "auto_renew"] {
        let pointer = format!("/data/policy/can/{what}");
        assert_eq!(read.at(&pointer), false, "{what}");
    }
    // The renewal is withdrawn: it can't be accepted, saved, or restored by a change.
    assert_eq!(read.at("/data/policy/renewal/status_id"), 14);
    // The renewal never was a policy, so the list shows it among the renewals not taken up.
    assert_eq!(list.at("/total"), 1);
    let withdrawn = "/api/v2/policy/list?quoteStatus[]=14&flags[]=renewal_quote";
    let withdrawn = ann.get(withdrawn).succeeds().await;
    assert_eq!(withdrawn.at("/total"), 1);
    assert_eq!(withdrawn.at("/data/0/policy_uuid"), renewal.as_str());
    let accept = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    let path = format!("/api/v1/quote/update-accept/{renewal}");
    ann.post(&path, &accept).answers(StatusCode::CONFLICT).await;
    let path = format!("/api/v1/quote/{renewal}");
    ann.put(&path, &json!({ "product": two_vehicles() }))
        .answers(StatusCode::CONFLICT)
        .await;
    for refused in [
        ann.asks(&policy, json!({ "cover_level": 4 }), None).await,
        ann.agrees(&policy, &offer).await,
        ann.cancels(&policy, json!({})).await,
        ann.cancels(&policy, json!({ "preview": true })).await,
    ] {
        refused.expect(StatusCode::CONFLICT);
    }
    ann.works().await;

    // The registrations no longer have cover.
    let mut next = young_vehicles();
    next["values"]["start_date"] = json!("01.11.2027");
    let free = ann.post(create, &json!({ "product": next })).send().await;
    assert_eq!(
        free.expect(StatusCode::CREATED).at("/data/notices"),
        &json!([])
    );

    // No letter is sent on its last day.
    let before = ann.shop.letters().len();
    ann.waits(30).await;
    assert_eq!(status(&ann, &policy).await, 8);
    let about_it = read.text("/data/info/custom_id");
    let letters = ann.shop.letters();
    assert!(
        letters[before..]
            .iter()
            .all(|letter| !letter.subject.contains(&about_it))
    );
}

#[tokio::test]
async fn cancelled_twice_or_by_two_at_once_it_is_refunded_once() {
    let (ann, policy) = covered().await;
    let (one, other) = tokio::join!(
        ann.cancels(&policy, json!({})),
        ann.cancels(&policy, json!({ "reason_id": 3 }))
    );
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
    ann.works().await;
    assert_eq!(ann.balance(&policy).0, 0);
    assert_eq!(
        activities(&ann, &policy)
            .await
            .at("/data")
            .as_array()
            .unwrap()
            .len(),
        1
    );

    // The same idempotency key gets the first response again. Another key does not.
    let second = ann.buys(&two_vehicles(), PAYS).await;
    let body = json!({
        "type": "cancellation", "policy_uuid": second, "reason_id": 2,
        "effective_date": "2026-11-21",
    });
    let send = |key: &str| {
        let call = ann.post("/api/v1/activity/create", &body);
        call.header("Idempotency-Key", key).send()
    };
    let first = send("cancel-once-1").await.expect(StatusCode::OK);
    let again = send("cancel-once-1").await.expect(StatusCode::OK);
    assert_eq!(again.at("/data"), first.at("/data"));
    send("cancel-once-2").await.expect(StatusCode::CONFLICT);
    ann.works().await;
    assert_eq!(ann.balance(&second).0, 0);
}

#[tokio::test]
async fn a_cancellation_with_a_mistake_changes_nothing_and_says_which() {
    let (mut ann, policy) = covered().await;
    for (more, field) in [
        (json!({ "effective_date": "2027-11-25" }), "effective_date"),
        (json!({ "effective_date": "2026-11-20" }), "effective_date"),
        (json!({ "effective_date": "2026-11-24" }), "effective_date"),
        (json!({ "reason_id": 99 }), "reason_id"),
        (json!({ "reason_id": null }), "reason_id"),
        (json!({ "note": "é".repeat(2000) }), "note"),
        (json!({ "type": "holiday" }), "type"),
    ] {
        for preview in [true, false] {
            let mut more = more.clone();
            more["preview"] = json!(preview);
            let refused = ann.cancels(&policy, more).await;
            let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
            assert_eq!(refused.fields(), [field]);
        }
    }
    // The effective day is today, or any day of the cover.
    for day in ["2026-11-21", "2026-11-25", "2027-11-24"] {
        let look = json!({ "effective_date": day, "preview": true });
        let looked = ann.cancels(&policy, look).await.expect(StatusCode::OK);
        assert_eq!(looked.at("/data/effective_date"), day);
    }
    for body in [
        json!({}),
        json!({ "type": "cancellation", "policy_uuid": policy, "effective_date": "soon" }),
    ] {
        ann.post("/api/v1/activity/create", &body)
            .answers(StatusCode::BAD_REQUEST)
            .await;
    }
    ann.cancels("00000000-0000-0000-0000-000000000000", json!({}))
        .await
        .expect(StatusCode::NOT_FOUND);
    assert_eq!(status(&ann, &policy).await, 5);
    ann.sleeps(369).await; // The day after the last.
    let ended = ann.cancels(&policy, json!({})).await;
    let ended = ended.expect(StatusCode::CONFLICT);
    assert_eq!(ended.at("/message"), "This policy has ended.");
    assert_eq!(status(&ann, &policy).await, 15);

    let reasons = ann
        .get("/api/v1/policy/reasons/cancellation")
        .succeeds()
        .await;
    assert_eq!(reasons.at("/data").as_array().unwrap().len(), 7);
}

#[tokio::test]
async fn a_policy_that_was_undone_stands_among_the_cancelled_policies_and_not_among_quotes() {
    let (ann, undone) = covered().await;
    let cancelled = ann.buys(&two_vehicles(), PAYS).await;
    ann.cancels(&cancelled, json!({}))
        .await
        .expect(StatusCode::OK);
    ntu(&ann, &undone).await.expect(StatusCode::OK);
    let listed = |query: &'static str| {
        let path = format!("/api/v2/policy/list?{query}");
        let ann = &ann;
        async move { ann.get(&path).succeeds().await }
    };
    let uuid = |page: &Answer| page.at("/data/0/policy_uuid").clone();

    let policies = "quoteStatus[]=5&quoteStatus[]=8&quoteStatus[]=15&quoteStatus[]=16";
    assert_eq!(listed(policies).await.at("/total"), 2);
    let quotes = "quoteStatus[]=1&quoteStatus[]=2&quoteStatus[]=7&quoteStatus[]=14&\
                  quoteStatus[]=30&quoteStatus[]=31&exclude_flags[]=renewal_quote";
    assert_eq!(listed(quotes).await.at("/total"), 0);
    assert_eq!(listed("quoteStatus[]=14").await.at("/total"), 0);

    // The pages of the list count the cancelled policy, with its status.
    let first = listed("quoteStatus[]=8&limit=1&page=1&sortBy=status_id&desc=false").await;
    let second = listed("quoteStatus[]=8&limit=1&page=2&sortBy=status_id&desc=false").await;
    assert_eq!(first.at("/last_page"), 2);
    assert_eq!(uuid(&first), cancelled.as_str());
    assert_eq!(first.at("/data/0/status_id"), 8);
    assert_eq!(uuid(&second), undone.as_str());
    assert_eq!(second.at("/data/0/status_id"), 14);
    assert_eq!(second.at("/data/0/status_title"), "Not taken up");

    let exported = ann.shop.exported_policies().await;
    for title in ["Not taken up", "Cancelled"] {
        assert!(exported.iter().any(|row| row["status"] == title), "{title}");
    }
}
