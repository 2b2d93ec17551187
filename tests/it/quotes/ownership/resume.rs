//! The link of a letter about a quote reopens the quote. The tests also check which mailboxes get the letter.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::Value;

use super::{NEW, list, set_password};
use crate::support::{Answer, Made, Shop, answers_of};

async fn resume(shop: &Shop, secret: &str) -> Answer {
    shop.resume(secret).send().await
}

#[tokio::test]
async fn a_kept_token_and_a_forwarded_link_end_when_the_quote_is_taken_over() {
    let shop = Shop::new().await;
    let quote = shop.quote(&answers_of("new@example.org")).await;
    shop.post_comes().await;
    let letter = shop.letters().pop().unwrap();
    let secret = letter.secret_of(&quote.uuid);
    let resumed = resume(&shop, &secret).await.expect(StatusCode::OK);
    assert_eq!(resumed.text("/data/uuid"), quote.uuid);
    let second = Made {
        uuid: quote.uuid.clone(),
        token: resumed.text("/data/consumer_token"),
        body: Value::Null,
    };
    shop.read(&quote).await.expect(StatusCode::OK);
    shop.read(&second).await.expect(StatusCode::OK);
    // A resume link gives access to this quote, and never logs in.
    shop.get("/api/v2/policy/list")
        .bearer(&second.token)
        .answers(StatusCode::UNAUTHORIZED)
        .await;

    set_password(&shop, &letter.link("/reset-password?aid=")).await;
    shop.read(&quote).await.expect(StatusCode::UNAUTHORIZED);
    shop.read(&second).await.expect(StatusCode::UNAUTHORIZED);
    resume(&shop, &secret).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_address_gets_three_letters_about_quotes_a_day() {
    let shop = Shop::new().await;
    for _ in 0..2 {
        shop.quote(&answers_of("new@example.org")).await;
    }
    shop.post_comes().await;
    assert_eq!(shop.letters().len(), 1, "two at once are one letter");
    for _ in 0..4 {
        shop.quote(&answers_of("new@example.org")).await;
        shop.post_comes().await;
    }
    assert_eq!(shop.letters().len(), 3);
    shop.clock.advance(TimeDelta::hours(24));
    shop.quote(&answers_of("new@example.org")).await;
    shop.post_comes().await;
    assert_eq!(shop.letters().len(), 4);
}

#[tokio::test]
async fn a_saved_quote_is_mailed_again_only_when_its_address_is_another() {
    let shop = Shop::new().await;
    let quote = shop.quote(&answers_of("one@example.org")).await;
    shop.post_comes().await;
    let update = |product: Value| {
        let call = shop.update(&quote, &product);
        async move { call.succeeds().await }
    };
    update(answers_of("one@example.org")).await;
    shop.post_comes().await;
    assert_eq!(shop.letters().len(), 1);
    update(answers_of("two@example.org")).await;
    shop.post_comes().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 2);
    // The first mailbox has nothing to claim any more.
    set_password(&shop, &letters[0].link("/reset-password?aid=")).await;
    let cookie = shop.log_in_with("one@example.org", NEW).await;
    assert!(list(&shop, &cookie).await.is_empty());
    set_password(&shop, &letters[1].link("/reset-password?aid=")).await;
    let cookie = shop.log_in_with("two@example.org", NEW).await;
    assert_eq!(list(&shop, &cookie).await, [quote.uuid.as_str()]);
}

#[tokio::test]
async fn resume_links_that_do_not_count_open_nothing() {
    let shop = Shop::new().await;
    let quote = shop.quote(&answers_of("new@example.org")).await;
    shop.post_comes().await;
    let secret = shop.letters().pop().unwrap().secret_of(&quote.uuid);
    let other = shop.quote(&answers_of("other@example.org")).await;
    let simple = |uuid: &str| uuid.replace('-', "");
    let swapped = secret.replace(&simple(&quote.uuid), &simple(&other.uuid));
    assert_ne!(swapped, secret);
    // A consumer token is no resume link either.
    for wrong in [swapped.as_str(), "", "x", "x.y", &quote.token] {
        resume(&shop, wrong).await.expect(StatusCode::NOT_FOUND);
    }
    // The link works until the end of the thirtieth day.
    shop.clock.set("2026-12-21T23:59:59Z".parse().unwrap());
    resume(&shop, &secret).await.expect(StatusCode::OK);
    shop.clock.set("2026-12-22T00:00:00Z".parse().unwrap());
    resume(&shop, &secret).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_corrected_address_takes_the_key_from_the_wrong_mailbox() {
    let shop = Shop::new().await;
    let quote = shop.quote(&answers_of("wrong@example.org")).await;
    shop.post_comes().await;
    let secret = shop.letters().pop().unwrap().secret_of(&quote.uuid);
    let stranger = resume(&shop, &secret).await.expect(StatusCode::OK);
    let stranger = Made {
        uuid: quote.uuid.clone(),
        token: stranger.text("/data/consumer_token"),
        body: Value::Null,
    };
    shop.update(&quote, &answers_of("right@example.org"))
        .succeeds()
        .await;
    resume(&shop, &secret).await.expect(StatusCode::NOT_FOUND);
    shop.read(&stranger).await.expect(StatusCode::UNAUTHORIZED);
    shop.read(&quote).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_letter_goes_to_nobody_but_the_mailbox_it_was_meant_for() {
    let shop = Shop::new().await;
    let quote = shop.quote(&answers_of("victim@example.org")).await;
    // The address is changed just before the letter is sent.
    shop.clock.advance(TimeDelta::seconds(31));
    shop.update(&quote, &answers_of("thief@example.org"))
        .succeeds()
        .await;
    shop.work().await;
    assert!(shop.letters().is_empty(), "{:?}", shop.letters());
    shop.post_comes().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].to, "thief@example.org");
}
