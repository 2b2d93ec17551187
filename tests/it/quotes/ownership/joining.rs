//! A logged-in customer has a token of a quote or policy. The quote or policy joins the account once, and
//! never leaves another account.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::sale::{buy, pay, read_policy};
use super::{NEW, adopt, adopt_by, list, set_password};
use crate::support::{Answer, Made, Shop, answers_of};

async fn read(shop: &Shop, quote: &Made, cookie: &str) -> Answer {
    let path = format!("/api/v2/public/quote/read/{}", quote.uuid);
    let call = shop.get(&path).bearer(&quote.token).cookies(cookie);
    call.send().await
}

/// Resumes the quote with the link in the newest letter. Returns it with the new token.
async fn resumed(shop: &Shop, quote: &Made) -> Made {
    let letter = shop.letters().pop().unwrap();
    let secret = letter.secret_of(&quote.uuid);
    let call = shop.resume(&secret);
    let answer = call.succeeds().await;
    Made {
        uuid: quote.uuid.clone(),
        token: answer.text("/data/consumer_token"),
        body: Value::Null,
    }
}

#[tokio::test]
async fn a_mailed_link_that_is_opened_logged_in_brings_the_quote_into_the_account() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let quote = shop.quote(&answers_of(&users[0])).await;
    shop.post_comes().await;
    let opened = resumed(&shop, &quote).await;
    let (ann, bob) = (shop.log_in(&users[0]).await, shop.log_in(&users[1]).await);
    // An anonymous caller never learns whether the address has an account.
    let anonymous = shop.read(&opened).await;
    assert_eq!(anonymous.text("/data/info/account"), "unclaimed");
    assert_eq!(
        read(&shop, &opened, &bob).await.text("/data/info/account"),
        "claimable"
    );
    assert_eq!(
        read(&shop, &opened, &ann).await.text("/data/info/account"),
        "auto_claimable"
    );
    adopt(&shop, &ann, &opened).await.expect(StatusCode::OK);
    let mine = read(&shop, &opened, &ann).await;
    assert_eq!(mine.text("/data/info/account"), "mine");
    assert_eq!(list(&shop, &ann).await, [quote.uuid.as_str()]);
}

#[tokio::test]
async fn a_customer_who_says_yes_has_the_quote_of_another_address_and_buys_it() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let quote = shop.quote(&answers_of(&users[0])).await;
    let bob = shop.log_in(&users[1]).await;
    adopt(&shop, &bob, &quote).await.expect(StatusCode::OK);
    shop.read(&quote).await.expect(StatusCode::UNAUTHORIZED);
    // The customer chose this account, so a sale doesn't remove it.
    let accept = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
    shop.post(&path, &accept).cookies(&bob).succeeds().await;
    let start = json!({ "uuid": quote.uuid });
    let started = shop.post("/api/v1/gateway/sandbox/initiate", &start);
    let frame = started.cookies(&bob).send().await.text("/data/url");
    shop.pay(&frame, "4242 4242 4242 4242").await;
    shop.work().await;
    assert_eq!(list(&shop, &bob).await, [quote.uuid.as_str()]);
}

#[tokio::test]
async fn a_policy_of_a_new_mailbox_joins_the_account_of_whoever_holds_its_token() {
    let shop = Shop::new().await;
    let bob = shop.seed(2, 0).await[1].clone();
    let policy = buy(&shop, "typo@example.org").await;
    let cookie = shop.log_in(&bob).await;
    let asked = read_policy(&shop, &policy, Some(&cookie)).await;
    assert_eq!(asked.text("/data/info/account"), "claimable");
    assert_eq!(
        asked.text("/data/policy/why_not/cancel"),
        "Add this policy to your account to do this."
    );
    adopt(&shop, &cookie, &policy).await.expect(StatusCode::OK);
    let mine = read_policy(&shop, &policy, Some(&cookie)).await;
    assert_eq!(mine.text("/data/info/account"), "mine");
    assert_eq!(mine.at("/data/policy/can/not_take_up"), true);
    // The mailbox has nothing to claim any more.
    let letter = shop.letters().pop().unwrap();
    set_password(&shop, &letter.link("/reset-password?aid=")).await;
    let typo = shop.log_in_with("typo@example.org", NEW).await;
    assert!(list(&shop, &typo).await.is_empty());
}

#[tokio::test]
async fn a_policy_that_has_an_owner_is_moved_by_no_token() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let policy = buy(&shop, &users[0]).await;
    let (ann, bob) = (shop.log_in(&users[0]).await, shop.log_in(&users[1]).await);
    let seen = read_policy(&shop, &policy, Some(&bob)).await;
    assert_eq!(seen.text("/data/info/account"), "other_account");
    let refused = adopt(&shop, &bob, &policy).await;
    let nowhere = uuid::Uuid::from_u128(5).to_string();
    let missing = adopt_by(&shop, &bob, &nowhere, &policy.token).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    assert_eq!(
        (missing.status, missing.body),
        (refused.status, refused.body)
    );
    assert!(list(&shop, &bob).await.is_empty());
    assert_eq!(list(&shop, &ann).await, [policy.uuid.as_str()]);
    // The attempt revoked nothing, and the token has none of the owner's rights.
    read_policy(&shop, &policy, None)
        .await
        .expect(StatusCode::OK);
    shop.put(&format!("/api/v1/policy/ntu/{}", policy.uuid), &json!({}))
        .bearer(&policy.token)
        .cookies(&bob)
        .answers(StatusCode::UNAUTHORIZED)
        .await;
    // The owner claims the policy in the buyer's browser. The claim revokes the buyer's token.
    for _ in 0..2 {
        adopt(&shop, &ann, &policy).await.expect(StatusCode::OK);
    }
    read_policy(&shop, &policy, None)
        .await
        .expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn of_two_customers_who_take_over_a_policy_at_once_one_has_it() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let policy = buy(&shop, "new@example.org").await;
    let (ann, bob) = (shop.log_in(&users[0]).await, shop.log_in(&users[1]).await);
    let letter = shop.letters().pop().unwrap();
    let aid = letter.link("/reset-password?aid=");
    let (first, second, ()) = tokio::join!(
        adopt(&shop, &ann, &policy),
        adopt(&shop, &bob, &policy),
        set_password(&shop, &aid),
    );
    let new = shop.log_in_with("new@example.org", NEW).await;
    let mut owners = 0;
    for (cookie, answer) in [(&ann, Some(&first)), (&bob, Some(&second)), (&new, None)] {
        let has = list(&shop, cookie).await == [policy.uuid.as_str()];
        owners += usize::from(has);
        if let Some(answer) = answer {
            let expected = if has {
                StatusCode::OK
            } else {
                StatusCode::NOT_FOUND
            };
            assert_eq!(answer.status, expected);
        }
    }
    assert_eq!(owners, 1);
}

#[tokio::test]
async fn a_token_out_of_time_brings_nothing_into_an_account() {
    let shop = Shop::new().await;
    let bob = shop.seed(2, 0).await[1].clone();
    let policy = buy(&shop, "new@example.org").await;
    let quote = shop.quote(&answers_of("other@example.org")).await;
    shop.clock.advance(TimeDelta::days(31));
    let cookie = shop.log_in(&bob).await;
    for made in [&policy, &quote] {
        adopt(&shop, &cookie, made)
            .await
            .expect(StatusCode::NOT_FOUND);
    }
    assert!(list(&shop, &cookie).await.is_empty());
}

#[tokio::test]
async fn a_quote_that_joined_while_it_was_paid_stays_where_it_is() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let quote = shop.quote(&answers_of(&users[0])).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let frame = shop.initiate(&quote).await.text("/data/url");
    let bob = shop.log_in(&users[1]).await;
    adopt(&shop, &bob, &quote).await.expect(StatusCode::OK);
    shop.pay(&frame, "4242 4242 4242 4242").await;
    shop.clock.advance(TimeDelta::minutes(5));
    shop.work().await;
    assert_eq!(list(&shop, &bob).await, [quote.uuid.as_str()]);
    let again = shop.quote(&answers_of(&users[0])).await;
    pay(&shop, &again).await;
    assert_eq!(list(&shop, &bob).await, [quote.uuid.as_str()]);
}

#[tokio::test]
async fn without_its_number_only_the_revision_that_was_read_last_is_agreed_to() {
    let shop = Shop::new().await;
    let (user, ann) = shop.customer().await;
    let quote = shop.quote(&answers_of(&user)).await;
    // A second visitor, through a mailed link, changes the quote after the first one read it.
    shop.post_comes().await;
    let second = resumed(&shop, &quote).await;
    let stale = |answer: Answer| {
        let refused = answer.expect(StatusCode::CONFLICT);
        assert_eq!(refused.text("/code"), "stale_revision");
    };
    stale(shop.accept(&second).await);
    let mut dearer = answers_of(&user);
    dearer["values"]["cover_level"] = json!(4);
    let path = format!("/api/v1/quote/{}", quote.uuid);
    let saved = shop.put(&path, &json!({ "product": dearer }));
    saved.bearer(&second.token).succeeds().await;
    stale(shop.accept(&quote).await);
    shop.accept(&second).await.expect(StatusCode::OK);
    shop.read(&quote).await.expect(StatusCode::OK);
    shop.accept(&quote).await.expect(StatusCode::OK);

    // The account has seen the revisions that its user read. It has also seen the revisions that the
    // visitor read before the quote joined the account.
    adopt(&shop, &ann, &second).await.expect(StatusCode::OK);
    let accept = || {
        let path = format!("/api/v1/quote/update-accept/{}", quote.uuid);
        let body = json!({ "terms_and_conditions": true });
        shop.post(&path, &body).cookies(&ann).send()
    };
    accept().await.expect(StatusCode::OK);
    // The account has also seen a revision that a call with its session and the quote's token read.
    let other = shop.quote(&answers_of(&user)).await;
    let read = shop.get(&format!("/api/v2/public/quote/read/{}", other.uuid));
    read.bearer(&other.token).cookies(&ann).succeeds().await;
    adopt(&shop, &ann, &other).await.expect(StatusCode::OK);
    let path = format!("/api/v1/quote/update-accept/{}", other.uuid);
    let accepted = shop.post(&path, &json!({ "terms_and_conditions": true }));
    accepted.cookies(&ann).succeeds().await;
}
