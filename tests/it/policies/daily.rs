//! The day's work, when something is wrong.

use crate::support::stores::snapshot;
use layby::store::{WriteTx, tables};
use serde_json::json;

use super::{Customer, PAYS, young_vehicles};

#[tokio::test]
async fn a_policy_that_cant_be_read_keeps_nobody_else_waiting() {
    let mut ann = Customer::new().await;
    let broken = ann.buys_for_now(&young_vehicles(), PAYS, false).await;
    let sound = ann.buys_for_now(&young_vehicles(), PAYS, false).await;
    let uuid = broken.parse().unwrap();
    let spoil = move |tx: &mut WriteTx<'_>| {
        let mut row = tables::POLICIES.get(tx, &uuid)?.unwrap();
        row.revision = 99;
        tables::POLICIES.put(tx, &uuid, &row)
    };
    ann.shop.app.store.write(spoil).await.unwrap();
    ann.sleeps(370).await;
    let tx = snapshot(&ann.shop.app.store);
    let done = tables::LAST_DAY.get(&tx, &()).unwrap();
    assert_eq!(done, Some(ann.shop.app.today()));
    let quote = tables::QUOTES.get(&tx, &uuid).unwrap().unwrap();
    assert_eq!(json!(quote.status.id()), 15);
    drop(tx);
    let read = ann.policy(&sound).await;
    assert_eq!(read.at("/data/info/status_id"), 15);
}
