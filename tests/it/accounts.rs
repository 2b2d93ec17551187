//! Accounts: logging in, resetting and changing the password, changing details.

mod audit;
mod details;
mod guessing;
mod log_in;
mod mail_address;
mod password_reset;
mod sessions;

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Letter, Shop};

const DEMO: &str = "Layby-demo-2026";
const NEW: &str = "Quite-new-7";

async fn try_log_in(shop: &Shop, username: &str, password: &str) -> Answer {
    shop.post(
        "/api/login",
        &json!({ "username": username, "password": password, "remember": false }),
    )
    .send()
    .await
}

async fn forget(shop: &Shop, username: &str) -> Answer {
    shop.post(
        "/api/v1/retrieve-password-request",
        &json!({ "username": username }),
    )
    .send()
    .await
}

async fn reset(shop: &Shop, aid: &str, password: &str) -> Answer {
    shop.reset_password(aid, password).send().await
}

/// Requests a password link, and reads its `aid` from the newest letter.
async fn mailed_aid(shop: &Shop, username: &str) -> String {
    forget(shop, username).await.expect(StatusCode::OK);
    shop.work().await;
    let letters = shop.letters();
    let is_theirs =
        |letter: &&Letter| letter.to == username && letter.text.contains("/reset-password?aid=");
    let newest = letters.iter().rev().find(is_theirs);
    newest.unwrap().link("/reset-password?aid=")
}

async fn edit(shop: &Shop, cookie: &str, change: &Value) -> Answer {
    shop.put("/api/v1/profile", change)
        .cookies(cookie)
        .send()
        .await
}
