//! Lapses: a quote that nobody buys lapses. The index of prices that expire holds every valid price and no
//! other.

use std::collections::BTreeSet;

use chrono::{SubsecRound, TimeDelta};
use layby::app::jobs;
use layby::domain::quote::{QuoteEvent, apply};
use layby::domain::transition::Transition;
use layby::store::{Direction, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{Customer, PAYS, young_vehicles};
use crate::support::stores::snapshot;
use crate::support::{Shop, two_vehicles, two_vehicles_with};

/// Checks that the index of expiring prices has exactly the valid ones. Returns their number.
#[track_caller]
fn in_step(shop: &Shop) -> usize {
    let tx = snapshot(&shop.app.store);
    let listed = tables::QUOTE_BY_EXPIRY.list(&tx, &(), Direction::Forward, usize::MAX);
    let listed: BTreeSet<_> = listed.unwrap().into_iter().map(|(key, ())| key).collect();
    let quotes = tables::QUOTES.list(&tx, &(), Direction::Forward, usize::MAX);
    let quotes = quotes.unwrap().into_iter();
    let open = quotes.filter_map(|(uuid, quote)| {
        let lapses = apply(quote.status, QuoteEvent::RanOut);
        matches!(lapses, Transition::Applied(_))
            .then_some((quote.expires?.trunc_subsecs(3), uuid))
            .filter(|_| !quote.status.is_policy())
    });
    let open: BTreeSet<_> = open.collect();
    assert_eq!(listed, open);
    listed.len()
}

fn stored(shop: &Shop, uuid: &str) -> u32 {
    shop.row(&tables::QUOTES, &uuid.parse().unwrap())
        .status
        .id()
}

async fn quotes(ann: &Customer, product: &Value) -> String {
    let made = ann.create(product).send().await;
    made.expect(StatusCode::CREATED).text("/data/uuid")
}

async fn saves(ann: &Customer, uuid: &str, body: Value) {
    ann.put(&format!("/api/v1/quote/{uuid}"), &body)
        .succeeds()
        .await;
}

#[tokio::test]
async fn the_list_of_prices_that_run_out_stays_in_step() {
    let mut ann = Customer::new().await;
    ann.shop.seed(2, 60).await;
    let seeded = in_step(&ann.shop);
    let quote = quotes(&ann, &young_vehicles()).await;
    assert_eq!(in_step(&ann.shop), seeded + 1);
    // The quote is saved again: later, for another day, as a draft, declined, and with a price again.
    ann.shop.clock.advance(TimeDelta::hours(1));
    let mut later = young_vehicles();
    later["values"]["start_date"] = json!("23.11.2026");
    let mut declined = young_vehicles();
    declined["multi"]["vehicles"][0]["vehicle_registration_date"] = json!("01.03.1999");
    for (body, more) in [
        (json!({ "product": later }), 1),
        (json!({ "product": later, "draft": true }), 0),
        (json!({ "product": declined }), 0),
        (json!({ "product": young_vehicles() }), 1),
    ] {
        saves(&ann, &quote, body).await;
        assert_eq!(in_step(&ann.shop), seeded + more);
    }
    ann.pays_for(&quote, PAYS, true).await;
    assert_eq!(in_step(&ann.shop), seeded);
    // The policy's renewal has a price, and cancelling withdraws the renewal. The seeded prices have expired
    // by then.
    ann.sleeps(340).await;
    let read = ann.policy(&quote).await;
    assert_eq!(read.at("/data/policy/renewal/status_id"), 1);
    let open = in_step(&ann.shop);
    ann.cancels(&quote, json!({})).await.expect(StatusCode::OK);
    assert_eq!(in_step(&ann.shop), open - 1);
    ann.sleeps(400).await;
    in_step(&ann.shop);
}

#[tokio::test]
async fn a_quote_nobody_bought_lapses_and_is_listed_so() {
    let mut ann = Customer::new().await;
    let mut product = two_vehicles_with("start_date", "10.01.2027");
    let quote = quotes(&ann, &product).await;
    let soon = two_vehicles_with("start_date", "25.11.2026");
    let early = quotes(&ann, &soon).await;
    ann.waits(4).await; // 25 November: the quote can be bought until midnight.
    assert_eq!(
        (stored(&ann.shop, &early), stored(&ann.shop, &quote)),
        (1, 1)
    );
    ann.waits(1).await;
    assert_eq!(
        (stored(&ann.shop, &early), stored(&ann.shop, &quote)),
        (32, 1)
    );
    ann.waits(24).await;
    assert_eq!(stored(&ann.shop, &quote), 1);
    ann.waits(2).await; // More than 30 days.
    assert_eq!(stored(&ann.shop, &quote), 32);
    assert_eq!(in_step(&ann.shop), 0);
    let list = ann
        .get("/api/v2/policy/list?quoteStatus[]=32")
        .succeeds()
        .await;
    let statuses = list.at("/data").as_array().unwrap().iter();
    let statuses: Vec<_> = statuses.map(|row| &row["status_id"]).collect();
    assert_eq!(statuses, [32, 32]);

    // A new save gives the quote a price of that day, and the quote is sold.
    product["values"]["start_date"] = json!("15.01.2027");
    saves(&ann, &quote, json!({ "product": product })).await;
    assert_eq!(in_step(&ann.shop), 1);
    ann.pays_for(&quote, PAYS, false).await;
    assert_eq!(stored(&ann.shop, &quote), 5);
    assert_eq!(in_step(&ann.shop), 0);
}

#[tokio::test]
async fn money_that_comes_after_a_quote_has_lapsed_buys_it_all_the_same() {
    let ann = Customer::new().await;
    let quote = quotes(&ann, &two_vehicles()).await;
    let accept = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    ann.post(&format!("/api/v1/quote/update-accept/{quote}"), &accept)
        .succeeds()
        .await;
    // The evening of the start day, in London.
    ann.shop.clock.set("2026-11-25T23:50:00Z".parse().unwrap());
    let body = json!({ "uuid": quote });
    let started = ann
        .post("/api/v1/gateway/sandbox/initiate", &body)
        .succeeds()
        .await;
    ann.shop.pay(&started.text("/data/url"), PAYS).await;
    ann.shop.clock.set("2026-11-26T00:05:00Z".parse().unwrap());
    jobs::daily(&ann.shop.app).await.unwrap();
    assert_eq!(stored(&ann.shop, &quote), 32);
    ann.works().await;
    assert_eq!(stored(&ann.shop, &quote), 5);
    assert_eq!(in_step(&ann.shop), 0);
}
