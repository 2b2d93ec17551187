//! Forged, changed and broken answers: nothing that Fuse didn't sign is believed.

use layby::config::LogFormat;
use poem::http::{Method, StatusCode};

use super::double::{self, Verdict};
use super::till::{Till, get, signed, with};
use crate::support::log::recorded;

#[tokio::test]
async fn a_decline_that_is_changed_to_an_accept_is_refused() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Decline(203)).await;
    let forged = with(&answer, "decision", "ACCEPT");
    let answered = till.post(&forged).await.expect(StatusCode::BAD_REQUEST);
    assert!(answered.bytes.is_empty());
    // The browser's form is checked in the same way, and its page is the same.
    assert!(till.receipt(&forged).await.contains("data-back"));
    till.assert_open();
    assert!(till.attempt().unread_messages.is_empty());
}

#[tokio::test]
async fn an_answer_whose_list_lacks_a_name_is_refused() {
    let required = [
        "decision",
        "transaction_id",
        "req_access_key",
        "req_profile_id",
        "req_reference_number",
        "req_transaction_uuid",
        "req_amount",
        "req_currency",
    ];
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let names = get(&answer, "signed_field_names").to_owned();
    for name in required {
        let kept: Vec<&str> = names.split(',').filter(|own| *own != name).collect();
        let changed = with(&answer, "signed_field_names", &kept.join(","));
        // The signature is right, but one name is missing in the list of signed fields.
        let changed = signed(&changed, double::SECRET);
        till.post(&changed).await.expect(StatusCode::BAD_REQUEST);
        till.assert_open();
    }
    for list in [
        String::new(),
        ",".to_owned(),
        format!("{names},decision"),
        format!("{names},,"),
    ] {
        let changed = signed(&with(&answer, "signed_field_names", &list), double::SECRET);
        till.post(&changed).await.expect(StatusCode::BAD_REQUEST);
    }
    till.assert_open();
}

#[tokio::test]
async fn a_field_outside_the_list_is_not_read() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let names = get(&answer, "signed_field_names").to_owned();
    let kept: Vec<&str> = names
        .split(',')
        .filter(|own| *own != "auth_amount")
        .collect();
    let changed = with(&answer, "signed_field_names", &kept.join(","));
    let changed = signed(&with(&changed, "auth_amount", "0.01"), double::SECRET);
    till.post(&changed).await.expect(StatusCode::OK);
    // The signed amount of the form counts.
    till.assert_sold_once();
}

#[tokio::test]
async fn our_own_form_played_back_is_refused() {
    let till = Till::open().await;
    let form = till.form().await;
    till.post(&form).await.expect(StatusCode::BAD_REQUEST);
    // The form gets the missing fields, but the form's signature doesn't cover them.
    let mut more = form.clone();
    for (name, value) in [
        ("decision", "ACCEPT"),
        ("reason_code", "100"),
        ("transaction_id", "1"),
    ] {
        more.push((name.to_owned(), value.to_owned()));
    }
    for (name, value) in &form {
        more.push((format!("req_{name}"), value.clone()));
    }
    till.post(&more).await.expect(StatusCode::BAD_REQUEST);
    till.assert_open();
}

#[tokio::test]
async fn a_value_that_hides_a_field_is_refused() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Decline(203)).await;
    for hidden in [
        "x,decision=ACCEPT",
        "x,decision=",
        ",a=b=c",
        "x,y,auth_amount=1.00",
    ] {
        let changed = with(&answer, "req_bill_to_address_line1", hidden);
        let changed = signed(&changed, double::SECRET);
        till.post(&changed).await.expect(StatusCode::BAD_REQUEST);
        till.assert_open();
    }
    // The same bytes, cut at another place, have the same signature.
    let cut = with(&answer, "decision", "ACCEPT,decision=DECLINE");
    till.post(&signed(&cut, double::SECRET))
        .await
        .expect(StatusCode::BAD_REQUEST);
    till.assert_open();
    // A comma alone hides nothing.
    let comma = with(
        &answer,
        "req_bill_to_address_line1",
        "Flat 1, High Street, a b=c",
    );
    till.post(&signed(&comma, double::SECRET))
        .await
        .expect(StatusCode::OK);
    assert!(!till.sold());
}

#[tokio::test]
async fn another_key_or_profile_is_refused() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let others = [
        signed(&answer, "another secret"),
        signed(&answer, ""),
        signed(
            &with(&answer, "req_access_key", &"f".repeat(32)),
            double::SECRET,
        ),
        signed(
            &with(&answer, "req_profile_id", &"F".repeat(36)),
            double::SECRET,
        ),
    ];
    for other in others {
        till.post(&other).await.expect(StatusCode::BAD_REQUEST);
        till.assert_open();
    }
}

#[tokio::test]
async fn a_form_that_comes_back_to_another_gateways_page_is_not_read() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let body = serde_urlencoded::to_string(&answer).unwrap();
    for provider in ["sandbox", "stripe", "nobody"] {
        let path = format!("/gateway/{provider}/return/{}", till.quote.uuid);
        let page = till
            .shop
            .page(Method::POST, &path)
            .body(body.clone())
            .send()
            .await;
        page.assert_status(StatusCode::OK);
        till.assert_open();
    }
}

#[tokio::test]
async fn what_is_logged_of_a_refused_answer_names_no_customer_and_no_key() {
    let till = Till::open().await;
    let answer = till.end(Verdict::Accept).await;
    let forged = with(&answer, "decision", "DECLINE");
    let (lines, _log) = recorded(LogFormat::Text);
    till.post(&forged).await.expect(StatusCode::BAD_REQUEST);
    let log = lines.text();
    assert!(log.contains("not made with the secret"), "{log}");
    for name in [
        "req_bill_to_surname",
        "req_bill_to_address_line1",
        "signature",
    ] {
        let value = get(&answer, name);
        assert!(!value.is_empty() && !log.contains(value), "{name}: {log}");
    }
    assert!(!log.contains(double::SECRET));
}
