//! Secrecy of look-ups: registrations, postcodes and keys never appear in logs or responses. A service's
//! response can't redirect a key.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use layby::config::LogFormat;
use poem::http::StatusCode;
use serde_json::json;

use super::services::{DVSA, IDEAL, PLACES, VES, json_said, of_ves, shop_of};
use super::{ADDRESS, found, look_up};
use crate::stripe::double::http::{Heard, Reply, Said, serve};
use crate::support::Shop;
use crate::support::log::recorded;
use crate::support::production::{OWN_SITE, PRODUCTION};

/// Checks that a text contains none of the secrets.
fn tells_none(text: &str, secrets: &[&str]) {
    for secret in secrets {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

const KEYS: [&str; 4] = ["ves-key", "dvsa-key", "hush", "places-key"];

#[tokio::test]
async fn a_log_names_the_service_and_the_failure_and_never_what_was_asked_or_a_key() {
    let places = PLACES.replace("\"ok\"", "\"places-key\"");
    for (settings, service) in [
        (VES, "ves"),
        (DVSA, "dvsa"),
        (IDEAL, "ideal_postcodes"),
        (places.as_str(), "os_places"),
    ] {
        for reply in [
            || json_said(500, &json!({ "message": "no AB12CDE for ves-key" })),
            || Reply::Said(Said::html(200, "AB12CDE, LS6 1AB")),
            || Reply::Nothing,
            || Reply::Silence,
        ] {
            let settings = match settings.contains("timeout") {
                true => settings.to_owned(),
                false => settings.replacen("]\n", "]\ntimeout_milliseconds = 400\n", 1),
            };
            let shop = shop_of(&settings, move |_| reply()).await;
            let (lines, _guard) = recorded(LogFormat::Json);
            let said = if settings.contains("vehicle =") {
                look_up(&shop, "AB12 CDE").await
            } else {
                let body = json!({ "postcode": "LS6 1AB", "house": "Rose Cottage" });
                shop.post(ADDRESS, &body).send().await
            };
            let said = said.expect(StatusCode::SERVICE_UNAVAILABLE);
            let log = lines.text();
            assert!(log.contains("a look-up failed"), "{service}: {log}");
            for text in [&log, &said.body.to_string()] {
                tells_none(text, &["AB12", "CDE", "LS6", "Rose"]);
                tells_none(text, &KEYS);
                tells_none(text, &["127.0.0.1"]);
            }
        }
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed_so_that_no_key_goes_where_an_answer_says() {
    for settings in [VES, DVSA, IDEAL, PLACES] {
        let heard = Arc::new(AtomicUsize::new(0));
        let counted = heard.clone();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let elsewhere = serve(
            listener,
            None,
            Arc::new(move |_: Heard| {
                counted.fetch_add(1, Ordering::SeqCst);
                json_said(200, &of_ves("AB12CDE"))
            }),
        );
        let away = format!("http://{elsewhere}/");
        let shop = shop_of(settings, move |_| Reply::Said(Said::to(&away))).await;
        let said = if settings.contains("vehicle =") {
            look_up(&shop, "AB12 CDE").await
        } else {
            let body = json!({ "postcode": "LS6 1AB" });
            shop.post(ADDRESS, &body).send().await
        };
        said.expect(StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(heard.load(Ordering::SeqCst), 0, "{settings}");
    }
}

#[tokio::test]
async fn what_is_asked_with_is_in_no_settings_that_are_printed() {
    let shop = shop_of(DVSA, |_| Reply::Nothing).await;
    let printed = format!("{:?}", shop.app.config.lookup);
    tells_none(&printed, &KEYS);
}

#[tokio::test]
async fn two_who_ask_at_once_wait_for_one_token() {
    let tokens = Arc::new(AtomicUsize::new(0));
    let counted = tokens.clone();
    let shop = shop_of(DVSA, move |heard| {
        if heard.path == "/token" {
            counted.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(100));
            let body = json!({ "access_token": "t", "expires_in": 1199 });
            return json_said(200, &body);
        }
        let mark = heard.path.rsplit('/').next().unwrap();
        json_said(200, &json!({ "registration": mark, "make": "FORD" }))
    })
    .await;
    let (one, two) = tokio::join!(found(&shop, "AB12 CDE"), found(&shop, "AB13 CDE"));
    assert_eq!(one["registration"], "AB12 CDE");
    assert_eq!(two["registration"], "AB13 CDE");
    assert_eq!(tokens.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_real_shop_makes_nothing_up() {
    let lookup = "[lookup]\nvehicle = \"sample\"\naddress = \"sample\"\n";
    let shop = Shop::configured(&format!("{PRODUCTION}{OWN_SITE}{lookup}")).await;
    assert!(shop.app.config.lookup.sample_left_out);
    let off = look_up(&shop, "AB12 CDE").await;
    let off = off.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(off.at("/code"), "lookup_unavailable");
    let body = json!({ "postcode": "LS6 1AB" });
    shop.post(ADDRESS, &body)
        .answers(StatusCode::SERVICE_UNAVAILABLE)
        .await;
}
