//! The account log: each log-in and each change has a line with the user's id.

use layby::config::LogFormat;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{DEMO, NEW, edit, mailed_aid, reset, try_log_in};
use crate::support::Shop;
use crate::support::log::{Lines, recorded};

/// Returns the log lines about accounts: the message and the user's id.
fn said(lines: &Lines) -> Vec<(String, Option<String>)> {
    let text = lines.text();
    let lines = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let user = line["user"].as_str().map(str::to_string);
        (line["message"].as_str().unwrap().to_string(), user)
    });
    lines
        .filter(|(message, user)| user.is_some() || message.starts_with("a log-in"))
        .collect()
}

#[tokio::test]
async fn each_log_in_and_each_change_of_an_account_has_a_line_with_the_users_id() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let (lines, _guard) = recorded(LogFormat::Json);
    try_log_in(&shop, ann, "Wrong-pass-1")
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    try_log_in(&shop, "nobody@example.org", "Wrong-pass-1")
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    let cookie = shop.log_in(ann).await;
    let user = shop.profile(&cookie).await.text("/user_uuid");
    edit(
        &shop,
        &cookie,
        &json!({ "email_primary": "ann.new@example.org" }),
    )
    .await
    .expect(StatusCode::OK);
    shop.work().await;
    let letters = shop.letters();
    let new = letters
        .iter()
        .find(|letter| letter.to == "ann.new@example.org");
    let secret = new.unwrap().link("/confirm-email#");
    shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
        .cookies(&cookie)
        .succeeds()
        .await;
    let change = |old: &str| {
        let body = json!({
            "password": old, "new_password": NEW, "new_password_repeat": NEW,
        });
        let call = shop.put("/api/v1/profile/password", &body);
        call.cookies(&cookie).send()
    };
    change("Wrong-pass-1")
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    change(DEMO).await.expect(StatusCode::OK);
    let aid = mailed_aid(&shop, "ann.new@example.org").await;
    reset(&shop, &aid, DEMO).await.expect(StatusCode::OK);
    let cookie = shop.log_in("ann.new@example.org").await;
    shop.log_out(&cookie).await;

    let own = |message: &str| (message.to_string(), Some(user.clone()));
    let wrong = "a log-in was refused: its name or password is not right";
    assert_eq!(
        said(&lines),
        [
            own(wrong),
            (wrong.to_string(), None),
            own("logged in"),
            own("a change of the mail address was requested"),
            own("the mail address was changed"),
            own("a password change was refused: the current password is wrong"),
            own("the password was set, and every session ended"),
            own("the password was set, and every session ended"),
            own("logged in"),
            own("logged out"),
        ]
    );
    let text = lines.text();
    for secret in [
        ann.as_str(),
        "ann.new",
        "nobody@",
        DEMO,
        NEW,
        "Wrong-pass",
        &aid,
    ] {
        assert!(!text.contains(secret), "{secret} is in the log");
    }
}

#[tokio::test]
async fn a_log_in_that_has_to_wait_is_logged_and_so_is_what_others_forged() {
    let shop = Shop::new().await;
    let [ann, bob] = &shop.seed(2, 0).await[..] else {
        panic!("two customers");
    };
    let (lines, _guard) = recorded(LogFormat::Json);
    let mut tried = try_log_in(&shop, ann, "Wrong-pass-1").await;
    for _ in 0..10 {
        tried = try_log_in(&shop, ann, "Wrong-pass-1").await;
    }
    tried.expect(StatusCode::TOO_MANY_REQUESTS);
    let waits = said(&lines).pop().unwrap();
    assert_eq!(waits.0, "a log-in was throttled");
    assert_eq!(waits.1.unwrap().len(), 36);

    let forged = shop.post("/api/v1/gateway/sandbox/callback", &json!({}));
    let forged = forged.header("X-Sandbox-Signature", "t=1,v1=00");
    forged.answers(StatusCode::BAD_REQUEST).await;
    let cookie = shop.log_in_with(bob, DEMO).await;
    let logout = shop.get("/api/logout").cookies(&cookie);
    logout
        .header("Sec-Fetch-Site", "cross-site")
        .answers(StatusCode::FORBIDDEN)
        .await;
    let text = lines.text();
    for line in [
        "a callback was refused",
        "refused a request from another site's page",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}
