//! The look-up services, played by a double on this machine: documented responses, and every kind of failure.

use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{ADDRESS, found, look_up};
use crate::stripe::double::http::{Heard, Reply, Said, serve};
use crate::support::Shop;

/// Starts a service that responds by a function, and a shop that calls it.
pub async fn shop_of(
    settings: &str,
    answer: impl Fn(&Heard) -> Reply + Send + Sync + 'static,
) -> Shop {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = serve(listener, None, Arc::new(move |heard: Heard| answer(&heard)));
    let settings = settings.replace("URL", &format!("http://{address}"));
    Shop::configured(&settings).await
}

pub fn json_said(status: u16, body: &Value) -> Reply {
    Reply::Said(Said {
        status,
        headers: vec![("Content-Type", "application/json".to_owned())],
        body: body.to_string().into_bytes(),
    })
}

pub const VES: &str = "[lookup]\nvehicle = \"ves\"\ntimeout_milliseconds = 400\n\
                   [lookup.ves]\nurl = \"URL\"\napi_key = \"ves-key\"\n";
pub const DVSA: &str = "[lookup]\nvehicle = \"dvsa\"\n[lookup.dvsa]\nurl = \"URL\"\n\
                    token_url = \"URL/token\"\nclient_id = \"we\"\nclient_secret = \"hush\"\n\
                    api_key = \"dvsa-key\"\n";
pub const IDEAL: &str = "[lookup]\naddress = \"ideal_postcodes\"\ntimeout_milliseconds = 400\n\
                     [lookup.ideal_postcodes]\nurl = \"URL\"\napi_key = \"ak\"\n";
pub const PLACES: &str = "[lookup]\naddress = \"os_places\"\n\
                      [lookup.os_places]\nurl = \"URL\"\napi_key = \"ok\"\n";

/// Returns a vehicle of the enquiry service's own test environment.
pub fn of_ves(mark: &str) -> Value {
    json!({
        "registrationNumber": mark, "make": "FORD", "colour": "RED", "fuelType": "PETROL",
        "taxStatus": "Untaxed", "taxDueDate": "2026-10-01", "motStatus": "Not valid",
        "motExpiryDate": "2026-09-30", "monthOfFirstRegistration": "2019-03",
    })
}

#[tokio::test]
async fn the_enquiry_service_tells_tax_and_mot_and_is_asked_with_its_key() {
    let shop = shop_of(VES, |heard| {
        let asked: Value = serde_json::from_slice(&heard.body).unwrap();
        let right = heard.method == "POST"
            && heard.path == "/vehicle-enquiry/v1/vehicles"
            && heard.header("x-api-key") == Some("ves-key");
        match asked["registrationNumber"].as_str().unwrap() {
            _ if !right => json_said(403, &json!({ "message": "Forbidden" })),
            "ER19NFD" => json_said(
                404,
                &json!({ "errors": [{ "title": "Vehicle Not Found" }] }),
            ),
            mark => json_said(200, &of_ves(mark)),
        }
    })
    .await;
    let vehicle = found(&shop, "AA19 AAA").await;
    for (name, value) in [
        ("make", json!("FORD")),
        ("model", Value::Null),
        ("first_registered", json!("2019-03")),
        ("mot", json!({ "status": "expired", "until": "2026-09-30" })),
        ("tax", json!({ "status": "untaxed", "until": "2026-10-01" })),
        ("source", json!("ves")),
        ("sample", json!(false)),
    ] {
        assert_eq!(vehicle[name], value, "{name}");
    }
    look_up(&shop, "ER19 NFD")
        .await
        .expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn whatever_else_a_register_says_leads_to_typing_within_two_seconds() {
    let page = || {
        Reply::Said(Said::html(
            200,
            "<html><body>Down for maintenance</body></html>",
        ))
    };
    type Saying = Box<dyn Fn() -> Reply + Send + Sync>;
    let cases: Vec<(&str, Saying)> = vec![
        ("markup", Box::new(page)),
        (
            "another plate",
            Box::new(|| json_said(200, &of_ves("ZZ99ZZZ"))),
        ),
        (
            "no plate",
            Box::new(|| json_said(200, &json!({ "make": "FORD" }))),
        ),
        ("too many", Box::new(|| json_said(429, &json!({})))),
        ("a wrong key", Box::new(|| json_said(401, &json!({})))),
        (
            "an error",
            Box::new(|| Reply::Said(Said::html(500, "Oops"))),
        ),
        (
            "another address",
            Box::new(|| Reply::Said(Said::to("http://127.0.0.1:1/"))),
        ),
        (
            "half",
            Box::new(|| match json_said(200, &of_ves("AA19AAA")) {
                Reply::Said(said) => Reply::Half(said),
                other => other,
            }),
        ),
        ("nothing", Box::new(|| Reply::Nothing)),
        ("silence", Box::new(|| Reply::Silence)),
        (
            "a flood",
            Box::new(|| json_said(200, &json!({ "make": "x".repeat(3 << 20) }))),
        ),
        ("a list", Box::new(|| json_said(200, &json!([1, 2])))),
    ];
    for (name, saying) in cases {
        let shop = shop_of(VES, move |_| saying()).await;
        let began = Instant::now();
        let answer = look_up(&shop, "AA19 AAA").await;
        assert!(began.elapsed() < Duration::from_secs(2), "{name}");
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{name}");
        assert_eq!(answer.at("/code"), "lookup_unavailable", "{name}");
    }
}

#[tokio::test]
async fn a_history_is_asked_with_a_token_that_is_fetched_once_and_again_when_it_is_refused() {
    let tokens = Arc::new(AtomicUsize::new(0));
    let ended = Arc::new(Mutex::new(Vec::<String>::new()));
    let (counted, refused) = (tokens.clone(), ended.clone());
    let shop = shop_of(DVSA, move |heard| {
        if heard.path == "/token" {
            let form = String::from_utf8(heard.body.clone()).unwrap();
            assert!(form.contains("grant_type=client_credentials"), "{form}");
            let number = counted.fetch_add(1, Ordering::SeqCst) + 1;
            let body = json!({ "access_token": format!("t{number}"), "expires_in": 1199 });
            return json_said(200, &body);
        }
        let token = heard.header("authorization").unwrap().to_owned();
        if refused.lock().unwrap().contains(&token) {
            return json_said(403, &json!({ "errorCode": "MOTH-FB-02" }));
        }
        assert_eq!(heard.header("x-api-key"), Some("dvsa-key"));
        let mark = heard.path.rsplit('/').next().unwrap();
        let test = |result: &str, until: &str| json!({ "testResult": result, "expiryDate": until });
        json_said(200, &json!({
            "registration": mark, "make": "FORD", "model": "FIESTA", "fuelType": "Petrol",
            "primaryColour": "Red", "registrationDate": "2012-05-17",
            "motTests": [
                { "testResult": "FAILED" }, test("PASSED", "2027-05-16"), test("PASSED", "2026-05-16"),
            ],
        }))
    })
    .await;
    let vehicle = found(&shop, "AB12 CDE").await;
    assert_eq!(vehicle["model"], "FIESTA");
    assert_eq!(vehicle["first_registered"], "2012-05");
    assert_eq!(
        vehicle["mot"],
        json!({ "status": "valid", "until": "2027-05-16" })
    );
    assert_eq!(vehicle["tax"], Value::Null);
    found(&shop, "AB13 CDE").await;
    assert_eq!(tokens.load(Ordering::SeqCst), 1);
    ended.lock().unwrap().push("Bearer t1".to_owned());
    found(&shop, "AB14 CDE").await;
    assert_eq!(tokens.load(Ordering::SeqCst), 2);
}

fn of_ideal(from: usize, to: usize) -> Value {
    let one = |house: usize| {
        json!({
            "line_1": format!("{house} Acacia Avenue"), "line_2": "", "line_3": "",
            "post_town": "LEEDS", "postcode": "LS6 1AB", "latitude": 53.8, "longitude": -1.5,
        })
    };
    json!({ "code": 2000, "result": (from..=to).map(one).collect::<Vec<_>>() })
}

#[tokio::test]
async fn ideal_postcodes_answers_page_by_page_or_five_hundred_at_once() {
    let paged = shop_of(IDEAL, |heard| {
        assert_eq!(heard.path, "/v1/postcodes/LS61AB");
        assert_eq!(heard.header("authorization"), Some("api_key=\"ak\""));
        let page: usize = heard.query.trim_start_matches("page=").parse().unwrap();
        let to = if page == 1 { 130 } else { 100 };
        json_said(200, &of_ideal(page * 100 + 1, to))
    });
    let all_at_once = shop_of(IDEAL, |_| json_said(200, &of_ideal(1, 500)));
    for (shop, house) in [(paged.await, "130"), (all_at_once.await, "487")] {
        let body = json!({ "postcode": "LS6 1AB", "house": house });
        let found = shop.post(ADDRESS, &body).succeeds().await;
        assert_eq!(found.at("/data").as_array().unwrap().len(), 1);
        assert_eq!(
            found.at("/data/0/line1"),
            &json!(format!("{house} Acacia Avenue"))
        );
        assert_eq!(found.at("/data/0/line2"), &Value::Null);
        assert_eq!(found.at("/data/0/sample"), false);
        let all = shop
            .post(ADDRESS, &json!({ "postcode": "LS6 1AB" }))
            .succeeds()
            .await;
        assert_eq!(all.at("/data").as_array().unwrap().len(), 100);
    }
}

#[tokio::test]
async fn an_address_service_that_fails_leads_to_typing_and_one_that_does_not_know_suggests() {
    type Saying = Box<dyn Fn() -> Reply + Send + Sync>;
    let unknown = json!({ "code": 4040, "suggestions": ["LS6 1AA", "no postcode", "LS6 1AD"] });
    let others = json!({ "result": [{ "line_1": "1 Elsewhere", "post_town": "YORK", "postcode": "YO1 7HH" }] });
    let cases: Vec<(&str, u16, Saying)> = vec![
        (
            "no balance",
            503,
            Box::new(|| json_said(402, &json!({ "code": 4020 }))),
        ),
        ("a wrong key", 503, Box::new(|| json_said(401, &json!({})))),
        ("too many", 503, Box::new(|| json_said(429, &json!({})))),
        (
            "markup",
            503,
            Box::new(|| Reply::Said(Said::html(200, "<p>Hello</p>"))),
        ),
        ("silence", 503, Box::new(|| Reply::Silence)),
        (
            "another postcode",
            404,
            Box::new(move || json_said(200, &others)),
        ),
        ("unknown", 404, Box::new(move || json_said(404, &unknown))),
    ];
    for (name, status, saying) in cases {
        let shop = shop_of(IDEAL, move |_| saying()).await;
        let answer = shop
            .post(ADDRESS, &json!({ "postcode": "LS6 1AB" }))
            .send()
            .await;
        assert_eq!(answer.status.as_u16(), status, "{name}: {:#}", answer.body);
        if name == "unknown" {
            assert_eq!(answer.at("/suggestions"), &json!(["LS6 1AA", "LS6 1AD"]));
        }
    }
}

#[tokio::test]
async fn os_places_answers_delivery_points_and_may_leave_out_the_list() {
    let shop = shop_of(PLACES, |heard| {
        assert_eq!(heard.path, "/search/places/v1/postcode");
        assert_eq!(heard.header("key"), Some("ok"));
        if heard.query.contains("postcode=LS61AA&") {
            return json_said(200, &json!({ "header": { "totalresults": 0 } }));
        }
        json_said(
            200,
            &json!({ "header": { "totalresults": 1 }, "results": [{ "DPA": {
            "ORGANISATION_NAME": "ACME LTD", "SUB_BUILDING_NAME": "UNIT 2",
            "BUILDING_NAME": "MILL HOUSE", "BUILDING_NUMBER": "7", "THOROUGHFARE_NAME": "MILL LANE",
            "DEPENDENT_LOCALITY": "HEADINGLEY", "POST_TOWN": "LEEDS", "POSTCODE": "LS6 1AB",
            "LAT": 53.8, "LNG": -1.5,
        } }] }),
        )
    })
    .await;
    let found = shop
        .post(ADDRESS, &json!({ "postcode": "LS6 1AB" }))
        .succeeds()
        .await;
    assert_eq!(
        found.at("/data/0/label"),
        "ACME LTD, UNIT 2, MILL HOUSE, 7 MILL LANE, HEADINGLEY, LEEDS"
    );
    shop.post(ADDRESS, &json!({ "postcode": "LS6 1AA" }))
        .answers(StatusCode::NOT_FOUND)
        .await;
}
