//! A sold policy joins the account of its mailbox: at once for a customer, otherwise with the first password.
//! The sale itself revokes no token.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{NEW, adopt, list, set_password};
use crate::support::{Answer, Letter, Made, Shop, answers_of};

const CARD: &str = "4242 4242 4242 4242";

pub async fn pay(shop: &Shop, quote: &Made) {
    shop.buy(quote, CARD).await;
    shop.payment(quote).await;
}

/// Buys cover as an anonymous visitor with this address.
pub async fn buy(shop: &Shop, address: &str) -> Made {
    let quote = shop.quote(&answers_of(address)).await;
    pay(shop, &quote).await;
    shop.work().await;
    quote
}

pub async fn read_policy(shop: &Shop, policy: &Made, cookie: Option<&str>) -> Answer {
    let path = format!("/api/v2/policy/read/{}", policy.uuid);
    let call = shop.get(&path).bearer(&policy.token);
    match cookie {
        Some(cookie) => call.cookies(cookie).send().await,
        None => call.send().await,
    }
}

async fn documents(shop: &Shop, policy: &Made) -> Answer {
    let path = format!("/api/v1/policy/{}/documents", policy.uuid);
    shop.get(&path).bearer(&policy.token).send().await
}

/// Returns the letter of the purchase, and its text in one line.
fn purchase(shop: &Shop) -> (Letter, String) {
    let letters = shop.letters();
    let about = |letter: &&Letter| letter.text.contains("your policy is set up");
    let mut found = letters.iter().filter(about);
    let letter = found.next().expect("no letter of a purchase").clone();
    assert!(found.next().is_none(), "{letters:?}");
    let words: Vec<_> = letter.text.split_whitespace().collect();
    let said = words.join(" ");
    (letter, said)
}

/// Returns the letter's code in the form that the website sends.
fn code(policy: &Made, letter: &Letter) -> String {
    let line = letter
        .text
        .lines()
        .find_map(|line| line.strip_prefix("Code for the page where you paid: "));
    format!("{}.{}", policy.uuid, line.unwrap().replace('-', ""))
}

async fn by_code(shop: &Shop, secret: &str) -> StatusCode {
    shop.reset_password(secret, NEW).send().await.status
}

#[tokio::test]
async fn a_sale_to_a_customers_mailbox_is_in_the_account_whoever_typed_it() {
    let shop = Shop::new().await;
    let ann = shop.seed(2, 0).await[0].clone();
    let policy = buy(&shop, &ann.to_uppercase()).await;
    let cookie = shop.log_in(&ann).await;
    assert_eq!(list(&shop, &cookie).await, [policy.uuid.as_str()]);
    let mine = shop
        .get(&format!("/api/v2/policy/{}", policy.uuid))
        .cookies(&cookie)
        .succeeds()
        .await;
    assert_eq!(mine.text("/data/info/account"), "mine");
    assert_eq!(mine.at("/data/policy/can/not_take_up"), true);

    // The buyer's page works for a day, and shows that the policy is in another account.
    let theirs = read_policy(&shop, &policy, None).await;
    assert_eq!(theirs.text("/data/info/account"), "other_account");
    assert_eq!(theirs.at("/data/policy/can/cancel"), false);
    documents(&shop, &policy).await.expect(StatusCode::OK);
    shop.payment(&policy).await.expect(StatusCode::OK);

    // The letter names the account, and has no password link because there is a password.
    let (letter, said) = purchase(&shop);
    assert_eq!(letter.to.to_lowercase(), ann);
    assert!(said.contains("It is in your account. Log in with this email address"));
    assert!(!said.contains("/reset-password"), "{said}");

    shop.clock.advance(TimeDelta::hours(25));
    read_policy(&shop, &policy, None)
        .await
        .expect(StatusCode::UNAUTHORIZED);
    documents(&shop, &policy).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn what_the_owner_changes_is_not_the_buyers_to_read() {
    let shop = Shop::new().await;
    let ann = shop.seed(2, 0).await[0].clone();
    let policy = buy(&shop, &ann).await;
    let cookie = shop.log_in(&ann).await;
    let change = json!({ "product": { "values": { "tel_primary": "0113 496 0999" } } });
    let path = format!("/api/v1/policy/{}/price-keep", policy.uuid);
    let kept = shop.post(&path, &change).cookies(&cookie).send().await;
    assert_eq!(kept.at("/data/success"), 1);
    read_policy(&shop, &policy, None)
        .await
        .expect(StatusCode::UNAUTHORIZED);
    documents(&shop, &policy)
        .await
        .expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_mailbox_that_is_confirmed_while_its_quote_is_paid_has_the_policy() {
    let shop = Shop::new().await;
    let quote = shop.quote(&answers_of("new@example.org")).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let frame = shop.initiate(&quote).await.text("/data/url");
    shop.post_comes().await;
    let aid = shop.letters().pop().unwrap().link("/reset-password?aid=");
    set_password(&shop, &aid).await;
    let cookie = shop.log_in_with("new@example.org", NEW).await;
    shop.pay(&frame, CARD).await.assert_status_is_ok();
    shop.work().await;
    shop.clock.advance(TimeDelta::minutes(5));
    shop.work().await;
    let read = shop
        .get(&format!("/api/v2/policy/{}", quote.uuid))
        .cookies(&cookie)
        .succeeds()
        .await;
    assert_eq!(read.text("/data/info/account"), "mine");
    let (letter, said) = purchase(&shop);
    assert_eq!(letter.to, "new@example.org");
    assert!(said.contains("It is in your account."), "{said}");
}

#[tokio::test]
async fn a_new_mailbox_sets_its_password_by_the_letter_of_the_purchase() {
    let shop = Shop::new().await;
    let policy = buy(&shop, "new@example.org").await;
    let waits = read_policy(&shop, &policy, None).await;
    assert_eq!(waits.text("/data/info/account"), "unclaimed");
    let (letter, said) = purchase(&shop);
    assert!(said.contains("It is not in an account yet. Set a password"));
    assert!(!said.contains("It is in your account"), "{said}");
    letter.link(&format!("/policy/view/{}", policy.uuid));
    let aid = letter.link("/reset-password?aid=");
    let info = shop.password_info(&aid).succeeds().await;
    assert_eq!(info.at("/data/new_user"), true);
    set_password(&shop, &aid).await;
    let cookie = shop.log_in_with("new@example.org", NEW).await;
    assert_eq!(list(&shop, &cookie).await, [policy.uuid.as_str()]);
    // The mailbox's user has claimed the policy. The claim revokes the buyer's token, the code and the link.
    read_policy(&shop, &policy, None)
        .await
        .expect(StatusCode::UNAUTHORIZED);
    let spent = by_code(&shop, &code(&policy, &letter)).await;
    assert_eq!(spent, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_letter_of_a_purchase_has_its_link_however_many_letters_came_before() {
    let shop = Shop::new().await;
    for _ in 0..4 {
        shop.quote(&answers_of("new@example.org")).await;
        shop.post_comes().await;
    }
    assert_eq!(shop.letters().len(), 3);
    let policy = buy(&shop, "new@example.org").await;
    assert_eq!(shop.letters().len(), 4, "one letter of the purchase");
    let (letter, _) = purchase(&shop);
    set_password(&shop, &letter.link("/reset-password?aid=")).await;
    let cookie = shop.log_in_with("new@example.org", NEW).await;
    assert!(list(&shop, &cookie).await.contains(&policy.uuid));
}

#[tokio::test]
async fn the_code_of_the_letter_sets_the_password_where_it_was_paid() {
    let shop = Shop::new().await;
    let policy = buy(&shop, "new@example.org").await;
    let (letter, _) = purchase(&shop);
    let secret = code(&policy, &letter);
    // The code reveals no personal data, and works for this policy only.
    shop.password_info(&secret)
        .answers(StatusCode::NOT_FOUND)
        .await;
    let elsewhere = format!("{}.{}", uuid::Uuid::from_u128(5), &secret[37..]);
    let wrong = by_code(&shop, &elsewhere).await;
    assert_eq!(wrong, StatusCode::NOT_FOUND);
    assert_eq!(by_code(&shop, &secret).await, StatusCode::OK);
    let cookie = shop.log_in_with("new@example.org", NEW).await;
    assert_eq!(list(&shop, &cookie).await, [policy.uuid.as_str()]);
    assert_eq!(by_code(&shop, &secret).await, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_buyer_can_t_guess_the_code_of_a_mailbox_that_isn_t_theirs() {
    let shop = Shop::new().await;
    let policy = buy(&shop, "victim@example.org").await;
    let (letter, _) = purchase(&shop);
    let guess = format!("{}.AAAAAAAA", policy.uuid);
    for _ in 0..5 {
        assert_eq!(by_code(&shop, &guess).await, StatusCode::NOT_FOUND);
    }
    assert_eq!(by_code(&shop, &guess).await, StatusCode::TOO_MANY_REQUESTS);
    // The owner's link does not count with the guesses.
    set_password(&shop, &letter.link("/reset-password?aid=")).await;
    shop.log_in_with("victim@example.org", NEW).await;
}

#[tokio::test]
async fn a_password_of_a_new_mailbox_takes_the_link_or_the_code_of_seven_days() {
    let shop = Shop::new().await;
    let policy = buy(&shop, "new@example.org").await;
    let (letter, _) = purchase(&shop);
    shop.clock.advance(TimeDelta::days(7));
    let late = by_code(&shop, &code(&policy, &letter)).await;
    assert_eq!(late, StatusCode::NOT_FOUND);
    let aid = letter.link("/reset-password?aid=");
    shop.password_info(&aid)
        .answers(StatusCode::NOT_FOUND)
        .await;
    // The customer asks for another link on the page that the letter names.
    let asked = json!({ "username": "new@example.org" });
    shop.post("/api/v1/retrieve-password-request", &asked)
        .succeeds()
        .await;
    shop.work().await;
    let letter = shop.letters().pop().unwrap();
    set_password(&shop, &letter.link("/reset-password?aid=")).await;
    let cookie = shop.log_in_with("new@example.org", NEW).await;
    assert_eq!(list(&shop, &cookie).await, [policy.uuid.as_str()]);
}

#[tokio::test]
async fn a_sale_follows_the_address_that_a_customer_has_confirmed() {
    let shop = Shop::new().await;
    let (ann, cookie) = shop.customer().await;
    let change = json!({ "email_primary": "ann.new@example.org" });
    let asked = shop.put("/api/v1/profile", &change).cookies(&cookie);
    asked.succeeds().await;
    // Requested, but not confirmed.
    let early = buy(&shop, "ann.new@example.org").await;
    assert!(list(&shop, &cookie).await.is_empty());
    let letters = shop.letters();
    let confirm = letters
        .iter()
        .find(|letter| letter.subject.starts_with("Confirm"));
    let secret = confirm.unwrap().link("/confirm-email#");
    shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
        .cookies(&cookie)
        .succeeds()
        .await;
    assert_eq!(list(&shop, &cookie).await, [early.uuid.as_str()]);
    let late = buy(&shop, "ann.new@example.org").await;
    buy(&shop, &ann).await;
    let mut mine = list(&shop, &cookie).await;
    mine.sort();
    // Ids of the same millisecond are in no fixed order.
    let mut bought = [early.uuid, late.uuid];
    bought.sort();
    assert_eq!(mine, bought, "the old address is nobody's");
}

#[tokio::test]
async fn what_a_customer_made_while_logged_in_stays_with_them_when_it_is_sold() {
    let shop = Shop::new().await;
    let (users, [ann, bob]) = shop.customers().await;
    let made = shop
        .create(&answers_of(&users[1]))
        .cookies(&ann)
        .answers(StatusCode::CREATED)
        .await;
    let quote = Made {
        uuid: made.text("/data/uuid"),
        token: made.text("/data/consumer_token"),
        body: Value::Null,
    };
    let accept = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
    shop.post(&path, &accept).cookies(&ann).succeeds().await;
    let start = json!({ "uuid": quote.uuid });
    let started = shop.post("/api/v1/gateway/sandbox/initiate", &start);
    let frame = started.cookies(&ann).send().await.text("/data/url");
    shop.pay(&frame, CARD).await.assert_status_is_ok();
    let path = format!("/api/v1/payment/{}", quote.uuid);
    let paid = shop.get(&path).cookies(&ann).send().await;
    assert_eq!(paid.text("/data/status"), "paid");
    shop.work().await;
    assert_eq!(list(&shop, &ann).await, [quote.uuid.as_str()]);
    assert!(list(&shop, &bob).await.is_empty());
    let (letter, _) = purchase(&shop);
    assert_eq!(letter.to, users[0]);
    // The policy's token gives no access after the log-out, and gives no access to another customer.
    read_policy(&shop, &quote, None)
        .await
        .expect(StatusCode::UNAUTHORIZED);
    adopt(&shop, &bob, &quote)
        .await
        .expect(StatusCode::NOT_FOUND);
}
