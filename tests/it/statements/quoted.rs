//! Statements of the letter about a saved quote, and of the quote's page.

use serde_json::{Value, json};

use super::stated;
use crate::support::{Shop, two_gadgets, two_trips};

/// Returns the statements of the letter about a visitor's quote, from its title on. Returns the page's data
/// too: status, first and last day, price and product.
async fn told(product: &Value) -> (Vec<String>, Value) {
    let shop = Shop::new().await;
    let quote = shop.quote(product).await;
    let read = shop.read(&quote).await;
    let info = read.at("/data/info");
    let page = json!([
        info["status_title"],
        info["dates"]["inception"],
        info["dates"]["expiry"],
        info["price"]["amount_total"],
        info["price"]["per"],
    ]);
    shop.clock.advance(chrono::TimeDelta::hours(1));
    shop.work().await;
    let letters = shop.letters();
    let letter = letters.iter().map(stated).next_back().unwrap();
    (letter[1..].to_vec(), page)
}

fn letter(product: &str, reference: &str, chosen: &str, price: &str, held: &str) -> Vec<String> {
    [
        "Your quote is saved",
        "Thank you for your quote. Come back to it to buy, or to change your answers: the price can \
         change with them. When the price is no longer held, you can still choose a new start day \
         and save your quote, at the price of that day.",
        &format!("Quote: {product}"),
        &format!("Reference: {reference}"),
        &format!("You chose: {chosen}"),
        &format!("Price: {price}"),
        &format!("Price held until: end of {held}"),
        "Quote and link live until: end of 21 December 2026",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// A price holds for 30 days, but not after the first day of cover.
#[tokio::test]
async fn a_year_trips_and_gadgets() {
    let (told_of_year, page) = told(&crate::policies::young_vehicles()).await;
    let chosen = "AB12 CDE, K1 NGS; Vehicle cover; National cover; Unlimited callouts";
    let year = "GBP 80.49 a year";
    assert_eq!(
        told_of_year,
        letter(
            "Vehicle breakdown cover",
            "BRK000000018",
            chosen,
            year,
            "25 November 2026"
        )
    );
    assert_eq!(
        page,
        json!(["Quote", "2026-11-25", "2027-11-24", 80.49, "year"])
    );

    let (told_of_trips, page) = told(&two_trips()).await;
    let chosen = "Personal cover; European cover; Unlimited callouts";
    let trips = "GBP 60.17 for all your trips together";
    let mut of_trips = letter(
        "Vehicle breakdown cover",
        "BRK000000018",
        chosen,
        trips,
        "1 December 2026",
    );
    of_trips[1] = of_trips[1].replace("a new start day", "new dates");
    assert_eq!(told_of_trips, of_trips);
    assert_eq!(
        page,
        json!(["Quote", "2026-12-01", "2026-12-12", 60.17, "trip"])
    );

    let (told_of_gadgets, page) = told(&two_gadgets()).await;
    let chosen = "Phone, Laptop; Complete cover; GBP 75 excess; Theft; Loss; Accidental damage and \
                  breakdown";
    let gadgets = "GBP 163.50 a year";
    assert_eq!(
        told_of_gadgets,
        letter(
            "Gadget cover",
            "GAD000000018",
            chosen,
            gadgets,
            "21 November 2026"
        )
    );
    assert_eq!(
        page,
        json!(["Quote", "2026-11-21", "2027-11-20", 163.5, "year"])
    );
}

#[tokio::test]
async fn one_trip_is_called_one() {
    let mut product = two_trips();
    product["multi"]["trips"]
        .as_array_mut()
        .unwrap()
        .truncate(1);
    let (told_of_trip, _) = told(&product).await;
    assert!(
        told_of_trip
            .iter()
            .any(|line| line.starts_with("Price: GBP ") && line.ends_with(" for the whole trip")),
        "{told_of_trip:?}"
    );
}

#[tokio::test]
async fn what_underwriting_declines_is_not_offered() {
    let mut product = crate::policies::young_vehicles();
    product["multi"]["vehicles"][0]["vehicle_registration_date"] = json!("01.03.2005");
    let (told_of_old, page) = told(&product).await;
    assert_eq!(page[0], "Declined");
    assert_eq!(told_of_old[0], "We can't offer you this cover");
    assert!(
        told_of_old[1].contains("over 15 years old"),
        "{told_of_old:?}"
    );
    assert_eq!(
        told_of_old[2],
        "We have kept your answers, but this cover can't be bought with them. If one of them isn't \
         right, you can correct it and save the quote again."
    );
    assert!(!told_of_old.iter().any(|line| line.starts_with("Price")));
}

#[tokio::test]
async fn what_a_person_has_to_look_at_says_so() {
    let mut product = two_gadgets();
    product["multi"]["gadgets"][0]["value"] = json!(3500);
    let (told_of_it, _) = told(&product).await;
    assert_eq!(told_of_it[0], "We have to look at your quote");
    assert_eq!(
        told_of_it[2],
        "We have kept your answers. This cover can't be bought until we have looked at them."
    );
}
