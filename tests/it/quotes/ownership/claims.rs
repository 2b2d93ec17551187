//! The quotes and policies that a mailbox gets when its owner confirms it, however often others have typed
//! it.

use layby::store::{WriteTx, tables};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use super::{NEW, list, set_password};
use crate::support::{Answer, Made, Shop, answers_of};

const MAILBOX: &str = "new@example.org";

/// Buys a quote of this mailbox as a visitor.
async fn buys(shop: &Shop) -> Made {
    let quote = shop.quote(&answers_of(MAILBOX)).await;
    shop.buy(&quote, "4242 4242 4242 4242").await;
    shop.payment(&quote).await.expect(StatusCode::OK);
    quote
}

/// Sets a password by the newest letter with a link for it, and logs in.
async fn confirms(shop: &Shop) -> String {
    shop.post_comes().await;
    let letters = shop.letters();
    let mut newest = letters.iter().rev();
    let letter = newest.find(|letter| letter.text.contains("/reset-password?aid="));
    set_password(shop, &letter.unwrap().link("/reset-password?aid=")).await;
    shop.work().await;
    shop.log_in_with(MAILBOX, NEW).await
}

async fn profile_name(shop: &Shop, cookie: &str) -> serde_json::Value {
    let profile = shop.profile(cookie).await;
    profile.expect(StatusCode::OK).body["last_name"].clone()
}

/// Returns the quotes that the logged-in user may claim.
async fn waiting(shop: &Shop, cookie: &str) -> Vec<String> {
    let asked = shop.get("/api/v1/quote/waiting").cookies(cookie).send();
    let asked = asked.await.expect(StatusCode::OK);
    let rows = asked.at("/data").as_array().unwrap().clone();
    let uuid = |row: &serde_json::Value| row["policy_uuid"].as_str().unwrap().to_string();
    rows.iter().map(uuid).collect()
}

async fn says_are_theirs(shop: &Shop, cookie: &str, quotes: &[String]) -> Answer {
    let body = json!({ "quotes": quotes });
    let call = shop.post("/api/v1/quote/waiting", &body);
    call.cookies(cookie).send().await
}

#[tokio::test]
async fn a_mailbox_claims_of_its_twenty_newest_quotes_and_has_every_policy_that_was_sold_to_it() {
    let shop = Shop::configured("[limits]\nsaves_per_minute = 0\n").await;
    let bought = buys(&shop).await;
    let mut planted = Vec::new();
    for _ in 0..150 {
        shop.clock.advance(chrono::TimeDelta::seconds(1));
        planted.push(shop.quote(&answers_of(MAILBOX)).await);
    }
    let cookie = confirms(&shop).await;
    assert_eq!(list(&shop, &cookie).await, [bought.uuid.as_str()]);
    let newest: Vec<_> = planted[130..]
        .iter()
        .rev()
        .map(|made| made.uuid.clone())
        .collect();
    assert_eq!(waiting(&shop, &cookie).await, newest);

    // Neither an unlisted quote nor another owner's can be claimed.
    for wrong in [&planted[129].uuid, &bought.uuid] {
        let refused = says_are_theirs(&shop, &cookie, std::slice::from_ref(wrong)).await;
        refused.expect(StatusCode::NOT_FOUND);
    }
    let nobody = shop.post("/api/v1/quote/waiting", &json!({ "quotes": [] }));
    nobody.answers(StatusCode::UNAUTHORIZED).await;
    let nobody = shop
        .get("/api/v1/quote/waiting")
        .bearer(&planted[140].token);
    nobody.answers(StatusCode::UNAUTHORIZED).await;

    let theirs = &newest[3..5];
    let left = says_are_theirs(&shop, &cookie, theirs).await;
    left.expect(StatusCode::OK);
    shop.work().await;
    let mut has = theirs.to_vec();
    has.push(bought.uuid);
    assert_eq!(list(&shop, &cookie).await, has);
    assert!(
        waiting(&shop, &cookie).await.is_empty(),
        "nobody is asked again"
    );
    // Other quotes stay with the visitor who made them.
    shop.read(&planted[0]).await.expect(StatusCode::OK);
    shop.read(&planted[149]).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn policies_that_were_sold_to_a_mailbox_are_taken_over_however_many_they_are() {
    let shop = Shop::new().await;
    let bought: Uuid = buys(&shop).await.uuid.parse().unwrap();
    let again = move |tx: &mut WriteTx<'_>| {
        let quote = tables::QUOTES.get(tx, &bought)?.unwrap();
        let policy = tables::POLICIES.get(tx, &bought)?.unwrap();
        for number in 1..=250_u128 {
            let uuid = Uuid::from_u128(bought.as_u128() + number);
            let (mut quote, mut policy) = (quote.clone(), policy.clone());
            (quote.uuid, policy.uuid) = (uuid, uuid);
            tables::QUOTES.put(tx, &uuid, &quote)?;
            tables::POLICIES.put(tx, &uuid, &policy)?;
        }
        Ok::<_, layby::store::StoreError>(())
    };
    shop.app.store.write(again).await.unwrap();
    let cookie = confirms(&shop).await;
    let all = shop
        .get("/api/v2/policy/list")
        .cookies(&cookie)
        .send()
        .await;
    assert_eq!(all.at("/total"), 251);
}

#[tokio::test]
async fn what_names_one_person_joins_and_of_different_people_the_owner_says_who_they_are() {
    let shop = Shop::new().await;
    let own = shop.quote(&answers_of(MAILBOX)).await;
    shop.post_comes().await;
    let aid = shop.letters()[0].link("/reset-password?aid=");
    let shown = shop.password_info(&aid).send().await;
    let typed = &answers_of(MAILBOX)["values"]["last_name"];
    assert_eq!(shown.at("/data/last_name"), typed);
    let cookie = confirms(&shop).await;
    assert_eq!(&profile_name(&shop, &cookie).await, typed);
    assert_eq!(list(&shop, &cookie).await, [own.uuid.as_str()]);
    assert!(waiting(&shop, &cookie).await.is_empty());

    let shop = Shop::new().await;
    let own = shop.quote(&answers_of(MAILBOX)).await;
    let mut product = answers_of(MAILBOX);
    product["values"]["last_name"] = json!("Mallory");
    shop.clock.advance(chrono::TimeDelta::seconds(1));
    let planted = shop.quote(&product).await;
    shop.post_comes().await;
    let aid = shop.letters()[0].link("/reset-password?aid=");
    let shown = shop.password_info(&aid).send().await;
    assert_eq!(
        shown.body["data"]["last_name"].as_str().unwrap_or_default(),
        ""
    );
    let cookie = confirms(&shop).await;
    let name = profile_name(&shop, &cookie).await;
    assert_eq!(name.as_str().unwrap_or_default(), "");
    assert!(list(&shop, &cookie).await.is_empty());
    assert_eq!(
        waiting(&shop, &cookie).await,
        [planted.uuid, own.uuid.clone()]
    );
    let chosen = says_are_theirs(&shop, &cookie, std::slice::from_ref(&own.uuid)).await;
    assert_eq!(chosen.expect(StatusCode::OK).at("/data"), &json!([]));
    assert_eq!(list(&shop, &cookie).await, [own.uuid]);
}

#[tokio::test]
async fn a_customers_new_mailbox_brings_no_strangers_quotes() {
    let shop = Shop::new().await;
    let (ann, cookie) = shop.customer().await;
    let before = list(&shop, &cookie).await;
    let planted = shop.quote(&answers_of(&ann)).await;
    let forgotten = json!({ "username": ann });
    let call = shop.post("/api/v1/retrieve-password-request", &forgotten);
    call.succeeds().await;
    shop.work().await;
    let letters = shop.letters();
    set_password(&shop, &letters[0].link("/reset-password?aid=")).await;
    let cookie = shop.log_in_with(&ann, NEW).await;
    assert_eq!(list(&shop, &cookie).await, before);
    assert_eq!(waiting(&shop, &cookie).await, [planted.uuid]);
}
