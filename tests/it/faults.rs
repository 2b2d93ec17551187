//! A disk that fails at each write and sync of a purchase. Acknowledged steps are kept, no step is half-done,
//! and a retry completes the purchase.

pub mod disk;
mod refunds;

use std::sync::Arc;
use std::time::Duration;

use disk::{Fault, Faulty};
use layby::app::payments::status;
use layby::domain::payment::PaymentStatus;
use layby::store::{Direction, Store, tables};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use crate::support::stores::snapshot;
use crate::support::{Made, NOW, Shop, two_vehicles};

/// Maximum tries of a step. The store reopens within a second.
const TRIES: u32 = 500;
/// This card pays, and the gateway sends no callback.
const PAYS_SILENTLY: &str = "4000 0000 0000 0085";

/// Returns the numbers of the writes and syncs to fail, by default every eleventh. `FAULTS=all` returns every
/// one, which takes minutes.
fn places(all: u32) -> impl Iterator<Item = u32> {
    let step = match std::env::var("FAULTS") {
        Ok(which) if which == "all" => 1,
        _ => 11,
    };
    (1..=all).step_by(step)
}

/// The acknowledged steps of a purchase.
#[derive(Default)]
struct Purchase {
    quote: Option<Made>,
    accepted: bool,
    payment: Option<(Uuid, String)>,
    paid: bool,
    sold: bool,
}

impl Purchase {
    /// Does the next step. Returns whether it was acknowledged.
    async fn step(&mut self, shop: &Shop) -> bool {
        let Some(quote) = &self.quote else {
            let body = json!({ "product": two_vehicles() });
            let answer = shop.post("/api/v2/public/quote/breakdown", &body).send();
            let answer = answer.await;
            let made = answer.status == StatusCode::CREATED;
            assert!(made || answer.status == StatusCode::SERVICE_UNAVAILABLE);
            if made {
                self.quote = Some(Made {
                    uuid: answer.text("/data/uuid"),
                    token: answer.text("/data/consumer_token"),
                    body: answer.body,
                });
            }
            return made;
        };
        if !self.accepted {
            self.accepted = is_done(shop.accept(quote).await.status);
            return self.accepted;
        }
        let Some((payment, frame)) = &self.payment else {
            let answer = shop.initiate(quote).await;
            let done = is_done(answer.status);
            if done {
                let id = answer.text("/data/payment_id").parse().unwrap();
                self.payment = Some((id, answer.text("/data/url")));
            }
            return done;
        };
        if !self.paid {
            self.paid = is_done(shop.pay(frame, PAYS_SILENTLY).await.0.status());
            return self.paid;
        }
        match status::sync_payment_status(&shop.app, *payment).await {
            Ok(status) => {
                assert_eq!(status, PaymentStatus::Paid);
                self.sold = true;
            }
            Err(error) => assert!(error.log_text().contains("disk failed"), "{error:?}"),
        }
        self.sold
    }

    async fn complete(&mut self, shop: &Shop) {
        let mut tries = 0;
        while !self.sold {
            if !self.step(shop).await {
                tries += 1;
                assert!(tries < TRIES, "the store isn't opened again");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }
}

/// Returns true for success, and false while the store is closed. Any other status fails the test.
fn is_done(status: StatusCode) -> bool {
    assert!(
        status == StatusCode::OK || status == StatusCode::SERVICE_UNAVAILABLE,
        "{status}"
    );
    status == StatusCode::OK
}

async fn shop_on(disk: &Arc<Faulty>) -> Shop {
    let store = Store::on_disk(disk.clone()).unwrap();
    Shop::reachable_at(store, NOW, "http://127.0.0.1:9").await
}

/// Returns a disk with the store of a shop without sales.
async fn new_shop() -> Vec<u8> {
    let disk = Arc::new(Faulty::default());
    drop(shop_on(&disk).await);
    disk.bytes()
}

/// Checks that the purchase is stored once, complete, with its money.
fn assert_sold_once(store: &Store, purchase: &Purchase) {
    let tx = snapshot(store);
    let uuid: Uuid = purchase.quote.as_ref().unwrap().uuid.parse().unwrap();
    let policies = tables::POLICIES.list(&tx, &(), Direction::Forward, 10);
    let policies: Vec<Uuid> = policies.unwrap().into_iter().map(|(key, _)| key).collect();
    assert_eq!(policies, [uuid]);
    let entries = tables::LEDGER.list(&tx, &uuid, Direction::Forward, 100);
    let owed: i64 = entries
        .unwrap()
        .iter()
        .flat_map(|(_, entry)| entry.postings())
        .map(|posting| posting.amount.0)
        .sum();
    assert_eq!(owed, 0);
}

#[tokio::test]
async fn a_purchase_is_completed_whichever_write_or_sync_fails() {
    let empty = new_shop().await;
    let count = Arc::new(Faulty::of(empty.clone()));
    let shop = shop_on(&count).await;
    count.fault(u32::MAX, Fault::PowerCut);
    Purchase::default().complete(&shop).await;
    let all = count.asked();
    assert!(all > 20, "a purchase writes more than {all} times");
    for n in places(all) {
        for fault in [
            Fault::Fails(1),
            Fault::Fails(3),
            Fault::Full(1),
            Fault::Full(3),
        ] {
            let disk = Arc::new(Faulty::of(empty.clone()));
            let shop = shop_on(&disk).await;
            disk.fault(n, fault);
            let mut purchase = Purchase::default();
            purchase.complete(&shop).await;
            assert_sold_once(&shop.app.store, &purchase);
            drop(shop);
            assert_sold_once(&Store::on_disk(disk).unwrap(), &purchase);
        }
    }
}

#[tokio::test]
async fn a_power_cut_at_any_write_loses_nothing_that_was_acknowledged() {
    let empty = new_shop().await;
    let count = Arc::new(Faulty::of(empty.clone()));
    let shop = shop_on(&count).await;
    count.fault(u32::MAX, Fault::PowerCut);
    Purchase::default().complete(&shop).await;
    for n in places(count.asked()) {
        let disk = Arc::new(Faulty::of(empty.clone()));
        let shop = shop_on(&disk).await;
        disk.fault(n, Fault::PowerCut);
        let mut purchase = Purchase::default();
        while !purchase.sold && purchase.step(&shop).await {}
        let left = disk.after_power_cut(u64::from(n) + 1);
        drop(shop);
        let shop = shop_on(&Arc::new(Faulty::of(left))).await;
        if let Some(quote) = &purchase.quote {
            shop.read(quote).await.expect(StatusCode::OK);
        }
        // Each step needs the one before it, so success proves that every acknowledged step was kept.
        purchase.complete(&shop).await;
        assert_sold_once(&shop.app.store, &purchase);
    }
}
