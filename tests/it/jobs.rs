//! Jobs: when a job is dropped or retried, and how failures of one affect no other.

use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use layby::app::jobs::{self, JobQueue, JobsOrder};
use layby::config::LogFormat;
use layby::domain::money::Pence;
use layby::domain::quote::lookup::LookupResult;
use layby::store::tables::{self, Job, Lease, SentAt, Task};
use layby::store::{Direction, StoreError, WriteTx};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::watch;
use uuid::Uuid;

use crate::money::{self, sell};
use crate::support::stores::snapshot;
use crate::support::{Shop, log, own_process, two_vehicles};

const PAYS: &str = "4242 4242 4242 4242";

async fn order(shop: &Shop, order: JobsOrder) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    let done = jobs::execute(&shop.app.store, &order, shop.clock.now(), &mut lines).await;
    done.map_err(|error| error.log_text()).map(|()| lines)
}

async fn list(shop: &Shop) -> Vec<String> {
    order(shop, JobsOrder::List(None)).await.unwrap()
}

/// Runs the due jobs each hour, for some hours.
async fn pass_hours(shop: &Shop, hours: i64) {
    for _ in 0..hours {
        shop.clock.advance(TimeDelta::hours(1));
        shop.work_with_failures().await;
    }
}

#[tokio::test]
async fn a_job_is_set_aside_when_its_own_subject_is_gone_or_it_failed_for_a_day() {
    if own_process::passes(
        "jobs::a_job_is_set_aside_when_its_own_subject_is_gone_or_it_failed_for_a_day",
    ) {
        return;
    }
    let shop = money::shop().await;
    let sold = sell(&shop, PAYS).await;
    let given = money::give_back(&shop, sold.policy, Uuid::from_u128(7), Pence(500)).await;
    let (payment, now) = (sold.payment.id, shop.clock.now());
    let [lost, kept] = [Uuid::from_u128(1), Uuid::from_u128(2)];
    let refund = given[0].id;
    let plant = move |tx: &mut WriteTx<'_>| {
        let gone = Task::Refund {
            refund: Uuid::from_u128(99),
        };
        tables::JOBS.put(tx, &(now, lost), &Job::new(gone))?;
        tables::JOBS.put(tx, &(now, kept), &Job::new(Task::Refund { refund }))?;
        // The refund exists, but its payment does not.
        tables::PAYMENTS.delete(tx, &payment)?;
        Ok::<_, StoreError>(())
    };
    shop.app.store.write(plant).await.unwrap();
    let (lines, _log) = log::recorded(LogFormat::Text);
    for (key, job) in jobs::due_jobs(&shop.app.store, &shop.app.clock, JobQueue::Shop, 100)
        .await
        .unwrap()
        .jobs
    {
        if [lost, kept].contains(&key.1) {
            jobs::run_job(&shop.app, key, job).await.unwrap();
        }
    }
    let said = lines.text();
    let about = |what: &str| {
        let line = said.lines().find(|line| line.contains(what));
        line.unwrap_or_else(|| panic!("{what}: {said}")).to_string()
    };
    let dropped = about("its subject no longer exists");
    assert!(dropped.contains("refund") && dropped.contains(&lost.to_string()));
    let retried = about("a job will be retried");
    assert!(retried.contains("refund") && retried.contains(&kept.to_string()));
    assert_eq!(said.matches("no longer exists").count(), 1, "{said}");
    shop.clock.advance(TimeDelta::seconds(3));
    let due = jobs::due_jobs(&shop.app.store, &shop.app.clock, JobQueue::Shop, 100)
        .await
        .unwrap()
        .jobs;
    let tries = |id| {
        due.iter()
            .find(|(key, _)| key.1 == id)
            .map(|(_, job)| job.tries)
    };
    assert_eq!((tries(lost), tries(kept)), (None, Some(1)));
    let listed = list(&shop).await;
    let line = format!("set aside  {lost}  shop  refund  ");
    assert!(listed[0].starts_with(&line), "{listed:?}");
    assert!(
        listed[0].ends_with(", after 1: its subject no longer exists"),
        "{listed:?}"
    );
    let failed = |line: &String| line.starts_with(&format!("failed     {kept}  shop  refund  "));
    assert!(listed.iter().any(failed), "{listed:?}");

    pass_hours(&shop, 36).await;
    let listed = list(&shop).await;
    let day = listed.iter().find(|line| line.contains(&kept.to_string()));
    let day = day.unwrap_or_else(|| panic!("{listed:?}"));
    assert!(
        day.starts_with("set aside") && day.contains(", after 35: "),
        "{day}"
    );
    jobs::record_queues(&shop.app.store, &shop.app.clock)
        .await
        .unwrap();
    let counted = layby::metrics::render().unwrap();
    assert!(
        counted.contains("layby_work_set_aside{task=\"refund\"} 3"),
        "{counted}"
    );

    // A refund that is owed is not forgotten. Any other job is, once.
    let why = "the customer's bank paid".to_string();
    let forget = |id| JobsOrder::Forget {
        id,
        why: why.clone(),
    };
    for owed in [refund, kept] {
        let refused = order(&shop, forget(owed)).await.unwrap_err();
        assert!(refused.contains("`layby resolve`"), "{refused}");
    }
    order(&shop, forget(lost)).await.unwrap();
    let again = order(&shop, forget(lost)).await.unwrap_err();
    assert!(again.contains("no such job was set aside"), "{again}");
    let said = order(&shop, JobsOrder::Retry(vec![kept])).await.unwrap();
    assert_eq!(said, ["1 jobs are tried now"]);
    for unknown in [kept, lost] {
        order(&shop, JobsOrder::Retry(vec![unknown]))
            .await
            .unwrap_err();
    }
    order(&shop, JobsOrder::Retry(Vec::new())).await.unwrap();
}

#[tokio::test]
async fn a_job_that_panics_is_set_aside_and_one_that_is_due_in_2029_runs_now() {
    let shop = Shop::new().await;
    shop.quote(&two_vehicles()).await;
    let mailbox = "ann@example.org".to_string();
    let name = mailbox.clone();
    // A day after this letter is after the end of the calendar.
    let plant = move |tx: &mut WriteTx<'_>| {
        let mut mails = tables::QUOTE_MAILS.get(tx, &name)?.unwrap();
        mails.sent = vec![SentAt(DateTime::<Utc>::MAX_UTC)];
        tables::QUOTE_MAILS.put(tx, &name, &mails)
    };
    shop.app.store.write(plant).await.unwrap();
    for _ in 0..3 {
        shop.clock.advance(TimeDelta::minutes(1));
        shop.work().await;
    }
    let listed = list(&shop).await;
    assert!(listed[0].starts_with("set aside "), "{listed:?}");
    assert!(
        listed[0].ends_with(", after 3: the store failed: a write failed inside"),
        "{listed:?}"
    );
    let other = JobsOrder::List(Some(JobQueue::Shop));
    let none = "0 jobs were set aside, 0 failed and wait for their next try";
    assert_eq!(order(&shop, other).await.unwrap(), [none]);

    let mend = move |tx: &mut WriteTx<'_>| {
        let mut mails = tables::QUOTE_MAILS.get(tx, &mailbox)?.unwrap();
        mails.sent.clear();
        tables::QUOTE_MAILS.put(tx, &mailbox, &mails)
    };
    shop.app.store.write(mend).await.unwrap();
    order(&shop, JobsOrder::Retry(Vec::new())).await.unwrap();
    // A wrong clock moved the job into the future.
    let move_job = |tx: &mut WriteTx<'_>| {
        let (key, job) = tables::QUOTE_LETTERS
            .list(tx, &(), Direction::Forward, 1)?
            .remove(0);
        tables::QUOTE_LETTERS.delete(tx, &key)?;
        let due = key.0 + TimeDelta::days(800);
        tables::QUOTE_LETTERS.put(tx, &(due, key.1), &job)
    };
    shop.app.store.write(move_job).await.unwrap();
    let (lines, _log) = log::recorded(LogFormat::Text);
    shop.work().await;
    assert_eq!(shop.letters().len(), 1);
    assert!(lines.text().contains("a job was due too far ahead"));
}

#[tokio::test]
async fn the_pause_before_a_retry_and_anothers_lease_count_from_the_end_of_the_task() {
    // The mail server accepts connections, but sends no greeting.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let settings =
        format!("[mail.smtp]\nhost = \"127.0.0.1\"\nport = {port}\nsecurity = \"none\"\n");
    for is_taken_over in [false, true] {
        let shop = Shop::configured(&settings).await;
        shop.quote(&two_vehicles()).await;
        shop.clock.advance(TimeDelta::seconds(31));
        let queue = JobQueue::QuoteLetters;
        let due = jobs::due_jobs(&shop.app.store, &shop.app.clock, queue, 10)
            .await
            .unwrap()
            .jobs;
        let (key, job) = due.into_iter().next().unwrap();
        let takes_long = async {
            let connection = silent.accept().await.unwrap();
            shop.clock.advance(TimeDelta::seconds(30));
            let lease = is_taken_over.then(|| Lease {
                owner: "another".to_string(),
                until: shop.clock.now() + Lease::LENGTH,
            });
            let put = move |tx: &mut WriteTx<'_>| {
                let mut row = tables::QUOTE_LETTERS.get(tx, &key)?.unwrap();
                row.lease = lease.clone();
                tables::QUOTE_LETTERS.put(tx, &key, &row)
            };
            shop.app.store.write(put).await.unwrap();
            drop(connection);
        };
        let (done, ()) = tokio::join!(jobs::run_job(&shop.app, key, job), takes_long);
        done.unwrap();
        let tx = snapshot(&shop.app.store);
        let there = tables::QUOTE_LETTERS.get(&tx, &key).unwrap();
        drop(tx);
        if is_taken_over {
            let lease = there.and_then(|job| job.lease);
            assert_eq!(lease.unwrap().owner, "another");
        } else {
            assert!(there.is_none());
            let due = jobs::due_jobs(&shop.app.store, &shop.app.clock, queue, 10)
                .await
                .unwrap();
            assert!(due.jobs.is_empty(), "it is tried again without a pause");
            let next = shop.clock.now() + TimeDelta::seconds(2);
            // Keys store whole milliseconds.
            let next = next.timestamp_millis();
            assert_eq!(due.next.map(|at| at.timestamp_millis()), Some(next));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_in_the_daily_round_stops_no_other_loop_and_the_round_is_done_afterwards() {
    let shop = Shop::configured("[server]\nmetrics_allow = [\"0.0.0.0\"]\n").await;
    // The calendar ends less than 30 days after this.
    let last: LookupResult = serde_json::from_value(json!({
        "vehicle": {
            "registration": "AB12 CDE", "make": null, "model": null, "colour": null, "fuel": null,
            "first_registered": null, "mot": null, "tax": null, "source": "sample",
        },
        "at": DateTime::<Utc>::MAX_UTC.timestamp_micros(),
    }))
    .unwrap();
    let write = shop
        .app
        .store
        .write(move |tx| tables::LOOKUPS.put(tx, &Uuid::nil(), &last));
    write.await.unwrap();
    let (stop, stopped) = watch::channel(false);
    let jobs = tokio::spawn(layby::worker::run(shop.app.clone(), stopped));
    let wait_for = async |what: &str, is_so: &dyn Fn(String) -> bool| {
        let began = Instant::now();
        loop {
            let counted = shop.get("/metrics").succeeds().await;
            if is_so(String::from_utf8(counted.bytes).unwrap()) {
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{what}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let restarted = "layby_loops_restarted_total{name=\"daily round\"}";
    wait_for("a restart", &|counted| counted.contains(restarted)).await;
    let key = (shop.clock.now(), Uuid::from_u128(1));
    let gone = Task::Refund {
        refund: Uuid::from_u128(99),
    };
    let write = shop.app.store.write(move |tx| {
        tables::JOBS.put(tx, &key, &Job::new(gone.clone()))?;
        tables::LOOKUPS.delete(tx, &Uuid::nil())?;
        Ok::<_, StoreError>(())
    });
    write.await.unwrap();
    let store = &shop.app.store;
    wait_for("work", &|_| {
        let job = tables::JOBS.get(&snapshot(store), &key);
        job.unwrap().is_none()
    })
    .await;
    wait_for("the round", &|_| {
        let round = tables::LAST_DAILY_RUN.get(&snapshot(store), &());
        round.unwrap().is_some()
    })
    .await;
    stop.send(true).unwrap();
    jobs.await.unwrap();
}
