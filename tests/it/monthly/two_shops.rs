//! Two shops with one database run the collection.

use std::time::Duration;

use layby::app::{jobs, payments};
use layby::domain::payment::{Payment, PaymentStatus};
use layby::store::{Direction, ReadTx, Store, tables};
use poem::http::StatusCode;
use tokio::sync::watch;

use super::{PAYS, accepts_monthly, sleeps_until};
use crate::money::books::is_clean;
use crate::policies::Customer;
use crate::support::database::{Server, join_as_built, join_with_clock};
use crate::support::{NOW, Shop, two_vehicles};

/// Joins the cluster, with or without a comparison of the shop's clock with the database's.
async fn joined(url: &str, checks_clock: bool) -> Store {
    let url = url.to_string();
    let join = tokio::task::spawn_blocking(move || match checks_clock {
        true => join_with_clock(&url),
        false => join_as_built(&url),
    });
    join.await.unwrap().unwrap()
}

/// Returns the charges of stored cards.
async fn charges(shop: &Shop) -> Vec<Payment> {
    let all = |tx: &ReadTx| tables::PAYMENTS.list(tx, &(), Direction::Forward, usize::MAX);
    let all = shop.app.store.read(all).await.unwrap().into_iter();
    let charges = all.map(|(_, payment)| payment);
    charges
        .filter(|payment| payment.instrument().is_some())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_clock_charges_nothing_and_two_right_ones_charge_once() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let first = Shop::over(joined(&schema, false).await, NOW).await;
    let ann = Customer::of(first).await;
    let (policy, accepted) = accepts_monthly(&ann, &two_vehicles(), false).await;
    accepted.expect(StatusCode::OK);
    ann.enters_card(&policy, PAYS).await;
    sleeps_until(&ann, "2026-12-21");

    // The database's clock is the machine's, so a fixed clock is wrong if it is compared.
    let day = ann.shop.clock.now().to_rfc3339();
    let wrong = Shop::over(joined(&schema, true).await, &day).await;
    let (stop, stopped) = watch::channel(false);
    let work = tokio::spawn(layby::worker::run(wrong.app.clone(), stopped));
    tokio::time::sleep(Duration::from_millis(500)).await;
    stop.send(true).unwrap();
    work.await.unwrap();
    assert!(wrong.app.wrong_clock().is_some());
    assert_eq!(charges(&ann.shop).await, []);
    drop(wrong);

    let second = Shop::over(joined(&schema, false).await, &day).await;
    let (one, other) = tokio::join!(jobs::collect(&ann.shop.app), jobs::collect(&second.app));
    one.unwrap();
    other.unwrap();
    let started = charges(&second).await;
    assert_eq!(started.len(), 1);
    let id = started[0].id;
    let (one, other) = tokio::join!(
        payments::collect(&ann.shop.app, id),
        payments::collect(&second.app, id)
    );
    let paid = PaymentStatus::Paid;
    assert_eq!((one.unwrap(), other.unwrap()), (paid, paid));
    for shop in [&ann.shop, &second] {
        jobs::collect(&shop.app).await.unwrap();
        assert_eq!(charges(shop).await.len(), 1);
    }
    is_clean(&ann.shop, "after one charge");
}
