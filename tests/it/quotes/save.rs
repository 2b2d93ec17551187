//! A quote is saved again.

use poem::http::StatusCode;
use serde_json::json;

use crate::support::{Shop, two_vehicles};

#[tokio::test]
async fn saving_over_a_newer_revision_is_a_conflict_and_loses_nothing() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let path = format!("/api/v1/quote/{}", quote.uuid);
    let save = |name: &str, revision: Option<u32>| {
        let mut product = two_vehicles();
        product["values"]["first_name"] = json!(name);
        let mut body = json!({ "product": product });
        if let Some(revision) = revision {
            body["revision_id"] = json!(revision);
        }
        shop.put(&path, &body).bearer(&quote.token).send()
    };
    // Two pages that read the same revision save at once: one wins, the other hears of it.
    let (one, other) = tokio::join!(save("One", Some(1)), save("Other", Some(1)));
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
    let stale = if one.status == StatusCode::CONFLICT {
        one
    } else {
        other
    };
    assert_eq!(stale.text("/code"), "stale_revision");
    // Without a revision the last write wins.
    save("Last", None).await.expect(StatusCode::OK);
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/values/first_name"), "Last");
    assert_eq!(read.at("/data/versions").as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_save_withdraws_the_acceptance() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    shop.put(
        &format!("/api/v1/quote/{}", quote.uuid),
        &json!({ "product": two_vehicles() }),
    )
    .bearer(&quote.token)
    .send()
    .await
    .expect(StatusCode::OK);
    let refused = shop.initiate(&quote).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "not_accepted");
}
