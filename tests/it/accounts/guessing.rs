//! Guesses of passwords and links are throttled. The owner is not.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::json;

use super::{DEMO, NEW, mailed_aid, reset, try_log_in};
use crate::support::{Answer, Shop};

#[tokio::test]
async fn ten_wrong_log_ins_in_a_row_have_to_wait_and_the_owner_at_home_does_not() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let home = try_log_in(&shop, ann, DEMO).await.expect(StatusCode::OK);
    let device = home.cookie_line("layby_device");
    assert!(
        device.contains("HttpOnly") && device.contains("Path=/api/login"),
        "{device}"
    );
    let device = home.cookie("layby_device");

    let mut refused = 0;
    for _ in 0..10 {
        let answer = try_log_in(&shop, ann, "Wrong-pass-1").await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            refused += 1;
            let wait: u64 = answer.headers["retry-after"]
                .to_str()
                .unwrap()
                .parse()
                .unwrap();
            assert!((1..=900).contains(&wait));
        } else {
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        }
    }
    assert_eq!(refused, 5, "five are free");
    // The right password from an unknown browser is throttled too. Otherwise a guesser could recognise it.
    try_log_in(&shop, ann, DEMO)
        .await
        .expect(StatusCode::TOO_MANY_REQUESTS);
    // A browser that has logged in before is not throttled.
    shop.post(
        "/api/login",
        &json!({ "username": ann, "password": DEMO, "remember": false }),
    )
    .cookies(&device)
    .succeeds()
    .await;
    // Attempts with another user name are throttled too.
    let bob = &shop.seed(2, 0).await[1];
    for _ in 0..5 {
        try_log_in(&shop, bob, "Wrong-pass-1").await;
    }
    shop.post("/api/login", &json!({ "username": bob, "password": DEMO }))
        .cookies(&device)
        .answers(StatusCode::TOO_MANY_REQUESTS)
        .await;
    // The throttle ends by itself.
    shop.clock.advance(TimeDelta::seconds(2));
    try_log_in(&shop, ann, DEMO).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn guessing_the_old_password_has_to_wait() {
    let shop = Shop::new().await;
    let (_, cookie) = shop.customer().await;
    let guess = json!({
        "password": "Wrong-pass-1", "new_password": NEW, "new_password_repeat": NEW,
    });
    let mut statuses = Vec::new();
    for _ in 0..7 {
        let call = shop
            .put("/api/v1/profile/password", &guess)
            .cookies(&cookie);
        statuses.push(call.send().await.status.as_u16());
    }
    assert_eq!(statuses, [422, 422, 422, 422, 422, 429, 429]);
}

#[tokio::test]
async fn the_mailbox_is_a_way_in_that_nobody_elses_guesses_close() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    for _ in 0..6 {
        try_log_in(&shop, ann, "Wrong-pass-1").await;
    }
    try_log_in(&shop, ann, DEMO)
        .await
        .expect(StatusCode::TOO_MANY_REQUESTS);
    let aid = mailed_aid(&shop, ann).await;
    let done = reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
    let device = done.cookie("layby_device");
    for _ in 0..6 {
        try_log_in(&shop, ann, "Wrong-pass-1").await;
    }
    shop.post("/api/login", &json!({ "username": ann, "password": NEW }))
        .cookies(&device)
        .succeeds()
        .await;
}

#[tokio::test]
async fn a_neighbours_guesses_keep_nobody_from_a_link_or_a_known_browser() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let home = try_log_in(&shop, ann, DEMO).await.cookie("layby_device");
    let aid = mailed_aid(&shop, ann).await;
    for number in 0..40 {
        reset(&shop, &format!("guess-{number}"), NEW).await;
        try_log_in(&shop, &format!("u{number}@example.org"), "Wrong-pass-1").await;
    }
    try_log_in(&shop, "u@example.org", DEMO)
        .await
        .expect(StatusCode::TOO_MANY_REQUESTS);
    shop.post("/api/login", &json!({ "username": ann, "password": DEMO }))
        .cookies(&home)
        .succeeds()
        .await;
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
}

/// Sends 100 log-ins at once, each from its own address, while one password is checked at a time.
#[tokio::test]
async fn fifty_log_ins_wait_for_their_turn_and_a_known_browser_comes_first() {
    let settings = "[server]\ntrusted_proxies = [\"0.0.0.0\"]\n[accounts]\nhashing_threads = 1\n";
    let shop = Shop::configured(settings).await;
    let ann = &shop.seed(2, 0).await[0];
    let home = try_log_in(&shop, ann, DEMO).await.cookie("layby_device");
    let before = shop.app.passwords.verifications();
    let strangers = (0..100).map(|number| {
        let (shop, name) = (&shop, format!("u{number}@example.org"));
        async move {
            let login = shop.post(
                "/api/login",
                &json!({ "username": name, "password": "Wrong-pass-1" }),
            );
            let from = format!("10.0.0.{number}");
            let answer = login.header("X-Forwarded-For", &from).send().await;
            let checked = shop.app.passwords.verifications();
            (answer, checked)
        }
    });
    let known = async {
        // The known browser's log-in comes after all of them.
        tokio::task::yield_now().await;
        let login = shop.post("/api/login", &json!({ "username": ann, "password": DEMO }));
        let answer = login.cookies(&home).send().await;
        (answer.status, shop.app.passwords.verifications())
    };
    let (strangers, known) =
        futures_util::future::join(futures_util::future::join_all(strangers), known).await;
    assert_eq!(known.0, StatusCode::OK);
    // A database is slower, so a few more log-ins were checked by then.
    assert!(known.1 - before <= 10, "{} were before", known.1 - before);
    let busy = |(answer, _): &&(Answer, u64)| answer.status == StatusCode::SERVICE_UNAVAILABLE;
    let refused: Vec<_> = strangers.iter().filter(busy).collect();
    // One log-in was being checked, 50 waited, and one of these was evicted. A few may have finished before
    // the last one came.
    assert!(
        (40..=50).contains(&refused.len()),
        "{} were refused",
        refused.len()
    );
    assert!(
        refused
            .iter()
            .all(|(answer, _)| answer.headers["retry-after"] == "2")
    );
    // A log-in that was refused for load does not count as an attempt.
    let again = try_log_in(&shop, "u99@example.org", "Wrong-pass-1").await;
    again.expect(StatusCode::UNPROCESSABLE_ENTITY);
}
