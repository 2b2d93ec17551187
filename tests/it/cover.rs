//! The public cover check of somebody who has broken down. It never reveals the policyholder.

use std::time::Instant;

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::policies::{Customer, PAYS, covered, young_vehicles};
use crate::support::{Answer, Shop, two_trips, two_vehicles};

const ASK: &str = "/api/v1/cover";
const BEHIND_A_PROXY: &str = "[server]\ntrusted_proxies = [\"0.0.0.0\"]\n";
/// Ann's postcode and another one.
const HOME: &str = "LS6 1AB";
const ELSEWHERE: &str = "SW1A 1AA";

async fn by_plate(shop: &Shop, plate: &str, postcode: &str) -> Value {
    let body = json!({ "registration": plate, "postcode": postcode });
    asked(shop, &body).await
}

async fn by_number(shop: &Shop, number: &str, postcode: &str) -> Value {
    let body = json!({ "reference": number, "postcode": postcode });
    asked(shop, &body).await
}

async fn asked(shop: &Shop, body: &Value) -> Value {
    let answer = shop.post(ASK, body).send().await;
    answer.expect(StatusCode::OK).at("/data").clone()
}

fn covered_now() -> Value {
    json!({
        "cover": "covered", "from": null,
        "title": "Vehicle breakdown cover", "phone": "01632 960 999",
    })
}

fn not_yet(from: &str) -> Value {
    json!({
        "cover": "not_yet", "from": from,
        "title": "Vehicle breakdown cover", "phone": "01632 960 999",
    })
}

fn not_found() -> Value {
    json!({ "cover": "not_found", "from": null, "title": null, "phone": null })
}

fn set(shop: &Shop, moment: &str) {
    shop.clock.set(moment.parse().unwrap());
}

async fn number_of(ann: &Customer, policy: &str) -> String {
    ann.policy(policy).await.text("/data/info/custom_id")
}

#[tokio::test]
async fn a_vehicle_is_covered_from_the_moment_cover_begins_to_the_end_of_its_last_day() {
    let (ann, policy) = covered().await;
    let number = number_of(&ann, &policy).await;
    let shop = &ann.shop;
    for (moment, answer) in [
        ("2026-11-24T23:59:59Z", not_yet("2026-11-25T00:00:00Z")),
        ("2026-11-25T00:00:00Z", covered_now()),
        ("2027-11-24T23:59:59Z", covered_now()),
        // The daily run of the new day has not happened yet.
        ("2027-11-25T00:00:00Z", not_found()),
    ] {
        set(shop, moment);
        assert_eq!(by_plate(shop, "AB12 CDE", HOME).await, answer, "{moment}");
        assert_eq!(by_number(shop, &number, HOME).await, answer, "{moment}");
    }
}

#[tokio::test]
async fn plates_numbers_and_postcodes_are_read_however_they_are_typed() {
    let (ann, policy) = covered().await;
    let number = number_of(&ann, &policy).await;
    let shop = &ann.shop;
    set(shop, "2026-11-25T12:00:00Z");
    for plate in [
        "ab12cde",
        " AB12-CDE ",
        "a b 1 2 c d e",
        "AB12\u{a0}CDE",
        "k1ngs",
    ] {
        assert_eq!(
            by_plate(shop, plate, " ls61ab").await,
            covered_now(),
            "{plate}"
        );
    }
    let lower = number.to_lowercase();
    let spaced = format!("{} {} {}", &number[..3], &number[3..8], &number[8..]);
    for number in [lower, spaced] {
        assert_eq!(
            by_number(shop, &number, HOME).await,
            covered_now(),
            "{number}"
        );
    }
}

#[tokio::test]
async fn what_the_postcode_does_not_fit_is_answered_like_what_does_not_exist_and_as_late() {
    let (ann, policy) = covered().await;
    let number = number_of(&ann, &policy).await;
    let shop = &ann.shop;
    set(shop, "2026-11-25T12:00:00Z");
    for body in [
        json!({ "registration": "AB12 CDE", "postcode": ELSEWHERE }),
        json!({ "registration": "AB12 CDF", "postcode": HOME }),
        json!({ "reference": number, "postcode": ELSEWHERE }),
        json!({ "reference": "BRK000000026", "postcode": HOME }),
        // Postcodes of Jersey have the same form.
        json!({ "registration": "AB12 CDE", "postcode": "JE2 3AB" }),
        json!({ "registration": "AB12 CDE", "postcode": HOME }),
    ] {
        let began = Instant::now();
        let answer = asked(shop, &body).await;
        let took = began.elapsed().as_millis();
        assert!((100..2000).contains(&took), "{took} ms: {body}");
        let found = body == json!({ "registration": "AB12 CDE", "postcode": HOME });
        assert_eq!(
            answer,
            if found { covered_now() } else { not_found() },
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_quote_is_no_cover_before_it_is_paid() {
    let ann = Customer::new().await;
    let quote = ann.shop.quote(&two_vehicles()).await;
    let number = ann.shop.read(&quote).await.text("/data/info/custom_id");
    for moment in ["2026-11-21T12:00:00Z", "2026-11-25T12:00:00Z"] {
        set(&ann.shop, moment);
        assert_eq!(by_plate(&ann.shop, "AB12 CDE", HOME).await, not_found());
        assert_eq!(by_number(&ann.shop, &number, HOME).await, not_found());
    }
}

#[tokio::test]
async fn a_cancelled_policy_covers_nothing_and_one_that_ends_later_covers_until_then() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let later = json!({ "effective_date": "2027-03-03" });
    ann.cancels(&policy, later).await.expect(StatusCode::OK);
    for (moment, answer) in [
        ("2027-03-02T23:59:59Z", covered_now()),
        ("2027-03-03T00:00:00Z", not_found()),
    ] {
        set(&ann.shop, moment);
        assert_eq!(
            by_plate(&ann.shop, "AB12 CDE", HOME).await,
            answer,
            "{moment}"
        );
    }

    let (mut bob, policy) = covered().await;
    bob.sleeps(10).await;
    assert_eq!(by_plate(&bob.shop, "AB12 CDE", HOME).await, covered_now());
    bob.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    assert_eq!(by_plate(&bob.shop, "AB12 CDE", HOME).await, not_found());
}

#[tokio::test]
async fn a_renewal_that_is_paid_covers_on_without_a_gap() {
    let mut ann = Customer::new().await;
    let policy = ann.buys_for_now(&young_vehicles(), PAYS, false).await;
    ann.sleeps(340).await;
    let read = ann.policy(&policy).await;
    let renewal = read.text("/data/policy/renewal/quote_uuid");
    let path = format!("/api/v2/public/quote/read/{renewal}");
    let quote = ann.get(&path).succeeds().await;
    let number = quote.text("/data/info/custom_id");
    assert_eq!(by_number(&ann.shop, &number, HOME).await, not_found());
    ann.pays_for(&renewal, PAYS, false).await;
    let next = not_yet("2027-11-25T00:00:00Z");
    assert_eq!(by_number(&ann.shop, &number, HOME).await, next);
    for moment in ["2027-11-24T23:59:59Z", "2027-11-25T00:00:00Z"] {
        set(&ann.shop, moment);
        let answer = by_plate(&ann.shop, "AB12 CDE", HOME).await;
        assert_eq!(answer, covered_now(), "{moment}");
    }
}

#[tokio::test]
async fn cover_for_a_person_is_found_by_its_number_and_only_on_the_days_of_its_trips() {
    let ann = Customer::new().await;
    let policy = ann.buys(&two_trips(), PAYS).await;
    let number = number_of(&ann, &policy).await;
    for (moment, answer) in [
        ("2026-11-30T23:59:59Z", not_yet("2026-12-01T00:00:00Z")),
        ("2026-12-05T23:59:59Z", covered_now()),
        ("2026-12-06T00:00:00Z", not_yet("2026-12-10T00:00:00Z")),
        ("2026-12-12T23:59:59Z", covered_now()),
        ("2026-12-13T00:00:00Z", not_found()),
    ] {
        set(&ann.shop, moment);
        assert_eq!(
            by_number(&ann.shop, &number, HOME).await,
            answer,
            "{moment}"
        );
    }
}

#[tokio::test]
async fn a_vehicle_that_took_anothers_place_is_covered_and_the_other_is_not() {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let mut vehicles = two_vehicles()["multi"]["vehicles"].clone();
    vehicles[0]["vehicle_registration"] = json!("LS61 ABC");
    let body = json!({ "product": { "multi": { "vehicles": vehicles } } });
    let path = format!("/api/v1/policy/{policy}/mta/confirm");
    let offer = ann.put(&path, &body).succeeds().await;
    assert_eq!(by_plate(&ann.shop, "LS61 ABC", HOME).await, not_found());
    let change = offer.text("/data/adjustment_id");
    ann.agrees(&policy, &change).await.expect(StatusCode::OK);
    assert_eq!(by_plate(&ann.shop, "LS61 ABC", HOME).await, covered_now());
    assert_eq!(by_plate(&ann.shop, "AB12 CDE", HOME).await, not_found());
}

#[tokio::test]
async fn what_can_be_no_plate_number_or_postcode_is_said_at_its_field() {
    let shop = Shop::new().await;
    let long = "A".repeat(10_240);
    let plate = "Enter a UK registration number, such as AB12 CDE";
    let number = "Enter the policy number as your documents have it: letters, then nine digits";
    let postcode = "Enter a UK postcode, such as SW1A 1AA";
    let markup = "<script>alert(1)</script>";
    let plate_question = |plate: &str| json!({ "registration": plate, "postcode": HOME });
    let of_number = |number: &str| json!({ "reference": number, "postcode": HOME });
    let at = |postcode: &str| json!({ "registration": "AB12 CDE", "postcode": postcode });
    for (body, field, said) in [
        (plate_question(""), "registration", plate),
        (plate_question("A"), "registration", plate),
        (plate_question(&long), "registration", plate),
        (plate_question(markup), "registration", plate),
        (plate_question("ÄB12 CDE"), "registration", plate),
        (of_number("BRK000000019"), "reference", number),
        (of_number(&long), "reference", number),
        (of_number(markup), "reference", number),
        (at(""), "postcode", postcode),
        (at(&long), "postcode", postcode),
        (at("75001"), "postcode", postcode),
    ] {
        let answer = shop
            .post(ASK, &body)
            .answers(StatusCode::UNPROCESSABLE_ENTITY)
            .await;
        assert_eq!(answer.fields(), [field]);
        assert_eq!(answer.at(&format!("/errors/{field}/0")), said);
    }
    for body in [
        json!({ "postcode": HOME }),
        json!({ "registration": "AB12 CDE", "reference": "BRK000000018", "postcode": HOME }),
    ] {
        let answer = shop
            .post(ASK, &body)
            .answers(StatusCode::UNPROCESSABLE_ENTITY)
            .await;
        assert_eq!(answer.fields(), ["registration"]);
    }
    for body in [
        json!({}),
        json!([]),
        json!({ "registration": 7, "postcode": HOME }),
    ] {
        shop.post(ASK, &body).answers(StatusCode::BAD_REQUEST).await;
    }
}

async fn asks(shop: &Shop, plate: &str, postcode: &str, client: &str) -> Answer {
    let body = json!({ "registration": plate, "postcode": postcode });
    let call = shop.post(ASK, &body);
    call.header("X-Forwarded-For", client).send().await
}

/// Returns a numbered postcode for guessing.
fn guess(number: u32) -> String {
    format!("LS{} {}AB", number / 10 + 1, number % 10)
}

#[tokio::test]
async fn a_plate_can_be_asked_about_ten_times_an_hour_however_many_ask() {
    let shop = Shop::configured(BEHIND_A_PROXY).await;
    for number in 0..10 {
        let client = format!("192.0.2.{number}");
        let answer = asks(&shop, "AB12 CDE", &guess(number), &client).await;
        answer.expect(StatusCode::OK);
    }
    for written in ["AB12 CDE", "ab12cde"] {
        let refused = asks(&shop, written, HOME, "198.51.100.1").await;
        let refused = refused.expect(StatusCode::TOO_MANY_REQUESTS);
        let wait: u32 = refused.headers["retry-after"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!((1..=361).contains(&wait), "{wait}");
    }
    // Another registration is not limited, and six minutes allow one more try.
    let other = asks(&shop, "AB12 CDF", HOME, "198.51.100.1").await;
    other.expect(StatusCode::OK);
    shop.clock.advance(TimeDelta::minutes(6));
    let again = asks(&shop, "AB12 CDE", HOME, "198.51.100.1").await;
    again.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_client_asks_thirty_times_an_hour_and_all_together_as_often_as_is_set() {
    let settings = format!("{BEHIND_A_PROXY}[limits]\ncover_checks_per_hour = 33\n");
    let shop = Shop::configured(&settings).await;
    let plate = |number: u32| format!("AB{:02} CDE", number + 51);
    for number in 0..30 {
        let answer = asks(&shop, &plate(number), HOME, "192.0.2.1").await;
        answer.expect(StatusCode::OK);
    }
    let refused = asks(&shop, &plate(31), HOME, "192.0.2.1").await;
    refused.expect(StatusCode::TOO_MANY_REQUESTS);
    for number in 0..3 {
        let answer = asks(&shop, &plate(number), HOME, "192.0.2.2").await;
        answer.expect(StatusCode::OK);
    }
    let refused = asks(&shop, &plate(5), HOME, "192.0.2.3").await;
    refused.expect(StatusCode::TOO_MANY_REQUESTS);
}
