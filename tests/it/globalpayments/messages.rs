//! Invalid messages, and messages about other payments: each gets the right status, and nothing is bought.

use chrono::TimeDelta;
use layby::domain::payment::PaymentStatus;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::double::{Entered, Form, KEY, News, signature};
use super::till::Till;
use crate::money::disputes::unresolved;
use crate::support::ORIGIN;

/// Returns a till whose customer has paid, and the provider's message.
async fn paid() -> (Till, News) {
    let till = Till::at_the_page().await;
    till.pay(Entered::Good);
    let news = till.double.news().pop().unwrap();
    (till, news)
}

#[tokio::test]
async fn a_text_with_escapes_never_becomes_a_field_of_the_message() {
    // The plugin hashes the body without its escapes. Then a payer could write the second message with the
    // signature of the first.
    let (till, _) = paid().await;
    let id = till.attempt().id;
    let genuine = format!(
        r#"{{"id":"TRN_1","status":"DECLINED","reference":"{id}","payer":"\",\"status\":\"CAPTURED\",\"x\":\""}}"#
    );
    let written = genuine.replace(r#"\""#, r#"\\""#);
    assert!(serde_json::from_str::<Value>(&genuine).is_ok());
    let signature = signature(genuine.as_bytes(), KEY);
    let answer = till.receive_raw(written.as_bytes(), &signature).await;
    answer.expect(StatusCode::BAD_REQUEST);
    assert!(!till.sold());
}

#[tokio::test]
async fn a_packed_and_a_pretty_message_sell() {
    for form in [Form::Gzip, Form::Pretty] {
        let till = Till::at_the_page().await;
        till.books(|books, _| books.form = form);
        till.pay(Entered::Good);
        till.receive_all().await;
        assert!(till.sold(), "{form:?}");
    }
}

#[tokio::test]
async fn another_amount_buys_nothing_and_goes_back() {
    for amount in ["1", "999999"] {
        let (till, _) = paid().await;
        till.pay(Entered::Good);
        let id = till.transaction();
        till.books(|books, now| {
            books.set(&id, "amount", json!(amount));
            books.change(&id, "CAPTURED", "SUCCESS", now);
        });
        till.receive_all().await;
        assert!(!till.sold());
        let attempt = till.attempt();
        assert_eq!(attempt.status, PaymentStatus::Paid);
        assert!(!attempt.is_applied());
        till.shop.work().await;
        assert_eq!(till.balance(), 0, "{amount}");
    }
}

#[tokio::test]
async fn another_currency_buys_nothing_and_is_for_a_person() {
    let till = Till::at_the_page().await;
    till.pay(Entered::Good);
    let news = till.changed(|message| message["currency"] = json!("EUR"));
    till.receive(&news).await.expect(StatusCode::OK);
    assert!(!till.sold());
    assert_eq!(till.attempt().status, PaymentStatus::Unresolved);
}

#[tokio::test]
async fn a_message_about_another_payment_changes_nothing() {
    let other = "019e3a5c-0000-7000-8000-000000000000";
    let changes: [fn(&mut Value, &str); 3] = [
        |message, other| {
            message["reference"] = json!(other);
            message["link_data"]["reference"] = json!(other);
        },
        |message, _| {
            message["reference"] = json!("order 7");
            message["link_data"] = json!({ "id": "LNK_other", "reference": "order 7" });
        },
        |message, _| {
            message["reference"] = Value::Null;
            message["link_data"] = Value::Null;
        },
    ];
    for change in changes {
        let till = Till::at_the_page().await;
        till.pay(Entered::Good);
        let news = till.changed(|message| change(message, other));
        till.receive(&news).await.expect(StatusCode::OK);
        assert!(!till.sold(), "{}", String::from_utf8_lossy(&news.body));
        assert!(till.attempt().status.is_open());
    }
}

#[tokio::test]
async fn a_message_that_cant_be_read_is_listed_once_and_the_payment_asked_for() {
    let changes: [fn(&mut Value); 10] = [
        |message| message["status"] = json!("SOMETHING_NEW"),
        |message| message["amount"] = json!(4999),
        |message| message["amount"] = Value::Null,
        |message| message["payment_method"]["result"] = json!("101"),
        |message| message["action"]["result_code"] = json!("DECLINED"),
        |message| message["type"] = json!("REFUND"),
        // Two references that differ.
        |message| message["reference"] = json!("019e3a5c-0000-7000-8000-000000000000"),
        // Members of another type.
        |message| message["id"] = json!(1),
        |message| message["status"] = json!(["CAPTURED"]),
        |message| message["reference"] = json!(7),
    ];
    for change in changes {
        let till = Till::at_the_page().await;
        till.pay(Entered::Good);
        let news = till.changed(change);
        for _ in 0..2 {
            till.receive(&news).await.expect(StatusCode::OK);
        }
        let text = String::from_utf8_lossy(&news.body);
        let message: Value = serde_json::from_slice(&news.body).unwrap();
        let id = message["id"].as_str().unwrap_or("1");
        assert!(!till.sold(), "{text}");
        let listed = unresolved(&till.shop).await;
        let messages: Vec<_> = listed.iter().filter(|row| row.what == "message").collect();
        assert_eq!(messages.len(), 1, "{text}");
        assert_eq!(messages[0].reference.as_deref(), Some(id));
        till.shop.work().await;
        assert!(till.sold(), "{text}");
    }
}

#[tokio::test]
async fn a_replayed_message_changes_nothing_years_later() {
    let (till, news) = paid().await;
    till.receive(&news).await.expect(StatusCode::OK);
    let sold = till.attempt();
    till.wait(TimeDelta::days(700));
    till.receive(&news).await.expect(StatusCode::OK);
    assert_eq!(till.attempt(), sold);
}

#[tokio::test]
async fn the_posted_return_proves_nothing_and_its_answer_works_on_another_site() {
    let (till, news) = paid().await;
    let link = till.link();
    let path = format!("/gateway/globalpayments/return/{}", till.quote.uuid);
    let post = till.books(|books, _| books.return_news(&link)).unwrap();
    assert_eq!(post.address, format!("{ORIGIN}{path}"));
    assert_eq!(post.signature, news.signature);
    let call = till.shop.page(Method::POST, &path);
    let call = call.header("X-GP-Signature", &post.signature);
    let shown = call.body(post.body).send().await;
    shown.assert_status_is_ok();
    let page = shown.0.into_body().into_string().await.unwrap();
    let uuid = &till.quote.uuid;
    for address in [
        format!("href=\"{ORIGIN}/payment/processing/{uuid}\""),
        format!("src=\"{ORIGIN}/gateway/return.js\""),
    ] {
        assert!(page.contains(&address), "{page}");
    }
    assert!(!till.sold());
    assert!(till.attempt().status.is_open());
}

#[tokio::test]
async fn a_message_that_an_earlier_key_signed_is_refused_and_asking_sells() {
    let (till, news) = paid().await;
    let signed = signature(&news.body, "the-earlier-key");
    let refused = till.receive_raw(&news.body, &signed).await;
    refused.expect(StatusCode::BAD_REQUEST);
    assert!(!till.sold());
    assert_eq!(till.poll().await.at("/data/status"), "paid");
    assert!(till.sold());
}
