//! The documents of a product about paying monthly.

use layby::products::Catalogue;

use crate::support::Shop;
use crate::support::gateways::Limits;
use crate::support::pdf::{pages, says, text_of};

const OFFERED: &str = "Or monthly by card, if ";
const GRANTED: &str = "It is the insurer who lets you pay monthly.";

async fn document(shop: &Shop, identifier: &str) -> Vec<u8> {
    let path = format!("/api/v1/documents/{identifier}");
    shop.get(&path).succeeds().await.bytes
}

/// Checks that a document has none of these sentences.
#[track_caller]
fn omits(pdf: &[u8], sentences: &[&str]) {
    let text = text_of(pdf).unwrap_or_default();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in sentences {
        assert!(!text.contains(sentence), "{sentence}: {text}");
    }
}

#[tokio::test]
async fn the_documents_of_a_product_say_how_it_is_paid_monthly() {
    let shop = Shop::configured("[monthly]\ngranted_by = \"insurer\"").await;
    for (product, minimum) in [("breakdown", "£40 or more"), ("gadget", "£60 or more")] {
        let ipid = document(&shop, &format!("{product}-2026.8-ipid")).await;
        says(
            &ipid,
            &[
                OFFERED,
                minimum,
                "in up to 12 equal payments",
                GRANTED,
                "we may cancel the policy with at least 14 days' notice",
            ],
        );
        let text = text_of(&ipid).unwrap_or_default();
        assert!(text.is_empty() || pages(&text) == 2, "{text}");
        let wording = document(&shop, &format!("{product}-2026.8-wording")).await;
        says(
            &wording,
            &[
                "Paying monthly",
                minimum,
                GRANTED,
                "we try the card again 3 and 7 days after the first failure",
                "at least 14 days, with the day on which your cover ends. We remind you 3 days before.",
                "We may also cancel if a monthly payment stays unpaid",
                "we return what you have paid for those days, less the fee, if anything is left",
            ],
        );
        for words in [&ipid, &wording] {
            omits(words, &["credit agreement", "APR", "loan"]);
        }
    }
}

#[tokio::test]
async fn a_shop_that_keeps_no_cards_offers_no_monthly_payment_in_them() {
    let shop = Shop::limited_at(Limits::CAN_DO_NOTHING, "http://127.0.0.1:9").await;
    let ipid = document(&shop, "breakdown-2026.8-ipid").await;
    omits(&ipid, &[OFFERED, "monthly"]);
    // The wording also counts for policies that were sold before.
    let wording = document(&shop, "breakdown-2026.8-wording").await;
    says(&wording, &["Paying monthly"]);
    omits(&wording, &[GRANTED]);
}

#[tokio::test]
async fn a_product_that_writes_no_documents_says_it_too() {
    let folder = tempfile::tempdir().unwrap();
    let bicycle = include_str!("../../fixtures/products/bicycle.toml");
    let monthly = format!("{bicycle}\n[monthly]\npayments = 6\nminimum = 30.50\n");
    std::fs::write(folder.path().join("bicycle.toml"), monthly).unwrap();
    let shop = Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await;
    let info = shop.get("/api/v2/openapi/product/bicycle").succeeds().await;
    for (place, words) in [(0, "Paying monthly"), (1, "When and how do I pay?")] {
        let identifier = info.text(&format!("/info/documents/{place}/identifier"));
        let sentence = "your price of £30.50 or more: in up to 6 equal payments";
        says(&document(&shop, &identifier).await, &[words, sentence]);
    }
}
