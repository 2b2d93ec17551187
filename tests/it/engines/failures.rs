//! Database errors in the middle of a write, and whether the commit took place.

use std::time::{Duration, Instant};

use layby::store::{DatabaseError, Store, StoreError, tables};
use tokio_postgres::Client;

use crate::support::database::{Server, client, open};

async fn put(store: &Store, quotes: u32) -> Result<(), StoreError> {
    let write = store.write(move |tx| tables::COUNTERS.put(tx, &"quotes".to_string(), &quotes));
    write.await
}

async fn counter(store: &Store) -> Option<u32> {
    let read = store.read(|tx| tables::COUNTERS.get(tx, &"quotes".to_string()));
    read.await.unwrap()
}

/// Makes each write of the store's rows fail, at its statement or at the commit.
async fn refuse(database: &Client, code: &str, is_at_commit: bool) {
    let when = if is_at_commit {
        "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE ON layby_rows \
         DEFERRABLE INITIALLY DEFERRED"
    } else {
        "CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON layby_rows"
    };
    let made = format!(
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN RAISE EXCEPTION 'Ann Other' USING ERRCODE = '{code}'; END $$; \
         {when} FOR EACH ROW EXECUTE FUNCTION refuse()"
    );
    database.batch_execute(&made).await.unwrap();
}

#[tokio::test]
async fn a_statement_or_a_commit_that_is_refused_is_named_and_nothing_of_it_is_kept() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let store = open(&schema).unwrap();
    let database = client(&schema).await;
    put(&store, 1).await.unwrap();
    let expected = [
        ("53100", "the disk of the store's database is full"),
        (
            "42501",
            "the user of store.url may not read, write or create the store's tables",
        ),
        (
            "XX001",
            "the store's database failed (SQLSTATE XX001); a log at level debug has more",
        ),
    ];
    let mut written = 1;
    for (code, expected) in expected {
        for is_at_commit in [false, true] {
            refuse(&database, code, is_at_commit).await;
            let began = Instant::now();
            let why = put(&store, 99).await.unwrap_err();
            // The error omits the database's message, which may contain personal data.
            assert_eq!(why.to_string(), expected);
            assert!(began.elapsed() < Duration::from_secs(2));
            assert_eq!(counter(&store).await, Some(written));
            assert!(store.is_ready().await.is_ok());
            let freed = "DROP TRIGGER refuse ON layby_rows";
            database.batch_execute(freed).await.unwrap();
            written += 1;
            put(&store, written).await.unwrap();
            assert_eq!(counter(&store).await, Some(written));
        }
    }
}

#[tokio::test]
async fn a_database_that_cannot_say_whether_it_committed_is_asked_again() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let store = open(&schema).unwrap();
    refuse(&client(&schema).await, "40003", true).await;
    let why = put(&store, 1).await.unwrap_err();
    let StoreError::Database(why) = why else {
        panic!("{why}");
    };
    assert_eq!(why, DatabaseError::NotKept);
}

#[tokio::test]
async fn a_write_is_on_the_disk_when_it_is_answered_also_where_the_server_would_not_wait() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let database = client(&schema).await;
    let careless = "ALTER DATABASE postgres SET synchronous_commit = off";
    database.batch_execute(careless).await.unwrap();
    let store = open(&schema).unwrap();
    for quotes in 0..20 {
        let begun = "SELECT pg_current_wal_insert_lsn()::text";
        let begun: String = database.query_one(begun, &[]).await.unwrap().get(0);
        put(&store, quotes).await.unwrap();
        let flushed = format!("SELECT pg_current_wal_flush_lsn() > '{begun}'::pg_lsn");
        let is_flushed: bool = database.query_one(&flushed, &[]).await.unwrap().get(0);
        assert!(is_flushed, "write {quotes} is not on the disk yet");
    }
}
