//! The documents and calendar files that letters carry.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::json;

use super::server::Server;
use crate::policies::{Customer, young_vehicles};
use crate::support::{Letter, Made, Shop, two_vehicles_with};

const PAYS: &str = "4242 4242 4242 4242";
const ATTACHES: &str = "[mail]\nattach_documents = true\n";

async fn buys(shop: &Shop, address: &str) -> Made {
    let quote = shop
        .quote(&two_vehicles_with("email_primary", address))
        .await;
    shop.buy(&quote, PAYS).await;
    shop.payment(&quote).await.expect(StatusCode::OK);
    shop.work().await;
    quote
}

/// Returns the letter about the purchase, if it was sent.
fn about_purchase(shop: &Shop) -> Option<Letter> {
    let mut letters = shop.letters().into_iter();
    letters.find(|letter| letter.subject.starts_with("Your layby policy"))
}

#[tokio::test]
async fn a_purchase_brings_its_documents_and_a_calendar() {
    let shop = Shop::configured(ATTACHES).await;
    buys(&shop, "ann@example.org").await;
    let letter = about_purchase(&shop).unwrap();
    assert_eq!(
        letter.file_names(),
        [
            "Policy-Schedule-BRK000000018.pdf",
            "Policy-Wording-breakdown-2026.8.pdf",
            "IPID-breakdown-2026.8.pdf",
            "BRK000000018.ics",
        ]
    );
    let (pdfs, calendar) = letter.files.split_at(3);
    assert!(pdfs.iter().all(|(_, pdf)| pdf.starts_with(b"%PDF-")));
    let size: usize = pdfs.iter().map(|(_, pdf)| pdf.len()).sum();
    assert!(size < 500_000, "{size}");
    let calendar = String::from_utf8(calendar[0].1.clone()).unwrap();
    for line in [
        "METHOD:PUBLISH",
        "DTSTART:20261125T000000Z",
        "DTSTART;VALUE=DATE:20271124",
        "DTEND;VALUE=DATE:20271125",
    ] {
        assert!(calendar.lines().any(|own| own == line), "{calendar}");
    }
    assert!(calendar.lines().all(|line| line.len() <= 75), "{calendar}");
    for words in [
        "AB12 CDE",
        "National cover",
        "00:00, 25 November 2026",
        "cancel by the end of 9 December 2026",
        "Attached:",
        "href=\"tel:01632960999\"",
    ] {
        assert!(letter.text.contains(words), "{words}: {}", letter.text);
    }
}

#[tokio::test]
async fn a_letter_waits_ten_minutes_for_its_documents_and_then_links_them() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schedule.typ"), "#let let").unwrap();
    let settings = format!("{ATTACHES}[documents]\ntemplates = {:?}\n", folder.path());
    let shop = Shop::configured(&settings).await;
    let quote = buys(&shop, "ann@example.org").await;
    let mut waited = 0;
    while about_purchase(&shop).is_none() {
        shop.clock.advance(TimeDelta::seconds(10));
        shop.work().await;
        waited += 10;
        assert!(waited <= 600, "the letter waits too long");
    }
    assert!(waited > 540, "{waited}");
    let letter = about_purchase(&shop).unwrap();
    assert_eq!(letter.file_names(), ["BRK000000018.ics"]);
    let text = letter.text.replace("\r\n", " ");
    assert!(text.contains("because they took longer than usual to make"));
    let token = letter.link(&format!("/policy/view/{}#documents=", quote.uuid));
    let path = format!("/api/v1/policy/{}/documents", quote.uuid);
    shop.get(&path).bearer(&token).succeeds().await;
    let path = format!("/api/v2/policy/read/{}", quote.uuid);
    let refused = shop.get(&path).bearer(&token).send().await;
    refused.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_mail_server_that_takes_no_files_gets_a_letter_with_a_link() {
    for (options, address) in [
        (json!({ "tls": "none" }), "nofiles@example.org"),
        (json!({ "tls": "none", "size": 40_000 }), "ann@example.org"),
    ] {
        let server = Server::start(&options);
        let settings = format!(
            "{ATTACHES}[mail.smtp]\nhost = \"localhost\"\nport = {}\nsecurity = \"none\"\n",
            server.port
        );
        let shop = Shop::configured(&settings).await;
        let quote = buys(&shop, address).await;
        let letter = server.letter();
        let letter = Letter::read(letter["letter"].as_str().unwrap());
        assert!(letter.files.is_empty());
        let text = letter.text.replace("=\r\n", "").replace("=3D", "=");
        let page = format!("/policy/view/{}#documents=", quote.uuid);
        assert!(text.contains(&page), "{text}");
        assert!(!text.contains("took longer"), "{text}");
    }
}

#[tokio::test]
async fn later_letters_carry_the_new_documents() {
    let ann = Customer::of(Shop::configured(ATTACHES).await).await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    let offer = ann.asks(&policy, json!({ "cover_level": 4 }), None).await;
    ann.enters_card(&offer.text("/data/adjustment_id"), PAYS)
        .await;
    ann.works().await;
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    ann.works().await;
    let letters = ann.shop.letters();
    let letter = |title: &str| {
        let mut found = letters.iter().filter(|letter| letter.text.contains(title));
        found.next().unwrap()
    };
    assert_eq!(
        letter("Your change is made").file_names(),
        [
            "Policy-Schedule-BRK000000018.pdf",
            "Change-of-Policy-BRK000000018.pdf"
        ]
    );
    let cancelled = letter("Your policy is cancelled");
    assert_eq!(
        cancelled.file_names(),
        ["Cancellation-Letter-BRK000000018.pdf", "BRK000000018.ics"]
    );
    let (_, calendar) = cancelled.files.last().unwrap();
    let calendar = String::from_utf8(calendar.clone()).unwrap();
    assert!(calendar.contains("METHOD:CANCEL\r\n"), "{calendar}");
}
