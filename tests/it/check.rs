//! `layby check` finds a flipped bit in any table, a missing index row, and an index row without its row.
//! `work.rs` tests its findings about queued jobs.

mod messages;
mod work;

pub use work::every_queue;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use layby::app::accounting::reconcile::{self, Reconciliation};
use layby::app::check::{self, CheckError, CheckReport};
use layby::app::payments;
use layby::domain::money::Pence;
use layby::domain::payment::dispute::DisputeEvent;
use layby::store::tables::{self, Click, FirstAnswer, PartnerRequest};
use layby::store::{AnyTable, Direction, Read, SCHEMA, Store, StoreError, TABLES, table_of};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use crate::money::dispute_news;
use crate::monthly::accepts_monthly;
use crate::policies::{Customer, PAYS, covered};
use crate::support::stores::{self, snapshot};
use crate::support::two_vehicles_with;

type Row = (Vec<u8>, Vec<u8>);

/// The finding about a damaged page.
const PAGE: &str = "a page of the file is damaged, and the store can't do without it";

/// The finding about the books if indexes are damaged.
const NO_BOOKS: &str = "the books were not checked, since indexes are damaged";

/// Checks a closed file. Returns the findings and the result.
fn checked(store: &Path) -> (Vec<String>, Result<(), CheckError>) {
    let mut messages = Vec::new();
    let ended = check::stopped(store, None, &mut |report| {
        if let CheckReport::Text(line) = report {
            messages.push(line);
        }
        ControlFlow::Continue(())
    });
    (messages, ended)
}

/// Checks an open store. Returns the findings.
fn checked_open(store: &Store) -> Vec<String> {
    let mut said = Vec::new();
    let _ = check::check_running(store, None, &mut |report| {
        if let CheckReport::Text(line) = report {
            said.push(line);
        }
        ControlFlow::Continue(())
    });
    said
}

/// Returns all rows by the number of their table.
fn rows(store: &Store) -> BTreeMap<u8, Vec<Row>> {
    let mut rows: BTreeMap<u8, Vec<Row>> = BTreeMap::new();
    let visit = &mut |key: &[u8], value: &[u8]| {
        let row = (key.to_vec(), value.to_vec());
        rows.entry(key[0]).or_default().push(row);
        ControlFlow::Continue(())
    };
    let tx = snapshot(store);
    tx.scan(&[], &[u8::MAX], Direction::Forward, visit).unwrap();
    rows
}

#[test]
fn a_flipped_bit_in_any_table_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = stores::store_in(folder.path());
    fs::write(&path, stores::bytes(SCHEMA)).unwrap();
    let every = rows(&Store::open(&path).unwrap());
    assert_eq!(
        every.len(),
        TABLES.len(),
        "the store has a row of every table"
    );
    let good = fs::read(&path).unwrap();
    for (number, rows) in &every {
        let (key, value) = rows
            .iter()
            .max_by_key(|row| row.0.len() + row.1.len())
            .unwrap();
        let longer = if key.len() > value.len() { key } else { value };
        let mut bad = good.clone();
        let places: Vec<usize> = (0..bad.len() - longer.len())
            .filter(|at| bad[*at..].starts_with(longer))
            .collect();
        assert!(!places.is_empty());
        for at in &places {
            bad[at + longer.len() - 1] ^= 1;
        }
        fs::write(&path, &bad).unwrap();
        let (said, ended) = checked(&path);
        let name = table_of(*number).unwrap().name();
        assert!(
            matches!(ended, Err(CheckError::DamagedFile)),
            "{name}: {ended:?}"
        );
        assert_eq!(said[0], PAGE, "{name}: {said:?}");
        assert!(fs::read(&path).unwrap() == bad, "a check changes nothing");
    }
}

#[test]
fn a_flipped_bit_in_any_page_that_is_in_use_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = stores::store_in(folder.path());
    fs::write(&path, stores::bytes(SCHEMA)).unwrap();
    let good = fs::read(&path).unwrap();
    // Golden rows have no indexes, and the check reports this.
    let (unspoilt, _) = checked(&path);
    let mut found = 0;
    for page in 0..good.len() / 4096 {
        let mut bad = good.clone();
        // The first byte holds the type of the page.
        bad[page * 4096] ^= 2;
        fs::write(&path, &bad).unwrap();
        match checked(&path) {
            (said, Err(_)) if said.first().is_some_and(|line| line == PAGE) => found += 1,
            // The file's header is damaged, so the file is no store.
            (_, Err(CheckError::Store(StoreError::NoStore))) => assert_eq!(page, 0),
            // A page that is no longer in use.
            (said, _) => assert_eq!(said, unspoilt, "page {page}"),
        }
        assert!(fs::read(&path).unwrap() == bad, "a check changes nothing");
    }
    assert!(found > 5, "{found}");
}

#[tokio::test]
async fn a_store_that_was_not_closed_is_verified_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = stores::store_in(folder.path());
    let store = Store::open(&path).unwrap();
    let many = |tx: &mut layby::store::WriteTx<'_>| {
        (0..500).try_for_each(|n: u32| tables::COUNTERS.put(tx, &n.to_string(), &n))
    };
    store.write::<_, StoreError, _>(many).await.unwrap();
    // The file as a kill leaves it.
    let killed = folder.path().join("killed");
    fs::copy(&path, &killed).unwrap();
    drop(store);
    let before = fs::read(&killed).unwrap();
    let (said, ended) = checked(&killed);
    assert!(ended.is_ok(), "{said:?}");
    assert_eq!(
        said,
        ["all pages and 501 rows are in order, and so are the indexes and the books"]
    );
    assert!(fs::read(&killed).unwrap() == before);
    assert_eq!(rows(&Store::open(&killed).unwrap())[&1].len(), 500);
}

/// Returns a shop in which every index has a row.
async fn every_index() -> Customer {
    let (mut ann, policy) = covered().await;
    ann.sleeps(10).await;
    let change = ann
        .asks(&policy, json!({ "cover_level": 4 }), Some("2027-03-03"))
        .await;
    let change = change.expect(StatusCode::OK).text("/data/adjustment_id");
    ann.enters_card(&change, PAYS).await;
    let end = json!({ "effective_date": "2027-04-01" });
    ann.cancels(&policy, end).await.expect(StatusCode::OK);
    let mut product = two_vehicles_with("start_date", "10.12.2026");
    let second = ann.buys(&product, PAYS).await;
    let undo = ann.put(&format!("/api/v1/policy/ntu/{second}"), &json!({}));
    undo.succeeds().await;
    ann.buys(&product, PAYS).await;
    let (monthly, _) = accepts_monthly(&ann, &product, false).await;
    ann.enters_card(&monthly, PAYS).await;
    let quote = ann.shop.create(&product);
    let quote = quote
        .header("Idempotency-Key", "answered-twice")
        .answers(StatusCode::CREATED)
        .await
        .text("/data/uuid");
    of_a_partner(&ann, quote.parse().unwrap()).await;
    of_a_gateway(&ann, policy.parse().unwrap()).await;
    product["values"]["email_primary"] = json!("nobody@example.org");
    let sold = ann.shop.quote(&product).await;
    ann.shop.buy(&sold, PAYS).await;
    ann.shop.payment(&sold).await.expect(StatusCode::OK);
    let name = ann
        .get("/api/v1/profile")
        .send()
        .await
        .text("/email_primary");
    let forgot = json!({ "username": name });
    let forgot = ann.shop.post("/api/v1/retrieve-password-request", &forgot);
    forgot.succeeds().await;
    ann.works().await;
    ann
}

/// Adds the rows of a dispute and a payout.
async fn of_a_gateway(ann: &Customer, policy: Uuid) {
    let payment = ann.shop.row(&tables::POLICIES, &policy).payment;
    let taken = [("txn_1", 100)];
    let news = dispute_news(payment, Pence(100), DisputeEvent::Opened, &taken);
    payments::apply_dispute_news(
        &ann.shop.app.store,
        &ann.shop.app.clock,
        &ann.shop.app.work_added,
        news,
    )
    .await
    .unwrap();
    let order = Reconciliation {
        gateway: Some("sandbox".to_string()),
        report: "reference,gross,fee,net,kind,payout\ndp_1,-1,0,-1,dispute,po_1\n".to_string(),
    };
    let now = ann.shop.clock.now();
    let mut said = Vec::new();
    let done = reconcile::execute(
        (&ann.shop.app.store, &ann.shop.app.config),
        &order,
        now,
        &mut said,
    );
    done.await.unwrap();
}

/// Adds the rows of a partner's request.
async fn of_a_partner(ann: &Customer, made: Uuid) {
    let write = move |tx: &mut layby::store::WriteTx<'_>| {
        let key = ("compare-example".to_string(), "r-1".to_string());
        let quote = tables::QUOTES.get(tx, &made)?.unwrap();
        let request = PartnerRequest {
            quote: made,
            body: String::new(),
            answered: FirstAnswer::from_quote(&quote),
        };
        let click = Click {
            quote: made,
            used: None,
        };
        tables::PARTNER_REQUESTS.put(tx, &key, &request)?;
        tables::CLICKS.put(tx, &[7; 32], &click)
    };
    ann.shop.app.store.write(write).await.unwrap();
}

async fn write(store: &Store, key: Vec<u8>, value: Option<Vec<u8>>) {
    let write = move |tx: &mut layby::store::WriteTx<'_>| {
        match &value {
            Some(value) => tx.put(key.clone(), value.clone()),
            None => tx.delete(key.clone()),
        }
        Ok::<_, StoreError>(())
    };
    store.write(write).await.unwrap();
}

/// Returns another value of a table, or `None` if its only value is `()`.
fn changed(table: &dyn AnyTable, value: &[u8]) -> Option<Vec<u8>> {
    (1..value.len()).rev().find_map(|at| {
        let mut other = value.to_vec();
        other[at] ^= 1;
        table.written_again(&other).is_ok().then_some(other)
    })
}

#[tokio::test]
async fn an_index_row_that_is_missing_wrong_or_leads_nowhere_is_named_whatever_its_table() {
    let ann = every_index().await;
    let store = &ann.shop.app.store;
    let said = checked_open(store);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].ends_with("are in order, and so are the indexes and the books"),
        "{said:?}"
    );

    let rows = rows(store);
    for table in TABLES.iter().filter(|table| table.is_index()) {
        let (name, own) = (table.name(), rows.get(&table.number()));
        let (key, value) = own.unwrap_or_else(|| panic!("{name} has no row"))[0].clone();
        write(store, key.clone(), None).await;
        let said = checked_open(store);
        let missing = format!("isn't in its index {name}");
        assert_eq!(said.len(), 2, "{name}: {said:?}");
        assert_eq!(said[1], NO_BOOKS);
        assert!(said[0].contains(&missing), "{said:?}");
        write(store, key.clone(), Some(value.clone())).await;

        // A key of the same form. A name ends with a zero byte.
        let mut stray = key.clone();
        let at = stray.len() - 1 - usize::from(stray.ends_with(&[0]));
        stray[at] ^= 1;
        write(store, stray.clone(), Some(value.clone())).await;
        let said = checked_open(store);
        let nowhere = format!("a row of table {name} leads to no row");
        assert_eq!(said.len(), 2, "{name}: {said:?}");
        assert!(said[0].starts_with(&nowhere), "{said:?}");

        // The stray row replaces another row, so the number of rows is right.
        write(store, key.clone(), None).await;
        let said = checked_open(store);
        assert_eq!(said.len(), 3, "{name}: {said:?}");
        assert!(said[0].contains(&missing), "{said:?}");
        assert!(said[1].starts_with(&nowhere), "{said:?}");
        write(store, stray, None).await;

        // The value of another row, for tables whose rows hold more than the key.
        let mut others = rows[&table.number()].iter().map(|(_, other)| other);
        let other = others.find(|other| **other != value).cloned();
        let wrong = other.or_else(|| changed(*table, &value));
        if let Some(wrong) = wrong {
            write(store, key.clone(), Some(wrong)).await;
            let said = checked_open(store);
            assert_eq!(said.len(), 2, "{name}: {said:?}");
            assert!(said[0].contains(&missing), "{said:?}");
        }
        write(store, key, Some(value)).await;
    }
    assert_eq!(checked_open(store).len(), 1);
}
