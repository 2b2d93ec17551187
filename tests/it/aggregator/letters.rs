//! The letter for a customer whose click-through link was used already.

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::json;

use super::{KEY, click, made, risk, send, shop};
use crate::support::{Answer, Made, Shop, two_vehicles, two_vehicles_with};

async fn ask(shop: &Shop, address: &str) -> Answer {
    let id = address.rsplit('/').next().unwrap();
    shop.post(
        "/api/v2/aggregator",
        &json!({ "id": id, "mail_link": true }),
    )
    .send()
    .await
}

/// Returns the id and address of a partner's quote whose click-through was used.
async fn used(shop: &Shop, reference: &str) -> (String, String) {
    let sent = send(shop, KEY, &risk(reference)).await;
    let address = sent.text("/data/click_through");
    click(shop, &address).await.expect(StatusCode::OK);
    shop.clock.advance(TimeDelta::seconds(1));
    (sent.text("/data/info/uuid"), address)
}

#[tokio::test]
async fn the_letter_is_about_the_quote_that_was_asked_for() {
    let shop = shop().await;
    let (first, first_address) = used(&shop, "r-1").await;
    let (second, second_address) = used(&shop, "r-2").await;
    // The same mail address has a newer quote of its own, and gets the usual letter about it.
    let newest = shop.quote(&two_vehicles()).await.uuid;
    shop.clock.advance(TimeDelta::seconds(31));
    shop.work().await;
    // Letters of one second are in no fixed order in the folder.
    shop.clock.advance(TimeDelta::seconds(1));
    ask(&shop, &first_address).await.expect(StatusCode::OK);
    shop.work().await;
    shop.clock.advance(TimeDelta::seconds(1));
    ask(&shop, &second_address).await.expect(StatusCode::OK);
    shop.work().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 3);
    for (letter, uuid) in letters.iter().zip([newest, first, second]) {
        let secret = letter.secret_of(&uuid);
        let resumed = shop.resume(&secret).succeeds().await;
        assert_eq!(resumed.text("/data/uuid"), uuid);
    }
}

#[tokio::test]
async fn it_goes_out_after_an_outage_and_a_restart_too() {
    let shop = shop().await;
    let (asked, address) = used(&shop, "r-1").await;
    shop.quote(&two_vehicles()).await;
    shop.clock.advance(TimeDelta::seconds(31));
    shop.work().await;
    let folder = shop.mail_folder();
    let others = std::fs::read_dir(&folder).unwrap();
    for other in others {
        std::fs::remove_file(other.unwrap().path()).unwrap();
    }
    std::fs::remove_dir(&folder).unwrap();
    ask(&shop, &address).await.expect(StatusCode::OK);
    shop.work().await;
    let catalogue = layby::products::Catalogue::load(None).unwrap();
    let shop = shop.restarted("", catalogue).await;
    shop.clock.advance(TimeDelta::minutes(1));
    shop.work().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 1);
    letters[0].secret_of(&asked);
}

#[tokio::test]
async fn asking_often_has_to_wait_and_sends_few_letters() {
    let shop = shop().await;
    let (_, address) = used(&shop, "r-1").await;
    let mut statuses = Vec::new();
    for _ in 0..15 {
        statuses.push(ask(&shop, &address).await.status);
    }
    assert!(
        statuses[..10]
            .iter()
            .all(|status| *status == StatusCode::OK)
    );
    assert_eq!(statuses[14], StatusCode::TOO_MANY_REQUESTS);
    // An unknown id has the same rate limit.
    let unknown = "00000000-0000-4000-8000-000000000001";
    let refused = ask(&shop, unknown).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    shop.work().await;
    assert_eq!(
        shop.letters().len(),
        1,
        "what was asked for at once is one letter"
    );
    for _ in 0..5 {
        shop.clock.advance(TimeDelta::hours(2));
        ask(&shop, &address).await.expect(StatusCode::OK);
        shop.work().await;
    }
    assert_eq!(shop.letters().len(), 3, "three a day");
    shop.clock.advance(TimeDelta::hours(24));
    ask(&shop, &address).await.expect(StatusCode::OK);
    shop.work().await;
    assert_eq!(shop.letters().len(), 4);
}

#[tokio::test]
async fn it_goes_to_the_address_that_the_customer_has_corrected() {
    let shop = shop().await;
    let sent = send(&shop, KEY, &risk("r-1")).await;
    let address = sent.text("/data/click_through");
    let quote = made(&click(&shop, &address).await);
    ask(&shop, &address).await.expect(StatusCode::OK);
    let corrected = two_vehicles_with("email_primary", "right@example.org");
    shop.update(&quote, &corrected).succeeds().await;
    shop.work().await;
    assert!(
        shop.letters().is_empty(),
        "it is the first mailbox's no more"
    );
    ask(&shop, &address).await.expect(StatusCode::OK);
    shop.work().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].to, "right@example.org");
}

#[tokio::test]
async fn whoever_bought_by_way_of_a_partner_is_mailed_the_way_to_a_first_password() {
    let shop = shop().await;
    let sent = send(&shop, KEY, &risk("r-1")).await;
    let opened = click(&shop, &sent.text("/data/click_through")).await;
    let quote = Made {
        uuid: opened.text("/data/info/uuid"),
        token: opened.text("/data/info/consumer_token"),
        body: opened.body,
    };
    shop.work().await;
    assert_eq!(shop.letters().len(), 0, "a partner's quote is nobody's yet");
    shop.buy(&quote, "4242 4242 4242 4242").await;
    shop.clock.advance(TimeDelta::minutes(1));
    shop.work().await;
    let letters = shop.letters();
    let ways = letters
        .iter()
        .filter(|letter| letter.text.contains("/reset-password?aid="));
    assert_eq!(ways.count(), 1, "{letters:?}");
}

#[tokio::test]
async fn a_sold_quote_is_mailed_the_way_to_a_first_password_and_none_of_the_days_letters() {
    let shop = shop().await;
    let sent = send(&shop, KEY, &risk("r-1")).await;
    let address = sent.text("/data/click_through");
    let quote = made(&click(&shop, &address).await);
    shop.buy(&quote, "4242 4242 4242 4242").await;
    shop.clock.advance(TimeDelta::minutes(1));
    shop.work().await;
    assert_eq!(shop.letters().len(), 1);
    for letters in 2..=5 {
        shop.clock.advance(TimeDelta::hours(2));
        ask(&shop, &address).await.expect(StatusCode::OK);
        shop.work().await;
        let last = shop.letters();
        assert_eq!(last.len(), letters);
        let last = last.last().unwrap();
        last.link("/reset-password?aid=");
        assert!(!last.text.contains("#resume="), "{}", last.text);
    }
    // That day's three letters about quotes are still to be sent.
    shop.quote(&two_vehicles()).await;
    shop.clock.advance(TimeDelta::minutes(1));
    shop.work().await;
    assert_eq!(shop.letters().len(), 6);
}

#[tokio::test]
async fn a_customer_who_buys_by_way_of_a_partner_has_the_policy_in_the_account() {
    let shop = shop().await;
    let ann = shop.seed(2, 0).await[0].clone();
    let mut risk = risk("r-1");
    risk["product"]["values"]["email_primary"] = json!(ann);
    let sent = send(&shop, KEY, &risk).await;
    let quote = made(&click(&shop, &sent.text("/data/click_through")).await);
    shop.buy(&quote, "4242 4242 4242 4242").await;
    shop.payment(&quote).await;
    shop.work().await;
    let cookie = shop.log_in(&ann).await;
    let list = shop
        .get("/api/v2/policy/list")
        .cookies(&cookie)
        .send()
        .await;
    assert_eq!(list.text("/data/0/policy_uuid"), quote.uuid);
    let letter = shop.letters().pop().unwrap();
    assert_eq!(letter.to, ann);
    assert!(letter.text.contains("It is in your account."));
    // The partner's link continues to show the quote to its buyer for a day.
    shop.read(&quote).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_click_while_logged_in_says_whether_the_quote_joins_the_account() {
    let shop = shop().await;
    let (users, [ann, bob]) = shop.customers().await;
    for (reference, cookie, status) in [("r-1", &ann, "auto_claimable"), ("r-2", &bob, "claimable")]
    {
        let mut risk = risk(reference);
        risk["product"]["values"]["email_primary"] = json!(users[0]);
        let sent = send(&shop, KEY, &risk).await;
        assert_eq!(sent.text("/data/info/account"), "unclaimed");
        let address = sent.text("/data/click_through");
        let id = address.rsplit('/').next().unwrap();
        let clicked = shop
            .post("/api/v2/aggregator", &json!({ "id": id }))
            .cookies(cookie)
            .succeeds()
            .await;
        assert_eq!(clicked.text("/data/info/account"), status);
    }
}
