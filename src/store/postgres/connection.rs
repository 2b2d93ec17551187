//! Connects to the database, and pools idle connections.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{try_join, try_join3, try_join4};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::config::StoreSettings;
use crate::store::postgres::failure::failed;
use crate::store::{DatabaseError, StoreError};
use crate::tls::{self, TlsError};

/// Longest time for one host to accept a connection. [`CALL`] leaves time for a second host.
const CONNECT: Duration = Duration::from_millis(700);
/// Longest time to connect to any host.
const CALL: Duration = Duration::from_millis(1400);
/// Longest time that sent data may stay unacknowledged. Also the idle time before a keep-alive.
const UNHEARD: Duration = Duration::from_secs(5);
/// Settings of each session. A statement waits at most one second for a lock. A commit is reported only
/// when it is on the disk, even if the server's default is `off`.
const SESSION: &str = "SET lock_timeout = '1000ms'; \
    SELECT set_config('synchronous_commit', 'on', false) \
    WHERE current_setting('synchronous_commit', true) = 'off'";

/// Begins a batch. The server ends the batch after five seconds without a statement, which frees the
/// batch's lock. Without that limit, the lock of a node without network would last until the server
/// notices the lost connection.
pub(super) const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; \
    SET LOCAL idle_in_transaction_session_timeout = '5s'";
const GET: &str = "SELECT value FROM layby_rows WHERE key = $1";
const GET_MANY: &str = "SELECT key, value FROM layby_rows WHERE key = ANY($1)";
const FORWARD: &str =
    "SELECT key, value FROM layby_rows WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3";
const BACKWARD: &str =
    "SELECT key, value FROM layby_rows WHERE key >= $1 AND key < $2 ORDER BY key DESC LIMIT $3";
/// Locks the only row of `layby_head` until the commit, if this node may write. Stores the batch's number
/// and renews the heartbeat.
const LOCK: &str = "WITH head AS (UPDATE layby_head \
    SET until = clock_timestamp() + interval '10 seconds' WHERE id = 1 AND owner = $1 RETURNING id) \
    UPDATE layby_nodes SET batch = $2, until = clock_timestamp() + interval '10 seconds' \
    FROM head WHERE head.id = 1 AND layby_nodes.name = $3";
const DELETE: &str = "DELETE FROM layby_rows WHERE key = ANY($1)";
const PUT: &str = "INSERT INTO layby_rows (key, value) \
    SELECT * FROM unnest($1::bytea[], $2::bytea[]) \
    ON CONFLICT (key) DO UPDATE SET value = excluded.value";

/// The pool of connections to the database.
pub(super) struct ConnectionPool {
    config: Config,
    tls: MakeRustlsConnect,
    idle: Mutex<Idle>,
    permits: Arc<Semaphore>,
    /// Drives every connection. `None` during shutdown.
    runtime: Option<Runtime>,
}

/// The idle connections.
#[derive(Default)]
struct Idle {
    conns: Vec<Conn>,
    /// How often [`ConnectionPool::forget_all`] was called.
    forgotten: u64,
}

/// A connection and its prepared statements.
pub(super) struct Conn {
    pub(super) client: Client,
    /// Value of [`Idle::forgotten`] when the connection was made.
    forgotten: u64,
    pub(super) get: Statement,
    pub(super) get_many: Statement,
    pub(super) forward: Statement,
    pub(super) backward: Statement,
    pub(super) lock: Statement,
    pub(super) delete: Statement,
    pub(super) put: Statement,
}

impl ConnectionPool {
    pub(super) fn new(url: &str, settings: &StoreSettings) -> Result<Self, StoreError> {
        let (config, tls) = (config(url, settings)?, tls(settings.ca_file.as_deref())?);
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("store-network")
            .enable_all()
            .build()
            .map_err(|_| DatabaseError::Setup("no thread can be started"))?;
        Ok(Self {
            config,
            tls,
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(settings.connections)),
            runtime: Some(runtime),
        })
    }

    /// Returns a new connection without prepared statements.
    pub(super) async fn call(&self) -> Result<Client, StoreError> {
        let runtime = self.runtime.as_ref().ok_or(StoreError::Stopped)?;
        let (config, tls) = (self.config.clone(), self.tls.clone());
        let called = async move {
            let (client, connection) = config.connect(tls).await.map_err(|why| failed(&why))?;
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    tracing::debug!(%error, "a connection to the store's database ended");
                }
            });
            client
                .batch_execute(SESSION)
                .await
                .map_err(|why| failed(&why))?;
            Ok(client)
        };
        // A server that hangs may accept the connection, and then send nothing.
        let called = async { timeout(CALL, called).await };
        match runtime.spawn(called).await {
            Ok(Ok(called)) => called,
            Ok(Err(_)) => Err(DatabaseError::Slow.into()),
            Err(_) => Err(StoreError::Stopped),
        }
    }

    pub(super) async fn pause(&self, pause: Duration) {
        if let Some(runtime) = &self.runtime {
            // Runs on the pool's runtime: the calling thread may have no timer.
            let napped = async move { tokio::time::sleep(pause).await };
            let _ = runtime.spawn(napped).await;
        }
    }

    /// Returns a new connection with prepared statements. The tables must exist.
    pub(super) async fn connect(&self) -> Result<Conn, StoreError> {
        let forgotten = self.idle().forgotten;
        let mut conn = Conn::new(self.call().await?).await?;
        conn.forgotten = forgotten;
        Ok(conn)
    }

    /// Returns a connection for a reader, and its permit. Waits for a free permit.
    pub(super) async fn borrow(&self) -> Result<(Conn, OwnedSemaphorePermit), StoreError> {
        let turn = self.permits.clone().acquire_owned().await;
        let turn = turn.map_err(|_| StoreError::Stopped)?;
        loop {
            let waiting = self.idle().conns.pop();
            match waiting {
                Some(conn) if !conn.client.is_closed() => return Ok((conn, turn)),
                Some(_) => {}
                // The box keeps the large future out of every read, because a read rarely needs a new
                // connection.
                None => return Ok((Box::pin(self.connect()).await?, turn)),
            }
        }
    }

    pub(super) fn return_connection(&self, conn: Conn) {
        let mut idle = self.idle();
        if conn.forgotten == idle.forgotten {
            idle.conns.push(conn);
        }
    }

    /// Ends all connections of the pool, because they may lead to a server that another server has
    /// replaced. Idle connections end now. Borrowed connections end when they are returned.
    pub(super) fn forget_all(&self) {
        let mut idle = self.idle();
        idle.forgotten += 1;
        idle.conns.clear();
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ConnectionPool {
    fn drop(&mut self) {
        self.forget_all();
        // The thread that drops the pool must not block.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Conn {
    /// Prepares the statements. The tables must exist.
    pub(super) async fn new(client: Client) -> Result<Self, StoreError> {
        let reading = try_join4(
            client.prepare(GET),
            client.prepare(GET_MANY),
            client.prepare(FORWARD),
            client.prepare(BACKWARD),
        );
        let writing = try_join3(
            client.prepare(LOCK),
            client.prepare(DELETE),
            client.prepare(PUT),
        );
        let prepared = try_join(reading, writing).await;
        let ((get, get_many, forward, backward), (lock, delete, put)) =
            prepared.map_err(|why| failed(&why))?;
        Ok(Self {
            client,
            forgotten: 0,
            get,
            get_many,
            forward,
            backward,
            lock,
            delete,
            put,
        })
    }
}

/// Returns the configuration of the database client.
fn config(url: &str, settings: &StoreSettings) -> Result<Config, StoreError> {
    let mut config: Config = url.parse().map_err(|_| DatabaseError::Url)?;
    config
        .application_name(concat!("layby ", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .tcp_user_timeout(UNHEARD)
        .keepalives_idle(UNHEARD)
        // Connects only to a server that takes writes, because the primary may have become a standby.
        .target_session_attrs(TargetSessionAttrs::ReadWrite);
    if let Some(password) = password(settings)? {
        config.password(password);
    }
    let is_here = |host: &Host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost"
                || name
                    .parse()
                    .is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
        }
    };
    // Unless the URL requires or disables encryption, connections that leave this machine must be
    // encrypted.
    if config.get_ssl_mode() == SslMode::Prefer {
        let is_local = config.get_hosts().iter().all(is_here);
        config.ssl_mode(if is_local {
            SslMode::Disable
        } else {
            SslMode::Require
        });
    }
    Ok(config)
}

fn password(settings: &StoreSettings) -> Result<Option<String>, StoreError> {
    if let Some(password) = &settings.password {
        return Ok(Some(password.expose().to_string()));
    }
    let Some(path) = &settings.password_file else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(path).map_err(|error| DatabaseError::File {
        setting: "store.password_file",
        path: path.display().to_string(),
        why: format!("can't be read: {error}"),
    })?;
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_string()))
}

fn tls(ca_file: Option<&Path>) -> Result<MakeRustlsConnect, StoreError> {
    let config = tls::client_config(ca_file).map_err(|error| match error {
        TlsError::Authorities { path, why } => DatabaseError::File {
            setting: "store.ca_file",
            path,
            why,
        },
        TlsError::Setup(_) => DatabaseError::Tls,
    })?;
    Ok(MakeRustlsConnect::new(config))
}
