//! Policy changes: first a price, then the customer's consent or payment, then the change.

mod covered_items;
mod daily_limit;
mod live_price;
mod texts;

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::json;

use super::{PAYS, covered, pence};
use crate::support::two_vehicles;

#[tokio::test]
async fn more_cover_is_paid_for_and_then_in_force_even_if_the_customer_closed_the_page() {
    let (mut ann, policy) = covered().await;
    let before = ann.policy(&policy).await;
    ann.sleeps(186).await; // 26 May 2027: 183 of 365 days are left, that day included.
    let offer = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let offer = offer.expect(StatusCode::OK);
    assert_eq!(offer.at("/data/kind"), "increase");
    assert_eq!(offer.at("/data/days_left"), 183);
    assert_eq!(offer.at("/data/days_in_term"), 365);
    assert_eq!(offer.at("/data/effective_date"), "2027-05-26");
    let difference =
        pence(offer.at("/data/premium_after")) - pence(offer.at("/data/premium_before"));
    let due = pence(offer.at("/data/amount_now"));
    assert_eq!(due, (difference * 183 * 2 + 365) / (365 * 2));
    let lines = offer.at("/data/lines").as_array().unwrap();
    assert_eq!(
        lines.iter().map(|line| pence(&line["amount"])).sum::<i64>(),
        due
    );
    assert_eq!(offer.at("/data/changes/0/before"), "National");
    assert_eq!(offer.at("/data/changes/0/after"), "National and home");

    // Nothing has changed yet, and consent alone changes nothing.
    let change = offer.text("/data/adjustment_id");
    assert_eq!(
        ann.policy(&policy).await.at("/data/values"),
        before.at("/data/values")
    );
    let word = ann.agrees(&policy, &change).await;
    assert_eq!(word.expect(StatusCode::CONFLICT).at("/code"), "payment_due");

    let path = format!("/api/v1/policy/{policy}/mta/increase");
    let body = json!({ "adjustment_id": change });
    let started = ann.put(&path, &body).succeeds().await;
    assert_eq!(started.at("/data/kind"), "iframe");
    ann.shop.pay(&started.text("/data/url"), PAYS).await;
    // The page was closed, so the job that asks the gateway makes the change.
    ann.shop.clock.advance(TimeDelta::minutes(1));
    ann.works().await;
    let after = ann.policy(&policy).await;
    assert_eq!(after.at("/data/values/cover_level"), 4);
    assert_eq!(after.at("/data/info/revision_id"), 2);
    assert_eq!(
        pence(after.at("/data/policy/paid")),
        pence(before.at("/data/policy/paid")) + due
    );
    assert_eq!(ann.balance(&policy).0, pence(after.at("/data/policy/paid")));

    // Consent now returns the finished change. The payment page names the change.
    let again = ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/status"), "applied");
    let paid = ann.get(&format!("/api/v1/payment/{change}")).send().await;
    assert_eq!(paid.at("/data/status"), "paid");
    assert_eq!(paid.at("/data/adjustment_uuid"), change.as_str());
    let history = ann
        .get(&format!("/api/v1/policy/{policy}/mta"))
        .send()
        .await;
    assert_eq!(history.at("/data/0/status"), "applied");
    assert_eq!(history.at("/data/0/revision"), 2);
    let letters = ann.shop.letters();
    assert!(
        letters
            .iter()
            .any(|letter| letter.subject.contains("has changed"))
    );
}

#[tokio::test]
async fn less_cover_gives_the_difference_back_to_the_card() {
    let (mut ann, policy) = covered().await;
    let paid = ann.balance(&policy);
    ann.sleeps(100).await;
    let offer = ann.asks(&policy, json!({ "cover_level": 1 }), None).await;
    let back = -pence(offer.at("/data/amount_now"));
    assert!(back > 0);
    let change = offer.text("/data/adjustment_id");
    let body = json!({ "adjustment_id": change });
    let fixed = ann
        .put(&format!("/api/v1/policy/{policy}/mta/decrease"), &body)
        .succeeds()
        .await;
    assert_eq!(pence(fixed.at("/data/refund/amount")), back);
    // It is not an increase.
    ann.put(&format!("/api/v1/policy/{policy}/mta/increase"), &body)
        .answers(StatusCode::CONFLICT)
        .await;
    let made = ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    assert_eq!(made.at("/data/status"), "applied");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    ann.works().await;
    assert_eq!(ann.balance(&policy).0, paid.0 - back, "given back once");
}

#[tokio::test]
async fn a_new_telephone_number_costs_nothing_and_is_changed_at_once() {
    let (ann, policy) = covered().await;
    let keep = |values| {
        let body = json!({ "product": { "values": values } });
        ann.post(&format!("/api/v1/policy/{policy}/price-keep"), &body)
    };
    let kept = keep(json!({ "tel_primary": "0113 496 0000" })).send().await;
    assert_eq!(
        kept.expect(StatusCode::OK).at("/data"),
        &json!({ "success": 1, "errors": {} })
    );
    let read = ann.policy(&policy).await;
    assert_eq!(read.at("/data/values/tel_primary"), "+441134960000");

    let dearer = keep(json!({ "cover_level": 5 })).succeeds().await;
    assert_eq!(dearer.at("/data/success"), 0);
    let wrong = keep(json!({ "tel_primary": "12" })).succeeds().await;
    assert_eq!(wrong.at("/data/success"), 0);
    assert!(wrong.at("/data/errors/tel_primary/0").is_string());
}

#[tokio::test]
async fn what_is_locked_or_wrong_or_no_change_is_refused_with_why() {
    let (ann, policy) = covered().await;
    let read = ann.policy(&policy).await;
    let locked = read.at("/data/policy/locked").as_array().unwrap();
    assert!(locked.contains(&json!("start_date")) && locked.contains(&json!("email_primary")));

    for (values, field) in [
        (json!({ "start_date": "01.12.2026" }), "start_date"),
        (
            json!({ "email_primary": "other@example.org" }),
            "email_primary",
        ),
        (json!({ "postcode_primary": "nowhere" }), "postcode_primary"),
    ] {
        let refused = ann.asks(&policy, values, None).await;
        let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.fields(), [field]);
    }
    let same = ann.asks(&policy, json!({ "cover_level": 3 }), None).await;
    assert_eq!(
        same.expect(StatusCode::UNPROCESSABLE_ENTITY).at("/code"),
        "nothing_changed"
    );

    // A vehicle that underwriting declines.
    let old = json!({ "product": { "multi": { "vehicles": [{
        "vehicle_type": 1, "vehicle_registration": "AB12 CDE",
        "vehicle_registration_date": "01.03.1999",
    }] } } });
    let path = format!("/api/v1/policy/{policy}/mta/confirm");
    let declined = ann
        .put(&path, &old)
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(declined.at("/code"), "declined");

    // The change takes effect on the first day of cover, or on a later day of the term.
    for day in ["2026-11-20", "2026-11-24", "2027-11-25", "2028-01-01"] {
        let refused = ann
            .asks(&policy, json!({ "cover_level": 4 }), Some(day))
            .await;
        let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.fields(), ["effective_date"], "{day}");
    }
    ann.put(&path, &json!({ "product": 1 }))
        .answers(StatusCode::BAD_REQUEST)
        .await;
}

#[tokio::test]
async fn a_price_is_held_for_a_day_and_one_change_wins_over_another() {
    let (ann, policy) = covered().await;
    let offer = ann.asks(&policy, json!({ "cover_level": 1 }), None).await;
    let first = offer.text("/data/adjustment_id");
    ann.shop.clock.advance(TimeDelta::hours(24));
    let late = ann
        .agrees(&policy, &first)
        .await
        .expect(StatusCode::CONFLICT);
    assert_eq!(late.at("/code"), "invalid_state");

    // Two changes are offered. The change that is agreed first takes effect. The payment for the other change
    // is refunded.
    let dearer = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let dearer = dearer.text("/data/adjustment_id");
    ann.shop.clock.advance(TimeDelta::seconds(1));
    let cheaper = ann.asks(&policy, json!({ "cover_level": 1 }), None).await;
    let body = json!({ "uuid": dearer });
    let started = ann
        .post("/api/v1/gateway/sandbox/initiate", &body)
        .succeeds()
        .await;
    ann.agrees(&policy, &cheaper.text("/data/adjustment_id"))
        .await
        .expect(StatusCode::OK);
    ann.works().await;
    let before = ann.balance(&policy);
    ann.shop.pay(&started.text("/data/url"), PAYS).await;
    ann.shop.clock.advance(TimeDelta::minutes(1));
    ann.works().await;
    ann.works().await;
    let paid = ann.get(&format!("/api/v1/payment/{dearer}")).send().await;
    assert_eq!(paid.at("/data/status"), "refunded");
    assert_eq!(ann.balance(&policy), before);
    assert_eq!(ann.policy(&policy).await.at("/data/values/cover_level"), 1);
    let history = ann
        .get(&format!("/api/v1/policy/{policy}/mta"))
        .send()
        .await;
    let history = history.at("/data").as_array().unwrap();
    let statuses: Vec<_> = history.iter().map(|change| &change["status"]).collect();
    assert_eq!(statuses, ["applied", "superseded", "superseded"]);
}

#[tokio::test]
async fn a_payment_begun_in_time_counts_however_late_the_gateways_word_is() {
    let (ann, policy) = covered().await;
    let offer = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    let change = offer.text("/data/adjustment_id");
    let body = json!({ "uuid": change });
    let started = ann
        .post("/api/v1/gateway/sandbox/initiate", &body)
        .send()
        .await;
    ann.shop.clock.advance(TimeDelta::hours(23));
    ann.shop.pay(&started.text("/data/url"), PAYS).await;
    ann.shop.clock.advance(TimeDelta::hours(2));
    ann.works().await;
    assert_eq!(ann.policy(&policy).await.at("/data/values/cover_level"), 4);
}

#[tokio::test]
async fn nobody_changes_a_policy_of_somebody_elses() {
    let (ann, policy) = covered().await;
    let offer = ann.asks(&policy, json!({ "cover_level": 1 }), None).await;
    let change = offer.text("/data/adjustment_id");
    let other = ann.buys(&two_vehicles(), PAYS).await;
    // A change of another policy is not found, not even by its owner.
    ann.agrees(&other, &change)
        .await
        .expect(StatusCode::NOT_FOUND);

    let calls = || {
        let body = json!({ "adjustment_id": change });
        let product = json!({ "product": { "values": { "cover_level": 1 } } });
        let at = |rest: &str| format!("/api/v1/policy/{policy}{rest}");
        [
            ann.shop.put(&at("/mta"), &body),
            ann.shop.put(&at("/mta/increase"), &body),
            ann.shop.put(&at("/mta/decrease"), &body),
            ann.shop.put(&at("/mta/confirm"), &product),
            ann.shop.post(&at("/price-keep"), &product),
            ann.shop
                .put(&at("/auto-renew"), &json!({ "auto_renew": true })),
            ann.shop
                .put(&format!("/api/v1/policy/ntu/{policy}"), &json!({})),
            ann.shop.get(&at("/mta")),
            ann.shop.get(&format!(
                "/api/v1/activities?policy={policy}&type=cancellation"
            )),
            ann.shop.post(
                "/api/v1/activity/create",
                &json!({
                    "type": "cancellation", "policy_uuid": policy, "reason_id": 1,
                }),
            ),
        ]
    };
    for call in calls() {
        call.answers(StatusCode::UNAUTHORIZED).await;
    }
    for call in calls() {
        call.cookies(&ann.stranger().await)
            .answers(StatusCode::NOT_FOUND)
            .await;
    }
}
