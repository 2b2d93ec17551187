//! Keys: a change under an open page, a revoked REST key, the trial of a key, and the other mode.

use layby::app::payments::KeyCheck;
use layby::config::{Config, Layers};
use layby::domain::payment::PaymentStatus;
use poem::http::StatusCode;

use super::double::{self, Verdict};
use super::till::{Till, get, settings};

const NEW_KEY: &str = "ffeeddccbbaa99887766554433221100";
const NEW_SECRET: &str = "the-new-secret-4242";

fn changed_keys(old: &str) -> String {
    format!(
        "access_key = \"{NEW_KEY}\"\nsecret_key = \"{NEW_SECRET}\"\n{}",
        old.replace("ACCESS", double::ACCESS_KEY)
            .replace("SECRET", double::SECRET)
    )
}

#[tokio::test]
async fn a_key_that_changes_under_an_open_page_verifies_while_it_is_named() {
    let till = Till::open().await;
    let page = till.page().await;
    till.double.add_key(NEW_KEY, NEW_SECRET);
    let old = "previous_access_key = \"ACCESS\"\nprevious_secret_key = \"SECRET\"";
    let text = settings(&till.double, "[\"smartpayfuse\"]", &changed_keys(old));
    let till = till.restarted_with(&text).await;
    let answer = till.double.end(page, Verdict::Accept);
    assert_eq!(get(&answer, "req_access_key"), double::ACCESS_KEY);
    till.post(&answer).await.expect(StatusCode::OK);
    till.assert_sold_once();
    // An answer can't choose the secret of another key.
    let mixed = super::till::with(&answer, "req_access_key", NEW_KEY);
    let mixed = super::till::signed(&mixed, double::SECRET);
    till.post(&mixed).await.expect(StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_new_form_has_the_new_key_and_an_old_key_that_is_not_named_is_refused() {
    let till = Till::open().await;
    let page = till.page().await;
    till.double.add_key(NEW_KEY, NEW_SECRET);
    let text = settings(&till.double, "[\"smartpayfuse\"]", &changed_keys(""));
    let till = till.restarted_with(&text).await;
    let form = till.form().await;
    assert_eq!(get(&form, "access_key"), NEW_KEY);
    till.double.open("/embedded/pay", &form).unwrap();
    let answer = till.double.end(page, Verdict::Accept);
    till.post(&answer).await.expect(StatusCode::BAD_REQUEST);
    till.assert_open();
    // The payment on the older page is found by asking.
    till.work().await;
    till.assert_sold_once();
}

#[tokio::test]
async fn a_payment_of_the_other_mode_is_neither_asked_for_nor_believed() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let live =
        settings(&till.double, "[\"smartpayfuse\"]", "").replace("test = true", "test = false");
    let till = till.restarted_with(&live).await;
    till.post(&answer).await.expect(StatusCode::BAD_REQUEST);
    assert_eq!(till.looks().await.at("/data/status"), "pending");
    assert_eq!(till.double.times("POST /tss"), 0);
    assert_eq!(till.status(), PaymentStatus::Pending);
}

#[tokio::test]
async fn the_check_of_the_settings_tries_the_rest_key() {
    let till = Till::open().await;
    let check = async |more: &str| {
        let text = settings(&till.double, "[\"smartpayfuse\"]", more);
        let layers = Layers {
            file: Some(("shop.toml".to_owned(), text)),
            ..Layers::default()
        };
        layby::app::payments::check_keys(&Config::load(&layers).unwrap()).await
    };
    // The command has the machine's clock.
    let machine = chrono::Utc::now() - till.shop.clock.now();
    till.our_clock_is_behind_by(machine);
    let untested = [
        "profile_id",
        "access_key",
        "secret_key",
        "page_url",
        "previous_access_key",
        "previous_secret_key",
    ];
    let untested = untested.map(|name| format!("payments.smartpayfuse.{name}"));
    let works = |untested: &[String]| KeyCheck {
        gateways: vec!["smartpayfuse"],
        untested: untested.to_vec(),
        clock_errors: Vec::new(),
    };
    assert_eq!(check("").await, Ok(works(&untested[..4])));
    let old = "previous_access_key = \"ACCESS\"\nprevious_secret_key = \"SECRET\"";
    assert_eq!(check(&changed_keys(old)).await, Ok(works(&untested)));
    till.double.revoke();
    let refused = check("").await.unwrap_err();
    assert!(
        refused.contains("payments.smartpayfuse.rest_key"),
        "{refused}"
    );
    assert!(!refused.contains(double::REST_SECRET), "{refused}");
}
