//! Letters about refunds that belong to no step of a policy's life.

use layby::app::payments::status;
use layby::domain::payment::PaymentStatus;
use poem::http::StatusCode;

use super::stated;
use crate::money::{pay_again, sell, shop};
use crate::support::{Shop, two_trips};

/// This card pays, and the shop learns of it only when it asks.
const SILENT: &str = "4000 0000 0000 0085";

/// Returns the letter with `title`, from its title on.
fn letter(shop: &Shop, title: &str) -> Vec<String> {
    let letters = shop.letters();
    let mut own = letters.iter().map(stated).filter(|lines| lines[1] == title);
    let found = own
        .next()
        .unwrap_or_else(|| panic!("{title}: {letters:#?}"));
    assert_eq!(own.next(), None, "one letter for one payment");
    // The text after the facts is the same in every letter.
    found[1..8].to_vec()
}

#[tokio::test]
async fn a_quote_that_was_not_sold_and_a_policy_that_was_paid_twice() {
    // Trips are paid in November, and the shop learns of it after the last trip.
    let late = shop().await;
    let quote = late.quote(&two_trips()).await;
    let reference = late.read(&quote).await.text("/data/info/custom_id");
    late.accept(&quote).await.expect(StatusCode::OK);
    let started = late.initiate(&quote).await.expect(StatusCode::OK);
    late.pay(&started.text("/data/url"), SILENT).await;
    late.clock.advance(chrono::TimeDelta::days(400));
    let payment = started.text("/data/payment_id").parse().unwrap();
    let status = status::sync_payment_status(&late.app, payment)
        .await
        .unwrap();
    assert_eq!(status, PaymentStatus::Paid);
    late.work().await;
    assert_eq!(
        letter(&late, "Your payment comes back to your card"),
        [
            "Your payment comes back to your card",
            "We received your card payment of GBP 60.17 of 26 December 2027. It reached us too late to \
             start the cover: it bought nothing. All of it is being refunded to the card that paid, and \
             you don't need to do anything.",
            "You are not covered by this payment.",
            "Quote: Vehicle breakdown cover",
            &format!("Reference: {reference}"),
            "Paid on: 26 December 2027",
            "Refund: GBP 60.17, to the card that paid",
        ]
    );

    let twice = shop().await;
    let sold = sell(&twice, super::super::policies::PAYS).await;
    pay_again(&twice, &sold).await;
    twice.work().await;
    let told = letter(&twice, "Your payment comes back to your card");
    assert_eq!(told[2], "Your policy stays as it is.");
    assert_eq!(told[3], "Policy: Vehicle breakdown cover");
    assert!(told[6].ends_with(", to the card that paid"), "{told:?}");
}
