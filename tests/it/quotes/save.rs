//! A quote is saved again.

use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::stores::snapshot;
use crate::support::{Shop, two_vehicles, two_vehicles_with};

#[tokio::test]
async fn saving_over_a_newer_revision_is_a_conflict_and_loses_nothing() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let path = format!("/api/v1/quote/{}", quote.uuid);
    let save = |name: &str, revision: Option<u32>| {
        let product = two_vehicles_with("first_name", json!(name));
        let mut body = json!({ "product": product });
        if let Some(revision) = revision {
            body["revision_id"] = json!(revision);
        }
        shop.put(&path, &body).bearer(&quote.token).send()
    };
    // Two pages with the same revision save at once: one wins, the other gets a conflict.
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
    shop.update(&quote, &two_vehicles()).succeeds().await;
    let refused = shop.initiate(&quote).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "not_accepted");
}

#[tokio::test]
async fn a_save_keeps_the_page_it_came_from_and_answers_uuid_and_revision() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let save = |path: Value| {
        let body = json!({ "product": two_vehicles(), "path": path });
        let address = format!("/api/v1/quote/{}", quote.uuid);
        let call = shop.put(&address, &body).bearer(&quote.token);
        async { call.send().await }
    };
    let page = format!("/quote/edit/{}", quote.uuid);
    // A query may contain personal data, so it is not stored.
    let with_query = format!("{page}?step=3#resume=secret");
    let longest = format!("/{}", "a".repeat(199));
    let kept = [
        (json!(page), Some(page.as_str())),
        (json!(with_query), Some(page.as_str())),
        (json!(longest), Some(longest.as_str())),
        (json!(""), None),
        (json!(null), None),
    ];
    let mut expected = vec![None];
    for (number, (path, page)) in (2_u32..).zip(kept) {
        let answer = save(path).await.expect(StatusCode::OK);
        assert_eq!(answer.at("/data/uuid"), quote.uuid.as_str());
        assert_eq!(answer.at("/data/revision_id"), number);
        expected.push(page.map(str::to_owned));
    }
    for wrong in [
        "quote/edit",
        "//evil.example",
        "/\\evil",
        "/a\nb",
        &"/a".repeat(101),
    ] {
        let answer = save(json!(wrong)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        assert_eq!(answer.fields(), ["path"], "{wrong}");
    }
    save(json!(7)).await.expect(StatusCode::BAD_REQUEST);

    let tx = snapshot(&shop.app.store);
    let uuid = quote.uuid.parse().unwrap();
    let current = tables::QUOTES.get(&tx, &uuid).unwrap().unwrap().current;
    let mut revisions: Vec<_> = (1..current.number)
        .map(|number| {
            tables::REVISIONS
                .get(&tx, &(uuid, number))
                .unwrap()
                .unwrap()
        })
        .collect();
    revisions.push(current);
    let paths: Vec<_> = revisions
        .into_iter()
        .map(|revision| revision.path)
        .collect();
    assert_eq!(paths, expected);
}
