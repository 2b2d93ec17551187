//! Unreadable rows: each is logged once a day and counted, and all other work continues.

mod every_table;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use layby::app::jobs::{self, JobQueue};
use layby::app::letters::delivery::outbox::{self, MailOrder};
use layby::config::LogFormat;
use layby::domain::quote::QuoteStatus;
use layby::store::{AnyTable, Key, StoreError, Table, WriteTx, tables};
use poem::http::StatusCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use uuid::Uuid;

use crate::policies::renewals::{LAST_DAY, QUOTED, renewal_of};
use crate::policies::{Customer, PAYS, young_vehicles};
use crate::support::stores::{put_stray, snapshot};
use crate::support::{Shop, log, own_process, two_vehicles};

/// Puts an unreadable row at `key`.
fn plant<K: Key, V: Serialize + DeserializeOwned, const IS_INDEX: bool>(
    tx: &mut WriteTx<'_>,
    table: &Table<K, V, IS_INDEX>,
    key: &K,
) {
    let mut bytes = vec![table.number()];
    key.write(&mut bytes);
    // No value of MessagePack begins with this byte.
    tx.put(bytes, vec![table.version(), 0xc1]);
}

/// Returns the number of log lines about an unreadable row of a table.
fn lines_of(said: &str, table: &str) -> usize {
    let named = format!("table=\"{table}\"");
    let lines = said.lines().filter(|line| {
        line.contains("can't be read") && line.contains(&named) && line.contains("key=")
    });
    lines.count()
}

#[tokio::test]
async fn an_unreadable_job_in_each_queue_stops_no_sale_no_letter_no_document_and_no_figure() {
    if own_process::passes(
        "unreadable::an_unreadable_job_in_each_queue_stops_no_sale_no_letter_no_document_and_no_figure",
    ) {
        return;
    }
    let shop = Shop::configured("[server]\nmetrics_allow = [\"0.0.0.0\"]\n").await;
    let (lines, _log) = log::recorded(LogFormat::Text);
    let early = shop.clock.now() - TimeDelta::hours(1);
    let write = shop.app.store.write(move |tx| {
        for (number, queue) in (1..).zip(JobQueue::ALL) {
            plant(tx, queue.table(), &(early, Uuid::from_u128(number)));
        }
        plant(tx, &tables::SET_ASIDE, &(early, Uuid::nil()));
        plant(tx, &tables::REFUSED_ADDRESSES, &"ann".to_string());
        Ok::<_, StoreError>(())
    });
    write.await.unwrap();

    let quote = shop.quote(&two_vehicles()).await;
    shop.buy(&quote, PAYS).await;
    shop.clock.advance(TimeDelta::minutes(1));
    shop.work().await;
    let paid = shop.payment(&quote).await.expect(StatusCode::OK);
    assert_eq!(paid.at("/data/status"), "paid");
    assert!(!shop.letters().is_empty());
    shop.work().await;

    shop.get("/health/ready").succeeds().await;
    let counted = shop.get("/metrics").succeeds().await;
    let counted = String::from_utf8(counted.bytes).unwrap();
    let said = lines.text();
    assert!(!said.contains("616e6e"), "an address is in the log: {said}");
    for queue in JobQueue::ALL {
        let table = queue.table().name();
        let metric = format!("layby_rows_unreadable_total{{table=\"{table}\"}} 1");
        assert!(counted.contains(&metric), "{table}: {counted}");
        assert_eq!(lines_of(&said, table), 1, "{table}: {said}");
    }

    let mut listed = Vec::new();
    let now = shop.clock.now();
    let list = outbox::execute(&shop.app.store, &MailOrder::List, now, &mut listed);
    list.await.unwrap();
    let left_out = "2 rows can't be read: `layby check` names them";
    assert!(listed.iter().any(|line| line == left_out), "{listed:?}");
    assert!(
        listed
            .last()
            .unwrap()
            .contains("letters wait, 3 were given up"),
        "{listed:?}"
    );
    // The commands to retry and to delete letters skip them too.
    for order in [
        MailOrder::Requeue(Vec::new()),
        MailOrder::Forget(vec![Uuid::from_u128(77).to_string()]),
    ] {
        let done = outbox::execute(&shop.app.store, &order, now, &mut Vec::new()).await;
        let why = done.err().map(|error| error.log_text()).unwrap_or_default();
        assert!(
            why.is_empty() || why.contains("there is no such letter"),
            "{why}"
        );
    }
}

/// Puts an unreadable row at the start of every table and index that the daily run scans.
async fn plant_in_scans(shop: &Shop) {
    let (day, moment) = (NaiveDate::default(), DateTime::<Utc>::UNIX_EPOCH);
    let write = shop.app.store.write(move |tx| {
        let nil = Uuid::nil();
        plant(tx, &tables::POLICY_BY_SCHEDULED_DAY, &(day, nil));
        plant(tx, &tables::QUOTE_BY_EXPIRY, &(moment, nil));
        plant(tx, &tables::POLICY_BY_RENEWAL, &(day, nil));
        plant(tx, &tables::POLICY_BY_EXPIRY, &(day, nil));
        plant(tx, &tables::QUOTE_BY_SAVED, &(day, nil));
        plant(tx, &tables::PARTNER_REQUEST_BY_QUOTE, &nil);
        plant(tx, &tables::CLICK_BY_QUOTE, &(nil, [0; 32]));
        plant(tx, &tables::LOOKUPS, &nil);
        plant(tx, &tables::SET_ASIDE, &(moment, nil));
        plant(tx, &tables::REMOVED_CONTENTS, &String::new());
        Ok::<_, StoreError>(())
    });
    write.await.unwrap();
}

#[tokio::test]
async fn unreadable_rows_of_the_daily_round_keep_no_other_quote_policy_or_renewal_waiting() {
    if own_process::passes(
        "unreadable::unreadable_rows_of_the_daily_round_keep_no_other_quote_policy_or_renewal_waiting",
    ) {
        return;
    }
    let mut ann = Customer::new().await;
    let sound = ann.buys(&young_vehicles(), PAYS).await;
    let uuid = |text: &str| text.parse::<Uuid>().unwrap();
    let [no_policy, no_quote, no_refund] = [
        ann.buys(&young_vehicles(), PAYS).await,
        ann.buys(&young_vehicles(), PAYS).await,
        ann.buys(&young_vehicles(), PAYS).await,
    ]
    .map(|text| uuid(&text));
    // The daily run can decide about an address only if it can read all its quotes.
    let mut others = young_vehicles();
    others["values"]["email_primary"] = json!("lost@example.org");
    let [lapses, lost] = [
        ann.shop.quote(&young_vehicles()).await,
        ann.shop.quote(&others).await,
    ]
    .map(|quote| uuid(&quote.uuid));
    // A part of the price was refunded, and the refund's row is unreadable.
    let refund = Uuid::from_u128(5);
    plant_in_scans(&ann.shop).await;
    let write = ann.shop.app.store.write(move |tx| {
        plant(tx, &tables::POLICIES, &no_policy);
        plant(tx, &tables::QUOTES, &no_quote);
        plant(tx, &tables::QUOTES, &lost);
        plant(tx, &tables::REFUNDS, &refund);
        put_stray(tx, &tables::REFUND_BY_POLICY, &(no_refund, refund))
    });
    write.await.unwrap();
    let (lines, _log) = log::recorded(LogFormat::Text);
    let round_of_today = |ann: &Customer| {
        let done = tables::LAST_DAILY_RUN.get(&snapshot(&ann.shop.app.store), &());
        assert_eq!(done.unwrap(), Some(ann.shop.app.clock.today()));
    };

    ann.sleeps(QUOTED).await;
    round_of_today(&ann);
    let status = |ann: &Customer, uuid: Uuid| {
        let row = tables::QUOTES.get(&snapshot(&ann.shop.app.store), &uuid);
        row.unwrap().map(|quote| quote.status)
    };
    assert_eq!(status(&ann, lapses), None, "{}", lines.text());
    let renewal = uuid(&renewal_of(&ann, &sound).await);
    assert_eq!(status(&ann, renewal), Some(QuoteStatus::Quote));

    ann.waits(LAST_DAY - QUOTED).await;
    round_of_today(&ann);
    assert_eq!(
        status(&ann, renewal),
        Some(QuoteStatus::Live),
        "it is charged"
    );
    ann.waits(1).await;
    round_of_today(&ann);
    assert_eq!(status(&ann, uuid(&sound)), Some(QuoteStatus::Renewed));
    assert_eq!(status(&ann, no_refund), Some(QuoteStatus::Renewed));

    let (said, counted) = (lines.text(), layby::metrics::render().unwrap());
    for table in [
        "policy_by_scheduled_day",
        "quote_by_expiry",
        "policy_by_renewal",
        "policy_by_expiry",
        "quote_by_saved",
        "partner_request_by_quote",
        "click_by_quote",
        "lookups",
        "set_aside",
        "removed_contents",
        "policies",
    ] {
        // Rows that fail because of other rows count too.
        let metric = format!("layby_rows_unreadable_total{{table=\"{table}\"}} ");
        let (_, count) = counted.split_once(&metric).unwrap();
        assert!(!count.starts_with('0'), "{table}: {counted}");
    }
    let quotes = "layby_rows_unreadable_total{table=\"quotes\"} 2\n";
    assert!(counted.contains(quotes), "{counted}");
    // The log limits by the machine's clock, so the test's days count as one. The writer's thread logs reads
    // in a write.
    for table in ["policy_by_scheduled_day", "policies"] {
        assert_eq!(lines_of(&said, table), 1, "{table}: {said}");
    }
    assert!(said.contains("a row failed and is skipped"), "{said}");
}

#[tokio::test]
async fn unreadable_rows_beside_a_customers_own_hide_no_policy_from_the_customer() {
    if own_process::passes(
        "unreadable::unreadable_rows_beside_a_customers_own_hide_no_policy_from_the_customer",
    ) {
        return;
    }
    let ann = Customer::new().await;
    let sound = ann.buys(&young_vehicles(), PAYS).await;
    let other = ann.buys(&young_vehicles(), PAYS).await;
    let uuid = |text: &str| text.parse::<Uuid>().unwrap();
    let (policy, other) = (uuid(&sound), uuid(&other));
    let tx = snapshot(&ann.shop.app.store);
    let owner = tables::QUOTES.get(&tx, &policy).unwrap().unwrap().owner;
    let owner = owner.unwrap();
    let write = ann.shop.app.store.write(move |tx| {
        plant(tx, &tables::QUOTE_BY_OWNER, &(owner, Uuid::nil()));
        plant(tx, &tables::DOCUMENT_BY_POLICY, &(policy, Uuid::nil()));
        plant(tx, &tables::POLICIES, &other);
        Ok::<_, StoreError>(())
    });
    write.await.unwrap();
    let list = ann.get("/api/v2/policy/list").succeeds().await;
    let rows = list.at("/data").as_array().unwrap();
    for uuid in [policy, other] {
        assert!(rows.iter().any(|row| row["policy_uuid"] == json!(uuid)));
    }
    for path in [
        "/api/v1/profile/cards".to_string(),
        format!("/api/v1/policy/{sound}/documents"),
    ] {
        ann.get(&path).succeeds().await;
    }
    let counted = layby::metrics::render().unwrap();
    let metric = "layby_rows_unreadable_total{table=\"quote_by_owner\"} 1\n";
    assert!(counted.contains(metric), "{counted}");
}

/// More unreadable rows come first in the index than one transaction changes.
#[tokio::test]
async fn however_many_unreadable_quotes_come_first_the_round_ends() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let moment = DateTime::<Utc>::UNIX_EPOCH;
    let write = shop.app.store.write(move |tx| {
        for number in 1..=450 {
            let uuid = Uuid::from_u128(number);
            put_stray(tx, &tables::QUOTE_BY_EXPIRY, &(moment, uuid))?;
            plant(tx, &tables::QUOTES, &uuid);
        }
        Ok::<_, StoreError>(())
    });
    write.await.unwrap();
    shop.clock.advance(TimeDelta::days(60));
    jobs::daily(&shop.app).await.unwrap();
    let tx = snapshot(&shop.app.store);
    let read = tables::QUOTES.get(&tx, &quote.uuid.parse().unwrap());
    assert_eq!(read.unwrap().unwrap().status, QuoteStatus::Lapsed);
    let done = tables::LAST_DAILY_RUN.get(&tx, &()).unwrap();
    assert_eq!(done, Some(shop.app.clock.today()));
}
