//! A forgotten password: the letter with a link, and the new password.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::json;

use super::{DEMO, NEW, forget, mailed_aid, reset, try_log_in};
use crate::support::{ORIGIN, Shop};

#[tokio::test]
async fn a_forgotten_password_is_set_by_a_mailed_link_that_works_once() {
    let shop = Shop::new().await;
    let (ann, cookie) = shop.customer().await;
    let aid = mailed_aid(&shop, &ann).await;
    let letter = shop.letters().pop().unwrap();
    assert_eq!(letter.to, *ann);
    assert!(
        letter
            .text
            .contains(&format!("{ORIGIN}/reset-password?aid="))
    );

    let info = shop.password_info(&aid).succeeds().await;
    let known = shop.profile(&cookie).await;
    for field in ["email_primary", "first_name", "last_name", "user_username"] {
        assert_eq!(info.body["data"][field], known.body[field], "{field}");
    }
    assert_eq!(info.at("/data/identifier"), known.at("/user_uuid"));

    let weak = reset(&shop, &aid, "short").await;
    assert_eq!(weak.fields(), ["password"]);
    assert_eq!(
        weak.text("/errors/password/0"),
        "Password must contain an uppercase character, a lowercase character, a number, a \
         special symbol and needs to be between 8 and 20 characters long"
    );
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
    // The link is used up, every session has ended, and the new password is valid.
    reset(&shop, &aid, NEW).await.expect(StatusCode::NOT_FOUND);
    shop.password_info(&aid)
        .answers(StatusCode::NOT_FOUND)
        .await;
    shop.profile(&cookie).await.expect(StatusCode::UNAUTHORIZED);
    try_log_in(&shop, &ann, DEMO)
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    try_log_in(&shop, &ann, NEW).await.expect(StatusCode::OK);
    shop.work().await;
    let notice = shop.letters().pop().unwrap();
    assert_eq!(notice.to, *ann);
    assert!(
        notice.subject.to_lowercase().contains("password"),
        "{notice:?}"
    );
}

#[tokio::test]
async fn a_reset_link_lives_an_hour() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let aid = mailed_aid(&shop, ann).await;
    shop.clock.advance(TimeDelta::minutes(61));
    reset(&shop, &aid, NEW).await.expect(StatusCode::NOT_FOUND);
    let fresh = mailed_aid(&shop, ann).await;
    shop.clock.advance(TimeDelta::minutes(59));
    reset(&shop, &fresh, NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn tampered_and_other_peoples_links_open_nothing() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let aid = mailed_aid(&shop, &users[0]).await;
    let mut tampered = aid.clone();
    tampered.pop();
    tampered.push(if aid.ends_with('A') { 'E' } else { 'A' });
    for wrong in [tampered.as_str(), "x", "..%2f..", &"a".repeat(3000)] {
        let answer = shop.password_info(wrong).send().await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{wrong}");
    }
    // Sends another user's link from the page that asks for the user name.
    let retrieve = |username: String| {
        let body = json!({
            "hash": aid, "password": NEW, "password_rpt": NEW, "username": username,
        });
        let shop = &shop;
        async move { shop.post("/api/v1/retrieve-password", &body).send().await }
    };
    let answer = retrieve(users[1].clone())
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        answer.text("/message"),
        "Please check form data and try again."
    );
    // Sends an identifier that does not belong to this link.
    shop.post(
        &format!("/api/v1/password/{aid}/reset"),
        &json!({ "password": NEW, "password_rpt": NEW, "identifier": "somebody else" }),
    )
    .answers(StatusCode::NOT_FOUND)
    .await;
    let info = shop.password_info(&aid);
    let identifier = info.send().await.text("/data/identifier");
    let other = mailed_aid(&shop, &users[1]).await;
    shop.post(
        &format!("/api/v1/password/{other}/reset"),
        &json!({ "password": NEW, "password_rpt": NEW, "identifier": identifier }),
    )
    .answers(StatusCode::NOT_FOUND)
    .await;
    retrieve(users[0].to_uppercase())
        .await
        .expect(StatusCode::OK);
    try_log_in(&shop, &users[0], NEW)
        .await
        .expect(StatusCode::OK);
}

#[tokio::test]
async fn asking_for_a_link_says_nothing_of_who_has_an_account() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let known = forget(&shop, ann).await.expect(StatusCode::OK);
    let unknown = forget(&shop, "nobody@example.org")
        .await
        .expect(StatusCode::OK);
    assert_eq!(known.body, unknown.body);
    shop.work().await;
    assert_eq!(shop.letters().len(), 1);
    for malformed in ["", "ann", "ann@", "@x.org", "a b@example.org"] {
        let answer = forget(&shop, malformed).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(answer.fields(), ["username"], "{malformed}");
    }
}

#[tokio::test]
async fn asking_often_sends_few_letters_and_takes_nothing_from_the_owner() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let mut refused = 0;
    for _ in 0..12 {
        refused += u32::from(forget(&shop, ann).await.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 1, "one address asks ten times freely");
    shop.work().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 5);
    // Each of the links still works.
    let aid = letters[0].link("/reset-password?aid=");
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
    // After the use of one link, the other links are invalid.
    let other = letters[1].link("/reset-password?aid=");
    reset(&shop, &other, NEW)
        .await
        .expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_link_is_built_from_our_own_address_whatever_the_request_says() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    shop.post(
        "/api/v1/retrieve-password-request",
        &json!({ "username": ann }),
    )
    .header("Host", "evil.example")
    .header("X-Forwarded-Host", "evil.example")
    .header("Forwarded", "host=evil.example")
    .succeeds()
    .await;
    shop.work().await;
    let letter = shop.letters().pop().unwrap();
    assert!(!letter.text.contains("evil"), "{}", letter.text);
    assert!(letter.text.contains(ORIGIN));
}

#[tokio::test]
async fn a_letter_that_can_not_be_sent_is_tried_again_later() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    forget(&shop, ann).await.expect(StatusCode::OK);
    let folder = shop.mail_folder();
    std::fs::remove_dir(&folder).unwrap();
    shop.work().await;
    std::fs::create_dir(&folder).unwrap();
    shop.work().await;
    assert!(shop.letters().is_empty(), "not before its time");
    shop.clock.advance(TimeDelta::seconds(2));
    shop.work().await;
    let aid = shop.letters().pop().unwrap().link("/reset-password?aid=");
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn an_outage_of_the_mail_uses_up_none_of_the_letters() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    forget(&shop, ann).await.expect(StatusCode::OK);
    std::fs::remove_dir(shop.mail_folder()).unwrap();
    for _ in 0..8 {
        shop.work().await;
        shop.clock.advance(TimeDelta::minutes(5));
    }
    std::fs::create_dir(shop.mail_folder()).unwrap();
    shop.work().await;
    let aid = shop.letters().pop().unwrap().link("/reset-password?aid=");
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_password_that_everybody_guesses_is_refused_in_plain_words() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let aid = mailed_aid(&shop, ann).await;
    let why = "This password is one of the first that others would guess. Please choose another";
    for guessed in ["Password1!", "P@ssw0rd", "Summer2026!", "Layby-2026"] {
        let refused = reset(&shop, &aid, guessed).await;
        assert_eq!(refused.fields(), ["password"], "{guessed}");
        assert_eq!(refused.text("/errors/password/0"), why);
        let cookie = shop.log_in(ann).await;
        let body = json!({
            "password": DEMO, "new_password": guessed, "new_password_repeat": guessed,
        });
        let refused = shop.put("/api/v1/profile/password", &body).cookies(&cookie);
        let refused = refused.send().await;
        assert_eq!(refused.text("/errors/new_password/0"), why, "{guessed}");
    }
    // The link remains valid for another password.
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
}
