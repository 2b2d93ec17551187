//! Documents of products and of the shop. They are the same for everybody.

use std::process::Command;

use layby::products::Catalogue;
use poem::http::StatusCode;
use serde_json::json;

use super::{buy, fetch, identifier, items, list};
use crate::support::pdf::{pages, says, text_of};
use crate::support::{Shop, two_vehicles};

#[tokio::test]
async fn the_wording_and_the_ipid_are_anybodys_before_buying() {
    let shop = Shop::new().await;
    for (product, words) in [
        (
            "breakdown",
            ["Motor legal protection", "less a fee of £15,", "Home cover"],
        ),
        (
            "gadget",
            ["Theft", "less a fee of £10,", "Damage and breakdown"],
        ),
    ] {
        let info = shop
            .get(&format!("/api/v2/openapi/product/{product}"))
            .send()
            .await;
        let documents = info.at("/info/documents").clone();
        assert_eq!(documents[0]["title"], "Policy Wording");
        let fetch = async |number: usize| {
            let identifier = documents[number]["identifier"].as_str().unwrap();
            let path = format!("/api/v1/documents/{identifier}");
            shop.get(&path).succeeds().await
        };
        let wording = fetch(0).await;
        assert!(
            wording.headers["cache-control"]
                .to_str()
                .unwrap()
                .starts_with("public")
        );
        says(&wording.bytes, &words);
        says(
            &wording.bytes,
            &[
                "Financial Ombudsman Service",
                "Information Commissioner",
                "SAMPLE",
            ],
        );

        // Two requests at once get the same bytes.
        let (one, two) = tokio::join!(fetch(1), fetch(1));
        assert_eq!(one.bytes, two.bytes);
        if let Some(text) = text_of(&one.bytes) {
            assert_eq!(pages(&text), 2, "{text}");
            says(&one.bytes, &["SAMPLE"]);
        }
        nine_headings(&one.bytes);
    }
    for unknown in [
        "breakdown-2026.2-ipid",
        "breakdown-2026.8-schedule",
        "breakdown-2026.8",
        "-ipid",
    ] {
        let path = format!("/api/v1/documents/{unknown}");
        shop.get(&path).answers(StatusCode::NOT_FOUND).await;
    }
}

#[tokio::test]
async fn the_wording_says_that_the_customer_chooses_the_day_of_a_cancellation() {
    let shop = Shop::new().await;
    for product in ["breakdown", "gadget"] {
        let path = format!("/api/v1/documents/{product}-2026.8-wording");
        let wording = shop.get(&path).succeeds().await.bytes;
        let chosen = "You choose the day: cover ends at once, or as a later day begins.";
        says(&wording, &[chosen]);
        // The account has no claims.
        let text = text_of(&wording).unwrap_or_default();
        assert!(!text.contains("use your account"), "{text}");
    }
}

/// Checks that the nine headings are in order, whichever column holds them.
fn nine_headings(pdf: &[u8]) {
    let Some(_) = text_of(pdf) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ipid.pdf");
    std::fs::write(&file, pdf).unwrap();
    // The order of the tagged structure, which a screen reader uses, not the layout.
    let read = Command::new("pdfinfo")
        .arg("-struct-text")
        .arg(&file)
        .output()
        .unwrap();
    let read = String::from_utf8(read.stdout).unwrap();
    let mut rest = read.as_str();
    for (_, heading) in layby::domain::product::texts::IPID_HEADINGS {
        let at = rest.find(heading);
        let at = at.unwrap_or_else(|| panic!("{heading} isn't there, or not in its place: {read}"));
        rest = &rest[at + heading.len()..];
    }
}

#[tokio::test]
async fn a_product_that_writes_no_documents_has_them_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let bicycle = include_str!("../../fixtures/products/bicycle.toml");
    std::fs::write(folder.path().join("bicycle.toml"), bicycle).unwrap();
    let shop = Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await;
    let policy = buy(
        &shop,
        &json!({
            "product_identifier": "bicycle",
            "values": {
                "lock": "gold", "start_date": "01.12.2026", "first_name": "Ann",
                "last_name": "O’Neill", "email_primary": "ann@example.org",
                "postcode_primary": "ls6 1ab",
            },
            "multi": { "bicycles": [{ "kind": "electric", "value": 1800 }] },
        }),
    )
    .await;
    shop.work().await;
    let found = list(&shop, &policy).await;
    assert!(items(&found).iter().all(|(.., ready)| *ready));
    for (title, sentences) in [
        ("Policy Schedule", ["Electric", "1800", "Rated gold"]),
        (
            "Receipt",
            ["Bicycle cover", "1 December 2026", "Insurance Premium Tax"],
        ),
        (
            "Policy Wording",
            [
                "Bicycle cover",
                "Theft and accidental damage",
                "Within 14 days",
            ],
        ),
        (
            "Insurance Product Information Document (IPID)",
            [
                "What is insured?",
                "We only cover bicycles with a rated lock",
                "01632 960 123",
            ],
        ),
    ] {
        let made = fetch(&shop, &policy, &identifier(&found, title)).await;
        says(&made.expect(StatusCode::OK).bytes, &sentences);
    }
}

#[tokio::test]
async fn external_documents_are_listed_beside() {
    let shop = Shop::configured(
        "[[site.external_documents]]\ntitle = \"Our services\"\nurl = \"https://example.org/services.pdf\"\n",
    )
    .await;
    let policy = buy(&shop, &two_vehicles()).await;
    let expected = json!([{ "title": "Our services", "url": "https://example.org/services.pdf" }]);
    assert_eq!(list(&shop, &policy).await.at("/data/external"), &expected);
    let path = format!("/api/v1/policy/{}/external-documents", policy.uuid);
    let alone = shop.get(&path).bearer(&policy.token).send().await;
    assert_eq!(alone.at("/data/external"), &expected);
}
