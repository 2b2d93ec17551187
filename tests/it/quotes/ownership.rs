//! Ownership: a visitor's quote belongs to no account until its mailbox confirms it. Knowing an address gives
//! no access.

mod claims;
mod joining;
mod resume;
mod sale;

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Made, Shop, answers_of};

const NEW: &str = "Quite-new-7";

async fn list(shop: &Shop, cookie: &str) -> Vec<String> {
    let answer = shop
        .get("/api/v2/policy/list?limit=100")
        .header("Cookie", cookie)
        .succeeds()
        .await;
    let rows = answer.at("/data").as_array().unwrap();
    rows.iter()
        .map(|row| row["policy_uuid"].as_str().unwrap().to_string())
        .collect()
}

async fn set_password(shop: &Shop, aid: &str) {
    shop.reset_password(aid, NEW).succeeds().await;
}

async fn adopt(shop: &Shop, cookie: &str, quote: &Made) -> Answer {
    adopt_by(shop, cookie, &quote.uuid, &quote.token).await
}

async fn adopt_by(shop: &Shop, cookie: &str, uuid: &str, token: &str) -> Answer {
    shop.post(&format!("/api/v1/quote/{uuid}/adopt"), &json!({}))
        .cookies(cookie)
        .bearer(token)
        .send()
        .await
}

#[tokio::test]
async fn a_new_address_becomes_a_user_who_sets_a_password_and_finds_the_quote() {
    let shop = Shop::new().await;
    let mut product = answers_of("New.Customer@example.org");
    product["values"]["first_name"] = json!("<b>Mallory</b>");
    let quote = shop.quote(&product).await;
    shop.work().await;
    assert!(shop.letters().is_empty(), "several saves are one letter");
    shop.post_comes().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 1);
    let letter = &letters[0];
    assert_eq!(letter.to, "New.Customer@example.org");
    assert!(
        !letter.text.contains("Mallory"),
        "what is typed is not mailed"
    );
    let aid = letter.link("/reset-password?aid=");

    // The linked page shows the typed first name. With a password the quote is in the account.
    let info = shop.password_info(&aid).succeeds().await;
    assert_eq!(info.text("/data/first_name"), "<b>Mallory</b>");
    set_password(&shop, &aid).await;
    let cookie = shop.log_in_with("new.customer@example.org", NEW).await;
    assert_eq!(list(&shop, &cookie).await, [quote.uuid.as_str()]);
    let profile = shop.profile(&cookie).await;
    assert_eq!(profile.text("/last_name"), "O’Neill");
    assert_eq!(profile.text("/postcode_primary"), "LS6 1AB");
}

#[tokio::test]
async fn a_quote_typed_with_a_customers_address_opens_nothing_and_changes_nothing() {
    let shop = Shop::new().await;
    let ann = shop.seed(2, 4).await[0].clone();
    let cookie = shop.log_in(&ann).await;
    let (before, own) = (shop.profile(&cookie).await.body, list(&shop, &cookie).await);
    let made = shop.quote(&answers_of(&ann.to_uppercase())).await;
    shop.post_comes().await;
    // The visitor reads the typed answers, but no user's data.
    let profile = shop
        .get("/api/v1/profile")
        .bearer(&made.token)
        .succeeds()
        .await;
    assert_eq!(profile.text("/last_name"), "O’Neill");
    assert_eq!(profile.at("/user_uuid"), &Value::Null);
    assert_eq!(profile.at("/marketing_contact"), &Value::Null);
    for uuid in &own {
        shop.get(&format!("/api/v2/public/quote/read/{uuid}"))
            .bearer(&made.token)
            .answers(StatusCode::NOT_FOUND)
            .await;
    }
    // The customer's list and profile have not changed.
    assert_eq!(list(&shop, &cookie).await, own);
    let after = shop.profile(&cookie).await;
    assert_eq!(after.body, before);
    // The letter has no password link, because the customer has a password.
    let letter = shop.letters().pop().unwrap();
    assert!(!letter.text.contains("/reset-password"), "{}", letter.text);
    assert!(letter.text.contains("#resume="));
}

#[tokio::test]
async fn an_owner_who_logs_in_adopts_the_quote_of_this_browser() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let quote = shop.quote(&answers_of(&users[0])).await;
    let cookie = shop.log_in(&users[0]).await;
    // The address alone isn't enough: the browser must hold the quote's token.
    shop.post(&format!("/api/v1/quote/{}/adopt", quote.uuid), &json!({}))
        .cookies(&cookie)
        .answers(StatusCode::NOT_FOUND)
        .await;
    adopt_by(&shop, &cookie, &quote.uuid, "nonsense")
        .await
        .expect(StatusCode::NOT_FOUND);
    assert!(list(&shop, &cookie).await.is_empty());
    adopt(&shop, &cookie, &quote).await.expect(StatusCode::OK);
    assert_eq!(list(&shop, &cookie).await, [quote.uuid.as_str()]);
    shop.read(&quote).await.expect(StatusCode::UNAUTHORIZED);
    // A repeated call changes nothing.
    adopt(&shop, &cookie, &quote).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_log_in_without_a_token_adopts_nothing() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let quote = shop.quote(&answers_of(&users[0])).await;
    let answer = shop
        .post(&format!("/api/v1/quote/{}/adopt", quote.uuid), &json!({}))
        .bearer(&quote.token)
        .send()
        .await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "a token alone");
}

#[tokio::test]
async fn a_quote_made_while_logged_in_is_the_users_at_once() {
    let shop = Shop::new().await;
    let (_, cookie) = shop.customer().await;
    let made = shop
        .create(&answers_of("somebody@example.org"))
        .cookies(&cookie)
        .answers(StatusCode::CREATED)
        .await;
    assert_eq!(list(&shop, &cookie).await, [made.text("/data/uuid")]);
    shop.post_comes().await;
    assert!(
        shop.letters().is_empty(),
        "nobody else is given a link to it"
    );
}

#[tokio::test]
async fn a_create_that_comes_again_after_it_was_taken_over_gives_no_token() {
    let shop = Shop::new().await;
    let create = || {
        shop.create(&answers_of("new@example.org"))
            .header("Idempotency-Key", "the-same-key")
    };
    let first = create().answers(StatusCode::CREATED).await;
    let again = create().answers(StatusCode::CREATED).await;
    assert_eq!(first.text("/data/uuid"), again.text("/data/uuid"));
    shop.post_comes().await;
    let aid = shop.letters().pop().unwrap().link("/reset-password?aid=");
    set_password(&shop, &aid).await;
    create().answers(StatusCode::NOT_FOUND).await;
}

#[tokio::test]
async fn a_policy_is_theirs_whose_address_was_sold_whatever_was_typed_since() {
    let shop = Shop::new().await;
    let quote = shop.quote(&answers_of("buyer@example.org")).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let frame = shop.initiate(&quote).await.text("/data/url");
    shop.update(&quote, &answers_of("other@example.org"))
        .succeeds()
        .await;
    shop.pay(&frame, "4242 4242 4242 4242").await;
    shop.post_comes().await;
    shop.payment(&quote).await;
    shop.post_comes().await;
    let letters = shop.letters();
    let to_buyer = letters
        .iter()
        .rev()
        .find(|letter| {
            letter.to == "buyer@example.org" && letter.text.contains("/reset-password?aid=")
        })
        .unwrap();
    set_password(&shop, &to_buyer.link("/reset-password?aid=")).await;
    let cookie = shop.log_in_with("buyer@example.org", NEW).await;
    assert_eq!(list(&shop, &cookie).await, [quote.uuid.as_str()]);
    assert!(
        letters
            .iter()
            .all(|letter| letter.to != "other@example.org"),
        "{letters:?}"
    );
}
