//! The sandbox gateway's page: a card that pays, one that is declined, a challenge.

use poem::http::{Method, StatusCode};

use super::Till;
use crate::support::two_vehicles;

#[tokio::test]
async fn a_card_makes_a_live_policy() {
    let till = Till::open().await;
    assert_eq!(till.payment().await.at("/data/status"), "pending");
    till.policy().await.expect(StatusCode::NOT_FOUND);

    till.pay("4242 4242 4242 4242").await;
    let payment = till.payment().await;
    assert_eq!(payment.at("/data/status"), "paid");
    assert_eq!(payment.at("/data/policy"), true);
    assert_eq!(payment.at("/data/charged"), true);

    let policy = till.policy().await.expect(StatusCode::OK);
    assert_eq!(policy.at("/data/info/status_id"), 5);
    assert_eq!(policy.at("/data/info/uuid"), till.quote.uuid.as_str());
    assert_eq!(policy.at("/data/policy/inception"), "2026-11-25");
    assert_eq!(
        policy.at("/data/policy/cover_begins"),
        "2026-11-25T00:00:00Z"
    );
    assert_eq!(
        policy.at("/data/policy/paid"),
        policy.at("/data/info/price/amount_total")
    );
    let same = till
        .shop
        .get(&format!("/api/v2/policy/{}", till.quote.uuid))
        .bearer(&till.quote.token)
        .send()
        .await;
    assert_eq!(same.body, policy.body);
    // A bought quote can't be bought or changed again.
    let again = till
        .shop
        .initiate(&till.quote)
        .await
        .expect(StatusCode::CONFLICT);
    assert_eq!(again.text("/code"), "already_bought");
    till.shop
        .update(&till.quote, &two_vehicles())
        .answers(StatusCode::CONFLICT)
        .await;
}

#[tokio::test]
async fn a_declined_card_takes_nothing_and_another_try_succeeds() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0002").await;
    let failed = till.payment().await;
    assert_eq!(failed.at("/data/status"), "failed");
    assert_eq!(failed.at("/data/charged"), false);
    assert_eq!(
        failed.text("/data/message"),
        "The card was declined by the bank."
    );

    let second = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
    till.shop
        .pay(&second.text("/data/url"), "4242 4242 4242 4242")
        .await
        .assert_status_is_ok();
    assert_eq!(till.payment().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn a_challenge_is_passed_or_failed() {
    for (answer, status) in [("pass", "paid"), ("fail", "failed")] {
        let till = Till::open().await;
        till.pay("4000 0027 6000 3184").await;
        assert_eq!(till.payment().await.at("/data/status"), "processing");
        till.shop.clock.advance(chrono::TimeDelta::seconds(5));
        till.shop
            .page(Method::POST, &till.frame)
            .content_type("application/x-www-form-urlencoded")
            .body(format!("challenge={answer}"))
            .send()
            .await
            .assert_status_is_ok();
        assert_eq!(till.payment().await.at("/data/status"), status);
    }
}

#[tokio::test]
async fn an_expiry_typed_on_a_digit_pad_pays_and_a_refusal_keeps_the_other_fields() {
    let till = Till::open().await;
    let post = async |card: &str, expiry: &str| {
        let form = [
            ("card_number", card),
            ("expiry", expiry),
            ("cvc", "123"),
            ("cardholder", "Ann"),
        ];
        let page = till
            .shop
            .page(Method::POST, &till.frame)
            .content_type("application/x-www-form-urlencoded")
            .body(serde_urlencoded::to_string(form).unwrap())
            .send()
            .await;
        let status = page.0.status();
        (status, page.0.into_body().into_string().await.unwrap())
    };
    for expiry in ["1230", "12/30", "12/2030"] {
        let (status, page) = post("4111", expiry).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(!page.contains("expiry-error"), "{expiry}: {page}");
        assert!(page.contains(&format!("value=\"{expiry}\"")), "{page}");
        assert!(page.contains("value=\"Ann\""), "{page}");
    }
    let (status, page) = post("4242 4242 4242 4242", "1325").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("expiry-error") && !page.contains("card_number-error"));
    assert!(page.contains("value=\"4242 4242 4242 4242\""), "{page}");
    assert!(page.contains("value=\"Ann\""), "{page}");
    let (status, _) = post("4242 4242 4242 4242", "1230").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(till.payment().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn the_card_form_names_its_faults_and_keeps_what_was_typed_but_the_code() {
    let till = Till::open().await;
    let answer = till
        .shop
        .page(Method::POST, &till.frame)
        .content_type("application/x-www-form-urlencoded")
        .body("card_number=4111&expiry=01%2F20&cvc=987&cardholder=%3Cb%3EAnn")
        .send()
        .await;
    answer.assert_status(StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.0.into_body().into_string().await.unwrap();
    assert!(page.contains("Enter one of the sandbox"), "{page}");
    assert!(page.contains("value=\"4111\""));
    assert!(page.contains("&lt;b&gt;Ann"));
    assert!(!page.contains("987"));
    for address in ["x", "00000000-0000-0000-0000-000000000000.secret"] {
        let path = format!("/gateway/sandbox/pay/{address}");
        till.shop
            .page(Method::GET, &path)
            .send()
            .await
            .assert_status(StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn a_token_reads_the_policy_for_a_day() {
    let till = Till::open().await;
    till.pay("4242 4242 4242 4242").await;
    assert_eq!(till.payment().await.at("/data/policy"), true);
    till.shop.clock.advance(chrono::TimeDelta::hours(23));
    till.policy().await.expect(StatusCode::OK);
    till.shop.clock.advance(chrono::TimeDelta::hours(2));
    till.policy().await.expect(StatusCode::UNAUTHORIZED);
}
