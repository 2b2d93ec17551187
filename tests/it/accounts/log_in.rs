//! Logging in: how long a session lasts, and how a wrong password is reported.

use chrono::TimeDelta;
use layby::app::accounts;
use poem::http::StatusCode;
use serde_json::json;

use super::{DEMO, try_log_in};
use crate::support::Shop;
use crate::support::stores::snapshot;

#[tokio::test]
async fn remember_decides_how_long_a_log_in_lasts() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let short = try_log_in(&shop, ann, DEMO).await.expect(StatusCode::OK);
    let line = short.cookie_line("layby_session");
    assert!(
        line.contains("HttpOnly") && line.contains("SameSite=Lax") && !line.contains("Max-Age"),
        "{line}"
    );
    assert!(
        short.body.get("token").is_none(),
        "the website gets no token"
    );
    let short = short.cookie("layby_session");
    let long = shop.log_in(ann).await;

    shop.clock.advance(TimeDelta::hours(11));
    shop.profile(&short).await.expect(StatusCode::OK);
    shop.clock.advance(TimeDelta::hours(2));
    shop.profile(&short).await.expect(StatusCode::UNAUTHORIZED);
    shop.profile(&long).await.expect(StatusCode::OK);
    shop.clock.advance(TimeDelta::days(30));
    shop.profile(&long).await.expect(StatusCode::UNAUTHORIZED);

    // The sweep removes expired sessions and keeps valid ones.
    let home = shop.log_in(ann).await;
    let sessions = || {
        use layby::store::tables;
        shop.rows(&tables::SESSIONS).len()
    };
    assert_eq!(sessions(), 3);
    accounts::delete_ended_sessions(&shop.app.store, &shop.app.clock)
        .await
        .unwrap();
    assert_eq!(sessions(), 1);
    shop.profile(&home).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn scripts_see_that_there_may_be_a_session_and_no_secret() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    for (remember, age) in [(true, true), (false, false)] {
        let login = json!({ "username": ann, "password": DEMO, "remember": remember });
        let answer = shop.post("/api/login", &login).succeeds().await;
        let hint = answer.cookie_line("layby_logged_in");
        assert!(hint.starts_with("layby_logged_in=1;"), "{hint}");
        assert!(!hint.contains("HttpOnly"), "{hint}");
        assert_eq!(hint.contains("Max-Age"), age, "{hint}");
        let session = answer.cookie("layby_session");
        let gone = shop
            .get("/api/logout")
            .header("Cookie", &session)
            .send()
            .await;
        let hint = gone.expect(StatusCode::OK).cookie_line("layby_logged_in");
        assert!(hint.contains("Max-Age=0"), "{hint}");
    }
}

#[tokio::test]
async fn a_program_that_is_no_browser_asks_for_a_token() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let answer = shop
        .post(
            "/api/login",
            &json!({ "username": ann, "password": DEMO, "token": true }),
        )
        .succeeds()
        .await;
    assert!(answer.headers.get("set-cookie").is_none());
    let token = answer.text("/token");
    let read = shop.get("/api/v1/profile").bearer(&token).send().await;
    assert_eq!(read.expect(StatusCode::OK).text("/user_username"), *ann);
}

#[tokio::test]
async fn logging_in_again_ends_the_session_the_browser_had() {
    let shop = Shop::new().await;
    let (ann, first) = shop.customer().await;
    let again = shop
        .post(
            "/api/login",
            &json!({ "username": ann, "password": DEMO, "remember": true }),
        )
        .cookies(&first)
        .succeeds()
        .await
        .cookie("layby_session");
    assert_ne!(first, again);
    shop.profile(&first).await.expect(StatusCode::UNAUTHORIZED);
    shop.profile(&again).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_user_are_answered_alike_after_one_check_each() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let before = shop.app.passwords.verifications();
    let known = try_log_in(&shop, ann, "Wrong-pass-1").await;
    assert_eq!(shop.app.passwords.verifications(), before + 1);
    let unknown = try_log_in(&shop, "nobody@example.org", "Wrong-pass-1").await;
    assert_eq!(shop.app.passwords.verifications(), before + 2);
    assert_eq!(known.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(known.status, unknown.status);
    assert_eq!(known.body, unknown.body);
}

#[tokio::test]
async fn empty_and_endless_passwords_are_refused_without_any_work() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let before = shop.app.passwords.verifications();
    for password in [String::new(), "Aa1!".repeat(2600)] {
        try_log_in(&shop, ann, &password)
            .await
            .expect(StatusCode::UNPROCESSABLE_ENTITY);
    }
    try_log_in(&shop, "", DEMO)
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(shop.app.passwords.verifications(), before);
}

#[tokio::test]
async fn an_old_hash_is_made_anew_when_its_owner_logs_in() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let hash_of = || {
        let tx = snapshot(&shop.app.store);
        let uuid = layby::store::tables::USER_BY_NAME.get(&tx, ann).unwrap();
        let user = layby::store::tables::USERS.get(&tx, &uuid.unwrap());
        user.unwrap().unwrap().password_hash.unwrap()
    };
    let weak = argon2::Argon2::new(
        argon2::Algorithm::Argon2id,
        argon2::Version::V0x13,
        argon2::Params::new(64, 1, 1, None).unwrap(),
    );
    let weak = argon2::PasswordHasher::hash_password(&weak, DEMO.as_bytes()).unwrap();
    let (name, weak) = (ann.clone(), weak.to_string());
    let kept = weak.clone();
    shop.app
        .store
        .write(move |tx| {
            use layby::store::tables::{USER_BY_NAME, USERS};
            let uuid = USER_BY_NAME.get(tx, &name)?.unwrap();
            let mut user = USERS.get(tx, &uuid)?.unwrap();
            user.password_hash = Some(kept.clone());
            USERS.put(tx, &uuid, &user)
        })
        .await
        .unwrap();
    try_log_in(&shop, ann, "Wrong-pass-1").await;
    assert_eq!(hash_of(), weak);
    shop.log_in(ann).await;
    assert!(hash_of().contains("m=19456,t=2,p=1"), "{}", hash_of());
    shop.log_in(ann).await;
}

#[tokio::test]
async fn a_session_of_another_store_is_worth_nothing() {
    let (shop, other) = (Shop::new().await, Shop::new().await);
    let ann = &shop.seed(2, 0).await[0];
    other.seed(2, 0).await;
    let cookie = other.log_in(ann).await;
    shop.profile(&cookie).await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn logging_out_ends_the_session_of_a_token_too() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let token = shop
        .post(
            "/api/login",
            &json!({ "username": ann, "password": DEMO, "token": true }),
        )
        .send()
        .await
        .text("/token");
    shop.get("/api/logout").bearer(&token).succeeds().await;
    shop.get("/api/v1/profile")
        .bearer(&token)
        .answers(StatusCode::UNAUTHORIZED)
        .await;
}
