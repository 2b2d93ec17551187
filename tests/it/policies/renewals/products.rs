//! Renewals after the product changed or was withdrawn from sale.

use chrono::TimeDelta;
use layby::app::jobs::{self, JobQueue};
use layby::products::Catalogue;
use poem::http::StatusCode;
use serde_json::json;

use super::{
    QUOTED, TO_THE_LAST, charges, compare, renewal_of, renewing, shop_with_prices, status, told,
};
use crate::policies::{Customer, PAYS, pence, young_vehicles};
use crate::support::pdf::text_of;
use crate::support::shop_with_own_product;

#[tokio::test]
async fn an_offer_for_new_customers_has_ended_and_the_renewal_says_so() {
    let mut ann = Customer::new().await;
    let mut product = young_vehicles();
    product["values"]["key_cover"] = json!(true);
    let body = json!({ "product": product, "source_tracking": {
        "utm_source": "brooks", "utm_campaign": "fkc", "utm_medium": "affiliate",
    } });
    let made = ann
        .post("/api/v2/public/quote/breakdown", &body)
        .answers(StatusCode::CREATED)
        .await;
    let policy = made.text("/data/uuid");
    ann.pays_for(&policy, PAYS, false).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    let compared = compare(&ann, &renewal).await;
    assert_eq!(
        compared.at("/data/price"),
        compared.at("/data/price_new_customer")
    );
    // Key cover costs £32.14 before tax.
    let more = pence(compared.at("/data/differences/0/amount"));
    assert!(more >= 3599, "{more}");
    assert!(
        compared
            .text("/data/differences/0/label")
            .contains("offer has ended")
    );
}

#[tokio::test]
async fn what_the_newest_product_asks_anew_is_for_the_customer_to_answer() {
    let asked = (
        "kind = \"text\"\nrequired = false\nmax_length = 40\nwidth = \"half\"\n\n[[dataset.field]]\nname = \"vehicle_model\"",
        "kind = \"text\"\nrequired = true\nmax_length = 40\nwidth = \"half\"\n\n[[dataset.field]]\nname = \"vehicle_model\"",
    );
    let mut ann = Customer::of(shop_with_prices("2027-10-01", &[asked]).await).await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    assert_eq!(status(&ann, &renewal).await, 2);
    let letters = told(&ann, "renewal");
    assert!(letters[0].text.contains("please complete your answers"));
    assert!(!letters[0].text.contains("We charge the card"));
    compare(&ann, &renewal).await;

    let mut whole = young_vehicles();
    for vehicle in whole["multi"]["vehicles"].as_array_mut().unwrap() {
        vehicle["vehicle_make"] = json!("Ford");
    }
    let body = json!({ "product": whole, "revision_id": 1 });
    let saved = ann.put(&format!("/api/v1/quote/{renewal}"), &body).send();
    saved.await.expect(StatusCode::OK);
    compare(&ann, &renewal).await;
    // The price holds until the renewed cover begins, and the card pays the price.
    ann.waits(28).await;
    assert_eq!(charges(&ann), 1);
    assert_eq!(status(&ann, &renewal).await, 5);
}

#[tokio::test]
async fn a_newer_list_that_asks_or_refuses_leaves_the_price_that_was_quoted() {
    let cheaper = ("[3, 1, 43.00]", "[3, 1, 23.00]");
    let asks = (
        "kind = \"text\"\nrequired = false\nmax_length = 40\nwidth = \"half\"\n\n[[dataset.field]]\nname = \"vehicle_model\"",
        "kind = \"text\"\nrequired = true\nmax_length = 40\nwidth = \"half\"\n\n[[dataset.field]]\nname = \"vehicle_model\"",
    );
    let refuses = (
        "older_than = { field = \"vehicle_registration_date\", years = 15 }",
        "older_than = { field = \"vehicle_registration_date\", years = 2 }",
    );
    for other in [asks, refuses] {
        let shop = shop_with_prices("2027-11-10", &[cheaper, other]).await;
        let (mut ann, _, renewal) = renewing(Some(shop), PAYS).await;
        let read = ann.get(&format!("/api/v1/renewal/{renewal}")).send().await;
        let quoted = pence(read.expect(StatusCode::OK).at("/data/price"));
        ann.waits(TO_THE_LAST).await;
        assert_eq!(charges(&ann), 1, "{}", other.1);
        assert_eq!(status(&ann, &renewal).await, 5);
        let bought = ann.policy(&renewal).await;
        assert_eq!(pence(bought.at("/data/policy/paid")), quoted);
    }
    // A version that is only cheaper lowers the price without another letter.
    let shop = shop_with_prices("2027-11-10", &[cheaper]).await;
    let (mut ann, _, renewal) = renewing(Some(shop), PAYS).await;
    let quoted = pence(compare(&ann, &renewal).await.at("/data/price"));
    ann.waits(TO_THE_LAST).await;
    let bought = ann.policy(&renewal).await;
    assert!(pence(bought.at("/data/policy/paid")) < quoted);
    assert_eq!(told(&ann, "renewal").len(), 1);
}

#[tokio::test]
async fn what_is_sold_no_longer_is_read_and_renewed_as_it_was_quoted() {
    let mut ann = Customer::of(shop_with_own_product().await).await;
    let mut product = young_vehicles();
    product["product_identifier"] = json!("roadside");
    let policy = ann.buys(&product, PAYS).await;
    ann.sleeps(QUOTED).await;
    ann.shop = ann.shop.restarted("", Catalogue::load(None).unwrap()).await;
    let read = ann.policy(&policy).await;
    let quoted = pence(read.at("/data/policy/renewal/price"));
    let new_customer = read.at("/data/policy/renewal/price_new_customer");
    assert!(new_customer.is_null(), "{new_customer}");
    let renewal = renewal_of(&ann, &policy).await;
    ann.get(&format!("/api/v1/renewal/{renewal}"))
        .succeeds()
        .await;
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 1);
    let bought = ann.policy(&renewal).await;
    assert_eq!(pence(bought.at("/data/policy/paid")), quoted);
}

/// If nobody can buy the product any more, the notice names no price for new customers.
#[tokio::test]
async fn the_notice_of_what_is_sold_no_longer_says_nothing_of_new_customers() {
    let mut ann = Customer::of(shop_with_own_product().await).await;
    let mut product = young_vehicles();
    product["product_identifier"] = json!("roadside");
    let policy = ann.buys(&product, PAYS).await;
    ann.shop.clock.advance(TimeDelta::days(QUOTED));
    jobs::daily(&ann.shop.app).await.unwrap();
    // The letter's job orders the notice. It is printed after the product was withdrawn from sale.
    let due = jobs::due_jobs(
        &ann.shop.app.store,
        &ann.shop.app.clock,
        JobQueue::PolicyLetters,
        100,
    )
    .await
    .unwrap();
    for (key, job) in due.jobs {
        jobs::run_job(&ann.shop.app, key, job).await.unwrap();
    }
    ann.shop = ann.shop.restarted("", Catalogue::load(None).unwrap()).await;
    ann.logs_in().await;
    ann.works().await;
    let notice = text_of(&ann.document(&policy, "Renewal Notice").await);
    assert!(notice.is_none_or(|notice| {
        notice.contains("Your next year") && !notice.contains("A new customer today")
    }));
}
