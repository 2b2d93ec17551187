//! Look-ups of vehicles and addresses over HTTP: the samples, the services, and saves that use a look-up. A
//! double plays the services.

mod address;
mod changes;
mod months;
mod saves;
mod secrecy;
mod services;
mod stored;
mod telephone;

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Shop};

const VEHICLE: &str = "/api/v1/lookup/vehicle";
const ADDRESS: &str = "/api/v1/lookup/address";

async fn look_up(shop: &Shop, plate: &str) -> Answer {
    shop.post(VEHICLE, &json!({ "registration": plate }))
        .send()
        .await
}

async fn found(shop: &Shop, plate: &str) -> Value {
    look_up(shop, plate)
        .await
        .expect(StatusCode::OK)
        .at("/data")
        .clone()
}

#[tokio::test]
async fn a_sample_vehicle_is_made_up_says_so_and_is_the_same_each_time() {
    let shop = Shop::new().await;
    let first = found(&shop, " ab12cde").await;
    assert_eq!(first["registration"], "AB12 CDE");
    assert_eq!(first["source"], "sample");
    assert_eq!(first["sample"], true);
    let month = first["first_registered"].as_str().unwrap();
    assert!(("2012-03"..="2012-08").contains(&month), "{month}");
    let second = found(&shop, "AB12 CDE").await;
    assert_eq!(second["make"], first["make"]);
    assert_eq!(second["model"], first["model"]);
    assert_ne!(second["lookup_id"], first["lookup_id"]);
}

#[tokio::test]
async fn every_style_of_plate_is_looked_up_and_no_other_text() {
    let shop = Shop::new().await;
    for plate in [
        "L2 WPS",
        "ABC 123Y",
        "1234 AB",
        "ABZ 1234",
        "101 D 234",
        "Q123 ABC",
        "aa-19-aaa",
    ] {
        let vehicle = found(&shop, plate).await;
        let month = vehicle["first_registered"].as_str().unwrap();
        assert!(month < "2026-12", "{plate}: {month}");
    }
    for plate in ["", "HELLO WORLD", "AB27 CDE", "<script>", "AB01 CDE"] {
        let refused = look_up(&shop, plate).await;
        refused
            .expect(StatusCode::UNPROCESSABLE_ENTITY)
            .at("/errors/registration");
    }
}

#[tokio::test]
async fn what_the_sample_does_not_know_and_what_is_down_have_answers_of_their_own() {
    let shop = Shop::new().await;
    let unknown = look_up(&shop, "ER19 NFD")
        .await
        .expect(StatusCode::NOT_FOUND);
    assert_eq!(unknown.at("/code"), "not_found");
    let down = look_up(&shop, "ER19 MNT").await;
    let down = down.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(down.at("/code"), "lookup_unavailable");
}

#[tokio::test]
async fn switched_off_neither_is_looked_up() {
    let shop = Shop::configured("[lookup]\nvehicle = \"off\"\naddress = \"off\"\n").await;
    let off = look_up(&shop, "AB12 CDE").await;
    let off = off.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(off.at("/code"), "lookup_unavailable");
    shop.post(ADDRESS, &json!({ "postcode": "LS6 1AB" }))
        .answers(StatusCode::SERVICE_UNAVAILABLE)
        .await;
}

#[tokio::test]
async fn one_client_looks_up_so_many_vehicles_and_then_waits() {
    let shop = Shop::configured("[limits]\nlookups_per_client_per_hour = 2\n").await;
    found(&shop, "AB12 CDE").await;
    found(&shop, "AB13 CDE").await;
    let refused = look_up(&shop, "AB14 CDE").await;
    let refused = refused.expect(StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers.contains_key("retry-after"));
    // Addresses have their own count, and an impossible registration does not count.
    shop.post(ADDRESS, &json!({ "postcode": "LS6 1AB" }))
        .succeeds()
        .await;
}

#[tokio::test]
async fn all_clients_together_look_up_so_many_addresses() {
    let shop =
        Shop::configured("[limits]\nlookups_per_hour = 1\nlookups_per_client_per_hour = 0\n").await;
    let ask = async || {
        let body = json!({ "postcode": "LS6 1AB" });
        shop.post(ADDRESS, &body).send().await
    };
    // An invalid postcode does not count.
    let body = json!({ "postcode": "nowhere" });
    shop.post(ADDRESS, &body)
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    ask().await.expect(StatusCode::OK);
    ask().await.expect(StatusCode::TOO_MANY_REQUESTS);
    found(&shop, "AB12 CDE").await;
}
