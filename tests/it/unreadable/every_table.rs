//! Bad rows in every table and every queue, between the rows of one customer. Another customer buys, is
//! refunded, renews and gets letters.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use layby::app::jobs;
use layby::domain::payment::refund::RefundStatus;
use layby::domain::quote::QuoteStatus;
use layby::store::{Direction, Read, StoreError, TABLES, WriteTx, tables};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use crate::check::every_queue;
use crate::policies::renewals::{LAST_DAY, QUOTED, renewal_of};
use crate::policies::{PAYS, young_vehicles};
use crate::support::Shop;
use crate::support::stores::snapshot;

type Row = (Vec<u8>, Vec<u8>);

/// Returns the first and the last row of each table, by its number, without rows of the user `bob`. Returns a
/// made-up row of an empty table.
fn first_and_last(shop: &Shop, bob: Uuid) -> BTreeMap<u8, Vec<Row>> {
    let mut found: BTreeMap<u8, Vec<Row>> = BTreeMap::new();
    let tx = snapshot(&shop.app.store);
    for table in TABLES {
        for direction in [Direction::Forward, Direction::Backward] {
            let number = table.number();
            let (from, to) = ([number], [number + 1]);
            tx.scan(&from, &to, direction, &mut |key, value| {
                if key.windows(16).any(|part| part == bob.as_bytes()) {
                    return ControlFlow::Continue(());
                }
                let rows = found.entry(number).or_default();
                rows.push((key.to_vec(), value.to_vec()));
                ControlFlow::Break(())
            })
            .unwrap();
        }
        let made_up = || {
            let key = [&[table.number()][..], &[0; 24]].concat();
            vec![(key, vec![table.version(), 0xc0])]
        };
        found.entry(table.number()).or_insert_with(made_up);
    }
    found
}

/// Returns bad rows beside a good row: of another version, of half its bytes, of another type, and two under a
/// wrong key.
fn bad_rows((key, value): &Row) -> Vec<Row> {
    let beside = |number: u8| {
        let mut key = key.clone();
        // A name ends with a zero byte. The only row of a table has an empty key.
        match key.len() - usize::from(key.ends_with(&[0])) {
            0 | 1 => key.push(number),
            at => key[at - 1] ^= number,
        }
        key
    };
    let version = [&[value[0] + 1], &value[1..]].concat();
    let half = value[..value.len() / 2].to_vec();
    let other_type = vec![value[0], 0xa1, b'x'];
    let longer = [&key[..], &[9]].concat();
    vec![
        (beside(1), version),
        (beside(2), half),
        (beside(4), other_type),
        (longer, value.clone()),
        (vec![key[0], 0], value.clone()),
    ]
}

#[tokio::test]
async fn bad_rows_in_every_table_and_queue_stop_no_sale_refund_renewal_or_letter() {
    let ann = every_queue().await;
    let mut bob = ann.into_stranger().await;
    let name = bob.address().to_string();
    let id = tables::USER_BY_NAME.get(&snapshot(&bob.shop.app.store), &name);
    let rows = first_and_last(&bob.shop, id.unwrap().unwrap());
    let bad: Vec<Row> = rows.values().flatten().flat_map(bad_rows).collect();
    let plant = move |tx: &mut WriteTx<'_>| {
        for (key, value) in bad.clone() {
            tx.put(key, value);
        }
        Ok::<_, StoreError>(())
    };
    bob.shop.app.store.write(plant).await.unwrap();

    let mut product = young_vehicles();
    product["values"]["start_date"] = json!("05.12.2026");
    product["values"]["email_primary"] = json!(bob.address());
    for (vehicle, plate) in product["multi"]["vehicles"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .zip(["KL22 MNO", "KL23 MNO"])
    {
        vehicle["vehicle_registration"] = json!(plate);
    }
    let policy = bob.buys(&product, PAYS).await;
    let other = bob.buys(&product, PAYS).await;
    bob.cancels(&other, json!({})).await.expect(StatusCode::OK);
    bob.works().await;
    let refunds = tables::REFUNDS.list_readable(
        &snapshot(&bob.shop.app.store),
        &(),
        Direction::Forward,
        usize::MAX,
    );
    let other: Uuid = other.parse().unwrap();
    let refund = refunds
        .unwrap()
        .into_iter()
        .find(|(_, refund)| refund.policy == other);
    assert_eq!(refund.unwrap().1.status, RefundStatus::Paid);

    let letters = |bob: &crate::policies::Customer, about: &str| {
        let letters = bob.shop.letters().into_iter();
        letters
            .filter(|letter| letter.to == bob.address() && letter.subject.contains(about))
            .count()
    };
    let before = letters(&bob, "");
    assert!(before > 0);
    bob.sleeps(QUOTED).await;
    jobs::collect(&bob.shop.app).await.unwrap();
    let renewal: Uuid = renewal_of(&bob, &policy).await.parse().unwrap();
    bob.waits(LAST_DAY - QUOTED).await;
    let quote = tables::QUOTES.get(&snapshot(&bob.shop.app.store), &renewal);
    assert_eq!(
        quote.unwrap().unwrap().status,
        QuoteStatus::Live,
        "it is charged"
    );
    assert!(letters(&bob, "") > before);
    let done = tables::LAST_DAILY_RUN.get(&snapshot(&bob.shop.app.store), &());
    assert_eq!(done.unwrap(), Some(bob.shop.app.clock.today()));
    for queue in jobs::JobQueue::ALL {
        let left = queue
            .table()
            .rows(&snapshot(&bob.shop.app.store), &())
            .filter(Result::is_err)
            .count();
        assert_eq!(left, 0, "{queue:?}");
    }
}
