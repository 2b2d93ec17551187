//! A power cut at each write of a refund: the refund is made once.

use std::sync::Arc;
use std::time::Duration;

use layby::app::jobs;
use layby::app::payments::refunds::unrefunded::refund_to_cards;
use layby::domain::money::Pence;
use layby::domain::money::ledger::Account;
use layby::store::tables;
use uuid::Uuid;

use super::disk::{Fault, Faulty};
use super::{Purchase, places, shop_on};
use crate::support::Shop;
use crate::support::stores::snapshot;

const AMOUNT: Pence = Pence(500);

/// Retries a refund until it is acknowledged. Returns false if the power is cut.
async fn give_back(shop: &Shop, policy: Uuid) -> bool {
    let now = shop.clock.now();
    let give = move |tx: &mut layby::store::WriteTx<'_>| {
        refund_to_cards(tx, policy, Uuid::from_u128(7), AMOUNT, now)
    };
    if shop.app.store.write(give).await.is_err() {
        return false;
    }
    let queue = layby::app::jobs::JobQueue::Shop;
    let Ok(due) = jobs::due_jobs(&shop.app.store, &shop.app.clock, queue, 100).await else {
        return false;
    };
    for (key, job) in due.jobs {
        let refund = matches!(job.task, tables::Task::Refund { .. });
        if refund && jobs::run_job(&shop.app, key, job).await.is_err() {
            return false;
        }
    }
    true
}

#[tokio::test]
async fn a_refund_is_given_once_whichever_write_the_power_is_cut_at() {
    let disk = Arc::new(Faulty::of(super::new_shop().await));
    let shop = shop_on(&disk).await;
    let mut purchase = Purchase::default();
    purchase.complete(&shop).await;
    let policy: Uuid = purchase.quote.as_ref().unwrap().uuid.parse().unwrap();
    let payment = purchase.payment.as_ref().unwrap().0;
    drop(shop);
    let sold = disk.bytes();

    let count = Arc::new(Faulty::of(sold.clone()));
    let shop = shop_on(&count).await;
    count.fault(u32::MAX, Fault::PowerCut);
    assert!(give_back(&shop, policy).await);
    let all = count.asked();
    drop(shop);
    assert!(all > 5, "a refund writes more than {all} times");
    for n in places(all) {
        let disk = Arc::new(Faulty::of(sold.clone()));
        let shop = shop_on(&disk).await;
        disk.fault(n, Fault::PowerCut);
        // Without power, `give_back` would retry for a minute.
        let _ = tokio::time::timeout(Duration::from_millis(300), give_back(&shop, policy)).await;
        let left = disk.after_power_cut(u64::from(n) + 1);
        drop(shop);
        let shop = shop_on(&Arc::new(Faulty::of(left))).await;
        assert!(give_back(&shop, policy).await);
        let tx = snapshot(&shop.app.store);
        let books = tables::SANDBOX.get(&tx, &payment).unwrap().unwrap();
        let given: Vec<_> = books.refunds.iter().map(|one| one.amount).collect();
        assert_eq!(given, [AMOUNT], "{n}");
        let gateway =
            layby::app::payments::ledger::balance(&tx, policy, &Account::gateway("sandbox"));
        assert_eq!(gateway.unwrap(), books.amount - AMOUNT, "{n}");
    }
}
