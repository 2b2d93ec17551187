//! Waits for a gateway during payment, and the results of permanent refusals.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use layby::domain::payment::PaymentStatus;
use poem::http::StatusCode;
use serde_json::json;

use super::double::Fault;
use super::till::Till;
use crate::support::two_vehicles_with;

const BEGIN: &str = "POST /v1/checkout/sessions";
const ASK: &str = "GET /v1/checkout/sessions";

impl Till {
    /// Saves the quote with other answers and accepts it, so that its page has another price.
    async fn costs_more(&self) {
        let product = two_vehicles_with("key_cover", true);
        let path = format!("/api/v1/quote/{}", self.quote.uuid);
        let saved = self.shop.put(&path, &json!({ "product": product }));
        saved.bearer(&self.quote.token).succeeds().await;
        self.shop.accept(&self.quote).await.expect(StatusCode::OK);
        self.wait(TimeDelta::seconds(30));
    }
}

#[tokio::test]
async fn a_refused_key_says_so_with_the_telephone_number() {
    // A revoked key, and a key without the right.
    let refusals: [fn(&Till); 2] = [|till| till.double.revoke(), |till| till.double.deny(BEGIN)];
    for refuse in refusals {
        let till = Till::open().await;
        refuse(&till);
        let refused = till.initiate().await.expect(StatusCode::CONFLICT);
        assert_eq!(refused.text("/code"), "gateway_refused");
        let phone = &till.shop.app.config.site.phone;
        let why = format!("You can't pay this way at the moment. Please call us on {phone}.");
        assert_eq!(refused.text("/message"), why);

        // Stripe made no session, so the outcome is known at once.
        assert_eq!(till.attempt().status, PaymentStatus::Failed);
        let read = till.shop.payment(&till.quote).await.expect(StatusCode::OK);
        assert_eq!(read.at("/data/status"), "failed");
        assert_eq!(read.at("/data/charged"), false);
        till.shop.work().await;
        assert_eq!(crate::money::disputes::unresolved(&till.shop).await, []);
    }
}

#[tokio::test]
async fn a_page_that_may_have_been_made_before_the_key_was_refused_stays_open() {
    let till = Till::open().await;
    // The session exists, but its response was lost.
    for _ in 0..3 {
        till.double.fail(BEGIN, Fault::Reset);
    }
    let busy = till.initiate().await;
    busy.expect(StatusCode::SERVICE_UNAVAILABLE);
    till.double.revoke();
    till.wait(TimeDelta::minutes(1));
    till.initiate().await.expect(StatusCode::CONFLICT);
    assert!(till.attempt().status.is_open());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_attempt_that_hangs_keeps_nobody_from_paying_and_is_closed_by_a_job() {
    let till = Till::at_the_page().await;
    till.costs_more().await;
    till.double.fail(ASK, Fault::LostAnswer);
    let began = Instant::now();
    let second = till.initiate().await.expect(StatusCode::OK);
    assert!(began.elapsed() < Duration::from_secs(8));
    assert_eq!(second.at("/data/resumed"), false);
    let first = till.attempts().remove(0);
    assert!(first.status.is_open());
    till.wait(TimeDelta::hours(1));
    till.shop.work().await;
    assert_eq!(till.attempts()[0].status, PaymentStatus::Failed);
    assert!(till.attempts()[1].status.is_open());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_never_answers_is_waited_for_eight_seconds_and_no_longer() {
    let till = Till::open().await;
    till.double.fail(BEGIN, Fault::LostAnswer);
    let began = Instant::now();
    let busy = till.initiate().await;
    busy.expect(StatusCode::SERVICE_UNAVAILABLE);
    let waited = began.elapsed();
    assert!(waited >= Duration::from_secs(7), "{waited:?}");
    assert!(waited < Duration::from_secs(10), "{waited:?}");
    till.initiate().await.expect(StatusCode::OK);
    assert_eq!(till.sessions(), 1);
}

#[tokio::test]
async fn a_page_that_is_known_is_answered_at_once() {
    let till = Till::at_the_page().await;
    let asked = till.double.seen().len();
    let again = till.initiate().await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/resumed"), true);
    assert_eq!(till.double.seen().len(), asked);
}
