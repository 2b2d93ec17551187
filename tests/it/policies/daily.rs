//! The daily run if some row is faulty.

use crate::support::stores::{put_stray, snapshot};
use layby::domain::policy::renewal::RenewalStatus;
use layby::domain::time::dates;
use layby::store::{Direction, WriteTx, tables};
use serde_json::json;

use super::renewals::{QUOTED, by_hand};
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
    let done = tables::LAST_DAILY_RUN.get(&tx, &()).unwrap();
    assert_eq!(done, Some(ann.shop.app.clock.today()));
    let quote = tables::QUOTES.get(&tx, &uuid).unwrap().unwrap();
    assert_eq!(json!(quote.status.id()), 15);
    // The policy ended without a renewal, and is no longer due.
    let policy = tables::POLICIES.get(&tx, &uuid).unwrap().unwrap();
    assert_eq!(policy.renewal, RenewalStatus::NotRenewed);
    drop(tx);
    let read = ann.policy(&sound).await;
    assert_eq!(read.at("/data/info/status_id"), 15);
}

#[tokio::test]
async fn an_index_row_of_a_renewal_that_is_not_due_is_removed_and_quotes_nothing() {
    let (mut ann, policy) = by_hand().await;
    let uuid = policy.parse().unwrap();
    let due = |ann: &Customer| {
        let tx = snapshot(&ann.shop.app.store);
        let rows = tables::POLICY_BY_RENEWAL.list(&tx, &(), Direction::Forward, 10);
        let renewal = tables::POLICIES.get(&tx, &uuid).unwrap().unwrap().renewal;
        (rows.unwrap(), renewal)
    };
    let before = due(&ann);
    assert_eq!(before.0.len(), 1);
    let tomorrow = dates::add_days(ann.shop.app.clock.today(), 1);
    let leave =
        move |tx: &mut WriteTx<'_>| put_stray(tx, &tables::POLICY_BY_RENEWAL, &(tomorrow, uuid));
    ann.shop.app.store.write(leave).await.unwrap();
    ann.sleeps(2).await;
    assert_eq!(due(&ann), before);

    let never = move |tx: &mut WriteTx<'_>| {
        let mut row = tables::POLICIES.get(tx, &uuid)?.unwrap();
        row.renewal = RenewalStatus::NotRenewed;
        tables::POLICIES.put(tx, &uuid, &row)
    };
    ann.shop.app.store.write(never).await.unwrap();
    ann.sleeps(QUOTED - 2).await;
    assert_eq!(due(&ann), (vec![], RenewalStatus::NotRenewed));
}
