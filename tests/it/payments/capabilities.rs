//! Gateways with fewer capabilities: no closing of pages, no status queries, late reports, and refunds
//! without an answer. Other gateways send form callbacks and get text responses.

use chrono::TimeDelta;
use layby::app::accounting::resolve::{Resolution, ResolutionWay};
use layby::app::payments::ledger;
use layby::domain::money::ledger::Account;
use layby::domain::payment::refund::{RefundFinding, RefundMethod, RefundStatus};
use layby::domain::payment::sandbox::{SandboxPayment, SandboxRefundState};
use layby::domain::payment::{PaymentStatus, UnresolvedReason};
use layby::store::tables;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::Till;
use super::fault_table::{PAYS_SILENTLY, hears, signed};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::money::manual_resolution::resolves;
use crate::money::{REFUND_REFUSED, only_refund};
use crate::support::gateways::{Limits, form_callback};
use crate::support::stores::snapshot;
use crate::support::{Shop, two_vehicles, two_vehicles_with};

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
        let till = Till::limited(Limits::CAN_DO_NOTHING).await;
        till.pay(PAYS_SILENTLY).await;
        till.waits(TimeDelta::seconds(seconds - 10)).await;
        assert_eq!(till.payment().await.at("/data/status"), "pending");
        till.waits(TimeDelta::seconds(20)).await;
        till.hears_late_news().await;
        assert_eq!(till.row().status, PaymentStatus::Paid, "{seconds}");
        till.policy().await.expect(StatusCode::OK);
    }
}

/// Sells by a gateway that can do nothing. Returns a shop whose customer then paid on an older page too.
async fn paid_twice(card: &str) -> Till {
    let till = Till::limited(Limits::CAN_DO_NOTHING).await;
    // No card can be kept, so no later charge is agreed.
    let path = format!("/api/v1/quote/update-accept/{}", till.quote.uuid);
    let agreed = json!({
        "payment_frequency": "annual", "terms_and_conditions": true, "auto_renew": true,
    });
    let accepted = till.shop.post(&path, &agreed).bearer(&till.quote.token);
    accepted.succeeds().await;
    let read = till.shop.read(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/auto_renew"), false);

    till.shop.clock.advance(TimeDelta::hours(23));
    let second = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
    let page = second.text("/data/url");
    till.shop
        .pay(&page, PAYS_SILENTLY)
        .await
        .assert_status_is_ok();
    assert_eq!(till.payment().await.at("/data/status"), "pending");
    let id = second.text("/data/payment_id").parse().unwrap();
    let news = signed(&till.shop, id, TimeDelta::zero());
    assert_eq!(hears(&till.shop, news).await, StatusCode::OK);
    assert!(till.sold());
    // The older page can't be closed. The sandbox takes a card for a day.
    till.pay(card).await;
    let news = signed(&till.shop, till.payment_id(), TimeDelta::zero());
    assert_eq!(hears(&till.shop, news).await, StatusCode::OK);
    assert!(!till.row().is_applied());
    till
}

#[tokio::test]
async fn a_refund_that_nobody_can_ask_about_is_requested_once_and_closed_by_a_person() {
    for card in [PAYS_SILENTLY, REFUND_REFUSED] {
        let till = paid_twice(card).await;
        let shop = &till.shop;
        for _ in 0..4 {
            shop.clock.advance(TimeDelta::hours(1));
            shop.work_with_failures().await;
        }
        let refund = only_refund(shop);
        assert_eq!(refund.status, RefundStatus::Unconfirmed);
        let calls = refund.requested.unwrap();
        assert_eq!(calls.first, calls.last);
        let path = format!("/api/v1/payment/{}", till.payment_id());
        let read = async || {
            let call = shop.get(&path).bearer(&till.quote.token);
            call.succeeds().await
        };
        assert_eq!(read().await.at("/data/refund"), "unconfirmed");
        let listed = unresolved(shop).await;
        assert_eq!((listed.len(), listed[0].id), (1, Some(refund.id)));
        let to_do = &listed[0].to_do;
        assert!(to_do.starts_with("Look for it at the gateway."), "{to_do}");

        // A person looks up the refund at the gateway.
        let made = till.books().refunds;
        assert_eq!(made.len(), 1);
        let is_made = made[0].state == SandboxRefundState::Done;
        assert_eq!(is_made, card == PAYS_SILENTLY);
        let (method, account) = if is_made {
            let way = ResolutionWay::Lookup(RefundFinding::Made);
            (way, Account::gateway("sandbox"))
        } else {
            (ResolutionWay::Refund(RefundMethod::Transfer), Account::Bank)
        };
        let resolution = Resolution {
            id: refund.id,
            method,
            by: "Jo Bloggs".to_string(),
            why: "looked it up at the gateway".to_string(),
        };
        resolves(shop, &resolution).await.unwrap();
        resolves(shop, &resolution).await.unwrap_err();
        assert_eq!(unresolved(shop).await, []);
        is_clean(shop, "after the resolution");
        // The account has two payments less one refund, or less a transfer.
        let balance = {
            let tx = snapshot(&shop.app.store);
            ledger::balance(&tx, till.row().quote, &account).unwrap()
        };
        let expected = if is_made {
            refund.amount
        } else {
            -refund.amount
        };
        assert_eq!(balance, expected);
        assert_eq!(read().await.at("/data/refund"), "paid");
    }
}

#[tokio::test]
async fn a_page_whose_answer_was_lost_is_never_begun_anew_and_is_listed() {
    let shop = Shop::limited_at(Limits::LOSES_PAGES, "http://127.0.0.1:9").await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    for _ in 0..3 {
        let busy = shop.initiate(&quote).await;
        busy.expect(StatusCode::SERVICE_UNAVAILABLE);
        shop.clock.advance(TimeDelta::minutes(1));
    }
    let attempts = shop.attempts(&quote);
    assert_eq!(
        (attempts.len(), attempts[0].status),
        (1, PaymentStatus::Started)
    );
    for _ in 0..75 {
        shop.clock.advance(TimeDelta::hours(1));
        shop.work_with_failures().await;
        let read = shop.payment(&quote).await.expect(StatusCode::OK);
        assert_eq!(read.at("/data/charged"), &Value::Null);
    }
    let attempts = shop.attempts(&quote);
    assert_eq!(
        attempts[0].unresolved_reason(),
        Some(UnresolvedReason::NoAnswer)
    );
    assert_eq!(shop.rows(&tables::SANDBOX).len(), 1);
    let listed = unresolved(&shop).await;
    assert_eq!((listed.len(), listed[0].id), (1, Some(attempts[0].id)));
    assert!(!shop.has_sold(&quote));
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
    assert_eq!(told, "Status=OK\r\n");
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

#[tokio::test]
async fn what_a_gateway_can_t_take_in_one_payment_is_refused() {
    let limits = |max_amount| Limits {
        max_amount,
        ..Limits::NONE
    };
    let shop = Shop::limited_at(limits(1000), "http://127.0.0.1:1").await;
    let quote = shop.quote(&two_vehicles()).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let refused = shop.initiate(&quote).await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "above_maximum");
    assert!(refused.text("/message").contains("01632 960 123"));
    assert!(shop.attempts(&quote).is_empty());
}
