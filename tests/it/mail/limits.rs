//! The number of letters about quotes is limited, however many quotes are saved.

use chrono::TimeDelta;
use layby::app::jobs::{self, JobQueue};
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Made, Shop, two_vehicles_with};

/// The tests' clients come through a trusted proxy that sends their address.
const BEHIND_A_PROXY: &str = "[server]\ntrusted_proxies = [\"0.0.0.0\"]\n";

/// Saves a quote for a mail address, from a client address.
async fn save(shop: &Shop, address: &str, client: &str) -> Made {
    let product = two_vehicles_with("email_primary", json!(address));
    let call = shop.create(&product);
    let saved = call
        .header("X-Forwarded-For", client)
        .answers(StatusCode::CREATED)
        .await;
    Made {
        uuid: saved.text("/data/uuid"),
        token: saved.text("/data/consumer_token"),
        body: Value::Null,
    }
}

/// Returns the number of queued letters.
async fn waiting(shop: &Shop) -> usize {
    shop.clock.advance(TimeDelta::seconds(31));
    let due = jobs::due_jobs(
        &shop.app.store,
        &shop.app.clock,
        JobQueue::QuoteLetters,
        10_000,
    )
    .await;
    due.unwrap().jobs.len()
}

#[tokio::test]
async fn one_letter_waits_for_a_mailbox_and_it_is_about_the_newest_that_called_for_it() {
    let shop = Shop::new().await;
    let mut newest = save(&shop, "ann@example.org", "").await;
    for tag in ["", "+car", "+van", "+car", ""] {
        newest = save(&shop, &format!("ann{tag}@example.org"), "").await;
    }
    // Further saves don't postpone the letter.
    assert_eq!(waiting(&shop).await, 1);
    shop.work().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 1);
    letters[0].secret_of(&newest.uuid);
    assert_eq!(waiting(&shop).await, 0);
}

#[tokio::test]
async fn a_letter_is_about_the_quote_that_called_for_it_and_not_about_a_planted_one() {
    let shop = Shop::new().await;
    let own = save(&shop, "mistyped@example.org", "").await;
    save(&shop, "ann@example.org", "").await;
    waiting(&shop).await;
    shop.work().await;
    // The older quote moves to the mailbox that already got a letter about a newer one.
    let product = two_vehicles_with("email_primary", "ann@example.org");
    let path = format!("/api/v1/quote/{}", own.uuid);
    let call = shop.put(&path, &json!({ "product": product }));
    call.bearer(&own.token).succeeds().await;
    waiting(&shop).await;
    shop.work().await;
    let letters = shop.letters();
    let letter = letters.last().unwrap();
    assert_eq!((letters.len(), letter.to.as_str()), (3, "ann@example.org"));
    letter.secret_of(&own.uuid);
}

#[tokio::test]
async fn a_mailbox_has_three_letters_a_day_whatever_follows_a_plus_in_it() {
    let shop = Shop::new().await;
    for tag in ["", "+1", "+2", "+3", "+4"] {
        save(&shop, &format!("ann{tag}@example.org"), "").await;
        waiting(&shop).await;
        shop.work().await;
    }
    let letters = shop.letters();
    let to: Vec<_> = letters.iter().map(|letter| letter.to.as_str()).collect();
    let three = ["ann@example.org", "ann+1@example.org", "ann+2@example.org"];
    assert_eq!(to, three);
    shop.clock.advance(TimeDelta::days(1));
    save(&shop, "ann+5@example.org", "").await;
    waiting(&shop).await;
    shop.work().await;
    assert_eq!(shop.letters().len(), 4);
}

#[tokio::test]
async fn a_client_causes_twenty_letters_an_hour_and_others_their_own() {
    let shop = Shop::configured(BEHIND_A_PROXY).await;
    for number in 0..30 {
        save(&shop, &format!("a{number}@example.org"), "192.0.2.1").await;
    }
    assert_eq!(waiting(&shop).await, 20);
    // All addresses of an IPv6 household count as one client.
    for number in 0..30 {
        let client = format!("2001:db8:0:1{number:02}::1");
        save(&shop, &format!("b{number}@example.org"), &client).await;
    }
    assert_eq!(waiting(&shop).await, 40);
    save(&shop, "c@example.org", "192.0.2.2").await;
    assert_eq!(waiting(&shop).await, 41);
    // Quotes saved without a letter are stored, and a later save gets a letter.
    shop.clock.advance(TimeDelta::minutes(10));
    for number in 30..40 {
        save(&shop, &format!("a{number}@example.org"), "192.0.2.1").await;
    }
    assert_eq!(waiting(&shop).await, 41 + 3);
}

#[tokio::test]
async fn all_clients_together_cause_so_many_as_is_set_and_any_number_where_it_is_none() {
    let few = format!("{BEHIND_A_PROXY}[limits]\nquote_letters_per_hour = 25\n");
    let any = format!(
        "{BEHIND_A_PROXY}[limits]\nquote_letters_per_hour = 0\nquote_letters_per_client_per_hour = 0\n"
    );
    for (settings, wait) in [(few, 25), (any, 60)] {
        let shop = Shop::configured(&settings).await;
        for number in 0..60 {
            let client = format!("192.0.2.{}", number % 4);
            save(&shop, &format!("a{number}@example.org"), &client).await;
        }
        assert_eq!(waiting(&shop).await, wait);
    }
}

#[tokio::test]
async fn who_asks_for_a_letter_is_counted_with_those_who_save() {
    let shop = Shop::configured("[limits]\nquote_letters_per_hour = 1\n").await;
    save(&shop, "ann@example.org", "").await;
    let unknown = json!({ "id": "00000000-0000-4000-8000-000000000001", "mail_link": true });
    let asked = shop
        .post("/api/v2/aggregator", &unknown)
        .answers(StatusCode::TOO_MANY_REQUESTS)
        .await;
    assert!(asked.headers.contains_key("retry-after"));
}
