//! The rescue card: any reader of the policy stores it on a device. Its own key reads only the card, and can
//! be revoked.

use layby::app::payments::status;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::policies::{Customer, PAYS, covered, young_vehicles};
use crate::support::{Answer, Made, Shop, two_gadgets, two_trips, two_vehicles};

const CARD: &str = "/api/v1/rescue-card";

/// Stores a card as the policy's owner. Returns its key.
async fn keeps(ann: &Customer, policy: &str) -> String {
    let saved = ann.post(&keep(policy), &json!({})).send().await;
    saved.expect(StatusCode::OK).text("/data/key")
}

fn keep(policy: &str) -> String {
    format!("/api/v1/policy/{policy}/rescue-card")
}

async fn read(shop: &Shop, key: &str) -> Answer {
    shop.get(CARD).header("X-Card-Key", key).send().await
}

/// Returns the card's current content.
async fn says(shop: &Shop, key: &str) -> Value {
    let card = read(shop, key).await.expect(StatusCode::OK);
    card.at("/data").clone()
}

fn set(shop: &Shop, moment: &str) {
    shop.clock.set(moment.parse().unwrap());
}

/// Buys as a visitor without an account.
async fn bought(shop: &Shop) -> Made {
    let quote = shop.quote(&two_vehicles()).await;
    let payment = shop.buy(&quote, PAYS).await;
    status::sync_payment_status(&shop.app, payment)
        .await
        .unwrap();
    quote
}

#[tokio::test]
async fn it_says_what_helps_at_the_roadside_and_nothing_of_the_person() {
    let (ann, policy) = covered().await;
    let kept = ann.post(&keep(&policy), &json!({})).succeeds().await;
    assert_eq!(kept.headers["cache-control"], "no-store");
    let card = says(&ann.shop, &kept.text("/data/key")).await;
    assert_eq!(&card, kept.at("/data/card"));
    assert_eq!(card["assistance_phone"], "01632 960 999");
    assert_eq!(card["assistance_text"], Value::Null);
    let cover = &card["policies"][0];
    assert_eq!(cover["reference"], "BRK000000018");
    assert_eq!(cover["title"], "Vehicle breakdown cover");
    assert_eq!(cover["registrations"], json!(["AB12 CDE", "K1 NGS"]));
    assert_eq!(cover["status"], "live");
    assert_eq!(
        cover["cover_periods"],
        json!([{ "begins": "2026-11-25T00:00:00Z", "ends": "2027-11-25T00:00:00Z" }])
    );
    let titles = cover["documents"].as_array().unwrap().iter();
    let titles: Vec<_> = titles.map(|document| document["title"].clone()).collect();
    assert_eq!(
        titles,
        [
            "Policy Schedule",
            "Policy Wording",
            "Insurance Product Information Document (IPID)"
        ]
    );
    let text = card.to_string();
    for personal in ["Ann", "Neill", "High Street", "LS6", "example.org", "07400"] {
        assert!(!text.contains(personal), "{personal} in {text}");
    }
}

#[tokio::test]
async fn whoever_reads_the_policy_keeps_one_and_nobody_else() {
    let (ann, policy) = covered().await;
    keeps(&ann, &policy).await;
    let path = keep(&policy);
    ann.shop
        .post(&path, &json!({}))
        .answers(StatusCode::UNAUTHORIZED)
        .await;
    let stranger = ann
        .shop
        .post(&path, &json!({}))
        .cookies(&ann.stranger().await);
    stranger.answers(StatusCode::NOT_FOUND).await;
    let elsewhere = ann
        .shop
        .post(&path, &json!({}))
        .header("Cookie", &ann.cookie);
    let elsewhere = elsewhere.header("Origin", "https://evil.example").send();
    elsewhere.await.expect(StatusCode::FORBIDDEN);

    // A visitor with the token of the purchase. An unpaid quote has no card.
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let unpaid = shop
        .post(&keep(&quote.uuid), &json!({}))
        .bearer(&quote.token);
    unpaid.answers(StatusCode::NOT_FOUND).await;
    let bought = bought(&shop).await;
    let visitor = shop
        .post(&keep(&bought.uuid), &json!({}))
        .bearer(&bought.token);
    visitor.succeeds().await;
}

#[tokio::test]
async fn its_key_opens_the_card_and_nothing_else() {
    let (ann, policy) = covered().await;
    ann.works().await;
    let key = keeps(&ann, &policy).await;
    for path in [
        format!("/api/v2/policy/{policy}"),
        format!("/api/v1/policy/{policy}/documents"),
        format!("/api/v2/public/quote/read/{policy}"),
    ] {
        ann.shop
            .get(&path)
            .bearer(&key)
            .answers(StatusCode::UNAUTHORIZED)
            .await;
    }
    let save = json!({ "product": two_vehicles() });
    let saved = ann.shop.put(&format!("/api/v1/quote/{policy}"), &save);
    saved.bearer(&key).answers(StatusCode::UNAUTHORIZED).await;
    let again = ann.shop.post(&keep(&policy), &json!({})).bearer(&key);
    again.answers(StatusCode::UNAUTHORIZED).await;

    // The key reads the card's documents, and no other documents of the policy.
    let documents = says(&ann.shop, &key).await["policies"][0]["documents"].clone();
    for document in documents.as_array().unwrap() {
        let identifier = document["identifier"].as_str().unwrap();
        let path = format!("{CARD}/documents/{identifier}");
        let pages = ann
            .shop
            .get(&path)
            .header("X-Card-Key", &key)
            .succeeds()
            .await;
        assert!(pages.bytes.starts_with(b"%PDF"), "{identifier}");
        ann.shop.get(&path).answers(StatusCode::UNAUTHORIZED).await;
    }
    let listed = ann
        .get(&format!("/api/v1/policy/{policy}/documents"))
        .send();
    let listed = listed.await.expect(StatusCode::OK);
    let groups = listed.at("/data/documents").as_array().unwrap().clone();
    let all = groups
        .iter()
        .flat_map(|group| group["documents"].as_array().unwrap());
    let receipt = all
        .into_iter()
        .find(|one| one["title"] == "Receipt")
        .unwrap();
    let receipt = receipt["identifier"].as_str().unwrap();
    let path = format!("{CARD}/documents/{receipt}");
    ann.shop
        .get(&path)
        .header("X-Card-Key", &key)
        .answers(StatusCode::NOT_FOUND)
        .await;
}

#[tokio::test]
async fn a_key_that_is_guessed_cut_or_missing_reads_nothing() {
    let (ann, policy) = covered().await;
    let key = keeps(&ann, &policy).await;
    let (named, secret) = key.split_once('.').unwrap();
    let long = "A".repeat(10_240);
    for wrong in [
        "",
        ".",
        named,
        secret,
        &format!("{named}."),
        &format!("{named}.{}", &secret[1..]),
        &format!("00000000000000000000000000000000.{secret}"),
        &long,
        "<script>",
    ] {
        let refused = read(&ann.shop, wrong).await;
        refused.expect(StatusCode::UNAUTHORIZED);
    }
    ann.shop.get(CARD).answers(StatusCode::UNAUTHORIZED).await;
}

#[tokio::test]
async fn a_removed_card_and_stopped_ones_are_read_no_more() {
    let (ann, policy) = covered().await;
    let (phone, tablet) = (keeps(&ann, &policy).await, keeps(&ann, &policy).await);
    for _ in 0..2 {
        let removed = ann.shop.post(&format!("{CARD}/remove"), &json!({}));
        removed.header("X-Card-Key", &phone).succeeds().await;
        read(&ann.shop, &phone)
            .await
            .expect(StatusCode::UNAUTHORIZED);
        read(&ann.shop, &tablet).await.expect(StatusCode::OK);
    }
    let stop = format!("{}/stop", keep(&policy));
    let stranger = ann
        .shop
        .post(&stop, &json!({}))
        .cookies(&ann.stranger().await);
    stranger.answers(StatusCode::NOT_FOUND).await;
    read(&ann.shop, &tablet).await.expect(StatusCode::OK);
    for stopped in [1, 0] {
        let answer = ann.post(&stop, &json!({})).send().await;
        assert_eq!(answer.expect(StatusCode::OK).at("/data/stopped"), stopped);
        read(&ann.shop, &tablet)
            .await
            .expect(StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn a_policy_has_ten_cards_and_an_eleventh_takes_the_place_of_the_oldest() {
    let (ann, policy) = covered().await;
    let mut keys = Vec::new();
    for _ in 0..11 {
        keys.push(keeps(&ann, &policy).await);
    }
    read(&ann.shop, &keys[0])
        .await
        .expect(StatusCode::UNAUTHORIZED);
    for key in &keys[1..] {
        read(&ann.shop, key).await.expect(StatusCode::OK);
    }
}

#[tokio::test]
async fn a_cancelled_policys_card_says_so_and_no_new_one_is_kept() {
    let (mut ann, policy) = covered().await;
    let key = keeps(&ann, &policy).await;
    ann.sleeps(10).await;
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    let card = says(&ann.shop, &key).await;
    assert_eq!(card["policies"][0]["status"], "cancelled");
    assert_eq!(card["policies"][0]["cover_periods"], json!([]));
    let again = ann
        .post(&keep(&policy), &json!({}))
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(again.at("/code"), "no_cover");
}

#[tokio::test]
async fn a_cancellation_for_a_later_day_is_the_end_that_the_card_says() {
    let (mut ann, policy) = covered().await;
    let key = keeps(&ann, &policy).await;
    ann.sleeps(10).await;
    let later = json!({ "effective_date": "2027-03-03" });
    ann.cancels(&policy, later).await.expect(StatusCode::OK);
    let cover = says(&ann.shop, &key).await["policies"][0].clone();
    assert_eq!(cover["status"], "live");
    assert_eq!(cover["cover_periods"][0]["ends"], "2027-03-03T00:00:00Z");
    // The cancellation's day has begun, but the day's run has not happened yet.
    set(&ann.shop, "2027-03-03T00:00:00Z");
    let cover = says(&ann.shop, &key).await["policies"][0].clone();
    assert_eq!(cover["status"], "cancelled");
}

#[tokio::test]
async fn it_follows_to_the_renewal_and_is_forgotten_a_month_after_the_last_day() {
    let mut ann = Customer::new().await;
    let policy = ann.buys_for_now(&young_vehicles(), PAYS, false).await;
    let key = keeps(&ann, &policy).await;
    ann.sleeps(340).await;
    let read_policy = ann.policy(&policy).await;
    let renewal = read_policy.text("/data/policy/renewal/quote_uuid");
    let before = says(&ann.shop, &key).await;
    assert_eq!(before["policies"].as_array().unwrap().len(), 1);
    ann.pays_for(&renewal, PAYS, false).await;
    let bought = says(&ann.shop, &key).await["policies"].clone();
    assert_eq!(bought.as_array().unwrap().len(), 2);
    assert_eq!(bought[0]["reference"], before["policies"][0]["reference"]);
    assert_eq!(
        bought[1]["cover_periods"][0]["begins"],
        "2027-11-25T00:00:00Z"
    );
    for (moment, status) in [
        ("2027-11-25T00:00:00Z", "live"),
        ("2028-11-23T12:00:00Z", "live"),
        ("2028-11-24T00:00:00Z", "ended"),
        ("2028-12-24T12:00:00Z", "ended"),
    ] {
        set(&ann.shop, moment);
        let card = says(&ann.shop, &key).await["policies"].clone();
        assert_eq!(card.as_array().unwrap().len(), 1, "{moment}");
        assert_eq!(card[0]["reference"], bought[1]["reference"], "{moment}");
        assert_eq!(card[0]["status"], status, "{moment}");
    }
    set(&ann.shop, "2028-12-25T12:00:00Z");
    read(&ann.shop, &key).await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn trips_have_their_days_and_what_nobody_comes_out_for_has_no_card() {
    let ann = Customer::new().await;
    let trips = ann.buys(&two_trips(), PAYS).await;
    let key = keeps(&ann, &trips).await;
    let cover = says(&ann.shop, &key).await["policies"][0].clone();
    assert_eq!(cover["registrations"], json!([]));
    assert_eq!(
        cover["cover_periods"],
        json!([
            { "begins": "2026-12-01T00:00:00Z", "ends": "2026-12-06T00:00:00Z" },
            { "begins": "2026-12-10T00:00:00Z", "ends": "2026-12-13T00:00:00Z" },
        ])
    );
    let gadgets = ann.buys(&two_gadgets(), PAYS).await;
    let refused = ann
        .post(&keep(&gadgets), &json!({}))
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(refused.at("/code"), "no_card");
}
