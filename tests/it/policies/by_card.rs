//! Renewing by itself: the stored card, once, on the last day, for the price that a letter said.

use chrono::TimeDelta;
use layby::app::work::{JobKey, JobQueue};
use layby::domain::payment::PaymentStatus;
use layby::products::Catalogue;
use layby::store::tables::{Job, RefusedAddress, Task};
use layby::store::{Direction, StoreError, WriteTx, tables};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::renewals::{
    LAST_DAY, QUOTED, charges, compare, gbp, listed, renewal_of, shop_with_prices, status, told,
};
use super::{Customer, PAYS, pence, young_vehicles};
use crate::support::Shop;

const LATER_DECLINED: &str = "4000 0000 0000 0341";
/// Days from the day on which the renewal is quoted to the last one.
const TO_THE_LAST: i64 = LAST_DAY - QUOTED;

/// A customer whose cover renews by itself and is quoted, and the renewal.
async fn renewing(shop: Option<Shop>, card: &str) -> (Customer, String, String) {
    let mut ann = match shop {
        Some(shop) => Customer::of(shop).await,
        None => Customer::new().await,
    };
    let policy = ann.buys(&young_vehicles(), card).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    (ann, policy, renewal)
}

/// Does the work of one lane that is due now.
async fn lane(ann: &Customer, lane: JobQueue) {
    for (key, job) in ann.shop.app.due_work(lane, 100).unwrap().jobs {
        ann.shop.app.do_work(key, job).await.unwrap();
    }
}

/// The work that charges the card, and none other.
fn charge(ann: &Customer) -> Option<(JobKey, Job)> {
    let jobs = ann.shop.app.due_work(JobQueue::Shop, 100).unwrap().jobs;
    let mut jobs = jobs.into_iter();
    jobs.find(|(_, job)| matches!(job.task, Task::RenewByCard { .. }))
}

async fn saves_cover(ann: &Customer, renewal: &str, level: u32) {
    let mut wanted = young_vehicles();
    wanted["values"]["cover_level"] = json!(level);
    let body = json!({ "product": wanted });
    let saved = ann.put(&format!("/api/v1/quote/{renewal}"), &body).send();
    saved.await.expect(StatusCode::OK);
}

#[tokio::test]
async fn the_stored_card_is_charged_once_on_the_last_day() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    let compared = compare(&ann, &renewal).await;
    assert_eq!(compared.at("/data/charge_on"), "2027-11-24");
    assert!(told(&ann, "renewal")[0].text.contains("24 November 2027"));
    ann.waits(27).await;
    assert_eq!(charges(&ann), 0);
    ann.shop.clock.advance(TimeDelta::days(1));
    for _ in 0..3 {
        ann.shop.app.daily().await.unwrap();
        ann.works().await;
        // As after a stop in the middle of the day's work.
        forget_the_day(&ann).await;
    }
    ann.waits(3).await;
    assert_eq!(charges(&ann), 1);
    assert_eq!(status(&ann, &policy).await, 16);
    let next = ann.policy(&renewal).await;
    assert_eq!(next.at("/data/info/status_id"), 5);
    assert_eq!(next.at("/data/policy/auto_renew"), true);
    assert_eq!(next.at("/data/policy/paid"), compared.at("/data/price"));
    assert_eq!(ann.balance(&renewal).0, pence(compared.at("/data/price")));
    assert!(told(&ann, "has ended").is_empty());
    assert!(told(&ann, "not renewed").is_empty());
}

async fn forget_the_day(ann: &Customer) {
    let forget = |tx: &mut layby::store::WriteTx<'_>| {
        tables::LAST_DAY.delete(tx, &());
        Ok::<_, layby::store::StoreError>(())
    };
    ann.shop.app.store.write(forget).await.unwrap();
}

#[tokio::test]
async fn a_card_that_is_refused_leaves_the_day_to_renew_by_hand() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), LATER_DECLINED).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    ann.waits(28).await;
    assert_eq!(charges(&ann), 1);
    let letters = told(&ann, "is not renewed yet");
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].link("/quote/edit/"), renewal);
    assert_eq!(status(&ann, &renewal).await, 1);
    let compared = compare(&ann, &renewal).await;
    assert_eq!(compared.at("/data/charge_on"), &Value::Null, "once is all");
    ann.pays_for(&renewal, PAYS, false).await;
    ann.waits(2).await;
    assert_eq!(charges(&ann), 1);
    assert_eq!(told(&ann, "is not renewed yet").len(), 1);
    assert_eq!(status(&ann, &policy).await, 16);
    assert_eq!(status(&ann, &renewal).await, 5);
}

#[tokio::test]
async fn switched_off_no_card_is_charged() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let path = format!("/api/v1/policy/{policy}/auto-renew");
    let off = ann.put(&path, &json!({ "auto_renew": false })).send().await;
    assert_eq!(
        off.expect(StatusCode::OK).at("/data"),
        &json!({ "auto_renew": false })
    );
    ann.waits(30).await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(status(&ann, &policy).await, 15);
    ann.put(&path, &json!({ "auto_renew": true }))
        .send()
        .await
        .expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_shop_that_was_closed_on_the_last_day_charges_the_day_after() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    ann.waits(27).await;
    ann.shop.clock.advance(TimeDelta::days(2));
    ann.shop.app.daily().await.unwrap();
    // Letters go first: nobody is told of an end that isn't one.
    for lane in [JobQueue::Letters, JobQueue::Shop] {
        for (key, job) in ann.shop.app.due_work(lane, 100).unwrap().jobs {
            ann.shop.app.do_work(key, job).await.unwrap();
        }
    }
    ann.waits(2).await;
    assert_eq!(charges(&ann), 1);
    assert_eq!(status(&ann, &policy).await, 16);
    assert_eq!(status(&ann, &renewal).await, 5);
    assert!(told(&ann, "has ended").is_empty());
}

#[tokio::test]
async fn a_shop_that_was_closed_for_the_whole_time_quotes_nothing_and_ends_the_policy() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    ann.sleeps(LAST_DAY + 5).await;
    assert_eq!(status(&ann, &policy).await, 15);
    assert_eq!(charges(&ann), 0);
    assert_eq!(told(&ann, "has ended").len(), 1);
    assert!(listed(&ann, "flags[]=renewal_quote").await.is_empty());
}

#[tokio::test]
async fn a_renewal_saved_anew_is_told_anew_and_the_card_pays_what_was_told_last() {
    let (mut ann, _, renewal) = renewing(None, PAYS).await;
    let first = pence(compare(&ann, &renewal).await.at("/data/price"));
    // Two looks at other cover are one letter, about the second.
    for level in [5, 4] {
        saves_cover(&ann, &renewal, level).await;
    }
    ann.works().await;
    assert_eq!(told(&ann, "renewal").len(), 1, "there may be a third");
    ann.shop.clock.advance(TimeDelta::minutes(2));
    ann.works().await;
    let price = pence(compare(&ann, &renewal).await.at("/data/price"));
    assert!(price > first);
    let letters = told(&ann, "renewal");
    assert_eq!(letters.len(), 2);
    assert!(letters[1].text.contains(&gbp(price)), "{}", letters[1].text);
    assert!(letters[1].text.contains("24 November 2027"));
    ann.waits(TO_THE_LAST).await;
    let bought = ann.policy(&renewal).await;
    assert_eq!(pence(bought.at("/data/policy/paid")), price);
}

#[tokio::test]
async fn a_price_that_no_letter_said_is_told_and_not_charged() {
    let (mut ann, policy, renewal) = renewing(None, PAYS).await;
    ann.waits(TO_THE_LAST - 1).await;
    saves_cover(&ann, &renewal, 5).await;
    ann.shop.clock.advance(TimeDelta::days(1));
    ann.shop.app.daily().await.unwrap();
    lane(&ann, JobQueue::Shop).await;
    assert_eq!(charges(&ann), 0);
    ann.works().await;
    let price = pence(compare(&ann, &renewal).await.at("/data/price"));
    let letters = told(&ann, "is not renewed yet");
    assert_eq!(letters.len(), 1);
    assert!(letters[0].text.contains(&gbp(price)));
    assert_eq!(letters[0].link("/policy/view/"), policy);
    for letter in &told(&ann, "renewal")[1..] {
        assert!(!letter.text.contains("We charge"), "{}", letter.text);
    }
    ann.pays_for(&renewal, PAYS, true).await;
    ann.waits(2).await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(status(&ann, &renewal).await, 5);
}

#[tokio::test]
async fn a_renewal_that_an_older_layby_told_of_is_not_charged() {
    let (mut ann, policy, renewal) = renewing(None, PAYS).await;
    let forget = move |tx: &mut WriteTx<'_>| {
        let uuid = policy.parse().unwrap();
        let mut row = tables::POLICIES.get(tx, &uuid)?.unwrap();
        assert_eq!(row.renewing.told, Some(1));
        row.renewing.told = None;
        tables::POLICIES.put(tx, &uuid, &row)
    };
    ann.shop.app.store.write(forget).await.unwrap();
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(status(&ann, &renewal).await, 1);
}

#[tokio::test]
async fn a_letter_that_was_refused_for_good_has_told_nobody() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    // Refused later than anything is sent here, as by the server that the letter went to.
    let address = ann.addresses[0].to_lowercase();
    let refuse = move |tx: &mut WriteTx<'_>| {
        let row = RefusedAddress {
            at: "2030-01-01T00:00:00Z".parse().unwrap(),
            reason: "no such mailbox".to_string(),
        };
        tables::REFUSED_ADDRESSES.put(tx, &address, &row)
    };
    ann.shop.app.store.write(refuse).await.unwrap();
    ann.sleeps(QUOTED).await;
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 0);
    let renewal = renewal_of(&ann, &policy).await;
    assert_eq!(status(&ann, &renewal).await, 1, "it can be bought by hand");
}

#[tokio::test]
async fn a_newer_list_that_asks_or_refuses_leaves_the_price_that_was_quoted() {
    let cheaper = ("[3, 1, 43.00]", "[3, 1, 23.00]");
    let asks = (
        "kind = \"text\"\nrequired = false\nmax_length = 40\nwidth = \"half\"\n\n[[dataset.field]]\nname = \"vehicle_model\"",
        "kind = \"text\"\nrequired = true\nmax_length = 40\nwidth = \"half\"\n\n[[dataset.field]]\nname = \"vehicle_model\"",
    );
    let refuses = (
        "older_than = { field = \"vehicle_registration_date\", years = 15 }",
        "older_than = { field = \"vehicle_registration_date\", years = 2 }",
    );
    for other in [asks, refuses] {
        let shop = shop_with_prices("2027-11-10", &[cheaper, other]).await;
        let (mut ann, _, renewal) = renewing(Some(shop), PAYS).await;
        let read = ann.get(&format!("/api/v1/renewal/{renewal}")).send().await;
        let quoted = pence(read.expect(StatusCode::OK).at("/data/price"));
        ann.waits(TO_THE_LAST).await;
        assert_eq!(charges(&ann), 1, "{}", other.1);
        assert_eq!(status(&ann, &renewal).await, 5);
        let bought = ann.policy(&renewal).await;
        assert_eq!(pence(bought.at("/data/policy/paid")), quoted);
    }
    // One that is only cheaper lowers it, and needs no other letter.
    let shop = shop_with_prices("2027-11-10", &[cheaper]).await;
    let (mut ann, _, renewal) = renewing(Some(shop), PAYS).await;
    let quoted = pence(compare(&ann, &renewal).await.at("/data/price"));
    ann.waits(TO_THE_LAST).await;
    let bought = ann.policy(&renewal).await;
    assert!(pence(bought.at("/data/policy/paid")) < quoted);
    assert_eq!(told(&ann, "renewal").len(), 1);
}

/// A shop that sells the breakdown cover of tests under a name of its own, from a folder.
async fn with_a_product_of_its_own() -> Shop {
    let folder = tempfile::tempdir().unwrap();
    let mut product = layby::products::builtin()[0].1.to_string();
    for (old, new) in [
        (
            "id = 1\nidentifier = \"breakdown\"",
            "id = 77\nidentifier = \"roadside\"",
        ),
        ("reference_prefix = \"BRK\"", "reference_prefix = \"RSD\""),
    ] {
        assert!(product.contains(old), "{old}");
        product = product.replacen(old, new, 1);
    }
    std::fs::write(folder.path().join("roadside.toml"), product).unwrap();
    let texts = include_str!("../../../src/products/breakdown.documents.toml");
    std::fs::write(folder.path().join("breakdown.documents.toml"), texts).unwrap();
    Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await
}

#[tokio::test]
async fn what_is_sold_no_longer_is_read_and_renewed_as_it_was_quoted() {
    let mut ann = Customer::of(with_a_product_of_its_own().await).await;
    let mut product = young_vehicles();
    product["product_identifier"] = json!("roadside");
    let policy = ann.buys(&product, PAYS).await;
    ann.sleeps(QUOTED).await;
    ann.shop = ann.shop.restarted("", Catalogue::load(None).unwrap()).await;
    let read = ann.policy(&policy).await;
    let quoted = pence(read.at("/data/policy/renewal/price"));
    let new_customer = read.at("/data/policy/renewal/price_new_customer");
    assert!(new_customer.is_null(), "{new_customer}");
    let renewal = renewal_of(&ann, &policy).await;
    ann.get(&format!("/api/v1/renewal/{renewal}"))
        .send()
        .await
        .expect(StatusCode::OK);
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 1);
    let bought = ann.policy(&renewal).await;
    assert_eq!(pence(bought.at("/data/policy/paid")), quoted);
}

#[tokio::test]
async fn without_its_gateway_no_card_is_charged_and_the_customer_is_told_once() {
    let (mut ann, _, renewal) = renewing(None, PAYS).await;
    let builtin = Catalogue::load(None).unwrap();
    let off = "[payments]\ngateways = []\n";
    ann.shop = ann.shop.restarted(off, builtin).await;
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(told(&ann, "is not renewed yet").len(), 1);
    let left = tables::JOBS.list(
        &ann.shop.app.store.read().unwrap(),
        &(),
        Direction::Forward,
        usize::MAX,
    );
    let left = left.unwrap();
    let is_charge = |job: &Job| matches!(job.task, Task::RenewByCard { .. });
    assert!(!left.iter().any(|(_, job)| is_charge(job)), "{left:?}");
    ann.waits(2).await;
    assert_eq!(told(&ann, "is not renewed yet").len(), 1);
    assert_eq!(status(&ann, &renewal).await, 32);
}

#[tokio::test]
async fn nobody_is_asked_to_buy_what_cant_be_bought_any_more() {
    let (mut ann, _, renewal) = renewing(None, LATER_DECLINED).await;
    ann.waits(TO_THE_LAST - 1).await;
    ann.shop.clock.advance(TimeDelta::days(1));
    ann.shop.app.daily().await.unwrap();
    lane(&ann, JobQueue::Shop).await;
    assert_eq!(charges(&ann), 1);
    // The mail server was down for two days.
    ann.shop.clock.advance(TimeDelta::days(2));
    ann.works().await;
    assert!(told(&ann, "is not renewed yet").is_empty());
    ann.waits(1).await;
    assert_eq!(status(&ann, &renewal).await, 32);
}

#[tokio::test]
async fn a_refused_card_is_asked_once_whatever_stops_in_between() {
    for heard_of in [true, false] {
        let (mut ann, policy, _) = renewing(None, LATER_DECLINED).await;
        ann.waits(TO_THE_LAST - 1).await;
        ann.shop.clock.advance(TimeDelta::days(1));
        ann.shop.app.daily().await.unwrap();
        let (key, job) = charge(&ann).unwrap();
        let app = ann.shop.app.clone();
        app.do_work(key, job.clone()).await.unwrap();
        assert_eq!(charges(&ann), 1);
        // A stop before the work was crossed off; or as soon as the attempt was written down.
        if !heard_of {
            let undo = move |tx: &mut WriteTx<'_>| {
                let uuid = policy.parse().unwrap();
                let mut row = tables::POLICIES.get(tx, &uuid)?.unwrap();
                row.renewing.told_unpaid = false;
                tables::POLICIES.put(tx, &uuid, &row)?;
                for (key, _) in tables::LETTERS.list(tx, &(), Direction::Forward, 100)? {
                    tables::LETTERS.delete(tx, &key);
                }
                let payments = tables::PAYMENTS.list(tx, &(), Direction::Forward, usize::MAX)?;
                for (id, mut payment) in payments {
                    if payment.stored_card.is_some() {
                        payment.status = PaymentStatus::Started;
                        tables::PAYMENTS.put(tx, &id, &payment)?;
                        tables::SANDBOX.delete(tx, &id);
                    }
                }
                Ok::<_, StoreError>(())
            };
            app.store.write(undo).await.unwrap();
        }
        app.do_work(key, job).await.unwrap();
        ann.waits(1).await;
        assert_eq!(charges(&ann), 1, "{heard_of}");
        assert_eq!(told(&ann, "is not renewed yet").len(), 1, "{heard_of}");
    }
}
