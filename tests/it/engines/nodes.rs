//! Several nodes of one cluster over one store.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use layby::app::jobs::{self, JobQueue};
use layby::app::limits;
use layby::clock::Clock;
use layby::store::tables::{self, Job, Task};
use layby::store::{DatabaseError, Direction, ReadTx, Store, StoreError};
use poem::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use crate::payments::limits::start_as;
use crate::support::database::{Server, client, join, open};
use crate::support::{NOW, Shop, two_vehicles};

type Files = &'static [(&'static str, &'static str)];
const FILES: Files = &[("breakdown 3", "a"), ("gadget 1", "b")];
const OTHERS: Files = &[("breakdown 4", "c"), ("gadget 1", "b")];
/// Number of quotes whose jobs two nodes claim at the same time.
const QUOTES: usize = 40;

fn lives(store: &Store) -> tokio::task::JoinHandle<()> {
    let store = store.clone();
    tokio::spawn(async move {
        loop {
            // A late checkpoint of a busy machine is repeated.
            let _ = store.checkpoint().await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    })
}

async fn joined(url: &str, files: Files) -> Result<Store, StoreError> {
    let url = url.to_string();
    let join = tokio::task::spawn_blocking(move || join(&url, files));
    join.await.unwrap()
}

async fn alone(url: &str) -> Result<Store, StoreError> {
    let url = url.to_string();
    let open = tokio::task::spawn_blocking(move || open(&url));
    open.await.unwrap()
}

async fn put(store: &Store) -> Result<(), StoreError> {
    let write = store.write(|tx| tables::COUNTERS.put(tx, &"x".to_string(), &1));
    write.await
}

/// Starts two shops over one store.
async fn two(server: &Server) -> [Shop; 2] {
    let schema = server.schema().await;
    let one = joined(&schema, FILES).await.unwrap();
    let other = joined(&schema, FILES).await.unwrap();
    [Shop::over(one, NOW).await, Shop::over(other, NOW).await]
}

#[tokio::test(flavor = "multi_thread")]
async fn shops_join_one_another_and_one_that_sells_otherwise_only_while_the_others_drain() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let first = joined(&schema, FILES).await.unwrap();
    let living = lives(&first);
    let began = Instant::now();
    let second = joined(&schema, FILES).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(8));
    assert_ne!(first.node(), second.node());
    first.refresh_cluster_state(&Clock::system()).await.unwrap();
    assert_eq!(first.nodes(), 2);
    drop(second);
    first.refresh_cluster_state(&Clock::system()).await.unwrap();
    assert_eq!(first.nodes(), 1);

    // Meanwhile no shop can open the store alone, or join with other product files.
    let refused = alone(&schema).await.err();
    assert!(matches!(refused, Some(StoreError::InUse)));
    let refused = joined(&schema, OTHERS).await.err().unwrap().to_string();
    assert!(refused.contains("(breakdown 3, breakdown 4)"), "{refused}");
    first.drain().unwrap();
    let next = joined(&schema, OTHERS).await.unwrap();
    // Both write: the older node finishes its work.
    put(&first).await.unwrap();
    put(&next).await.unwrap();
    living.abort();
    let _ = living.await;
    drop((first, next));
    let began = Instant::now();
    alone(&schema).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(8));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_joins_waits_for_the_end_of_shops_that_were_killed_and_for_a_lock_that_is_held() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    drop(joined(&schema, FILES).await.unwrap());
    // Two nodes with other product files were killed, one after the other.
    let killed = "UPDATE layby_head SET owner = 'several', \
            until = clock_timestamp() + interval '6 seconds'; \
        INSERT INTO layby_nodes (name, until, batch, schema, build, products, draining) \
        SELECT name, clock_timestamp() + seconds * interval '1 second', 1, 3, '0.1.0', 'gadget 2 c', \
            false FROM (VALUES ('a', 2), ('b', 4)) AS dead (name, seconds)";
    let others = client(&schema).await;
    others.batch_execute(killed).await.unwrap();
    drop(joined(&schema, FILES).await.unwrap());
    // Longer than the lock timeout of a statement.
    let held = "BEGIN; SELECT id FROM layby_head FOR UPDATE";
    others.batch_execute(held).await.unwrap();
    let joining = tokio::spawn({
        let schema = schema.clone();
        async move { joined(&schema, FILES).await }
    });
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert!(!joining.is_finished());
    others.batch_execute("COMMIT").await.unwrap();
    let store = joining.await.unwrap().unwrap();
    put(&store).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_put_out_writes_nothing_and_ends() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let store = joined(&schema, FILES).await.unwrap();
    // Simulates that this machine was suspended while nodes with other product files joined.
    let gone = client(&schema).await;
    gone.batch_execute("DELETE FROM layby_nodes").await.unwrap();
    let why = put(&store).await.unwrap_err();
    let taken_over = StoreError::Database(DatabaseError::TakenOver).to_string();
    assert_eq!(why.to_string(), taken_over);
    assert_eq!(store.wait_until_lost().await.to_string(), taken_over);
    let rows = "SELECT count(*) FROM layby_rows WHERE key > '\\x01' AND key < '\\x02'";
    let count: i64 = gone.query_one(rows, &[]).await.unwrap().get(0);
    assert_eq!(count, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn quotes_of_two_shops_at_once_have_references_of_their_own_and_each_knows_the_others() {
    let Some(server) = Server::run() else { return };
    let [one, other] = two(&server).await;
    let body = json!({ "product": two_vehicles() });
    let take = async |shop: &Shop| {
        let path = "/api/v2/public/quote/breakdown";
        let quotes = (0..QUOTES).map(|_| shop.post(path, &body).send());
        let answers = futures_util::future::join_all(quotes).await;
        let made = answers.into_iter();
        let made = made.filter(|answer| answer.status == StatusCode::CREATED);
        made.map(|answer| answer.text("/data/uuid").parse().unwrap())
            .collect::<Vec<Uuid>>()
    };
    let (ones, others) = tokio::join!(take(&one), take(&other));
    assert!(!ones.is_empty() && !others.is_empty());
    let made = BTreeSet::from_iter(ones.into_iter().chain(others));
    for shop in [&one, &other] {
        let read = |tx: &ReadTx| tables::QUOTES.list(tx, &(), Direction::Forward, usize::MAX);
        let quotes = shop.app.store.read(read).await.unwrap();
        assert!(made.is_subset(&quotes.iter().map(|(uuid, _)| *uuid).collect()));
        let references: BTreeSet<_> = quotes.iter().map(|(_, quote)| &quote.reference).collect();
        assert_eq!(references.len(), quotes.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn work_is_one_shops_until_it_is_done_or_that_shop_is_killed() {
    let Some(server) = Server::run() else { return };
    let [one, other] = two(&server).await;
    let payment = Uuid::new_v4();
    let key = (one.clock.now(), Uuid::new_v4());
    let job = Job::new(Task::AskGateway { payment });
    let write = one
        .app
        .store
        .write(move |tx| tables::JOBS.put(tx, &key, &job));
    write.await.unwrap();
    let queue = JobQueue::Shop;
    let due = async |shop: &Shop| {
        jobs::due_jobs(&shop.app.store, &shop.app.clock, queue, 10)
            .await
            .unwrap()
            .jobs
    };
    // Both nodes see the job, and one claims it.
    let seen = [due(&one).await, due(&other).await];
    let taken = [
        jobs::claim_jobs(&one.app.store, &one.app.clock, queue, seen[0].clone())
            .await
            .unwrap(),
        jobs::claim_jobs(&other.app.store, &other.app.clock, queue, seen[1].clone())
            .await
            .unwrap(),
    ];
    assert_eq!((taken[0].len(), taken[1].len()), (1, 0));
    assert!(due(&other).await.is_empty());
    // A node that renews its lease keeps the job, however long the job takes.
    for _ in 0..3 {
        for shop in [&one, &other] {
            shop.clock.advance(chrono::TimeDelta::seconds(15));
        }
        jobs::renew_leases(&one.app.store, &one.app.clock, queue, vec![key])
            .await
            .unwrap();
        assert!(due(&other).await.is_empty());
    }
    // A killed node no longer renews its lease.
    other.clock.advance(chrono::TimeDelta::seconds(21));
    let seen = due(&other).await;
    let mut taken = jobs::claim_jobs(&other.app.store, &other.app.clock, queue, seen)
        .await
        .unwrap();
    let (key, job) = taken.pop().unwrap();
    // If the first node is alive after all, it leaves the job to the other.
    one.clock.advance(chrono::TimeDelta::seconds(21));
    jobs::renew_leases(&one.app.store, &one.app.clock, queue, vec![key])
        .await
        .unwrap();
    let read = |tx: &ReadTx| tables::JOBS.get(tx, &key);
    let there = other.app.store.read(read).await.unwrap().unwrap();
    assert_eq!(there.lease, job.lease);
    // The job's subject does not exist, so it is dropped, and neither node lists it.
    jobs::run_job(&other.app, key, job).await.unwrap();
    assert!(due(&one).await.is_empty() && due(&other).await.is_empty());
    assert!(other.app.store.read(read).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_at_one_shop_count_at_the_other() {
    let Some(server) = Server::run() else { return };
    let shops = two(&server).await;
    let log_in = json!({ "username": "ann@example.org", "password": "a wrong one" });
    let mut statuses = Vec::new();
    for guess in 0..6 {
        let answer = shops[guess % 2].post("/api/login", &log_in).send().await;
        statuses.push(answer.status.as_u16());
    }
    assert!(
        statuses[..5].iter().all(|status| *status != 429) && statuses[5] == 429,
        "{statuses:?}"
    );
    // Expired counts are deleted.
    let counts = async || {
        let list = |tx: &ReadTx| tables::LIMIT_COUNTS.list(tx, &(), Direction::Forward, 100);
        shops[0].app.store.read(list).await.unwrap().len()
    };
    limits::forget_counts(&shops[0].app.store, &shops[0].app.clock)
        .await
        .unwrap();
    assert!(counts().await > 0);
    shops[0].clock.advance(chrono::TimeDelta::hours(3));
    limits::forget_counts(&shops[0].app.store, &shops[0].app.clock)
        .await
        .unwrap();
    assert_eq!(counts().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn look_ups_letters_and_payment_pages_at_one_shop_count_at_the_other() {
    let Some(server) = Server::run() else { return };
    let shops = two(&server).await;
    let mut found = 0;
    for number in 0..64 {
        let vehicle = json!({ "registration": "AB12 CDE" });
        let call = shops[number % 2].post("/api/v1/lookup/vehicle", &vehicle);
        found += usize::from(call.send().await.status == StatusCode::OK);
    }
    assert_eq!(found, 60);

    let mut product = two_vehicles();
    for number in 0..24 {
        product["values"]["email_primary"] = json!(format!("letters{number}@example.org"));
        shops[number % 2].quote(&product).await;
    }
    let mails = |tx: &ReadTx| tables::QUOTE_MAILS.list(tx, &(), Direction::Forward, 100);
    let mails = shops[0].app.store.read(mails).await.unwrap();
    let waiting = mails.iter().filter(|(_, mails)| mails.waiting.is_some());
    assert_eq!(waiting.count(), 20);

    let (_, cookie) = shops[0].customer().await;
    let mut pages = 0;
    for number in 0..12 {
        let (_, started) = start_as(&shops[number % 2], &cookie, &two_vehicles()).await;
        pages += usize::from(started.status == StatusCode::OK);
    }
    assert_eq!(pages, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_daily_round_is_one_shops_and_another_goes_on_where_that_was_killed() {
    let Some(server) = Server::run() else { return };
    let [one, other] = two(&server).await;
    let lease = tables::Lease {
        owner: one.app.store.node().unwrap().to_string(),
        until: one.clock.now() + chrono::TimeDelta::seconds(20),
    };
    let name = "the daily round".to_string();
    let write = one
        .app
        .store
        .write(move |tx| tables::LEASES.put(tx, &name, &lease));
    write.await.unwrap();
    let last = |tx: &ReadTx| tables::LAST_DAILY_RUN.get(tx, &());
    jobs::daily(&other.app).await.unwrap();
    assert_eq!(other.app.store.read(last).await.unwrap(), None);
    other.clock.advance(chrono::TimeDelta::seconds(21));
    jobs::daily(&other.app).await.unwrap();
    let done = other.app.store.read(last).await.unwrap();
    assert_eq!(done, Some(other.app.clock.today()));
    let leases = |tx: &ReadTx| tables::LEASES.list(tx, &(), Direction::Forward, 100);
    let leases = other.app.store.read(leases).await.unwrap();
    assert!(leases.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_drains_says_that_it_is_not_ready_and_answers_all_the_same() {
    let Some(server) = Server::run() else { return };
    let [one, other] = two(&server).await;
    let ready = async |shop: &Shop| shop.get("/health/ready").send().await.status;
    assert_eq!(ready(&one).await, StatusCode::OK);
    one.app.drain();
    assert_eq!(ready(&one).await, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(ready(&other).await, StatusCode::OK);
    let made = one.quote(&two_vehicles()).await;
    other.read(&made).await.expect(StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_logged_in_at_one_shop_is_at_the_other_and_out_of_both_at_once() {
    let Some(server) = Server::run() else { return };
    let [one, other] = two(&server).await;
    let addresses = one.seed(1, 2).await;
    let cookie = one.log_in(&addresses[0]).await;
    let profile = async |shop: &Shop| {
        let answer = shop.profile(&cookie).await;
        answer.status
    };
    assert_eq!(profile(&other).await, StatusCode::OK);
    other.get("/api/logout").cookies(&cookie).send().await;
    assert_eq!(profile(&one).await, StatusCode::UNAUTHORIZED);
    assert_eq!(profile(&other).await, StatusCode::UNAUTHORIZED);
}
