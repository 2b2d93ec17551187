//! Connections to a database: encrypted, to the writable one of several hosts, and apart from the visitors'
//! connections.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use layby::config::StoreSettings;
use layby::store::{DatabaseError, Store, StoreError, tables};
use tokio_postgres::Client;

use crate::mail::server::certificates;
use crate::support::database::{Server, at, client, open, open_with};

/// Installs a certificate for `host` with its key in the server's data folder, and turns on encryption.
async fn encrypt(admin: &Client, folder: &Path, host: &str) {
    certificates(folder, host);
    for (ours, theirs) in [("cert.pem", "server.crt"), ("key.pem", "server.key")] {
        let pem = std::fs::read_to_string(folder.join(ours)).unwrap();
        // The server writes the file itself, so that its own user owns it.
        let copy = format!(
            "COPY (SELECT unnest(string_to_array($pem${}$pem$, E'\\n'))) \
             TO PROGRAM 'umask 077; cat > {theirs}'",
            pem.trim()
        );
        admin.batch_execute(&copy).await.unwrap();
    }
    let on = "ALTER SYSTEM SET ssl = on";
    admin.batch_execute(on).await.unwrap();
    reload(admin, "ssl", "on").await;
}

/// Makes a server reload its settings, and waits until the setting has its new value.
async fn reload(admin: &Client, setting: &str, value: &str) {
    admin
        .batch_execute("SELECT pg_reload_conf()")
        .await
        .unwrap();
    let show = format!("SHOW {setting}");
    for _ in 0..200 {
        let now: String = admin.query_one(&show, &[]).await.unwrap().get(0);
        if now == value {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{setting} isn't {value}");
}

#[track_caller]
fn refused(opened: Result<Store, StoreError>) -> DatabaseError {
    match opened.err() {
        Some(StoreError::Database(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_is_sent_is_encrypted_and_only_to_a_server_that_somebody_we_trust_vouches_for() {
    let Some(server) = Server::run() else { return };
    let admin = client(&server.url).await;
    let folder = tempfile::tempdir().unwrap();
    encrypt(&admin, folder.path(), "localhost").await;
    let url = format!("{}?sslmode=require", server.url);
    let by_name = url.replace("127.0.0.1", "localhost");

    // First the shop trusts no authority of the certificate. Then the certificate is for another host.
    let mut settings = at(&by_name);
    assert_eq!(refused(open_with(&settings)), DatabaseError::Tls);
    let mut other_host = at(&url);
    other_host.ca_file = Some(folder.path().join("ca.pem"));
    assert_eq!(refused(open_with(&other_host)), DatabaseError::Tls);
    let none = "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'layby%'";
    let tables: i64 = admin.query_one(none, &[]).await.unwrap().get(0);
    assert_eq!(tables, 0);

    settings.ca_file = Some(folder.path().join("ca.pem"));
    let store = open_with(&settings).unwrap();
    let about = store.read(|tx| tables::DESCRIPTION.get(tx, &())).await;
    assert!(about.unwrap().is_some());
    let plain = "SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl) \
        FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'layby %'";
    let row = admin.query_one(plain, &[]).await.unwrap();
    let (encrypted, plain): (i64, i64) = (row.get(0), row.get(1));
    assert!(encrypted >= 2 && plain == 0, "{encrypted} and {plain}");

    settings.ca_file = Some(folder.path().join("key.pem"));
    let why = refused(open_with(&settings)).to_string();
    assert!(why.ends_with("holds no certificate in PEM"), "{why}");
}

#[tokio::test]
async fn of_several_hosts_the_one_that_takes_writes_is_served_wherever_it_stands() {
    let (Some(standby), Some(primary)) = (Server::run(), Server::run()) else {
        return;
    };
    let admin = client(&standby.url).await;
    let only_read = "ALTER SYSTEM SET default_transaction_read_only = on";
    admin.batch_execute(only_read).await.unwrap();
    reload(&admin, "default_transaction_read_only", "on").await;
    let port = |server: &Server| {
        let (_, port) = server.url.rsplit_once(':').unwrap();
        port.split_once('/').unwrap().0.to_string()
    };
    // It accepts connections, but never responds.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = silent.local_addr().unwrap().port().to_string();
    let nobody = "9".to_string();
    let with = |ports: [&String; 2]| {
        let hosts = ports.map(|port| format!("127.0.0.1:{port}"));
        format!("postgres://layby@{}/postgres", hosts.join(","))
    };
    let (standby, primary) = (port(&standby), port(&primary));
    for other in [&standby, &nobody] {
        for hosts in [[other, &primary], [&primary, other]] {
            let store = open(&with(hosts)).unwrap();
            let key = "quotes".to_string();
            let write = store.write(move |tx| tables::COUNTERS.put(tx, &key, &7));
            write.await.unwrap();
        }
    }
    let why = refused(open(&with([&nobody, &standby])));
    assert_eq!(why, DatabaseError::ReadOnly);
    let why = refused(open(&with([&nobody, &silent])));
    assert!(
        matches!(why, DatabaseError::Slow | DatabaseError::Unreachable(_)),
        "{why}"
    );
}

/// A check of the store may read for minutes.
#[tokio::test]
async fn a_check_of_a_running_shop_takes_no_connection_from_visitors_and_waits_for_none() {
    let Some(server) = Server::run() else { return };
    let schema = server.schema().await;
    let settings = StoreSettings {
        connections: 1,
        ..at(&schema)
    };
    let store = open_with(&settings).unwrap();
    let rows = store.inspect().unwrap();
    assert!(tables::DESCRIPTION.has(&rows, &()).unwrap());
    let visitor = store.read(|tx| Ok::<_, StoreError>(tx.clone()));
    let visitor = visitor.await.unwrap();
    assert!(tables::DESCRIPTION.has(&visitor, &()).unwrap());
    // The visitors' only connection is in use now.
    let late = store.read(|tx| tables::DESCRIPTION.has(tx, &())).await;
    assert!(matches!(
        late,
        Err(StoreError::Database(DatabaseError::Busy))
    ));
    let more = store.inspect().unwrap();
    assert!(tables::DESCRIPTION.has(&more, &()).unwrap());
    // The check's connections close at its end.
    let ours = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'layby %'";
    let admin = client(&server.url).await;
    let count = async || admin.query_one(ours, &[]).await.unwrap().get::<_, i64>(0);
    assert_eq!(count().await, 4);
    drop((rows, more, visitor));
    for _ in 0..200 {
        if count().await == 2 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{} connections are left", count().await);
}
