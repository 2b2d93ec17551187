//! `layby check` finds problems of queued jobs. Examples are a queue row without its job, a job without its
//! subject, and a job in the wrong queue.

use layby::app::jobs::JobQueue;
use layby::store::tables::{self, SetAside, SetAsideWork, Task};
use layby::store::{AnyTable, Direction, TABLES};
use poem::http::StatusCode;
use serde_json::json;

use super::{checked_open, every_index, rows, write};
use crate::policies::{Customer, PAYS};
use crate::support::stores::snapshot;
use crate::support::two_vehicles_with;

/// Returns a shop with a job in every queue, and a letter that was set aside.
pub async fn every_queue() -> Customer {
    let ann = every_index().await;
    let mut product = two_vehicles_with("start_date", "20.12.2026");
    let policy = ann.buys(&product, PAYS).await;
    ann.cancels(&policy, json!({})).await.expect(StatusCode::OK);
    product["values"]["email_primary"] = json!("somebody@example.org");
    let quote = ann.shop.quote(&product).await;
    ann.shop.accept(&quote).await.expect(StatusCode::OK);
    ann.shop.initiate(&quote).await.expect(StatusCode::OK);
    let bought = policy.parse().unwrap();
    let payment = ann.shop.row(&tables::POLICIES, &bought).payment;
    let now = ann.shop.app.clock.now();
    let job = tables::Job::new(Task::Collect { payment });
    let keep = move |tx: &mut layby::store::WriteTx<'_>| {
        tables::COLLECTIONS.put(tx, &(now, payment), &job)
    };
    ann.shop.app.store.write(keep).await.unwrap();
    let forgot = json!({ "username": ann.address() });
    let forgot = ann.shop.post("/api/v1/retrieve-password-request", &forgot);
    forgot.succeeds().await;
    let (given_up, given_up_at) = (uuid::Uuid::from_u128(9), ann.shop.app.clock.now());
    let letter = SetAside {
        work: SetAsideWork::Job {
            task: Task::MailQuote {
                mailbox: "somebody@example.org".to_string(),
            },
            quote: Some(quote.uuid.parse().unwrap()),
        },
        tries: 35,
        reason: "the mail server says 451".to_string(),
    };
    let keep = move |tx: &mut layby::store::WriteTx<'_>| {
        tables::SET_ASIDE.put(tx, &(given_up_at, given_up), &letter)
    };
    ann.shop.app.store.write(keep).await.unwrap();
    ann
}

#[tokio::test]
async fn a_row_that_waits_for_work_that_is_gone_is_named() {
    let ann = every_queue().await;
    let store = &ann.shop.app.store;
    assert_eq!(checked_open(store).len(), 1, "{:?}", checked_open(store));
    let waits = [
        ("payments", JobQueue::Shop),
        ("refunds", JobQueue::Shop),
        ("documents", JobQueue::Documents),
        ("quote_mails", JobQueue::QuoteLetters),
    ];
    for (table, queue) in waits {
        let work = rows(store).remove(&queue.table().number()).unwrap();
        for (key, _) in &work {
            write(store, key.clone(), None).await;
        }
        let said = checked_open(store).join("\n");
        let missing = format!(
            "a row of table {table} waits for work that isn't in table {}; its key is ",
            queue.table().name()
        );
        assert!(said.contains(&missing), "{said}");
        for (key, value) in work {
            write(store, key, Some(value)).await;
        }
    }
    assert_eq!(checked_open(store).len(), 1);

    // Each payment's job was set aside: its task was read, or it could not be read.
    let waiting = tables::JOBS.list(&snapshot(store), &(), Direction::Forward, usize::MAX);
    for (number, (key, job)) in waiting.unwrap().into_iter().enumerate() {
        let work = match number % 2 {
            0 => SetAsideWork::Job {
                task: job.task,
                quote: None,
            },
            _ => SetAsideWork::Row {
                queue: "shop".to_string(),
                key: vec![1],
                value: vec![1],
            },
        };
        let reason = "a mistake".to_string();
        let row = SetAside {
            work,
            tries: 3,
            reason,
        };
        let move_job = move |tx: &mut layby::store::WriteTx<'_>| {
            tables::JOBS.delete(tx, &key)?;
            tables::SET_ASIDE.put(tx, &key, &row)
        };
        store.write(move_job).await.unwrap();
    }
    assert_eq!(checked_open(store).len(), 1, "{:?}", checked_open(store));
}

#[tokio::test]
async fn work_in_a_queue_of_others_is_named_whatever_its_table() {
    let ann = every_queue().await;
    let store = &ann.shop.app.store;
    for queue in JobQueue::ALL {
        let name = queue.table().name();
        let work = rows(store).remove(&queue.table().number());
        let (key, value) = work.unwrap_or_else(|| panic!("nothing waits in {name}"))[0].clone();
        for other in JobQueue::ALL.iter().filter(|other| **other != queue) {
            let (mut strange, table) = (key.clone(), other.table());
            strange[0] = table.number();
            write(store, strange.clone(), Some(value.clone())).await;
            let said = checked_open(store);
            let wrong = format!("a row of table {} is work of table {name};", table.name());
            assert_eq!(said.len(), 2, "{said:?}");
            assert!(said[0].starts_with(&wrong), "{said:?}");
            assert_eq!(said[1], super::NO_BOOKS);
            write(store, strange, None).await;
        }
    }
}

#[tokio::test]
async fn work_about_nothing_and_rows_without_the_row_they_belong_to_are_named() {
    let ann = every_queue().await;
    let store = &ann.shop.app.store;
    let owners = [
        ("payments", "jobs"),
        ("payments", "refunds"),
        ("refunds", "jobs"),
        ("quotes", "policy_letters"),
        ("quotes", "payments"),
        ("quotes", "documents"),
        ("policies", "adjustments"),
        ("policies", "scheduled_cancellations"),
        ("users", "sessions"),
        ("users", "links"),
    ];
    for (owner, table) in owners {
        let number = TABLES.iter().find(|table| table.name() == owner).unwrap();
        let all = rows(store).remove(&number.number()).unwrap();
        for (key, _) in &all {
            write(store, key.clone(), None).await;
        }
        let said = checked_open(store).join("\n");
        let stray =
            format!("a row of table {table} leads to no row of table {owner} that it belongs to");
        assert!(said.contains(&stray), "{owner}, {table}: {said}");
        for (key, value) in all {
            write(store, key, Some(value)).await;
        }
    }
    assert_eq!(checked_open(store).len(), 1);
}
