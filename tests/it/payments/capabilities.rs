//! Gateways with fewer capabilities: no closing, no status queries, late reports, or form callbacks with text
//! responses.

use chrono::TimeDelta;
use layby::domain::payment::PaymentStatus;
use layby::domain::payment::sandbox::SandboxPayment;
use layby::store::tables;
use poem::http::{Method, StatusCode};
use serde_json::json;

use super::Till;
use super::fault_table::PAYS_SILENTLY;
use crate::support::gateways::{Limits, form_callback};
use crate::support::two_vehicles_with;

const PAYS: &str = "4242 4242 4242 4242";

impl Till {
    fn books(&self) -> SandboxPayment {
        self.shop.row(&tables::SANDBOX, &self.payment_id())
    }

    /// Posts a form to the shop's callback address. Returns the text of the response.
    async fn posts_form(&self, body: String) -> String {
        let call = self
            .shop
            .call(Method::POST, "/api/v1/gateway/sandbox/callback");
        let call = call.header("Content-Type", "application/x-www-form-urlencoded");
        let answer = call.body(body).succeeds().await;
        String::from_utf8(answer.bytes).unwrap()
    }
}

#[tokio::test]
async fn an_old_page_that_cant_be_closed_is_paid_too_and_its_money_goes_back() {
    let till = Till::limited(Limits::CLOSES_NO_PAGE).await;
    let product = two_vehicles_with("key_cover", true);
    let path = format!("/api/v1/quote/{}", till.quote.uuid);
    let saved = till.shop.put(&path, &json!({ "product": product }));
    saved.bearer(&till.quote.token).succeeds().await;
    till.shop.accept(&till.quote).await.expect(StatusCode::OK);
    till.shop.clock.advance(TimeDelta::seconds(30));
    let second = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
    let page = second.text("/data/url");
    till.shop.pay(&page, PAYS).await.assert_status_is_ok();
    till.payment().await;
    assert!(till.sold());
    till.pay(PAYS).await;
    for _ in 0..4 {
        till.waits(TimeDelta::minutes(1)).await;
    }
    assert!(!till.row().is_applied());
    assert_eq!(till.payment().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn news_after_a_quarter_of_an_hour_or_two_days_sells_without_being_asked_for() {
    for seconds in [900, 172_800] {
        let till = Till::limited(Limits::MUTE).await;
        till.pay(PAYS_SILENTLY).await;
        till.waits(TimeDelta::seconds(seconds - 10)).await;
        assert_eq!(till.payment().await.at("/data/status"), "pending");
        till.waits(TimeDelta::seconds(20)).await;
        till.hears_late_news().await;
        assert_eq!(till.row().status, PaymentStatus::Paid, "{seconds}");
        till.policy().await.expect(StatusCode::OK);
    }
}

#[tokio::test]
async fn a_form_is_believed_by_the_key_of_its_attempt_and_answered_with_text() {
    let till = Till::limited(Limits::BY_FORM).await;
    till.pay("4000 0000 0000 0085").await;
    let row = till.row();
    assert_eq!(row.keys.0.len(), 1);
    let key = row.keys.0.values().next().unwrap().clone();
    assert!(!format!("{row:?}").contains(&key));
    let read = till.payment().await;
    assert!(!read.body.to_string().contains(&key));

    let books = till.books();
    let genuine = form_callback(&books, &key);
    let call = async |body: String| till.posts_form(body).await;
    let mut cheaper = books.clone();
    cheaper.amount = layby::domain::money::Pence(1);
    let signature = genuine.rsplit_once("signature=").unwrap().1;
    let tampered = form_callback(&cheaper, "another key");
    let with_a_true_signature = format!(
        "{}signature={signature}",
        tampered.rsplit_once("signature=").unwrap().0
    );
    for forged in [
        tampered,
        with_a_true_signature,
        String::new(),
        "a=b".to_string(),
    ] {
        assert_eq!(call(forged).await, "Status=INVALID\r\n");
    }
    // Two callbacks of one payment get the same response, even if the shop has recorded the payment already.
    let told = call(genuine.clone()).await;
    assert!(told.starts_with("Status=OK\r\nRedirectURL="), "{told}");
    assert!(
        told.contains("/gateway/sandbox/") && told.contains(&till.quote.uuid),
        "{told}"
    );
    assert!(told.ends_with("\r\n"), "{told}");
    assert_eq!(call(genuine).await, told);
    assert!(till.sold());
}

#[tokio::test]
async fn a_form_callback_of_a_decline_is_acknowledged_too_and_comes_once() {
    let till = Till::limited(Limits::BY_FORM).await;
    till.pay("4000 0000 0000 0002").await;
    let key = till.row().keys.0.values().next().unwrap().clone();
    let answer = till.posts_form(form_callback(&till.books(), &key)).await;
    assert!(answer.starts_with("Status=OK\r\n"), "{answer}");
    assert_eq!(till.row().status, PaymentStatus::Failed);
    assert_eq!(till.payment().await.at("/data/charged"), false);
}
