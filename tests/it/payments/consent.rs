//! Consent to automatic renewal: a payment buys by the latest consent.

use poem::http::StatusCode;
use serde_json::json;

use super::Till;
use crate::support::Answer;
use crate::support::gateways::Limits;

const PAYS: &str = "4242 4242 4242 4242";

impl Till {
    /// Accepts the quote again, with or without automatic renewal, and starts to pay.
    async fn accept_and_initiate(&self, auto_renew: bool) -> Answer {
        let path = format!("/api/v1/quote/update-accept/{}", self.quote.uuid);
        let agreed = json!({
            "payment_frequency": "annual",
            "terms_and_conditions": true,
            "auto_renew": auto_renew,
        });
        let accepted = self.shop.post(&path, &agreed).bearer(&self.quote.token);
        accepted.succeeds().await;
        let read = self.shop.read(&self.quote).await.expect(StatusCode::OK);
        assert_eq!(read.at("/data/auto_renew"), auto_renew);
        self.shop.clock.advance(chrono::TimeDelta::seconds(30));
        self.shop.initiate(&self.quote).await.expect(StatusCode::OK)
    }
}

#[tokio::test]
async fn a_payment_page_is_of_the_consent_that_was_given_last() {
    for last in [true, false] {
        let till = Till::open().await;
        // The customer leaves the first page and changes the choice.
        let first = till.accept_and_initiate(!last).await;
        let second = till.accept_and_initiate(last).await;
        assert_eq!(second.at("/data/resumed"), false);
        let (first, second) = (first.text("/data/url"), second.text("/data/url"));
        assert_ne!(first, second);
        // The older page can't be paid any more.
        till.shop.pay(&first, PAYS).await.assert_status_is_ok();
        assert!(!till.sold());
        till.shop.pay(&second, PAYS).await.assert_status_is_ok();
        assert_eq!(till.payment().await.at("/data/status"), "paid");
        let policy = till.policy().await.expect(StatusCode::OK);
        assert_eq!(policy.at("/data/policy/auto_renew"), last);
        assert_eq!(policy.at("/data/auto_renew"), last);
    }
}

#[tokio::test]
async fn a_page_that_is_being_closed_is_not_offered_again() {
    let till = Till::limited(Limits::CLOSES_NO_PAGE).await;
    let first = till.accept_and_initiate(false).await;
    let second = till.accept_and_initiate(true).await;
    let third = till.accept_and_initiate(false).await;
    assert_eq!(third.at("/data/resumed"), false);
    let urls = [first, second, third].map(|answer| answer.text("/data/url"));
    assert!(urls[2] != urls[0] && urls[2] != urls[1]);
}

#[tokio::test]
async fn the_same_consent_comes_back_to_the_open_page() {
    let till = Till::open().await;
    let first = till.accept_and_initiate(true).await;
    let second = till.accept_and_initiate(true).await;
    assert_eq!(second.at("/data/resumed"), true);
    assert_eq!(second.text("/data/url"), first.text("/data/url"));
}
