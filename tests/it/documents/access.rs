//! Access to a policy's documents.

use poem::http::StatusCode;
use serde_json::json;

use super::{buy, check, fetch, identifier, list};
use crate::support::{Shop, two_trips, two_vehicles};

#[tokio::test]
async fn documents_are_their_owners_alone() {
    let shop = Shop::new().await;
    let (policy, other) = (
        buy(&shop, &two_vehicles()).await,
        buy(&shop, &two_trips()).await,
    );
    shop.work().await;
    let found = list(&shop, &policy).await;
    let schedule = identifier(&found, "Policy Schedule");
    let path = format!("/api/v1/documents/{schedule}");
    fetch(&shop, &other, &schedule)
        .await
        .expect(StatusCode::NOT_FOUND);
    shop.get(&path).answers(StatusCode::UNAUTHORIZED).await;
    for path in ["documents", "external-documents"] {
        let path = format!("/api/v1/policy/{}/{path}", policy.uuid);
        shop.get(&path)
            .bearer(&other.token)
            .answers(StatusCode::NOT_FOUND)
            .await;
        shop.get(&path).answers(StatusCode::UNAUTHORIZED).await;
    }
    let nobodys = uuid::Uuid::nil().to_string();
    fetch(&shop, &policy, &nobodys)
        .await
        .expect(StatusCode::NOT_FOUND);
    fetch(&shop, &policy, "../../etc/passwd")
        .await
        .expect(StatusCode::NOT_FOUND);
    let checked = check(
        &shop,
        &other,
        &[&schedule, &nobodys, "x", "breakdown-2026.8-ipid"],
    )
    .await;
    assert_eq!(
        checked,
        json!({ &schedule: false, &nobodys: false, "x": false, "breakdown-2026.8-ipid": true })
    );
    let many = json!({ "docs": vec!["x"; 101] });
    let many = shop
        .post("/api/v1/documents/check", &many)
        .bearer(&other.token)
        .send()
        .await;
    assert_eq!(
        many.expect(StatusCode::UNPROCESSABLE_ENTITY).fields(),
        ["docs"]
    );
    let unknown = format!("/api/v1/policy/{}/documents?revision=7", policy.uuid);
    shop.get(&unknown)
        .bearer(&policy.token)
        .answers(StatusCode::NOT_FOUND)
        .await;
}

#[tokio::test]
async fn a_visitors_token_reads_documents_after_a_day_and_nothing_else() {
    let shop = Shop::new().await;
    let policy = buy(&shop, &two_vehicles()).await;
    shop.work().await;
    shop.clock.advance(chrono::TimeDelta::days(9));
    shop.read(&policy).await.expect(StatusCode::UNAUTHORIZED);
    let found = list(&shop, &policy).await;
    let schedule = identifier(&found, "Policy Schedule");
    fetch(&shop, &policy, &schedule)
        .await
        .expect(StatusCode::OK);
    let path = format!("/api/v2/policy/{}", policy.uuid);
    shop.get(&path)
        .bearer(&policy.token)
        .answers(StatusCode::UNAUTHORIZED)
        .await;
}

#[tokio::test]
async fn a_check_of_something_that_is_no_list_of_identifiers_is_malformed() {
    let shop = Shop::new().await;
    let policy = buy(&shop, &two_vehicles()).await;
    for docs in [
        json!("policy"),
        json!([1]),
        json!([null]),
        json!({}),
        json!(null),
    ] {
        let call = shop.post("/api/v1/documents/check", &json!({ "docs": docs }));
        let refused = call.bearer(&policy.token).send().await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{docs}");
        assert_eq!(refused.at("/code"), "malformed");
    }
}
