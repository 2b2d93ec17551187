//! Databases that can't serve the shop, or can't serve it yet. Each has its own error, and no database
//! changes.

use std::time::{Duration, Instant};

use layby::secret::Secret;
use layby::store::{DatabaseError, SCHEMA, Store, StoreDescription, StoreError, tables};

use crate::support::database::{self, Server, at, client, open, open_with};

#[track_caller]
fn refused(opened: Result<Store, StoreError>) -> DatabaseError {
    match opened.err() {
        Some(StoreError::Database(why)) => why,
        other => panic!("{other:?}"),
    }
}

async fn put(store: &Store) -> Result<(), StoreError> {
    let key = "quotes".to_string();
    let write = store.write(move |tx| {
        tables::COUNTERS.get(tx, &key)?;
        tables::COUNTERS.put(tx, &key, &7)
    });
    write.await
}

#[tokio::test]
async fn a_database_that_is_not_a_store_or_does_not_let_us_in_is_named() {
    let Some(server) = Server::run() else { return };
    let admin = client(&server.url).await;
    let base = server.url.trim_end_matches("/postgres");

    // The schema holds something else.
    let others = server.schema().await;
    let owner = client(&others).await;
    owner
        .batch_execute("CREATE TABLE customers (id int)")
        .await
        .unwrap();
    let why = refused(open(&others));
    assert_eq!(
        why,
        DatabaseError::NotOurs {
            table: "customers".to_string()
        }
    );
    assert!(why.to_string().contains("nothing in it was changed"));
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
    let count: i64 = owner.query_one(tables, &[]).await.unwrap().get(0);
    assert_eq!(count, 1);

    // The database does not exist, or no server responds.
    assert_eq!(
        refused(open(&format!("{base}/nothing"))),
        DatabaseError::NoDatabase
    );
    let no_schema = format!("{}?options=-csearch_path%3Dnowhere", server.url);
    assert_eq!(refused(open(&no_schema)), DatabaseError::NoSchema);
    let nobody = refused(open("postgres://layby@127.0.0.1:9/postgres"));
    assert!(nobody.to_string().contains("refused"), "{nobody}");
    assert_eq!(
        refused(open("postgres://layby@127.0.0.1:x/postgres")),
        DatabaseError::Url
    );
    // The server does not encrypt, but the settings require encryption.
    let encrypted = format!("{}?sslmode=require", server.url);
    assert_eq!(refused(open(&encrypted)), DatabaseError::Tls);

    // A user with a password and no rights yet.
    let role = "CREATE ROLE guarded LOGIN PASSWORD 'open sesame'";
    admin.batch_execute(role).await.unwrap();
    let guarded = server.url.replace("layby@", "guarded@");
    let mut settings = at(&guarded);
    assert_eq!(refused(open_with(&settings)), DatabaseError::Password);
    settings.password = Some(Secret::from("open barley".to_string()));
    let why = refused(open_with(&settings));
    assert_eq!(why, DatabaseError::Password);
    assert!(!why.to_string().contains("barley") && !format!("{settings:?}").contains("barley"));
    settings.password = None;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "open sesame\n").unwrap();
    settings.password_file = Some(file.path().to_owned());
    assert_eq!(refused(open_with(&settings)), DatabaseError::NotAllowed);
    admin
        .batch_execute("CREATE SCHEMA guarded AUTHORIZATION guarded")
        .await
        .unwrap();
    drop(open_with(&settings).unwrap());
    settings.password_file = Some(file.path().with_file_name("nowhere"));
    let why = refused(open_with(&settings)).to_string();
    assert!(why.starts_with("store.password_file: "), "{why}");

    // The database is read-only, like a standby.
    admin
        .batch_execute("CREATE DATABASE standby")
        .await
        .unwrap();
    let only_read = "ALTER DATABASE standby SET default_transaction_read_only = on";
    admin.batch_execute(only_read).await.unwrap();
    assert_eq!(
        refused(open(&format!("{base}/standby"))),
        DatabaseError::ReadOnly
    );
}

#[tokio::test]
async fn a_store_of_another_schema_is_refused_as_a_file_would_be() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let newer = StoreDescription::complete(SCHEMA + 1);
    let unreleased = StoreDescription {
        shape: None,
        ..StoreDescription::complete(SCHEMA)
    };
    for (other, expected) in [
        (newer, "supports schema"),
        (unreleased, "before its first release"),
    ] {
        let store = open(&schema).unwrap();
        let written = store
            .write(move |tx| tables::DESCRIPTION.put(tx, &(), &other))
            .await;
        written.unwrap();
        // A running shop stops being ready.
        let ready = store.is_ready().await.unwrap_err().to_string();
        assert!(ready.contains(expected), "{ready}");
        drop(store);
        let why = open(&schema).err().unwrap().to_string();
        assert!(why.contains(expected), "{why}");
        let rows = client(&schema).await;
        let emptied = rows.batch_execute("DELETE FROM layby_rows").await;
        emptied.unwrap();
    }
}

#[tokio::test]
async fn a_lock_of_somebody_elses_is_named_and_the_shop_goes_on_after_it() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let store = open(&schema).unwrap();
    let somebody = client(&schema).await;
    let lock = "BEGIN; LOCK TABLE layby_rows IN ACCESS EXCLUSIVE MODE";
    somebody.batch_execute(lock).await.unwrap();
    let began = Instant::now();
    let why = put(&store).await.unwrap_err().to_string();
    assert_eq!(why, "somebody else has locked the store's tables");
    assert!(began.elapsed() < Duration::from_secs(2));
    let began = Instant::now();
    let read = store.read(|tx| tables::DESCRIPTION.get(tx, &())).await;
    let why = read.unwrap_err().to_string();
    assert_eq!(why, "somebody else has locked the store's tables");
    assert!(began.elapsed() < Duration::from_secs(2));
    somebody.batch_execute("COMMIT").await.unwrap();
    put(&store).await.unwrap();
    let found = store.read(|tx| tables::COUNTERS.get(tx, &"quotes".to_string()));
    assert_eq!(found.await.unwrap(), Some(7));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_shop_at_a_time_has_the_store_and_a_killed_one_loses_it() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let first = open(&schema).unwrap();
    let living = {
        let first = first.clone();
        tokio::spawn(async move {
            loop {
                first.checkpoint().await.unwrap();
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        })
    };
    let second = |url: String| tokio::task::spawn_blocking(move || database::open(&url));
    let refused = second(schema.clone()).await.unwrap().err().unwrap();
    assert!(matches!(refused, StoreError::InUse), "{refused}");

    // The lease is no longer renewed, as after a kill.
    living.abort();
    let _ = living.await;
    let began = Instant::now();
    let second_store = second(schema.clone()).await.unwrap().unwrap();
    assert!(
        began.elapsed() < Duration::from_secs(13),
        "{:?}",
        began.elapsed()
    );
    let why = put(&first).await.unwrap_err();
    assert_eq!(why.to_string(), "another layby has taken over the store");
    let why = first.wait_until_lost().await;
    assert!(matches!(
        why,
        StoreError::Database(DatabaseError::TakenOver)
    ));
    put(&second_store).await.unwrap();

    // A shop that stops in order releases the store at once.
    drop(second_store);
    let began = Instant::now();
    second(schema).await.unwrap().unwrap();
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
}
