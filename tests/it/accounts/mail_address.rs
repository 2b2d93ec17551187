//! A customer changes the mail address of the account.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{DEMO, NEW, edit, mailed_aid, reset, try_log_in};
use crate::support::{Letter, Shop, two_vehicles_with};

#[tokio::test]
async fn a_new_mail_address_counts_once_its_mailbox_confirms_and_the_old_one_is_told() {
    let shop = Shop::new().await;
    let (ann, cookie) = shop.customer().await;
    let pending = edit(
        &shop,
        &cookie,
        &json!({ "email_primary": "ann.new@example.org" }),
    )
    .await
    .expect(StatusCode::OK);
    assert_eq!(pending.text("/email_primary"), *ann);
    assert_eq!(pending.text("/email_pending"), "ann.new@example.org");
    shop.work().await;
    let letters = shop.letters();
    let asked = |letter: &Letter| letter.to == *ann && letter.subject.contains("new email");
    assert!(letters.iter().any(asked));
    let new = letters
        .iter()
        .find(|letter| letter.to == "ann.new@example.org")
        .unwrap();
    let secret = new.link("/confirm-email#");
    let old_reset = mailed_aid(&shop, &ann).await;

    let confirm = || {
        shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
            .cookies(&cookie)
    };
    // The link alone is not enough: another person may have opened it.
    shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
        .answers(StatusCode::UNAUTHORIZED)
        .await;
    // A confirmation link sets no password, and a password link confirms no address.
    reset(&shop, &secret, NEW)
        .await
        .expect(StatusCode::NOT_FOUND);
    shop.post("/api/v1/profile/email", &json!({ "secret": old_reset }))
        .cookies(&cookie)
        .answers(StatusCode::NOT_FOUND)
        .await;
    confirm().succeeds().await;
    confirm().answers(StatusCode::NOT_FOUND).await;
    let read = shop.profile(&cookie).await;
    assert_eq!(read.text("/email_primary"), "ann.new@example.org");
    assert_eq!(read.at("/email_pending"), &Value::Null);
    try_log_in(&shop, "Ann.New@example.org", DEMO)
        .await
        .expect(StatusCode::OK);
    try_log_in(&shop, &ann, DEMO)
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    // Links in the old mailbox are invalid now.
    reset(&shop, &old_reset, NEW)
        .await
        .expect(StatusCode::NOT_FOUND);
    shop.work().await;
    let told = |letter: &Letter| letter.to == *ann && letter.subject.contains("was changed");
    assert!(shop.letters().iter().any(told));
}

#[tokio::test]
async fn somebody_elses_address_is_not_taken_and_the_asker_learns_nothing() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let cookie = shop.log_in(&users[0]).await;
    let asked = edit(&shop, &cookie, &json!({ "email_primary": users[1] }))
        .await
        .expect(StatusCode::OK);
    assert_eq!(asked.text("/email_pending"), users[1]);
    shop.work().await;
    let letter = shop
        .letters()
        .into_iter()
        .find(|letter| letter.to == users[1])
        .unwrap();
    assert!(!letter.text.contains("/confirm-email#"));
    // Sending the present address withdraws the change.
    let back = edit(&shop, &cookie, &json!({ "email_primary": users[0] })).await;
    assert_eq!(back.at("/email_pending"), &Value::Null);
    for wrong in ["", "nonsense", "a@b"] {
        let answer = edit(&shop, &cookie, &json!({ "email_primary": wrong })).await;
        assert_eq!(answer.fields(), ["email_primary"], "{wrong}");
    }
}

#[tokio::test]
async fn a_reset_takes_back_the_address_that_somebody_else_asked_for() {
    let shop = Shop::new().await;
    let (ann, thief) = shop.customer().await;
    edit(
        &shop,
        &thief,
        &json!({ "email_primary": "thief@example.org" }),
    )
    .await;
    shop.work().await;
    let letters = shop.letters();
    let to_thief = letters
        .iter()
        .find(|letter| letter.to == "thief@example.org");
    let secret = to_thief.unwrap().link("/confirm-email#");
    // The owner sets a password by a letter to the old address.
    let aid = mailed_aid(&shop, &ann).await;
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
    let cookie = shop.log_in_with(&ann, NEW).await;
    shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
        .cookies(&cookie)
        .answers(StatusCode::NOT_FOUND)
        .await;
    assert_eq!(
        shop.profile(&cookie).await.at("/email_pending"),
        &Value::Null
    );
}

#[tokio::test]
async fn an_address_once_typed_into_a_quote_can_still_become_an_accounts() {
    let shop = Shop::new().await;
    let (_, cookie) = shop.customer().await;
    let own = shop.profile(&cookie).await;
    let mut product = two_vehicles_with("email_primary", "ann.new@example.org");
    for name in ["first_name", "last_name"] {
        product["values"][name] = own.body[name].clone();
    }
    let quote = shop.quote(&product).await;
    shop.clock.advance(TimeDelta::seconds(31));
    shop.work().await;
    edit(
        &shop,
        &cookie,
        &json!({ "email_primary": "ann.new@example.org" }),
    )
    .await;
    shop.work().await;
    let letters = shop.letters();
    let confirm = letters
        .iter()
        .find(|letter| letter.text.contains("/confirm-email#"))
        .unwrap();
    let secret = confirm.link("/confirm-email#");
    shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
        .cookies(&cookie)
        .succeeds()
        .await;
    // The quote for the new mailbox joins the customer's account too.
    let list = shop
        .get("/api/v2/policy/list")
        .cookies(&cookie)
        .send()
        .await;
    assert_eq!(list.text("/data/0/policy_uuid"), quote.uuid);
    // The link to a first password for that address is invalid now.
    let first = letters
        .iter()
        .find(|letter| letter.to == "ann.new@example.org" && letter.text.contains("?aid="));
    let aid = first.unwrap().link("/reset-password?aid=");
    reset(&shop, &aid, NEW).await.expect(StatusCode::NOT_FOUND);
}
